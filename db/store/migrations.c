/*
 * The schema. STRICT tables; NULL is "not set"; times are seconds since 1970;
 * memory is in MiB.
 */
#include "db/store/migrations.h"

#include <stddef.h>

static const char *const schema_1[] = {
	"-- What the store knows of itself.\n"
	"CREATE TABLE meta (\n"
	"  key TEXT PRIMARY KEY,\n"
	"  value ANY\n"
	") STRICT, WITHOUT ROWID;\n",

	"CREATE TABLE tres (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  type TEXT NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  created INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0,\n"
	"  UNIQUE (type, name)\n"
	") STRICT;\n",

	"CREATE TABLE federation (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  name TEXT NOT NULL UNIQUE,\n"
	"  flags INTEGER NOT NULL DEFAULT 0,\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0\n"
	") STRICT;\n",

	"CREATE TABLE cluster (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  name TEXT NOT NULL UNIQUE,\n"
	"  control_host TEXT NOT NULL DEFAULT '',\n"
	"  control_port INTEGER NOT NULL DEFAULT 0,\n"
	"  rpc_version INTEGER NOT NULL DEFAULT 0,\n"
	"  classification INTEGER NOT NULL DEFAULT 0,\n"
	"  flags INTEGER NOT NULL DEFAULT 0,\n"
	"  features TEXT NOT NULL DEFAULT '', -- comma list\n"
	"  federation INTEGER REFERENCES federation (id),\n"
	"  fed_id INTEGER NOT NULL DEFAULT 0,\n"
	"  fed_state INTEGER NOT NULL DEFAULT 0,\n"
	"  nodes TEXT NOT NULL DEFAULT '',\n"
	"  tres TEXT NOT NULL DEFAULT '', -- id=count list\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0\n"
	") STRICT;\n",

	"CREATE TABLE account (\n"
	"  name TEXT PRIMARY KEY,\n"
	"  description TEXT NOT NULL,\n"
	"  organization TEXT NOT NULL,\n"
	"  flags INTEGER NOT NULL DEFAULT 0,\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0\n"
	") STRICT, WITHOUT ROWID;\n",

	"CREATE TABLE user (\n"
	"  name TEXT PRIMARY KEY COLLATE NOCASE,\n"
	"  admin_level INTEGER NOT NULL DEFAULT 1, -- 1 None, 2 Operator, 3 Administrator\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0\n"
	") STRICT, WITHOUT ROWID;\n",

	"CREATE TABLE coordinator (\n"
	"  account TEXT NOT NULL,\n"
	"  user TEXT NOT NULL COLLATE NOCASE,\n"
	"  PRIMARY KEY (account, user)\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE INDEX coordinator_user ON coordinator (user);\n",

	"CREATE TABLE qos (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  name TEXT NOT NULL UNIQUE,\n"
	"  description TEXT NOT NULL,\n"
	"  flags INTEGER,\n"
	"  grace_time INTEGER,\n"
	"  grp_jobs INTEGER,\n"
	"  grp_jobs_accrue INTEGER,\n"
	"  grp_submit_jobs INTEGER,\n"
	"  grp_wall INTEGER, -- minutes\n"
	"  max_jobs_pa INTEGER,\n"
	"  max_jobs_pu INTEGER,\n"
	"  max_jobs_accrue_pa INTEGER,\n"
	"  max_jobs_accrue_pu INTEGER,\n"
	"  max_submit_jobs_pa INTEGER,\n"
	"  max_submit_jobs_pu INTEGER,\n"
	"  max_wall_pj INTEGER, -- minutes\n"
	"  min_prio_thresh INTEGER,\n"
	"  preempt_mode INTEGER,\n"
	"  preempt_exempt_time INTEGER, -- seconds\n"
	"  priority INTEGER,\n"
	"  usage_factor REAL,\n"
	"  usage_thres REAL,\n"
	"  limit_factor REAL,\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0\n"
	") STRICT;\n",

	"CREATE TABLE qos_tres (\n"
	"  qos INTEGER NOT NULL REFERENCES qos (id),\n"
	"  kind INTEGER NOT NULL, -- enum qos_tres\n"
	"  tres INTEGER NOT NULL REFERENCES tres (id),\n"
	"  count INTEGER NOT NULL,\n"
	"  PRIMARY KEY (qos, kind, tres)\n"
	") STRICT, WITHOUT ROWID;\n",

	"CREATE TABLE qos_preempt (\n"
	"  qos INTEGER NOT NULL REFERENCES qos (id),\n"
	"  victim INTEGER NOT NULL REFERENCES qos (id),\n"
	"  PRIMARY KEY (qos, victim)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- One row for an account, or a user in an account, on a cluster.\n"
	"CREATE TABLE assoc (\n"
	"  key INTEGER PRIMARY KEY,\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  id INTEGER NOT NULL, -- counts from 1 in each cluster\n"
	"  parent INTEGER REFERENCES assoc (key) DEFERRABLE INITIALLY DEFERRED,\n"
	"  account TEXT NOT NULL,\n"
	"  user TEXT NOT NULL DEFAULT '' COLLATE NOCASE,\n"
	"  partition TEXT NOT NULL DEFAULT '',\n"
	"  lineage TEXT NOT NULL,\n"
	"  is_default INTEGER NOT NULL DEFAULT 0,\n"
	"  shares INTEGER NOT NULL DEFAULT 1,\n"
	"  grp_jobs INTEGER,\n"
	"  grp_jobs_accrue INTEGER,\n"
	"  grp_submit_jobs INTEGER,\n"
	"  grp_wall INTEGER, -- minutes\n"
	"  max_jobs INTEGER,\n"
	"  max_jobs_accrue INTEGER,\n"
	"  max_submit_jobs INTEGER,\n"
	"  max_wall_pj INTEGER, -- minutes\n"
	"  min_prio_thresh INTEGER,\n"
	"  priority INTEGER,\n"
	"  def_qos INTEGER,\n"
	"  comment TEXT,\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0,\n"
	"  UNIQUE (cluster, id),\n"
	"  UNIQUE (account, cluster, user, partition)\n"
	") STRICT;\n"
	"CREATE INDEX assoc_lineage ON assoc (cluster, lineage);\n"
	"CREATE INDEX assoc_user ON assoc (user, cluster);\n"
	"CREATE INDEX assoc_parent ON assoc (parent);\n",

	"CREATE TABLE assoc_tres (\n"
	"  assoc INTEGER NOT NULL REFERENCES assoc (key) ON DELETE CASCADE,\n"
	"  kind INTEGER NOT NULL, -- enum assoc_tres\n"
	"  tres INTEGER NOT NULL REFERENCES tres (id),\n"
	"  count INTEGER NOT NULL,\n"
	"  PRIMARY KEY (assoc, kind, tres)\n"
	") STRICT, WITHOUT ROWID;\n",

	"CREATE TABLE assoc_qos (\n"
	"  assoc INTEGER NOT NULL REFERENCES assoc (key) ON DELETE CASCADE,\n"
	"  qos INTEGER NOT NULL REFERENCES qos (id),\n"
	"  sign TEXT NOT NULL CHECK (sign IN ('=', '+', '-')),\n"
	"  position INTEGER NOT NULL DEFAULT 0,\n"
	"  PRIMARY KEY (assoc, qos)\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE INDEX assoc_qos_qos ON assoc_qos (qos);\n",

	"CREATE TABLE wckey (\n"
	"  key INTEGER PRIMARY KEY,\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  id INTEGER NOT NULL, -- counts from 1 in each cluster\n"
	"  name TEXT NOT NULL,\n"
	"  user TEXT NOT NULL COLLATE NOCASE,\n"
	"  is_default INTEGER NOT NULL DEFAULT 0,\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0,\n"
	"  UNIQUE (cluster, id),\n"
	"  UNIQUE (cluster, name, user)\n"
	") STRICT;\n"
	"CREATE INDEX wckey_user ON wckey (user);\n",

	"CREATE TABLE resource (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  name TEXT NOT NULL,\n"
	"  server TEXT NOT NULL,\n"
	"  description TEXT NOT NULL DEFAULT '',\n"
	"  server_type TEXT NOT NULL DEFAULT '',\n"
	"  type INTEGER NOT NULL DEFAULT 0,\n"
	"  count INTEGER NOT NULL DEFAULT 0,\n"
	"  last_consumed INTEGER NOT NULL DEFAULT 0,\n"
	"  flags INTEGER NOT NULL DEFAULT 0,\n"
	"  created INTEGER NOT NULL,\n"
	"  modified INTEGER NOT NULL,\n"
	"  deleted INTEGER NOT NULL DEFAULT 0,\n"
	"  UNIQUE (name, server)\n"
	") STRICT;\n",

	"CREATE TABLE resource_cluster (\n"
	"  resource INTEGER NOT NULL REFERENCES resource (id),\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  allowed INTEGER NOT NULL,\n"
	"  PRIMARY KEY (resource, cluster)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- Usage of an association by itself (not of those below it), true at `at`.\n"
	"-- tres 0: billing x seconds (RawUsage); -1: wall seconds; else TRES seconds.\n"
	"CREATE TABLE assoc_usage (\n"
	"  assoc INTEGER NOT NULL REFERENCES assoc (key) ON DELETE CASCADE,\n"
	"  tres INTEGER NOT NULL,\n"
	"  amount REAL NOT NULL,\n"
	"  at INTEGER NOT NULL,\n"
	"  PRIMARY KEY (tres, assoc) -- all of one TRES at a stretch\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE INDEX assoc_usage_assoc ON assoc_usage (assoc);\n",

	"-- RawUsage=N: jobs recorded under an earlier epoch count from `since` on.\n"
	"-- What was taken away the fair-share factors still see until the next pass,\n"
	"-- as a controller's do.\n"
	"CREATE TABLE assoc_usage_reset (\n"
	"  assoc INTEGER PRIMARY KEY REFERENCES assoc (key) ON DELETE CASCADE,\n"
	"  epoch INTEGER NOT NULL,\n"
	"  since INTEGER NOT NULL,\n"
	"  removed REAL NOT NULL DEFAULT 0, -- true at `since`\n"
	"  until INTEGER NOT NULL DEFAULT 0\n"
	") STRICT;\n",

	"CREATE TABLE qos_usage (\n"
	"  qos INTEGER NOT NULL REFERENCES qos (id),\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  tres INTEGER NOT NULL,\n"
	"  amount REAL NOT NULL,\n"
	"  at INTEGER NOT NULL,\n"
	"  PRIMARY KEY (qos, cluster, tres)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- Half-lives in force, each from a time on.\n"
	"CREATE TABLE decay (\n"
	"  since INTEGER PRIMARY KEY,\n"
	"  half_life INTEGER NOT NULL -- seconds, 0: none\n"
	") STRICT;\n",

	"-- One row for each submission.\n"
	"CREATE TABLE job (\n"
	"  key INTEGER PRIMARY KEY,\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  id INTEGER NOT NULL,\n"
	"  submit INTEGER NOT NULL,\n"
	"  array_job INTEGER NOT NULL DEFAULT 0,\n"
	"  array_task INTEGER,\n"
	"  array_tasks TEXT NOT NULL DEFAULT '',\n"
	"  array_max INTEGER NOT NULL DEFAULT 0,\n"
	"  het_job INTEGER NOT NULL DEFAULT 0,\n"
	"  het_offset INTEGER,\n"
	"  user TEXT NOT NULL DEFAULT '',\n"
	"  uid INTEGER,\n"
	"  gid INTEGER,\n"
	"  grp TEXT NOT NULL DEFAULT '',\n"
	"  account TEXT NOT NULL DEFAULT '',\n"
	"  assoc INTEGER REFERENCES assoc (key),\n"
	"  wckey TEXT NOT NULL DEFAULT '',\n"
	"  name TEXT NOT NULL DEFAULT '',\n"
	"  partition TEXT NOT NULL DEFAULT '',\n"
	"  qos INTEGER REFERENCES qos (id),\n"
	"  qos_req TEXT NOT NULL DEFAULT '',\n"
	"  constraints TEXT NOT NULL DEFAULT '',\n"
	"  licenses TEXT NOT NULL DEFAULT '',\n"
	"  gres TEXT NOT NULL DEFAULT '',\n"
	"  reservation TEXT NOT NULL DEFAULT '',\n"
	"  work_dir TEXT NOT NULL DEFAULT '',\n"
	"  submit_line TEXT NOT NULL DEFAULT '',\n"
	"  container TEXT NOT NULL DEFAULT '',\n"
	"  cpus_req INTEGER NOT NULL DEFAULT 1,\n"
	"  nodes_req INTEGER NOT NULL DEFAULT 1,\n"
	"  mem_req INTEGER, -- MiB of the whole job; NULL: not asked for\n"
	"  tres_req TEXT NOT NULL DEFAULT '', -- id=count list\n"
	"  time_limit INTEGER, -- minutes; NULL: the partition's; -1: unlimited\n"
	"  time_min INTEGER,\n"
	"  eligible INTEGER, -- NULL: not eligible yet\n"
	"  accrue INTEGER,\n"
	"  begin INTEGER,\n"
	"  start INTEGER,\n"
	"  end INTEGER,\n"
	"  suspended INTEGER NOT NULL DEFAULT 0, -- seconds\n"
	"  suspended_since INTEGER,\n"
	"  state INTEGER NOT NULL DEFAULT 0,\n"
	"  exit_code INTEGER NOT NULL DEFAULT 0, -- wait status\n"
	"  derived_ec INTEGER NOT NULL DEFAULT 0,\n"
	"  comment TEXT NOT NULL DEFAULT '', -- derived exit string\n"
	"  admin_comment TEXT NOT NULL DEFAULT '',\n"
	"  system_comment TEXT NOT NULL DEFAULT '',\n"
	"  extra TEXT NOT NULL DEFAULT '',\n"
	"  killed_by TEXT NOT NULL DEFAULT '',\n"
	"  restarts INTEGER NOT NULL DEFAULT 0,\n"
	"  failed_node TEXT NOT NULL DEFAULT '',\n"
	"  flags INTEGER NOT NULL DEFAULT 0,\n"
	"  nodes_alloc INTEGER NOT NULL DEFAULT 0,\n"
	"  nodelist TEXT NOT NULL DEFAULT '',\n"
	"  tres_alloc TEXT NOT NULL DEFAULT '', -- id=count list\n"
	"  reason TEXT NOT NULL DEFAULT '',\n"
	"  hold INTEGER NOT NULL DEFAULT 0, -- 1: user, 2: administrator\n"
	"  dependency TEXT NOT NULL DEFAULT '',\n"
	"  priority INTEGER, -- NULL: computed\n"
	"  nice INTEGER NOT NULL DEFAULT 0,\n"
	"  site_factor INTEGER NOT NULL DEFAULT 0,\n"
	"  exclusive INTEGER NOT NULL DEFAULT 0,\n"
	"  billing REAL NOT NULL DEFAULT 0, -- billable TRES, not truncated\n"
	"  usage_factor REAL NOT NULL DEFAULT 1, -- charged with it\n"
	"  part_qos INTEGER REFERENCES qos (id), -- charged too\n"
	"  usage_epoch INTEGER NOT NULL DEFAULT 0, -- see assoc_usage_reset\n"
	"  wall_limit INTEGER, -- time_limit, or what the partition gave\n"
	"  modified INTEGER NOT NULL,\n"
	"  UNIQUE (cluster, id, submit)\n"
	") STRICT;\n"
	"CREATE INDEX job_submit ON job (submit);\n"
	"-- Reports ask what had not ended before one time and could start\n"
	"-- before another: db/job/history.c\n"
	"CREATE INDEX job_user ON job (user, end, eligible);\n"
	"CREATE INDEX job_account ON job (account, end, eligible);\n"
	"CREATE INDEX job_assoc ON job (assoc);\n"
	"CREATE INDEX job_array ON job (cluster, array_job)"
	" WHERE array_job <> 0;\n"
	"CREATE INDEX job_het ON job (cluster, het_job) WHERE het_job <> 0;\n"
	"CREATE INDEX job_end ON job (cluster, end, eligible);\n"
	"CREATE INDEX job_open ON job (cluster, state) WHERE end IS NULL;\n",

	"CREATE TABLE step (\n"
	"  job INTEGER NOT NULL REFERENCES job (key) ON DELETE CASCADE,\n"
	"  id INTEGER NOT NULL, -- -6 interactive, -5 batch, -4 extern, 0 and up numbered\n"
	"  name TEXT NOT NULL DEFAULT '',\n"
	"  state INTEGER NOT NULL DEFAULT 0,\n"
	"  exit_code INTEGER NOT NULL DEFAULT 0,\n"
	"  start INTEGER,\n"
	"  end INTEGER,\n"
	"  nodelist TEXT NOT NULL DEFAULT '',\n"
	"  nodes INTEGER NOT NULL DEFAULT 1,\n"
	"  tasks INTEGER NOT NULL DEFAULT 1,\n"
	"  task_dist TEXT NOT NULL DEFAULT '',\n"
	"  time_limit INTEGER,\n"
	"  user_usec INTEGER NOT NULL DEFAULT 0,\n"
	"  sys_usec INTEGER NOT NULL DEFAULT 0,\n"
	"  cpu_freq INTEGER NOT NULL DEFAULT 0,\n"
	"  energy INTEGER NOT NULL DEFAULT 0,\n"
	"  tres_alloc TEXT NOT NULL DEFAULT '',\n"
	"  max_rss INTEGER, -- of all tasks; bytes; NULL: unknown\n"
	"  ave_rss INTEGER,\n"
	"  tot_rss INTEGER,\n"
	"  max_vmem INTEGER,\n"
	"  ave_vmem INTEGER,\n"
	"  max_read INTEGER,\n"
	"  ave_read INTEGER,\n"
	"  max_write INTEGER,\n"
	"  ave_write INTEGER,\n"
	"  max_pages INTEGER, -- a count\n"
	"  ave_pages INTEGER,\n"
	"  min_cpu INTEGER, -- milliseconds\n"
	"  ave_cpu INTEGER,\n"
	"  max_rss_node TEXT NOT NULL DEFAULT '',\n"
	"  min_cpu_node TEXT NOT NULL DEFAULT '',\n"
	"  max_rss_task INTEGER,\n"
	"  min_cpu_task INTEGER,\n"
	"  killed_by TEXT NOT NULL DEFAULT '',\n"
	"  submit_line TEXT NOT NULL DEFAULT '',\n"
	"  PRIMARY KEY (job, id)\n"
	") STRICT, WITHOUT ROWID;\n",

	"CREATE TABLE event (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  node TEXT NOT NULL DEFAULT '', -- '' for the cluster's capacity\n"
	"  start INTEGER NOT NULL,\n"
	"  end INTEGER, -- NULL: still so\n"
	"  state TEXT NOT NULL DEFAULT '',\n"
	"  reason TEXT NOT NULL DEFAULT '',\n"
	"  user TEXT NOT NULL DEFAULT '',\n"
	"  tres TEXT NOT NULL DEFAULT '', -- id=count list\n"
	"  nodes TEXT NOT NULL DEFAULT '',\n"
	"  extra TEXT NOT NULL DEFAULT '',\n"
	"  instance_id TEXT NOT NULL DEFAULT '',\n"
	"  instance_type TEXT NOT NULL DEFAULT '',\n"
	"  UNIQUE (cluster, node, start)\n"
	") STRICT;\n",

	"CREATE TABLE reservation (\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  id INTEGER NOT NULL,\n"
	"  name TEXT NOT NULL,\n"
	"  start INTEGER NOT NULL,\n"
	"  end INTEGER NOT NULL,\n"
	"  nodes TEXT NOT NULL DEFAULT '',\n"
	"  tres TEXT NOT NULL DEFAULT '',\n"
	"  assocs TEXT NOT NULL DEFAULT '',\n"
	"  flags TEXT NOT NULL DEFAULT '',\n"
	"  comment TEXT NOT NULL DEFAULT '',\n"
	"  unused REAL NOT NULL DEFAULT 0,\n"
	"  PRIMARY KEY (cluster, id, start)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- Roll-ups (db/rollup/rollup.c); seconds by TRES.\n"
	"CREATE TABLE rollup (\n"
	"  cluster INTEGER NOT NULL,\n"
	"  span INTEGER NOT NULL,\n"
	"  start INTEGER NOT NULL,\n"
	"  assoc INTEGER NOT NULL, -- 0: none\n"
	"  qos INTEGER NOT NULL,\n"
	"  wckey TEXT NOT NULL,\n"
	"  tres TEXT NOT NULL, -- id=seconds list\n"
	"  PRIMARY KEY (cluster, span, start, assoc, qos, wckey)\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE TABLE rollup_cluster (\n"
	"  cluster INTEGER NOT NULL,\n"
	"  span INTEGER NOT NULL,\n"
	"  start INTEGER NOT NULL,\n"
	"  tres INTEGER NOT NULL,\n"
	"  count INTEGER NOT NULL,\n"
	"  alloc INTEGER NOT NULL,\n"
	"  down INTEGER NOT NULL,\n"
	"  pdown INTEGER NOT NULL,\n"
	"  idle INTEGER NOT NULL,\n"
	"  plan INTEGER NOT NULL,\n"
	"  over INTEGER NOT NULL,\n"
	"  PRIMARY KEY (cluster, span, start, tres)\n"
	") STRICT, WITHOUT ROWID;\n"
	"-- Hours before `done` are rolled up, but for those that are dirty.\n"
	"CREATE TABLE rollup_state (\n"
	"  cluster INTEGER PRIMARY KEY,\n"
	"  done INTEGER NOT NULL,\n"
	"  longest INTEGER NOT NULL, -- seconds from submit to end of any job\n"
	"  early INTEGER NOT NULL, -- seconds any job began before its submit\n"
	"  calendar TEXT NOT NULL\n"
	") STRICT;\n"
	"CREATE TABLE rollup_dirty (\n"
	"  cluster INTEGER NOT NULL,\n"
	"  start INTEGER NOT NULL,\n"
	"  end INTEGER NOT NULL,\n"
	"  PRIMARY KEY (cluster, start, end)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- Whoever changes a job, an event or a reservation makes dirty what was\n"
	"-- rolled up and is no longer true. Dirt is kept in days of UTC.\n"
	"CREATE VIEW rollup_mark AS SELECT 0 AS cluster, 0 AS start, 0 AS end;\n"
	"CREATE TRIGGER rollup_mark INSTEAD OF INSERT ON rollup_mark BEGIN\n"
	"  INSERT INTO rollup_dirty SELECT cluster, a, b FROM (\n"
	"   SELECT s.cluster, new.start - new.start % 86400 AS a,\n"
	"   min(coalesce(new.end, s.done), s.done) / 86400 * 86400 + 86400 AS b\n"
	"   FROM rollup_state s WHERE s.cluster = new.cluster\n"
	"   AND new.start < s.done) n\n"
	"   WHERE NOT EXISTS (SELECT 1 FROM rollup_dirty d\n"
	"    WHERE d.cluster = n.cluster AND d.start = n.a AND d.end = n.b);\n"
	"END;\n"
	"CREATE TRIGGER rollup_job_insert AFTER INSERT ON job\n"
	"WHEN EXISTS (SELECT 1 FROM rollup_state WHERE cluster = new.cluster)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster,\n"
	"   min(coalesce(new.eligible, new.start),\n"
	"    coalesce(new.start, new.eligible)), new.end);\n"
	"  UPDATE rollup_state SET\n"
	"   longest = max(longest, coalesce(new.end - new.submit, 0)),\n"
	"   early = max(early, coalesce(new.submit - new.eligible, 0),\n"
	"    coalesce(new.submit - new.start, 0))\n"
	"   WHERE cluster = new.cluster AND (longest < new.end - new.submit\n"
	"   OR early < new.submit - new.eligible\n"
	"   OR early < new.submit - new.start);\n"
	"END;\n"
	"CREATE TRIGGER rollup_job_update AFTER UPDATE OF cluster, submit,\n"
	" eligible, start, end, assoc, qos, wckey, tres_alloc, cpus_req,\n"
	" array_tasks, reservation ON job\n"
	"WHEN EXISTS (SELECT 1 FROM rollup_state WHERE cluster = new.cluster)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_mark SELECT new.cluster, min(\n"
	"   CASE WHEN (old.eligible, old.cpus_req, old.array_tasks,\n"
	"     old.reservation, old.cluster) IS NOT (new.eligible, new.cpus_req,\n"
	"     new.array_tasks, new.reservation, new.cluster)\n"
	"    THEN min(coalesce(old.eligible, old.start, new.eligible, new.start),\n"
	"     coalesce(new.eligible, new.start, old.eligible, old.start),\n"
	"     coalesce(old.start, new.start, old.eligible, new.eligible),\n"
	"     coalesce(new.start, old.start, new.eligible, old.eligible))\n"
	"    ELSE 9e18 END,\n"
	"   CASE WHEN (old.start, old.assoc, old.qos, old.wckey, old.tres_alloc)\n"
	"     IS NOT (new.start, new.assoc, new.qos, new.wckey, new.tres_alloc)\n"
	"    THEN min(coalesce(old.start, new.start, 9e18),\n"
	"     coalesce(new.start, old.start, 9e18)) ELSE 9e18 END,\n"
	"   CASE WHEN old.end IS NOT new.end\n"
	"    THEN min(coalesce(old.end, new.end), coalesce(new.end, old.end))\n"
	"    ELSE 9e18 END),\n"
	"   CASE WHEN old.end NOT NULL AND new.end NOT NULL\n"
	"    THEN max(old.end, new.end) END;\n"
	"  UPDATE rollup_state SET\n"
	"   longest = max(longest, coalesce(new.end - new.submit, 0)),\n"
	"   early = max(early, coalesce(new.submit - new.eligible, 0),\n"
	"    coalesce(new.submit - new.start, 0))\n"
	"   WHERE cluster = new.cluster AND (longest < new.end - new.submit\n"
	"   OR early < new.submit - new.eligible\n"
	"   OR early < new.submit - new.start);\n"
	"END;\n"
	"CREATE TRIGGER rollup_job_delete AFTER DELETE ON job\n"
	"WHEN EXISTS (SELECT 1 FROM rollup_state WHERE cluster = old.cluster)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (old.cluster,\n"
	"   min(coalesce(old.eligible, old.start),\n"
	"    coalesce(old.start, old.eligible)), old.end);\n"
	"END;\n",

	"CREATE TRIGGER rollup_event_insert AFTER INSERT ON event BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster, new.start, new.end);\n"
	"END;\n"
	"CREATE TRIGGER rollup_event_delete AFTER DELETE ON event BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (old.cluster, old.start, old.end);\n"
	"END;\n"
	"CREATE TRIGGER rollup_event_update AFTER UPDATE ON event\n"
	"WHEN (old.cluster, old.start, old.tres, old.state, old.node)\n"
	" IS NOT (new.cluster, new.start, new.tres, new.state, new.node)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster,\n"
	"   min(old.start, new.start), CASE WHEN old.end NOT NULL\n"
	"   AND new.end NOT NULL THEN max(old.end, new.end) END);\n"
	"END;\n"
	"CREATE TRIGGER rollup_event_end AFTER UPDATE OF end ON event\n"
	"WHEN old.end IS NOT new.end\n"
	"BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster,\n"
	"   min(coalesce(old.end, new.end), coalesce(new.end, old.end)),\n"
	"   CASE WHEN old.end NOT NULL AND new.end NOT NULL\n"
	"   THEN max(old.end, new.end) END);\n"
	"END;\n"
	"CREATE TRIGGER rollup_reservation_insert AFTER INSERT ON reservation BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster, new.start, new.end);\n"
	"END;\n"
	"CREATE TRIGGER rollup_reservation_delete AFTER DELETE ON reservation BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (old.cluster, old.start, old.end);\n"
	"END;\n"
	"CREATE TRIGGER rollup_reservation_update AFTER UPDATE ON reservation BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (old.cluster, old.start, old.end);\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster, new.start, new.end);\n"
	"END;\n",

	"-- One commit: who did what, and the rows before and after (a changeset of\n"
	"-- sqlite3session) for undo.\n"
	"CREATE TABLE change (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  time INTEGER NOT NULL,\n"
	"  actor TEXT NOT NULL,\n"
	"  command TEXT NOT NULL,\n"
	"  changeset BLOB NOT NULL,\n"
	"  undone INTEGER REFERENCES change (id)\n"
	") STRICT;\n",

	"CREATE TABLE txn (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  change INTEGER REFERENCES change (id),\n"
	"  time INTEGER NOT NULL,\n"
	"  action INTEGER NOT NULL,\n"
	"  actor TEXT NOT NULL,\n"
	"  cluster TEXT NOT NULL DEFAULT '',\n"
	"  name TEXT NOT NULL, -- what it was done to\n"
	"  info TEXT NOT NULL -- what was set\n"
	") STRICT;\n",
	NULL,
};

