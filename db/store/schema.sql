-- The schema of Bursar 0.2, version 22. STRICT tables; NULL is "not set"; times are
-- seconds since 1970; memory is in MiB. It stays as it is: what comes later is a
-- step of db/store/migrations.c.

-- What the store knows of itself.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY
) STRICT, WITHOUT ROWID;

CREATE TABLE tres (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (type, name)
) STRICT;

CREATE TABLE federation (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  flags INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE cluster (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  control_host TEXT NOT NULL DEFAULT '',
  control_port INTEGER NOT NULL DEFAULT 0,
  rpc_version INTEGER NOT NULL DEFAULT 0,
  classification INTEGER NOT NULL DEFAULT 0,
  flags INTEGER NOT NULL DEFAULT 0,
  features TEXT NOT NULL DEFAULT '', -- comma list
  federation INTEGER REFERENCES federation (id),
  fed_id INTEGER NOT NULL DEFAULT 0,
  fed_state INTEGER NOT NULL DEFAULT 0,
  nodes TEXT NOT NULL DEFAULT '',
  tres TEXT NOT NULL DEFAULT '', -- id=count list
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE account (
  name TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  organization TEXT NOT NULL,
  flags INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE user (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  admin_level INTEGER NOT NULL DEFAULT 1, -- 1 None, 2 Operator, 3 Administrator
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE coordinator (
  account TEXT NOT NULL,
  user TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (account, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE qos (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  flags INTEGER,
  grace_time INTEGER,
  grp_jobs INTEGER,
  grp_jobs_accrue INTEGER,
  grp_submit_jobs INTEGER,
  grp_wall INTEGER, -- minutes
  max_jobs_pa INTEGER,
  max_jobs_pu INTEGER,
  max_jobs_accrue_pa INTEGER,
  max_jobs_accrue_pu INTEGER,
  max_submit_jobs_pa INTEGER,
  max_submit_jobs_pu INTEGER,
  max_wall_pj INTEGER, -- minutes
  min_prio_thresh INTEGER,
  preempt_mode INTEGER,
  preempt_exempt_time INTEGER, -- seconds
  priority INTEGER,
  usage_factor REAL,
  usage_thres REAL,
  limit_factor REAL,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE qos_tres (
  qos INTEGER NOT NULL REFERENCES qos (id),
  kind INTEGER NOT NULL, -- enum qos_tres
  tres INTEGER NOT NULL REFERENCES tres (id),
  count INTEGER NOT NULL,
  PRIMARY KEY (qos, kind, tres)
) STRICT, WITHOUT ROWID;

CREATE TABLE qos_preempt (
  qos INTEGER NOT NULL REFERENCES qos (id),
  victim INTEGER NOT NULL REFERENCES qos (id),
  PRIMARY KEY (qos, victim)
) STRICT, WITHOUT ROWID;

-- One row for an account, or a user in an account, on a cluster.
CREATE TABLE assoc (
  key INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  id INTEGER NOT NULL, -- counts from 1 in each cluster
  parent INTEGER REFERENCES assoc (key) DEFERRABLE INITIALLY DEFERRED,
  account TEXT NOT NULL,
  user TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  partition TEXT NOT NULL DEFAULT '',
  lineage TEXT NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  shares INTEGER NOT NULL DEFAULT 1,
  grp_jobs INTEGER,
  grp_jobs_accrue INTEGER,
  grp_submit_jobs INTEGER,
  grp_wall INTEGER, -- minutes
  max_jobs INTEGER,
  max_jobs_accrue INTEGER,
  max_submit_jobs INTEGER,
  max_wall_pj INTEGER, -- minutes
  min_prio_thresh INTEGER,
  priority INTEGER,
  def_qos INTEGER,
  comment TEXT,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (cluster, id),
  UNIQUE (account, cluster, user, partition)
) STRICT;

CREATE TABLE assoc_tres (
  assoc INTEGER NOT NULL REFERENCES assoc (key) ON DELETE CASCADE,
  kind INTEGER NOT NULL, -- enum assoc_tres
  tres INTEGER NOT NULL REFERENCES tres (id),
  count INTEGER NOT NULL,
  PRIMARY KEY (assoc, kind, tres)
) STRICT, WITHOUT ROWID;

CREATE TABLE assoc_qos (
  assoc INTEGER NOT NULL REFERENCES assoc (key) ON DELETE CASCADE,
  qos INTEGER NOT NULL REFERENCES qos (id),
  sign TEXT NOT NULL CHECK (sign IN ('=', '+', '-')),
  position INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (assoc, qos)
) STRICT, WITHOUT ROWID;

CREATE TABLE wckey (
  key INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  id INTEGER NOT NULL, -- counts from 1 in each cluster
  name TEXT NOT NULL,
  user TEXT NOT NULL COLLATE NOCASE,
  is_default INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (cluster, id),
  UNIQUE (cluster, name, user)
) STRICT;

CREATE TABLE resource (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  server TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  server_type TEXT NOT NULL DEFAULT '',
  type INTEGER NOT NULL DEFAULT 0,
  count INTEGER NOT NULL DEFAULT 0,
  last_consumed INTEGER NOT NULL DEFAULT 0,
  flags INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (name, server)
) STRICT;

CREATE TABLE resource_cluster (
  resource INTEGER NOT NULL REFERENCES resource (id),
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  allowed INTEGER NOT NULL,
  PRIMARY KEY (resource, cluster)
) STRICT, WITHOUT ROWID;

-- Half-lives in force, each from a time on.
CREATE TABLE decay (
  since INTEGER PRIMARY KEY,
  half_life INTEGER NOT NULL, -- seconds, 0: none
  reset INTEGER -- enum usage_reset
) STRICT;

-- One row for each submission.
CREATE TABLE job (
  key INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  id INTEGER NOT NULL,
  submit INTEGER NOT NULL,
  array_job INTEGER NOT NULL DEFAULT 0,
  array_task INTEGER,
  array_tasks TEXT NOT NULL DEFAULT '',
  array_max INTEGER NOT NULL DEFAULT 0,
  het_job INTEGER NOT NULL DEFAULT 0,
  het_offset INTEGER,
  user TEXT NOT NULL DEFAULT '',
  uid INTEGER,
  gid INTEGER,
  grp TEXT NOT NULL DEFAULT '',
  account TEXT NOT NULL DEFAULT '',
  assoc INTEGER REFERENCES assoc (key),
  wckey TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL DEFAULT '',
  partition TEXT NOT NULL DEFAULT '',
  qos INTEGER REFERENCES qos (id),
  qos_req TEXT NOT NULL DEFAULT '',
  constraints TEXT NOT NULL DEFAULT '',
  licenses TEXT NOT NULL DEFAULT '',
  gres TEXT NOT NULL DEFAULT '',
  reservation TEXT NOT NULL DEFAULT '',
  work_dir TEXT NOT NULL DEFAULT '',
  submit_line TEXT NOT NULL DEFAULT '',
  container TEXT NOT NULL DEFAULT '',
  cpus_req INTEGER NOT NULL DEFAULT 1,
  nodes_req INTEGER NOT NULL DEFAULT 1,
  mem_req INTEGER, -- MiB of the whole job; NULL: not asked for
  tres_req TEXT NOT NULL DEFAULT '', -- id=count list
  time_limit INTEGER, -- minutes; NULL: the partition's; -1: unlimited
  time_min INTEGER,
  eligible INTEGER, -- NULL: not eligible yet
  accrue INTEGER,
  begin INTEGER,
  start INTEGER,
  end INTEGER,
  suspended INTEGER NOT NULL DEFAULT 0, -- seconds
  suspended_since INTEGER,
  state INTEGER NOT NULL DEFAULT 0,
  exit_code INTEGER NOT NULL DEFAULT 0, -- wait status
  derived_ec INTEGER NOT NULL DEFAULT 0,
  comment TEXT NOT NULL DEFAULT '', -- derived exit string
  admin_comment TEXT NOT NULL DEFAULT '',
  system_comment TEXT NOT NULL DEFAULT '',
  extra TEXT NOT NULL DEFAULT '',
  killed_by TEXT NOT NULL DEFAULT '',
  restarts INTEGER NOT NULL DEFAULT 0,
  failed_node TEXT NOT NULL DEFAULT '',
  flags INTEGER NOT NULL DEFAULT 0,
  nodes_alloc INTEGER NOT NULL DEFAULT 0,
  nodelist TEXT NOT NULL DEFAULT '',
  tres_alloc TEXT NOT NULL DEFAULT '', -- id=count list
  reason TEXT NOT NULL DEFAULT '',
  hold INTEGER NOT NULL DEFAULT 0, -- 1: user, 2: administrator
  dependency TEXT NOT NULL DEFAULT '',
  priority INTEGER, -- NULL: computed
  nice INTEGER NOT NULL DEFAULT 0,
  site_factor INTEGER NOT NULL DEFAULT 0,
  exclusive INTEGER NOT NULL DEFAULT 0,
  billing REAL NOT NULL DEFAULT 0, -- billable TRES, not truncated
  usage_factor REAL NOT NULL DEFAULT 1, -- charged with it
  part_qos INTEGER REFERENCES qos (id), -- charged too
  usage_epoch INTEGER NOT NULL DEFAULT 0, -- a life: see usage_fact
  wall_limit INTEGER, -- time_limit, or what the partition gave
  modified INTEGER NOT NULL,
  last_priority INTEGER, -- NULL: unknown
  std_in TEXT NOT NULL DEFAULT '',
  std_out TEXT NOT NULL DEFAULT '',
  std_err TEXT NOT NULL DEFAULT '',
  nodes_max INTEGER NOT NULL DEFAULT 0,
  tasks INTEGER NOT NULL DEFAULT 0,
  cpus_per_task INTEGER NOT NULL DEFAULT 0,
  tasks_per_node INTEGER NOT NULL DEFAULT 0,
  mem_per_node INTEGER NOT NULL DEFAULT 0,
  mem_per_cpu INTEGER NOT NULL DEFAULT 0,
  gpus_per_task INTEGER NOT NULL DEFAULT 0,
  gpus_per_socket INTEGER NOT NULL DEFAULT 0,
  nodes_wanted TEXT NOT NULL DEFAULT '',
  nodes_excluded TEXT NOT NULL DEFAULT '',
  cpus_on TEXT NOT NULL DEFAULT '',
  mem_on TEXT NOT NULL DEFAULT '',
  reservation_req TEXT NOT NULL DEFAULT '',
  exclusive_for TEXT NOT NULL DEFAULT '',
  oversubscribe TEXT NOT NULL DEFAULT '',
  mcs_label TEXT NOT NULL DEFAULT '',
  block TEXT NOT NULL DEFAULT '',
  segment_size INTEGER NOT NULL DEFAULT 0,
  UNIQUE (cluster, id, submit)
) STRICT;

CREATE TABLE step (
  job INTEGER NOT NULL REFERENCES job (key) ON DELETE CASCADE,
  id INTEGER NOT NULL, -- -6 interactive, -5 batch, -4 extern, 0 and up numbered
  name TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL DEFAULT 0,
  exit_code INTEGER NOT NULL DEFAULT 0,
  start INTEGER,
  end INTEGER,
  nodelist TEXT NOT NULL DEFAULT '',
  nodes INTEGER NOT NULL DEFAULT 1,
  tasks INTEGER NOT NULL DEFAULT 1,
  task_dist TEXT NOT NULL DEFAULT '',
  time_limit INTEGER,
  user_usec INTEGER NOT NULL DEFAULT 0,
  sys_usec INTEGER NOT NULL DEFAULT 0,
  cpu_freq INTEGER NOT NULL DEFAULT 0,
  energy INTEGER NOT NULL DEFAULT 0,
  tres_alloc TEXT NOT NULL DEFAULT '',
  max_rss INTEGER, -- of all tasks; bytes; NULL: unknown
  ave_rss INTEGER,
  tot_rss INTEGER,
  max_vmem INTEGER,
  ave_vmem INTEGER,
  max_read INTEGER,
  ave_read INTEGER,
  max_write INTEGER,
  ave_write INTEGER,
  max_pages INTEGER, -- a count
  ave_pages INTEGER,
  min_cpu INTEGER, -- milliseconds
  ave_cpu INTEGER,
  max_rss_node TEXT NOT NULL DEFAULT '',
  min_cpu_node TEXT NOT NULL DEFAULT '',
  max_rss_task INTEGER,
  min_cpu_task INTEGER,
  killed_by TEXT NOT NULL DEFAULT '',
  submit_line TEXT NOT NULL DEFAULT '',
  max_gpu INTEGER, -- percent of one GPU; max_rss to here: of steps before 0.2
  -- Of tres_usage_in_... and _out_ of Slurm: `1=1500,2=4096`, CPU in
  -- milliseconds, memory in bytes; a node is a place in nodelist.
  in_ave TEXT NOT NULL DEFAULT '',
  in_max TEXT NOT NULL DEFAULT '',
  in_max_node TEXT NOT NULL DEFAULT '',
  in_max_task TEXT NOT NULL DEFAULT '',
  in_min TEXT NOT NULL DEFAULT '',
  in_min_node TEXT NOT NULL DEFAULT '',
  in_min_task TEXT NOT NULL DEFAULT '',
  in_tot TEXT NOT NULL DEFAULT '',
  out_ave TEXT NOT NULL DEFAULT '',
  out_max TEXT NOT NULL DEFAULT '',
  out_max_node TEXT NOT NULL DEFAULT '',
  out_max_task TEXT NOT NULL DEFAULT '',
  out_min TEXT NOT NULL DEFAULT '',
  out_min_node TEXT NOT NULL DEFAULT '',
  out_min_task TEXT NOT NULL DEFAULT '',
  out_tot TEXT NOT NULL DEFAULT '',
  container TEXT NOT NULL DEFAULT '',
  work_dir TEXT NOT NULL DEFAULT '',
  std_in TEXT NOT NULL DEFAULT '',
  std_out TEXT NOT NULL DEFAULT '',
  std_err TEXT NOT NULL DEFAULT '',
  freq_min INTEGER NOT NULL DEFAULT 0,
  freq_max INTEGER NOT NULL DEFAULT 0,
  freq_governor INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  node TEXT NOT NULL DEFAULT '', -- '' for the cluster's capacity
  start INTEGER NOT NULL,
  end INTEGER, -- NULL: still so
  state TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  user TEXT NOT NULL DEFAULT '',
  tres TEXT NOT NULL DEFAULT '', -- id=count list
  nodes TEXT NOT NULL DEFAULT '',
  extra TEXT NOT NULL DEFAULT '',
  instance_id TEXT NOT NULL DEFAULT '',
  instance_type TEXT NOT NULL DEFAULT '',
  UNIQUE (cluster, node, start)
) STRICT;

CREATE TABLE reservation (
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  nodes TEXT NOT NULL DEFAULT '',
  tres TEXT NOT NULL DEFAULT '',
  assocs TEXT NOT NULL DEFAULT '',
  flags TEXT NOT NULL DEFAULT '',
  comment TEXT NOT NULL DEFAULT '',
  unused REAL NOT NULL DEFAULT 0,
  PRIMARY KEY (cluster, id, start)
) STRICT, WITHOUT ROWID;

-- Roll-ups (db/rollup/rollup.c); seconds by TRES.
CREATE TABLE rollup (
  cluster INTEGER NOT NULL,
  span INTEGER NOT NULL, -- 2: an hour of the local clock, 1: a day, 0: a month
  start INTEGER NOT NULL,
  assoc INTEGER NOT NULL, -- 0: none
  qos INTEGER NOT NULL,
  wckey TEXT NOT NULL,
  tres TEXT NOT NULL, -- id=seconds list
  PRIMARY KEY (cluster, span, start, assoc, qos, wckey)
) STRICT, WITHOUT ROWID;

CREATE TABLE rollup_cluster (
  cluster INTEGER NOT NULL,
  span INTEGER NOT NULL,
  start INTEGER NOT NULL,
  tres INTEGER NOT NULL,
  count INTEGER NOT NULL,
  alloc INTEGER NOT NULL,
  down INTEGER NOT NULL,
  pdown INTEGER NOT NULL,
  idle INTEGER NOT NULL,
  plan INTEGER NOT NULL,
  over INTEGER NOT NULL,
  PRIMARY KEY (cluster, span, start, tres)
) STRICT, WITHOUT ROWID;

-- Hours before `done` are rolled up, but for those that are dirty.
CREATE TABLE rollup_state (
  cluster INTEGER PRIMARY KEY,
  done INTEGER NOT NULL,
  longest INTEGER NOT NULL, -- seconds from submit to end of any job
  early INTEGER NOT NULL, -- seconds any job began before its submit
  calendar TEXT NOT NULL,
  kept INTEGER NOT NULL DEFAULT 0 -- hours before it stay: their records were purged
) STRICT;

CREATE TABLE rollup_dirty (
  cluster INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  PRIMARY KEY (cluster, start, end)
) STRICT, WITHOUT ROWID;

-- One commit: who did what, and the rows before and after (a changeset of
-- sqlite3session) for undo.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  actor TEXT NOT NULL,
  command TEXT NOT NULL,
  changeset BLOB NOT NULL, -- compressed (db/store/changeset.h)
  undone INTEGER REFERENCES change (id)
) STRICT;

CREATE TABLE txn (
  id INTEGER PRIMARY KEY,
  change INTEGER REFERENCES change (id),
  time INTEGER NOT NULL,
  action INTEGER NOT NULL,
  actor TEXT NOT NULL,
  cluster TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL, -- what it was done to
  info TEXT NOT NULL -- what was set
) STRICT;

-- When waiting jobs are expected to start: the last splan --record.
CREATE TABLE expected_start (
  job INTEGER PRIMARY KEY REFERENCES job (key) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  nodes TEXT NOT NULL -- host list
) STRICT;

-- Running jobs that make way for others: warned, or suspended.
CREATE TABLE preemption (
  job INTEGER PRIMARY KEY REFERENCES job (key) ON DELETE CASCADE,
  preemptor INTEGER NOT NULL, -- key of a job
  warned INTEGER NOT NULL,
  due INTEGER NOT NULL
) STRICT;

-- When jobs were suspended; job.suspended is the sum of these and of what
-- nobody knows the time of. The one that lasts is job.suspended_since.
CREATE TABLE suspension (
  job INTEGER NOT NULL REFERENCES job (key) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  PRIMARY KEY (job, start)
) STRICT, WITHOUT ROWID;

-- Nodes that register themselves: NodeName lines that are in no file.
CREATE TABLE node (
  cluster INTEGER NOT NULL REFERENCES cluster (id),
  name TEXT NOT NULL,
  conf TEXT NOT NULL, -- CPUs=4 RealMemory=8000 ...
  PRIMARY KEY (cluster, name)
) STRICT;

-- Values that hold until a time, and what comes back then (db/entity/lease.h).
-- `owner`: the key of an association or QOS, the name of a user.
CREATE TABLE lease (
  kind INTEGER NOT NULL, -- enum lease_kind
  owner ANY NOT NULL,
  field TEXT NOT NULL, -- a column, or 'kind tres'
  n INTEGER NOT NULL, -- the later set lies on the earlier
  until INTEGER NOT NULL,
  set_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  earlier ANY, -- as it stood there
  PRIMARY KEY (kind, owner, field, n)
) STRICT, WITHOUT ROWID;

-- A replica of a log that several hosts share: as of which entry.
CREATE TABLE replica (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  site TEXT NOT NULL,
  position INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  applying INTEGER NOT NULL DEFAULT 0 -- entries are being taken in
) STRICT;

-- Log entries of a large load, a thousand a row (db/store/txnpack.h).
CREATE TABLE txn_pack (
  first INTEGER PRIMARY KEY, -- the number of the first entry
  change INTEGER NOT NULL REFERENCES change (id),
  time INTEGER NOT NULL,
  actor TEXT NOT NULL,
  entries BLOB NOT NULL -- compressed: man/bursar-store.5
) STRICT;

-- What decides whom runs are charged to: each ends one life of an owner, an
-- association or (below 0) a QOS on a cluster, and begins the next.
CREATE TABLE usage_fact (
  id INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  time INTEGER NOT NULL,
  heir INTEGER, -- has the usage of the life that ends; NULL: nobody
  raw REAL, -- RawUsage from now on; NULL: what the heir has
  was_still INTEGER NOT NULL DEFAULT 0, -- the life that ends is NoDecay
  still INTEGER NOT NULL DEFAULT 0, -- so is the one that begins
  until INTEGER NOT NULL DEFAULT 0 -- fair-share still counts what went
) STRICT;

-- What was added in a bucket (begin, at], and what the life has come to.
CREATE TABLE usage_sum (
  owner INTEGER NOT NULL,
  life INTEGER NOT NULL, -- the fact that it began with, 0: the first
  at INTEGER NOT NULL,
  begin INTEGER NOT NULL,
  sums BLOB NOT NULL, -- man/bursar-store.5
  PRIMARY KEY (owner, life, at)
) STRICT, WITHOUT ROWID;

-- The same of runs whose records are gone.
CREATE TABLE usage_kept (
  owner INTEGER NOT NULL,
  life INTEGER NOT NULL,
  at INTEGER NOT NULL,
  begin INTEGER NOT NULL,
  sums BLOB NOT NULL,
  PRIMARY KEY (owner, life, at)
) STRICT, WITHOUT ROWID;

-- What the last life of an owner has come to by its last bucket.
CREATE TABLE usage (
  owner INTEGER PRIMARY KEY,
  life INTEGER NOT NULL,
  begin INTEGER NOT NULL,
  at INTEGER NOT NULL,
  still INTEGER NOT NULL,
  raw REAL NOT NULL,
  last INTEGER NOT NULL -- when the last run of it ended
) STRICT;

-- Reports ask what had not ended before one time and could start before another
-- (db/job/history.c). The texts of job, user and account are those of the association,
-- where there is one.
CREATE INDEX coordinator_user ON coordinator (user);
CREATE INDEX assoc_user ON assoc (user, cluster);
CREATE INDEX assoc_parent ON assoc (parent);
CREATE INDEX assoc_qos_qos ON assoc_qos (qos);
CREATE INDEX wckey_user ON wckey (user);
CREATE INDEX job_submit ON job (submit);
CREATE INDEX job_array ON job (cluster, array_job) WHERE array_job <> 0;
CREATE INDEX job_het ON job (cluster, het_job) WHERE het_job <> 0;
CREATE INDEX job_open ON job (cluster, state) WHERE end IS NULL;
CREATE INDEX job_assoc ON job (assoc, end, eligible);
CREATE INDEX job_user ON job (user, end, eligible) WHERE assoc IS NULL;
CREATE INDEX job_account ON job (account, end, eligible) WHERE assoc IS NULL;
CREATE INDEX job_end ON job (end, eligible, cluster);
CREATE INDEX assoc_grp_wall ON assoc (key) WHERE grp_wall IS NOT NULL;
CREATE INDEX assoc_def_qos ON assoc (def_qos) WHERE def_qos IS NOT NULL;
CREATE INDEX assoc_accrue ON assoc (key) WHERE grp_jobs_accrue IS NOT NULL OR max_jobs_accrue IS NOT NULL;
CREATE INDEX assoc_tree ON assoc (cluster, lineage, deleted, parent, id, shares, priority);
CREATE INDEX lease_until ON lease (until);
CREATE INDEX usage_fact_owner ON usage_fact (owner, id);
CREATE INDEX usage_fact_heir ON usage_fact (heir, id)
 WHERE heir NOT NULL;
CREATE INDEX usage_fact_until ON usage_fact (until) WHERE until > 0;

-- Views for other programs. Their columns are told in man/bursar-store.5 and stay as
-- they are. They use no function that only some builds of SQLite have, and few words:
-- every program reads them when it opens a store.

-- Each run, cut at midnight UTC.
CREATE VIEW usage_by_day AS WITH RECURSIVE part (key, a, z) AS (
 SELECT key, start, ifnull(end, CAST(strftime('%s','now') AS INTEGER)) FROM job
  WHERE start NOT NULL
 UNION ALL SELECT key, a / 86400 * 86400 + 86400, z FROM part
  WHERE a / 86400 * 86400 + 86400 < z)
 SELECT date(a, 'unixepoch') AS day_utc, cluster, account, user,
 partition, qos, count(*) AS jobs, sum(s) AS run_seconds,
 sum(s * cpu) AS cpu_seconds, sum(s * mem_mb) AS mem_mb_seconds,
 sum(s * gpus) AS gpu_seconds, sum(s * nodes) AS node_seconds,
 sum(s * billing) AS billing_seconds
 FROM (SELECT *, min(z, a / 86400 * 86400 + 86400) - a AS s
  FROM part) JOIN jobs USING (key) GROUP BY 1, 2, 3, 4, 5, 6;

CREATE VIEW waits AS SELECT cluster, id, user, account, partition,
 qos, state, eligible_utc, eligible_epoch, start_utc, start_epoch,
 wait_seconds, CASE WHEN start_epoch IS NULL THEN reason END
  AS reason,
 datetime(e.start, 'unixepoch') AS expected_utc, e.start AS expected_epoch
 FROM jobs LEFT JOIN expected_start e ON e.job = key
 WHERE eligible_epoch NOT NULL;

-- What of a limit is in use: by all that it counts together, or by the
-- user or account that has most.
CREATE VIEW limits AS WITH most (qos, owner, name, tres, at_most) AS (
 SELECT 0, assoc, 'GrpTRES', tres, count FROM assoc_tres WHERE kind = 0
 UNION ALL SELECT 1, qos, CASE kind WHEN 0 THEN 'GrpTRES' WHEN 3
  THEN 'MaxTRESPerAccount' ELSE 'MaxTRESPerUser' END, tres, count
  FROM qos_tres WHERE kind IN (0, 3, 6)
 UNION ALL SELECT 0, a.key, e.key, 0, value FROM assoc a,
  json_each(json_object('GrpJobs', grp_jobs, 'GrpSubmitJobs',
  grp_submit_jobs, 'MaxJobs', max_jobs, 'MaxSubmitJobs',
  max_submit_jobs)) e WHERE value NOT NULL
 UNION ALL SELECT 1, q.id, e.key, 0, value FROM qos q,
  json_each(json_object('GrpJobs', grp_jobs, 'GrpSubmitJobs',
  grp_submit_jobs, 'MaxJobsPerAccount', max_jobs_pa,
  'MaxJobsPerUser', max_jobs_pu, 'MaxSubmitJobsPerAccount',
  max_submit_jobs_pa, 'MaxSubmitJobsPerUser', max_submit_jobs_pu)) e
  WHERE value NOT NULL),
 taken AS (SELECT m.qos, owner, m.name, m.tres, sum(CASE m.tres
  WHEN 0 THEN 1 ELSE json_extract(
  '{"' || replace(replace(nullif(tres_alloc, ''), '=', '":'), ',', ',"')
  || '}', '$.' || m.tres) END) AS used FROM job j
  LEFT JOIN assoc own ON own.key = j.assoc JOIN most m
  LEFT JOIN assoc a ON NOT m.qos AND a.key = owner
  WHERE end IS NULL
  AND (state & 255 IN (1, 2) OR m.name LIKE '%Submit%')
  AND CASE m.qos WHEN 1 THEN owner IN (j.qos, j.part_qos)
   ELSE j.cluster = a.cluster
   AND substr(own.lineage, 1, length(a.lineage)) = a.lineage END
  GROUP BY 1, 2, 3, 4, CASE WHEN m.name LIKE '%Account'
   THEN j.account WHEN m.name LIKE 'Max%' THEN j.user END)
 SELECT (SELECT name FROM cluster WHERE id = a.cluster) AS cluster,
 (SELECT name FROM qos WHERE m.qos AND id = owner) AS qos, account,
 user, partition, m.name AS limit_name,
 (SELECT type || rtrim('/' || name, '/') FROM tres
  WHERE id = m.tres) AS tres, at_most, ifnull(max(used), 0) AS used
 FROM most m LEFT JOIN taken USING (qos, owner, name, tres)
 LEFT JOIN assoc a ON NOT m.qos AND a.key = owner
 WHERE at_most >= 0 AND NOT ifnull(deleted, 0)
 GROUP BY m.qos, owner, m.name, m.tres;

-- An amount has decayed since its time. A job that runs is an amount that
-- would last for ever, and the same taken off since its start.
CREATE VIEW shares AS WITH RECURSIVE half (h) AS (SELECT ifnull((
 SELECT half_life FROM decay WHERE since <= CAST(strftime('%s','now') AS INTEGER)
 ORDER BY since DESC LIMIT 1), 0)),
 run AS (SELECT assoc, billing * usage_factor AS rate,
  CAST(strftime('%s','now') AS INTEGER) - start AS ran FROM job
  WHERE end IS NULL AND state & 255 IN (1, 2) AND assoc NOT NULL),
 amount (assoc, seconds, age) AS (SELECT owner, raw,
  CASE WHEN still OR NOT h THEN 0 ELSE (CAST(strftime('%s','now') AS INTEGER) - at) * 1.0 / h END
  FROM usage, half WHERE owner > 0
  UNION ALL SELECT assoc, CASE h WHEN 0 THEN rate * ran
   ELSE rate * h / 0.693147181 END, 0 FROM run, half
  UNION ALL SELECT assoc, -rate * h / 0.693147181, ran * 1.0 / h
   FROM run, half WHERE h),
-- 2 to the power of -age, for ages from -1 on: halves, and a polynomial.
 own AS (SELECT assoc, sum(seconds * 2 / (1 << n) * (1 - f *
  (0.693144088 - f * (0.240183278 - f * (0.055305587 - f *
  (0.009214176 - f * 0.000947779)))))) AS used FROM (
   SELECT *, age + 1 - n AS f FROM (SELECT *,
    CAST(age + 1 AS INTEGER) AS n FROM amount)) GROUP BY assoc),
 up (assoc, used) AS (SELECT * FROM own UNION ALL
  SELECT parent, up.used FROM up JOIN assoc ON key = assoc
  WHERE parent NOT NULL)
 SELECT cluster, account, user, partition, parent_account, shares,
  promised_part, used AS usage_seconds, used_part,
  promised_part / used_part AS level_fs FROM (SELECT
  (SELECT name FROM cluster WHERE id = a.cluster) AS cluster,
  account, user, partition, (SELECT account FROM assoc
   WHERE key = a.parent) AS parent_account, shares,
  shares * 1.0 / sum(shares) OVER level AS promised_part, used,
  used / nullif(sum(used) OVER level, 0) AS used_part FROM (
   SELECT *, ifnull((SELECT sum(used) FROM up WHERE assoc = key), 0.0)
    AS used FROM assoc) a WHERE NOT deleted AND shares < 2147483647
  WINDOW level AS (PARTITION BY parent));

CREATE VIEW jobs AS SELECT key,
 (SELECT name FROM cluster WHERE id = cluster) AS cluster,
 id, array_job, array_task, user, account, partition,
 (SELECT name FROM qos WHERE id = j.qos) AS qos, wckey, name,
 json_extract('["PENDING","RUNNING","SUSPENDED","COMPLETED",
  "CANCELLED","FAILED","TIMEOUT","NODE_FAIL","PREEMPTED",
  "BOOT_FAIL","DEADLINE","OUT_OF_MEMORY"]',
  '$[' || (state & 255) || ']') AS state,
 exit_code >> 8 AS exit_code, exit_code & 127 AS exit_signal,
 datetime(submit, 'unixepoch') AS submit_utc, submit AS submit_epoch,
 datetime(eligible, 'unixepoch') AS eligible_utc, eligible AS eligible_epoch,
 datetime(start, 'unixepoch') AS start_utc, start AS start_epoch,
 datetime(end, 'unixepoch') AS end_utc, end AS end_epoch,
 nullif(wall_limit, -1) * 60 AS limit_seconds,
 max(coalesce(start, end, CAST(strftime('%s','now') AS INTEGER)) - eligible, 0) AS wait_seconds,
 ifnull(end, CAST(strftime('%s','now') AS INTEGER)) - start - suspended AS run_seconds,
 ifnull(json_extract(tres, '$.1'), 0) AS cpu,
 ifnull(json_extract(tres, '$.2'), 0) AS mem_mb,
 ifnull(json_extract(tres, '$.' || (SELECT id FROM tres
  WHERE type = 'gres' AND name = 'gpu')), 0) AS gpus,
 ifnull(json_extract(tres, '$.4'), 0) AS nodes,
 ifnull(json_extract(tres, '$.5'), 0) AS billing,
 (SELECT sum(user_usec + sys_usec) / 1e6 FROM step WHERE job = key)
  AS cpu_used_seconds,
 (SELECT max(json_extract('{"' || replace(replace(nullif(in_max, ''), '=', '":'), ',', ',"')
  || '}', '$.2')) / 1048576 FROM step WHERE job = key)
  AS max_rss_mb, nodelist AS node_list, reason
 FROM (SELECT *,
  '{"' || replace(replace(nullif(ifnull(nullif(tres_alloc, ''), tres_req), ''), '=', '":'), ',', ',"')
  || '}' AS tres FROM job) j;

CREATE VIEW steps AS SELECT cluster, id, user, account, partition,
 s.* FROM (SELECT job AS key, CASE id WHEN -6 THEN 'interactive'
  WHEN -5 THEN 'batch' WHEN -4 THEN 'extern' ELSE id || '' END AS step,
  name,
 json_extract('["PENDING","RUNNING","SUSPENDED","COMPLETED",
  "CANCELLED","FAILED","TIMEOUT","NODE_FAIL","PREEMPTED",
  "BOOT_FAIL","DEADLINE","OUT_OF_MEMORY"]',
  '$[' || (state & 255) || ']') AS state,
 exit_code >> 8 AS exit_code, exit_code & 127 AS exit_signal,
 datetime(start, 'unixepoch') AS start_utc, start AS start_epoch,
 datetime(end, 'unixepoch') AS end_utc, end AS end_epoch,
 ifnull(end, CAST(strftime('%s','now') AS INTEGER)) - start AS run_seconds,
 ifnull(json_extract(tres, '$.1'), 0) AS cpu,
 ifnull(json_extract(tres, '$.2'), 0) AS mem_mb,
 ifnull(json_extract(tres, '$.' || (SELECT id FROM tres
  WHERE type = 'gres' AND name = 'gpu')), 0) AS gpus,
 ifnull(json_extract(tres, '$.4'), 0) AS nodes,
 ifnull(json_extract(tres, '$.5'), 0) AS billing,
 tasks, (user_usec + sys_usec) / 1e6 AS cpu_used_seconds,
 json_extract('{"' || replace(replace(nullif(in_max, ''), '=', '":'), ',', ',"')
  || '}', '$.2') / 1048576 AS max_rss_mb, nodelist AS node_list
 FROM (SELECT *, '{"' || replace(replace(nullif(tres_alloc, ''), '=', '":'), ',', ',"')
  || '}' AS tres FROM step)) s
 JOIN jobs USING (key);

-- Whoever changes a job, an event or a reservation makes dirty what was
-- rolled up and is no longer true. Dirt is kept in days of UTC.
CREATE VIEW rollup_mark AS SELECT 0 AS cluster, 0 AS start, 0 AS end;

CREATE TRIGGER rollup_mark INSTEAD OF INSERT ON rollup_mark BEGIN
  INSERT INTO rollup_dirty (cluster, start, end)
  SELECT cluster, a, b FROM (
   SELECT s.cluster, new.start - new.start % 86400 AS a,
   min(coalesce(new.end, s.done), s.done) / 86400 * 86400 + 86400 AS b
   FROM rollup_state s WHERE s.cluster = new.cluster
   AND new.start < s.done) n
   WHERE NOT EXISTS (SELECT 1 FROM rollup_dirty d
    WHERE d.cluster = n.cluster AND d.start = n.a AND d.end = n.b);
END;

CREATE TRIGGER rollup_job_insert AFTER INSERT ON job
WHEN EXISTS (SELECT 1 FROM rollup_state WHERE cluster = new.cluster)
BEGIN
  INSERT INTO rollup_mark VALUES (new.cluster,
   min(coalesce(new.eligible, new.start),
    coalesce(new.start, new.eligible)), new.end);
  UPDATE rollup_state SET
   longest = max(longest, coalesce(new.end - new.submit, 0)),
   early = max(early, coalesce(new.submit - new.eligible, 0),
    coalesce(new.submit - new.start, 0))
   WHERE cluster = new.cluster AND (longest < new.end - new.submit
   OR early < new.submit - new.eligible
   OR early < new.submit - new.start);
END;

CREATE TRIGGER rollup_job_update AFTER UPDATE OF cluster, submit,
 eligible, start, end, assoc, qos, wckey, tres_alloc, cpus_req,
 array_tasks, reservation ON job
WHEN EXISTS (SELECT 1 FROM rollup_state WHERE cluster = new.cluster)
BEGIN
  INSERT INTO rollup_mark SELECT new.cluster, min(
   CASE WHEN (old.eligible, old.cpus_req, old.array_tasks,
     old.reservation, old.cluster) IS NOT (new.eligible, new.cpus_req,
     new.array_tasks, new.reservation, new.cluster)
    THEN min(coalesce(old.eligible, old.start, new.eligible, new.start),
     coalesce(new.eligible, new.start, old.eligible, old.start),
     coalesce(old.start, new.start, old.eligible, new.eligible),
     coalesce(new.start, old.start, new.eligible, old.eligible))
    ELSE 9e18 END,
   CASE WHEN (old.start, old.assoc, old.qos, old.wckey, old.tres_alloc)
     IS NOT (new.start, new.assoc, new.qos, new.wckey, new.tres_alloc)
    THEN min(coalesce(old.start, new.start, 9e18),
     coalesce(new.start, old.start, 9e18)) ELSE 9e18 END,
   CASE WHEN old.end IS NOT new.end
    THEN min(coalesce(old.end, new.end), coalesce(new.end, old.end))
    ELSE 9e18 END),
   CASE WHEN old.end NOT NULL AND new.end NOT NULL
    THEN max(old.end, new.end) END;
  UPDATE rollup_state SET
   longest = max(longest, coalesce(new.end - new.submit, 0)),
   early = max(early, coalesce(new.submit - new.eligible, 0),
    coalesce(new.submit - new.start, 0))
   WHERE cluster = new.cluster AND (longest < new.end - new.submit
   OR early < new.submit - new.eligible
   OR early < new.submit - new.start);
END;

CREATE TRIGGER rollup_job_delete AFTER DELETE ON job
WHEN EXISTS (SELECT 1 FROM rollup_state WHERE cluster = old.cluster)
BEGIN
  INSERT INTO rollup_mark VALUES (old.cluster,
   min(coalesce(old.eligible, old.start),
    coalesce(old.start, old.eligible)), old.end);
END;

CREATE TRIGGER rollup_event_insert AFTER INSERT ON event BEGIN
  INSERT INTO rollup_mark VALUES (new.cluster, new.start, new.end);
END;

CREATE TRIGGER rollup_event_delete AFTER DELETE ON event BEGIN
  INSERT INTO rollup_mark VALUES (old.cluster, old.start, old.end);
END;

CREATE TRIGGER rollup_event_update AFTER UPDATE ON event
WHEN (old.cluster, old.start, old.tres, old.state, old.node)
 IS NOT (new.cluster, new.start, new.tres, new.state, new.node)
BEGIN
  INSERT INTO rollup_mark VALUES (new.cluster,
   min(old.start, new.start), CASE WHEN old.end NOT NULL
   AND new.end NOT NULL THEN max(old.end, new.end) END);
END;

CREATE TRIGGER rollup_event_end AFTER UPDATE OF end ON event
WHEN old.end IS NOT new.end
BEGIN
  INSERT INTO rollup_mark VALUES (new.cluster,
   min(coalesce(old.end, new.end), coalesce(new.end, old.end)),
   CASE WHEN old.end NOT NULL AND new.end NOT NULL
   THEN max(old.end, new.end) END);
END;

CREATE TRIGGER rollup_reservation_insert AFTER INSERT ON reservation BEGIN
  INSERT INTO rollup_mark VALUES (new.cluster, new.start, new.end);
END;

CREATE TRIGGER rollup_reservation_delete AFTER DELETE ON reservation BEGIN
  INSERT INTO rollup_mark VALUES (old.cluster, old.start, old.end);
END;

CREATE TRIGGER rollup_reservation_update AFTER UPDATE ON reservation BEGIN
  INSERT INTO rollup_mark VALUES (old.cluster, old.start, old.end);
  INSERT INTO rollup_mark VALUES (new.cluster, new.start, new.end);
END;

CREATE TRIGGER rollup_job_suspended
 AFTER UPDATE OF suspended, suspended_since ON job
WHEN old.suspended_since IS NOT new.suspended_since
 OR new.suspended < old.suspended
BEGIN
  INSERT INTO rollup_mark VALUES (new.cluster,
   CASE WHEN new.suspended < old.suspended
    THEN coalesce(new.start, old.start)
    ELSE min(coalesce(old.suspended_since, new.suspended_since),
     coalesce(new.suspended_since, old.suspended_since)) END, new.end);
END;

CREATE TRIGGER suspension_forget AFTER UPDATE OF suspended ON job
WHEN new.suspended < old.suspended
 AND NOT EXISTS (SELECT 1 FROM replica WHERE applying)
BEGIN
  DELETE FROM suspension WHERE job = new.key;
END;

CREATE TRIGGER suspension_end AFTER UPDATE OF suspended_since ON job
WHEN old.suspended_since NOT NULL AND new.suspended_since IS NULL
 AND new.suspended > old.suspended
 AND NOT EXISTS (SELECT 1 FROM replica WHERE applying)
BEGIN
  INSERT OR REPLACE INTO suspension (job, start, end)
   VALUES (new.key, old.suspended_since,
   old.suspended_since + new.suspended - old.suspended);
END;