static const char *const schema_2[] = {
	"ALTER TABLE job ADD COLUMN last_priority INTEGER; -- NULL: unknown\n"
	"ALTER TABLE job ADD COLUMN std_in TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN std_out TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN std_err TEXT NOT NULL DEFAULT '';\n",
	NULL,
};

static const char *const schema_3[] = {
	"-- When waiting jobs are expected to start: the last splan --record.\n"
	"CREATE TABLE expected_start (\n"
	"  job INTEGER PRIMARY KEY REFERENCES job (key) ON DELETE CASCADE,\n"
	"  start INTEGER NOT NULL,\n"
	"  nodes TEXT NOT NULL -- host list\n"
	") STRICT;\n",
	NULL,
};

static const char *const schema_4[] = {
	"-- Running jobs that make way for others: warned, or suspended.\n"
	"CREATE TABLE preemption (\n"
	"  job INTEGER PRIMARY KEY REFERENCES job (key) ON DELETE CASCADE,\n"
	"  preemptor INTEGER NOT NULL, -- key of a job\n"
	"  warned INTEGER NOT NULL,\n"
	"  due INTEGER NOT NULL\n"
	") STRICT;\n",
	NULL,
};

static const char *const schema_5[] = {
	"-- When jobs were suspended; job.suspended is the sum of these and of what\n"
	"-- nobody knows the time of. The one that lasts is job.suspended_since.\n"
	"CREATE TABLE suspension (\n"
	"  job INTEGER NOT NULL REFERENCES job (key) ON DELETE CASCADE,\n"
	"  start INTEGER NOT NULL,\n"
	"  end INTEGER NOT NULL,\n"
	"  PRIMARY KEY (job, start)\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE TRIGGER suspension_end AFTER UPDATE OF suspended_since ON job\n"
	"WHEN old.suspended_since NOT NULL AND new.suspended_since IS NULL\n"
	" AND new.suspended > old.suspended\n"
	"BEGIN\n"
	"  INSERT OR REPLACE INTO suspension VALUES (new.key, old.suspended_since,\n"
	"   old.suspended_since + new.suspended - old.suspended);\n"
	"END;\n"
	"CREATE TRIGGER suspension_forget AFTER UPDATE OF suspended ON job\n"
	"WHEN new.suspended < old.suspended\n"
	"BEGIN\n"
	"  DELETE FROM suspension WHERE job = new.key;\n"
	"END;\n",

	"CREATE TRIGGER rollup_job_suspended\n"
	" AFTER UPDATE OF suspended, suspended_since ON job\n"
	"WHEN old.suspended_since IS NOT new.suspended_since\n"
	" OR new.suspended < old.suspended\n"
	"BEGIN\n"
	"  INSERT INTO rollup_mark VALUES (new.cluster,\n"
	"   CASE WHEN new.suspended < old.suspended\n"
	"    THEN coalesce(new.start, old.start)\n"
	"    ELSE min(coalesce(old.suspended_since, new.suspended_since),\n"
	"     coalesce(new.suspended_since, old.suspended_since)) END, new.end);\n"
	"END;\n"
	"INSERT INTO rollup_mark SELECT cluster, suspended_since, end FROM job\n"
	" WHERE cluster IN (SELECT cluster FROM rollup_state)\n"
	" AND suspended_since NOT NULL;\n",
	NULL,
};

/* A job's user and account follow from its association: one index serves both,
 * and texts are kept only for jobs without an association. Reports ask what had
 * not ended before one time and could start before another: db/job/history.c */
static const char *const schema_6[] = {
	"DELETE FROM meta WHERE key IN ('index job_user', 'index job_account',\n"
	" 'index job_assoc', 'index job_end');\n"
	"DROP INDEX IF EXISTS job_user;\n"
	"DROP INDEX IF EXISTS job_account;\n"
	"DROP INDEX IF EXISTS job_assoc;\n"
	"DROP INDEX IF EXISTS job_end;\n"
	"CREATE INDEX job_assoc ON job (assoc, end, eligible);\n"
	"CREATE INDEX job_user ON job (user, end, eligible)"
	" WHERE assoc IS NULL;\n"
	"CREATE INDEX job_account ON job (account, end, eligible)"
	" WHERE assoc IS NULL;\n"
	"CREATE INDEX job_end ON job (end, eligible, cluster);\n",
	NULL,
};

/* Span 2: hours, those of the local clock; 1: days; 0: months. Hours used to be
 * 0, and 3600 s of UTC: roll-ups are computed again. Hours before `kept` stay
 * as they are: records of them were purged. */
static const char *const schema_7[] = {
	"DELETE FROM rollup;\n"
	"DELETE FROM rollup_cluster;\n"
	"DELETE FROM rollup_dirty;\n"
	"DELETE FROM rollup_state;\n"
	"ALTER TABLE rollup_state ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;\n",
	NULL,
};

/* How a job may lie on nodes, and how it does. */
static const char *const schema_8[] = {
	"ALTER TABLE job ADD COLUMN nodes_max INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN tasks INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN cpus_per_task INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN tasks_per_node INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN mem_per_node INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN mem_per_cpu INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN gpus_per_task INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN gpus_per_socket INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE job ADD COLUMN nodes_wanted TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN nodes_excluded TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN cpus_on TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN mem_on TEXT NOT NULL DEFAULT '';\n",
	NULL,
};

/* Nodes that register themselves: NodeName lines that are in no file. */
static const char *const schema_9[] = {
	"CREATE TABLE node (\n"
	"  cluster INTEGER NOT NULL REFERENCES cluster (id),\n"
	"  name TEXT NOT NULL,\n"
	"  conf TEXT NOT NULL, -- CPUs=4 RealMemory=8000 ...\n"
	"  PRIMARY KEY (cluster, name)\n"
	") STRICT;\n",
	NULL,
};

/* Older programs cannot read what the log has from here on. */
static const char *const schema_10[] = {
	"-- Changesets of the log are compressed (db/store/changeset.h).\n",
	NULL,
};

/* What few associations have is found without a walk over all of them. */
static const char *const schema_11[] = {
	"CREATE INDEX assoc_grp_wall ON assoc (key)"
	" WHERE grp_wall IS NOT NULL;\n"
	"CREATE INDEX assoc_def_qos ON assoc (def_qos)"
	" WHERE def_qos IS NOT NULL;\n"
	"CREATE INDEX assoc_accrue ON assoc (key)"
	" WHERE grp_jobs_accrue IS NOT NULL OR max_jobs_accrue IS NOT NULL;\n",
	NULL,
};

/* All that fair-share asks of the tree, so that it reads the index alone. */
static const char *const schema_12[] = {
	"DROP INDEX assoc_lineage;\n"
	"CREATE INDEX assoc_tree ON assoc (cluster, lineage, deleted, parent,"
	" id, shares, priority);\n",
	NULL,
};

/* Values that hold until a time, and what comes back then (db/entity/lease.h).
 * `owner`: the key of an association or QOS, the name of a user. */
static const char *const schema_13[] = {
	"CREATE TABLE lease (\n"
	"  kind INTEGER NOT NULL, -- enum lease_kind\n"
	"  owner ANY NOT NULL,\n"
	"  field TEXT NOT NULL, -- a column, or 'kind tres'\n"
	"  n INTEGER NOT NULL, -- the later set lies on the earlier\n"
	"  until INTEGER NOT NULL,\n"
	"  set_at INTEGER NOT NULL,\n"
	"  actor TEXT NOT NULL,\n"
	"  earlier ANY, -- as it stood there\n"
	"  PRIMARY KEY (kind, owner, field, n)\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE INDEX lease_until ON lease (until);\n",
	NULL,
};

/* What is taken in from other hosts has the suspensions in it already: the
 * triggers that make them stay quiet then. */
static const char *const schema_14[] = {
	"-- A replica of a log that several hosts share: as of which entry.\n"
	"CREATE TABLE replica (\n"
	"  one INTEGER PRIMARY KEY CHECK (one = 1),\n"
	"  site TEXT NOT NULL,\n"
	"  position INTEGER NOT NULL,\n"
	"  checksum INTEGER NOT NULL,\n"
	"  applying INTEGER NOT NULL DEFAULT 0 -- entries are being taken in\n"
	") STRICT;\n"
	"DROP TRIGGER suspension_end;\n"
	"DROP TRIGGER suspension_forget;\n"
	"CREATE TRIGGER suspension_end AFTER UPDATE OF suspended_since ON job\n"
	"WHEN old.suspended_since NOT NULL AND new.suspended_since IS NULL\n"
	" AND new.suspended > old.suspended\n"
	" AND NOT EXISTS (SELECT 1 FROM replica WHERE applying)\n"
	"BEGIN\n"
	"  INSERT OR REPLACE INTO suspension VALUES (new.key, old.suspended_since,\n"
	"   old.suspended_since + new.suspended - old.suspended);\n"
	"END;\n"
	"CREATE TRIGGER suspension_forget AFTER UPDATE OF suspended ON job\n"
	"WHEN new.suspended < old.suspended\n"
	" AND NOT EXISTS (SELECT 1 FROM replica WHERE applying)\n"
	"BEGIN\n"
	"  DELETE FROM suspension WHERE job = new.key;\n"
	"END;\n",
	NULL,
};

/* Usage at moments of the past (db/past/past_keep.h), dropped by whoever changes
 * what it was made of: runs that had ended by then, and the log up to then. */
static const char *const schema_15[] = {
	"CREATE TABLE rollup_past (\n"
	"  at INTEGER NOT NULL,\n"
	"  series INTEGER NOT NULL, -- which moments\n"
	"  last_id INTEGER NOT NULL, -- of the log\n"
	"  tree INTEGER NOT NULL, -- what decided who was charged\n"
	"  rules TEXT NOT NULL, -- how usage decayed\n"
	"  PRIMARY KEY (at, series)\n"
	") STRICT, WITHOUT ROWID;\n"
	"-- What became of amounts between the moment before and this.\n"
	"CREATE TABLE rollup_past_usage (\n"
	"  series INTEGER NOT NULL,\n"
	"  owner INTEGER NOT NULL, -- an association; below 0: QOS and cluster\n"
	"  at INTEGER NOT NULL,\n"
	"  amounts BLOB NOT NULL,\n"
	"  PRIMARY KEY (series, owner, at)\n"
	") STRICT, WITHOUT ROWID;\n"
	"CREATE VIEW rollup_past_mark AS SELECT 0 AS time;\n"
	"CREATE TRIGGER rollup_past_mark INSTEAD OF INSERT ON rollup_past_mark\n"
	"BEGIN\n"
	"  DELETE FROM rollup_past WHERE at >= new.time;\n"
	"  INSERT INTO rollup_past SELECT -1, 3, 0, 0, ''\n"
	"   WHERE NOT EXISTS (SELECT 1 FROM rollup_past WHERE at = -1);\n"
	"END;\n",

	"CREATE TRIGGER rollup_past_job_insert AFTER INSERT ON job\n"
	"WHEN new.end <= (SELECT max(at) FROM rollup_past)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_past_mark VALUES (max(new.end, 0));\n"
	"END;\n"
	"CREATE TRIGGER rollup_past_job_update AFTER UPDATE OF cluster, assoc,\n"
	" qos, part_qos, billing, usage_factor, tres_alloc, usage_epoch, start,\n"
	" end ON job\n"
	"WHEN min(coalesce(old.end, new.end), coalesce(new.end, old.end))\n"
	" <= (SELECT max(at) FROM rollup_past)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_past_mark VALUES (max(0,\n"
	"   min(coalesce(old.end, new.end), coalesce(new.end, old.end))));\n"
	"END;\n"
	"CREATE TRIGGER rollup_past_job_delete AFTER DELETE ON job\n"
	"WHEN old.end <= (SELECT max(at) FROM rollup_past)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_past_mark VALUES (max(old.end, 0));\n"
	"END;\n",

	"CREATE TRIGGER rollup_past_change_insert AFTER INSERT ON change\n"
	"WHEN new.time <= (SELECT max(at) FROM rollup_past)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_past_mark VALUES (max(new.time, 0));\n"
	"END;\n"
	"CREATE TRIGGER rollup_past_change_update AFTER UPDATE OF id, time,\n"
	" changeset ON change\n"
	"WHEN min(old.time, new.time) <= (SELECT max(at) FROM rollup_past)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_past_mark VALUES (max(0,\n"
	"   min(old.time, new.time)));\n"
	"END;\n"
	"CREATE TRIGGER rollup_past_change_delete AFTER DELETE ON change\n"
	"WHEN EXISTS (SELECT 1 FROM rollup_past WHERE at >= 0)\n"
	"BEGIN\n"
	"  INSERT INTO rollup_past_mark VALUES (0);\n"
	"END;\n",
	NULL,
};

/* Log entries of a large load, a thousand a row (db/store/txnpack.h). */
static const char *const schema_16[] = {
	"CREATE TABLE txn_pack (\n"
	"  first INTEGER PRIMARY KEY, -- the number of the first entry\n"
	"  change INTEGER NOT NULL REFERENCES change (id),\n"
	"  time INTEGER NOT NULL,\n"
	"  actor TEXT NOT NULL,\n"
	"  entries BLOB NOT NULL -- compressed: man/bursar-store.5\n"
	") STRICT;\n",
	NULL,
};

/* Triggers name the columns that they fill: the tables may get others. */
static const char *const schema_17[] = {
	"DROP TRIGGER rollup_mark;\n"
	"DROP TRIGGER rollup_past_mark;\n"
	"DROP TRIGGER suspension_end;\n"
	"CREATE TRIGGER rollup_mark INSTEAD OF INSERT ON rollup_mark BEGIN\n"
	"  INSERT INTO rollup_dirty (cluster, start, end)\n"
	"  SELECT cluster, a, b FROM (\n"
	"   SELECT s.cluster, new.start - new.start % 86400 AS a,\n"
	"   min(coalesce(new.end, s.done), s.done) / 86400 * 86400 + 86400 AS b\n"
	"   FROM rollup_state s WHERE s.cluster = new.cluster\n"
	"   AND new.start < s.done) n\n"
	"   WHERE NOT EXISTS (SELECT 1 FROM rollup_dirty d\n"
	"    WHERE d.cluster = n.cluster AND d.start = n.a AND d.end = n.b);\n"
	"END;\n"
	"CREATE TRIGGER rollup_past_mark INSTEAD OF INSERT ON rollup_past_mark\n"
	"BEGIN\n"
	"  DELETE FROM rollup_past WHERE at >= new.time;\n"
	"  INSERT INTO rollup_past (at, series, last_id, tree, rules)\n"
	"  SELECT -1, 3, 0, 0, ''\n"
	"   WHERE NOT EXISTS (SELECT 1 FROM rollup_past WHERE at = -1);\n"
	"END;\n"
	"CREATE TRIGGER suspension_end AFTER UPDATE OF suspended_since ON job\n"
	"WHEN old.suspended_since NOT NULL AND new.suspended_since IS NULL\n"
	" AND new.suspended > old.suspended\n"
	" AND NOT EXISTS (SELECT 1 FROM replica WHERE applying)\n"
	"BEGIN\n"
	"  INSERT OR REPLACE INTO suspension (job, start, end)\n"
	"   VALUES (new.key, old.suspended_since,\n"
	"   old.suspended_since + new.suspended - old.suspended);\n"
	"END;\n",
	NULL,
};

/* Usage as a fold of facts (db/usage/facts.h, sums.h). */
static const char *const schema_18[] = {
	"DROP TRIGGER rollup_past_job_insert;\n"
	"DROP TRIGGER rollup_past_job_update;\n"
	"DROP TRIGGER rollup_past_job_delete;\n"
	"DROP TRIGGER rollup_past_change_insert;\n"
	"DROP TRIGGER rollup_past_change_update;\n"
	"DROP TRIGGER rollup_past_change_delete;\n"
	"DROP TRIGGER rollup_past_mark;\n"
	"DROP VIEW rollup_past_mark;\n"
	"DROP TABLE rollup_past;\n"
	"DROP TABLE rollup_past_usage;\n"
	"ALTER TABLE decay ADD COLUMN reset INTEGER;\n",

	"-- What decides whom runs are charged to: each ends one life of an owner, an\n"
	"-- association or (below 0) a QOS on a cluster, and begins the next.\n"
	"CREATE TABLE usage_fact (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  owner INTEGER NOT NULL,\n"
	"  time INTEGER NOT NULL,\n"
	"  heir INTEGER, -- has the usage of the life that ends; NULL: nobody\n"
	"  raw REAL, -- RawUsage from now on; NULL: what the heir has\n"
	"  was_still INTEGER NOT NULL DEFAULT 0, -- the life that ends is NoDecay\n"
	"  still INTEGER NOT NULL DEFAULT 0, -- so is the one that begins\n"
	"  until INTEGER NOT NULL DEFAULT 0 -- fair-share still counts what went\n"
	") STRICT;\n"
	"CREATE INDEX usage_fact_owner ON usage_fact (owner, id);\n"
	"CREATE INDEX usage_fact_heir ON usage_fact (heir, id)\n"
	" WHERE heir NOT NULL;\n"
	"CREATE INDEX usage_fact_until ON usage_fact (until) WHERE until > 0;\n",

	"-- What was added in a bucket (begin, at], and what the life has come to.\n"
	"CREATE TABLE usage_sum (\n"
	"  owner INTEGER NOT NULL,\n"
	"  life INTEGER NOT NULL, -- the fact that it began with, 0: the first\n"
	"  at INTEGER NOT NULL,\n"
	"  begin INTEGER NOT NULL,\n"
	"  sums BLOB NOT NULL, -- man/bursar-store.5\n"
	"  PRIMARY KEY (owner, life, at)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- The same of runs whose records are gone.\n"
	"CREATE TABLE usage_kept (\n"
	"  owner INTEGER NOT NULL,\n"
	"  life INTEGER NOT NULL,\n"
	"  at INTEGER NOT NULL,\n"
	"  begin INTEGER NOT NULL,\n"
	"  sums BLOB NOT NULL,\n"
	"  PRIMARY KEY (owner, life, at)\n"
	") STRICT, WITHOUT ROWID;\n",

	"-- What the last life of an owner has come to by its last bucket.\n"
	"CREATE TABLE usage (\n"
	"  owner INTEGER PRIMARY KEY,\n"
	"  life INTEGER NOT NULL,\n"
	"  begin INTEGER NOT NULL,\n"
	"  at INTEGER NOT NULL,\n"
	"  still INTEGER NOT NULL,\n"
	"  raw REAL NOT NULL,\n"
	"  last INTEGER NOT NULL -- when the last run of it ended\n"
	") STRICT;\n",
	NULL,
};

/* What usage_convert has read (db/usage/convert.h). */
static const char *const schema_19[] = {
	"DROP TABLE assoc_usage;\n"
	"DROP TABLE assoc_usage_reset;\n"
	"DROP TABLE qos_usage;\n",
	NULL,
};

static const char *const schema_20[] = {
	"-- Percent of one GPU that the busiest task used at most.\n"
	"ALTER TABLE step ADD COLUMN max_gpu INTEGER;\n",
	NULL,
};

/* ---- views for those who read the store with other programs ---------------
 *
 * Their columns are told in man/bursar-store.5 and stay as they are. They use no
 * function that only some builds of SQLite have, and few words: every program
 * reads them when it opens a store.
 */

#define NOW "CAST(strftime('%s','now') AS INTEGER)"

/* A list of TRES, id=count, as a JSON object; NULL: it is empty. */
#define TRES(list)                                                             \
	"'{\"' || replace(replace(nullif(" list ", ''), '=', '\":'), ',',"     \
	" ',\"')\n  || '}'"

/* Of such an object those that every site has, and GPUs. */
#define TRES_COLUMNS                                                           \
	" ifnull(json_extract(tres, '$.1'), 0) AS cpu,\n"                      \
	" ifnull(json_extract(tres, '$.2'), 0) AS mem_mb,\n"                   \
	" ifnull(json_extract(tres, '$.' || (SELECT id FROM tres\n"            \
	"  WHERE type = 'gres' AND name = 'gpu')), 0) AS gpus,\n"              \
	" ifnull(json_extract(tres, '$.4'), 0) AS nodes,\n"                    \
	" ifnull(json_extract(tres, '$.5'), 0) AS billing"

/* A time in both forms. */
#define TIMES(name, time)                                                      \
	" datetime(" time ", 'unixepoch') AS " name "_utc, " time              \
	" AS " name "_epoch"

#define STATE                                                                  \
	" json_extract('[\"PENDING\",\"RUNNING\",\"SUSPENDED\","               \
	"\"COMPLETED\",\n"                                                     \
	"  \"CANCELLED\",\"FAILED\",\"TIMEOUT\",\"NODE_FAIL\","                \
	"\"PREEMPTED\",\n"                                                     \
	"  \"BOOT_FAIL\",\"DEADLINE\",\"OUT_OF_MEMORY\"]',\n"                  \
	"  '$[' || (state & 255) || ']') AS state,\n"                          \
	" exit_code >> 8 AS exit_code, exit_code & 127 AS exit_signal"

/* The view of jobs and that of steps, with where the memory of a step is. */
/* clang-format off */
#define JOBS_VIEW(rss) \
	"CREATE VIEW jobs AS SELECT key,\n" \
	" (SELECT name FROM cluster WHERE id = cluster) AS cluster,\n" \
	" id, array_job, array_task, user, account, partition,\n" \
	" (SELECT name FROM qos WHERE id = j.qos) AS qos, wckey, name,\n" \
	STATE ",\n" TIMES("submit", "submit") ",\n" \
	TIMES("eligible", "eligible") ",\n" TIMES("start", "start") ",\n" \
	TIMES("end", "end") ",\n" \
	" nullif(wall_limit, -1) * 60 AS limit_seconds,\n" \
	" max(coalesce(start, end, " NOW ") - eligible, 0) AS wait_seconds,\n" \
	" ifnull(end, " NOW ") - start - suspended AS run_seconds,\n" \
	TRES_COLUMNS ",\n" \
	" (SELECT sum(user_usec + sys_usec) / 1e6 FROM step WHERE job = key)\n" \
	"  AS cpu_used_seconds,\n" \
	" (SELECT max(" rss ") / 1048576 FROM step WHERE job = key)\n" \
	"  AS max_rss_mb, nodelist AS node_list, reason\n" \
	" FROM (SELECT *, " TRES("ifnull(nullif(tres_alloc, ''), tres_req)") \
	" AS tres FROM job) j;\n"
#define STEPS_VIEW(rss) \
	"CREATE VIEW steps AS SELECT cluster, id, user, account, partition,\n" \
	" s.* FROM (SELECT job AS key, CASE id WHEN -6 THEN 'interactive'\n" \
	"  WHEN -5 THEN 'batch' WHEN -4 THEN 'extern' ELSE id || '' END AS step,\n" \
	"  name,\n" STATE ",\n" \
	TIMES("start", "start") ",\n" TIMES("end", "end") ",\n" \
	" ifnull(end, " NOW ") - start AS run_seconds,\n" TRES_COLUMNS ",\n" \
	" tasks, (user_usec + sys_usec) / 1e6 AS cpu_used_seconds,\n" \
	" " rss " / 1048576 AS max_rss_mb, nodelist AS node_list\n" \
	" FROM (SELECT *, " TRES("tres_alloc") " AS tres FROM step)) s\n" \
	" JOIN jobs USING (key);\n"
/* clang-format on */

static const char *const schema_21[] = {
	JOBS_VIEW("max_rss"), STEPS_VIEW("max_rss"),

	"-- Each run, cut at midnight UTC.\n"
	"CREATE VIEW usage_by_day AS WITH RECURSIVE part (key, a, z) AS (\n"
	" SELECT key, start, ifnull(end, " NOW ") FROM job\n"
	"  WHERE start NOT NULL\n"
	" UNION ALL SELECT key, a / 86400 * 86400 + 86400, z FROM part\n"
	"  WHERE a / 86400 * 86400 + 86400 < z)\n"
	" SELECT date(a, 'unixepoch') AS day_utc, cluster, account, user,\n"
	" partition, qos, count(*) AS jobs, sum(s) AS run_seconds,\n"
	" sum(s * cpu) AS cpu_seconds, sum(s * mem_mb) AS mem_mb_seconds,\n"
	" sum(s * gpus) AS gpu_seconds, sum(s * nodes) AS node_seconds,\n"
	" sum(s * billing) AS billing_seconds\n"
	" FROM (SELECT *, min(z, a / 86400 * 86400 + 86400) - a AS s\n"
	"  FROM part) JOIN jobs USING (key) GROUP BY 1, 2, 3, 4, 5, 6;\n",

	"CREATE VIEW waits AS SELECT cluster, id, user, account, partition,\n"
	" qos, state, eligible_utc, eligible_epoch, start_utc, start_epoch,\n"
	" wait_seconds, CASE WHEN start_epoch IS NULL THEN reason END\n"
	"  AS reason,\n" TIMES("expected", "e.start") "\n"
	" FROM jobs LEFT JOIN expected_start e ON e.job = key\n"
	" WHERE eligible_epoch NOT NULL;\n",

	"-- What of a limit is in use: by all that it counts together, or by the\n"
	"-- user or account that has most.\n"
	"CREATE VIEW limits AS WITH most (qos, owner, name, tres, at_most) AS (\n"
	" SELECT 0, assoc, 'GrpTRES', tres, count FROM assoc_tres WHERE kind = 0\n"
	" UNION ALL SELECT 1, qos, CASE kind WHEN 0 THEN 'GrpTRES' WHEN 3\n"
	"  THEN 'MaxTRESPerAccount' ELSE 'MaxTRESPerUser' END, tres, count\n"
	"  FROM qos_tres WHERE kind IN (0, 3, 6)\n"
	" UNION ALL SELECT 0, a.key, e.key, 0, value FROM assoc a,\n"
	"  json_each(json_object('GrpJobs', grp_jobs, 'GrpSubmitJobs',\n"
	"  grp_submit_jobs, 'MaxJobs', max_jobs, 'MaxSubmitJobs',\n"
	"  max_submit_jobs)) e WHERE value NOT NULL\n"
	" UNION ALL SELECT 1, q.id, e.key, 0, value FROM qos q,\n"
	"  json_each(json_object('GrpJobs', grp_jobs, 'GrpSubmitJobs',\n"
	"  grp_submit_jobs, 'MaxJobsPerAccount', max_jobs_pa,\n"
	"  'MaxJobsPerUser', max_jobs_pu, 'MaxSubmitJobsPerAccount',\n"
	"  max_submit_jobs_pa, 'MaxSubmitJobsPerUser', max_submit_jobs_pu)) e\n"
	"  WHERE value NOT NULL),\n"
	" taken AS (SELECT m.qos, owner, m.name, m.tres, sum(CASE m.tres\n"
	"  WHEN 0 THEN 1 ELSE json_extract(" TRES("tres_alloc") ",\n"
	"  '$.' || m.tres) END) AS used FROM job j\n"
	"  LEFT JOIN assoc own ON own.key = j.assoc JOIN most m\n"
	"  LEFT JOIN assoc a ON NOT m.qos AND a.key = owner\n"
	"  WHERE end IS NULL\n"
	"  AND (state & 255 IN (1, 2) OR m.name LIKE '%Submit%')\n"
	"  AND CASE m.qos WHEN 1 THEN owner IN (j.qos, j.part_qos)\n"
	"   ELSE j.cluster = a.cluster\n"
	"   AND substr(own.lineage, 1, length(a.lineage)) = a.lineage END\n"
	"  GROUP BY 1, 2, 3, 4, CASE WHEN m.name LIKE '%Account'\n"
	"   THEN j.account WHEN m.name LIKE 'Max%' THEN j.user END)\n"
	" SELECT (SELECT name FROM cluster WHERE id = a.cluster) AS cluster,\n"
	" (SELECT name FROM qos WHERE m.qos AND id = owner) AS qos, account,\n"
	" user, partition, m.name AS limit_name,\n"
	" (SELECT type || rtrim('/' || name, '/') FROM tres\n"
	"  WHERE id = m.tres) AS tres, at_most, ifnull(max(used), 0) AS used\n"
	" FROM most m LEFT JOIN taken USING (qos, owner, name, tres)\n"
	" LEFT JOIN assoc a ON NOT m.qos AND a.key = owner\n"
	" WHERE at_most >= 0 AND NOT ifnull(deleted, 0)\n"
	" GROUP BY m.qos, owner, m.name, m.tres;\n",

	"-- An amount has decayed since its time. A job that runs is an amount that\n"
	"-- would last for ever, and the same taken off since its start.\n"
	"CREATE VIEW shares AS WITH RECURSIVE half (h) AS (SELECT ifnull((\n"
	" SELECT half_life FROM decay WHERE since <= " NOW "\n"
	" ORDER BY since DESC LIMIT 1), 0)),\n"
	" run AS (SELECT assoc, billing * usage_factor AS rate,\n"
	"  " NOW " - start AS ran FROM job\n"
	"  WHERE end IS NULL AND state & 255 IN (1, 2) AND assoc NOT NULL),\n"
	" amount (assoc, seconds, age) AS (SELECT owner, raw,\n"
	"  CASE WHEN still OR NOT h THEN 0 ELSE (" NOW " - at) * 1.0 / h END\n"
	"  FROM usage, half WHERE owner > 0\n"
	"  UNION ALL SELECT assoc, CASE h WHEN 0 THEN rate * ran\n"
	"   ELSE rate * h / 0.693147181 END, 0 FROM run, half\n"
	"  UNION ALL SELECT assoc, -rate * h / 0.693147181, ran * 1.0 / h\n"
	"   FROM run, half WHERE h),\n"
	"-- 2 to the power of -age, for ages from -1 on: halves, and a polynomial.\n"
	" own AS (SELECT assoc, sum(seconds * 2 / (1 << n) * (1 - f *\n"
	"  (0.693144088 - f * (0.240183278 - f * (0.055305587 - f *\n"
	"  (0.009214176 - f * 0.000947779)))))) AS used FROM (\n"
	"   SELECT *, age + 1 - n AS f FROM (SELECT *,\n"
	"    CAST(age + 1 AS INTEGER) AS n FROM amount)) GROUP BY assoc),\n"
	" up (assoc, used) AS (SELECT * FROM own UNION ALL\n"
	"  SELECT parent, up.used FROM up JOIN assoc ON key = assoc\n"
	"  WHERE parent NOT NULL)\n"
	" SELECT cluster, account, user, partition, parent_account, shares,\n"
	"  promised_part, used AS usage_seconds, used_part,\n"
	"  promised_part / used_part AS level_fs FROM (SELECT\n"
	"  (SELECT name FROM cluster WHERE id = a.cluster) AS cluster,\n"
	"  account, user, partition, (SELECT account FROM assoc\n"
	"   WHERE key = a.parent) AS parent_account, shares,\n"
	"  shares * 1.0 / sum(shares) OVER level AS promised_part, used,\n"
	"  used / nullif(sum(used) OVER level, 0) AS used_part FROM (\n"
	"   SELECT *, ifnull((SELECT sum(used) FROM up WHERE assoc = key), 0)\n"
	"    AS used FROM assoc) a WHERE NOT deleted AND shares < 2147483647\n"
	"  WINDOW level AS (PARTITION BY parent));\n",
	NULL,
};

/* clang-format off */
#define STEP_LISTS \
	"UPDATE step SET\n" \
	" in_ave = trim(coalesce(',1=' || ave_cpu, '')" \
	" || coalesce(',2=' || ave_rss, '') || coalesce(',6=' || ave_read, '')" \
	" || coalesce(',7=' || ave_vmem, '') || coalesce(',8=' || ave_pages, ''), ','),\n" \
	" in_max = trim(coalesce(',2=' || max_rss, '')" \
	" || coalesce(',6=' || max_read, '') || coalesce(',7=' || max_vmem, '')" \
	" || coalesce(',8=' || max_pages, '') || coalesce(',' || (SELECT id FROM tres" \
	" WHERE type = 'gres' AND name = 'gpuutil') || '=' || max_gpu, ''), ','),\n" \
	" in_min = coalesce('1=' || min_cpu, ''),\n" \
	" in_tot = coalesce('1=' || ((user_usec + sys_usec) / 1000) || ',2=' || tot_rss" \
	" || coalesce(',6=' || (ave_read * tasks), '')" \
	" || coalesce(',7=' || (ave_vmem * tasks), '')" \
	" || coalesce(',8=' || (ave_pages * tasks), ''), ''),\n" \
	" out_ave = coalesce('6=' || ave_write, ''),\n" \
	" out_max = coalesce('6=' || max_write, ''),\n" \
	" in_max_task = coalesce('2=' || max_rss_task, ''),\n" \
	" in_min_task = coalesce('1=' || min_cpu_task, ''),\n" \
	" in_max_node = coalesce('2=' || iif(max_rss_node = '', NULL," \
	" iif(nodelist = max_rss_node, 0, iif(nodelist LIKE '%[%-%]'" \
	" AND nodelist NOT LIKE '%,%'" \
	" AND max_rss_node LIKE substr(nodelist, 1, instr(nodelist, '[') - 1) || '%'," \
	" CAST(substr(max_rss_node, instr(nodelist, '[')) AS INTEGER)" \
	" - CAST(substr(nodelist, instr(nodelist, '[') + 1) AS INTEGER), NULL))), ''),\n" \
	" in_min_node = coalesce('1=' || iif(min_cpu_node = '', NULL," \
	" iif(nodelist = min_cpu_node, 0, iif(nodelist LIKE '%[%-%]'" \
	" AND nodelist NOT LIKE '%,%'" \
	" AND min_cpu_node LIKE substr(nodelist, 1, instr(nodelist, '[') - 1) || '%'," \
	" CAST(substr(min_cpu_node, instr(nodelist, '[')) AS INTEGER)" \
	" - CAST(substr(nodelist, instr(nodelist, '[') + 1) AS INTEGER), NULL))), '')\n" \
	" WHERE in_ave || in_max || in_tot || out_max = '' AND (coalesce(max_rss, ave_rss, tot_rss, max_vmem, ave_vmem, max_read," \
	" ave_read, max_write, ave_write, max_pages, ave_pages, min_cpu, ave_cpu," \
	" max_rss_task, min_cpu_task, max_gpu) NOT NULL" \
	" OR max_rss_node || min_cpu_node <> '');\n"
/* clang-format on */

const char step_lists[] = STEP_LISTS;

/* Steps have lists of all TRES, as Slurm records them; max_rss to max_gpu, an amount
 * of each of a few, were their place before. */
static const char *const schema_22[] = {
	"ALTER TABLE job ADD COLUMN reservation_req TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN exclusive_for TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN oversubscribe TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN mcs_label TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN block TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE job ADD COLUMN segment_size INTEGER NOT NULL DEFAULT 0;\n",

	"-- Of tres_usage_in_... and _out_ of Slurm: `1=1500,2=4096`, CPU in\n"
	"-- milliseconds, memory in bytes; a node is a place in nodelist.\n"
	"ALTER TABLE step ADD COLUMN in_ave TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_max TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_max_node TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_max_task TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_min TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_min_node TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_min_task TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN in_tot TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_ave TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_max TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_max_node TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_max_task TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_min TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_min_node TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_min_task TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN out_tot TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN container TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN work_dir TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN std_in TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN std_out TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN std_err TEXT NOT NULL DEFAULT '';\n"
	"ALTER TABLE step ADD COLUMN freq_min INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE step ADD COLUMN freq_max INTEGER NOT NULL DEFAULT 0;\n"
	"ALTER TABLE step ADD COLUMN freq_governor INTEGER NOT NULL DEFAULT 0;\n",

	STEP_LISTS,


	"DROP VIEW jobs;\n"
	"DROP VIEW steps;\n",
	JOBS_VIEW("json_extract(" TRES("in_max") ", '$.2')"),
	STEPS_VIEW("json_extract(" TRES("in_max") ", '$.2')"),
	NULL,
};

const struct migration migrations[] = {
	{1, schema_1},
	{2, schema_2},
	{3, schema_3},
	{4, schema_4},
	{5, schema_5},
	{6, schema_6},
	{7, schema_7},
	{8, schema_8},
	{9, schema_9},
	{10, schema_10},
	{11, schema_11},
	{12, schema_12},
	{13, schema_13},
	{14, schema_14},
	{15, schema_15},
	{16, schema_16},
	{17, schema_17},
	{18, schema_18},
	{19, schema_19},
	{20, schema_20},
	{21, schema_21},
	{22, schema_22},
	{0, NULL},
};

int schema_version(void)
{
	int version = 0;

	for (const struct migration *m = migrations; m->sql; m++)
		version = m->version;
	return version;
}
