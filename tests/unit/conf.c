/* slurm.conf and slurmdbd.conf: files written into a scratch folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/numbers.h"
#include "common/conf/conf.h"
#include "tests/unit/unit.h"

static struct arena arena;
static char folder[] = "/tmp/bursar-conf-XXXXXX";
static struct err err;

static int setup(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
	return arena_printf(&arena, "%s/%s", folder, name);
}

/* Leaves an empty folder behind each test. */
static int teardown(void **state)
{
	static const char *const names[] = {"slurm.conf", "slurmdbd.conf", "a",
		"b", "sub/c", "sub/d", "sub", "heron.conf"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove(in_folder(names[i]));
	arena_release(&arena);
	return 0;
}

static int teardown_folder(void **state)
{
	return rmdir(folder);
}

static void write_file(const char *name, const char *text, size_t size)
{
	FILE *file = fopen(in_folder(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void put(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

static struct conf conf;

static int try_load(const char *text)
{
	put("slurm.conf", text);
	err = (struct err){0};
	return conf_load(&conf, in_folder("slurm.conf"), &arena, &err);
}

static void load(const char *text)
{
	if (try_load(text))
		fail_msg("%s", err.text);
}

/* The error of a file, the folder cut off. */
static const char *error_of(const char *text)
{
	size_t n = strlen(folder) + 1;

	if (!try_load(text))
		return "no error";
	return strncmp(err.text, folder, n - 1) ? err.text : err.text + n;
}

static const char *nodes_of(const char *partition)
{
	const struct conf_partition *p =
		conf_partition_by_name(&conf, partition);

	return p ? strv_join(&p->nodes, " ", &arena) : "no such partition";
}

/* --- a site's file ----------------------------------------------------- */

static const char site_main[] =
	"# slurm.conf of the Fjord cluster; ask ops before you touch it\n"
	"ClusterName=Fjord\n"
	"SlurmctldHost=fjord-adm1(10.1.0.1)\n"
	"SlurmctldHost=fjord-adm2(10.1.0.2)\n"
	"SlurmUser = slurm\n"
	"slurmctldport=6817   # default\n"
	"MpiDefault=pmix\n"
	"Prolog=/etc/slurm/prolog.d/run\\#me\n"
	"\n"
	"SchedulerType=sched/backfill\n"
	"SchedulerParameters=bf_window=4320,bf_resolution=180,\\\n"
	"bf_max_job_test=2000,defer\n"
	"SelectType=select/cons_tres\n"
	"SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK\n"
	"GresTypes=gpu,nvme\r\n"
	"Licenses=matlab:25,ansys=10;matlab:5,solo\n"
	"\n"
	"AccountingStorageType=accounting_storage/slurmdbd\n"
	"AccountingStorageTRES=GRES/gpu,License/matlab\n"
	"AccountingStorageEnforce=safe,qos\n"
	"PrivateData=jobs,usage\n"
	"PriorityType=priority/multifactor\n"
	"PriorityDecayHalfLife=14-0\n"
	"PriorityCalcPeriod=0:30\n"
	"PriorityUsageResetPeriod=quarterly\n"
	"PriorityMaxAge=3-12\n"
	"PriorityFavorSmall=yes\n"
	"PriorityFlags=MAX_TRES_GRES,smaLL_relative_to_time,FROM_THE_FUTURE\n"
	"PriorityWeightAge=10K\n"
	"PriorityWeightFairshare=0x10000\n"
	"PriorityWeightTRES=CPU=100,Mem=200\n"
	"FairShareDampeningFactor=5\n"
	"PreemptType=preempt/qos\n"
	"PreemptMode=REQUEUE\n"
	"PreemptExemptTime=00:10:00\n"
	"OverTimeLimit=5\n"
	"DefMemPerCPU=2000\n"
	"Include nodes.d/compute.conf\n"
	"PartitionName=DEFAULT State=UP MaxTime=2-0 DefaultTime=30 "
	"AllowAccounts=ALL\n"
	"PartitionName=small Nodes=n[001-004] Default=YES PriorityTier=5\n"
	"PartitionName=DEFAULT MaxTime=UNLIMITED TRESBillingWeights="
	"\"CPU=1.0, Mem=0.25G\"\n"
	"PartitionName=big Nodes=ALL Priority=20 QOS=bigpart \\\n"
	"   MinNodes=4 MaxNodes=64 OverSubscribe=EXCLUSIVE # whole nodes\n"
	"PartitionName=gpu Nodes=gpunodes Hidden=YES State=DRAIN \\\n"
	"   PriorityJobFactor=7 AllowAccounts=Phys,chem DenyQos=Low \\\n"
	"   OverTimeLimit=UNLIMITED GraceTime=120 PreemptMode=off \\\n"
	"   DefMemPerNode=64000 MaxMemPerCPU=8K ExclusiveUser=yes\n"
	"DownNodes=n004 State=DOWN Reason=\"dimm 3, PriorityFlags\"\n";

static const char site_nodes[] =
	"# read by Include\n"
	"NodeName=DEFAULT Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 \\\n"
	"         RealMemory=192000 State=UNKNOWN\n"
	"NodeName=n[001-004] Feature=ib,cascade Weight=10\n"
	"nodename=g[1-2] procs=64 RealMemory=512000 "
	"Gres=gpu:a100:4(S:0,1),nvme:no_consume:2K,fpga Features=cascade\n"
	"NodeName=DEFAULT RealMemory=64000\n"
	"NodeName=login CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 "
	"ThreadsPerCore=1\n"
	"NodeSet=gpunodes Nodes=g1\n"
	"NodeSet=gpunodes Feature=ib\n";

static void load_site(void)
{
	char *text = arena_strdup(&arena, site_main);

	put("a", site_nodes);
	memcpy(strstr(text, "nodes.d/compute.conf"), "a                   ",
		20);
	load(text);
}

static void test_site_globals(void **state)
{
	load_site();
	assert_string_equal(conf.cluster_name, "fjord");
	assert_string_equal(conf.slurm_user, "slurm");
	assert_string_equal(
		strv_join(&conf.tres, ",", &arena), "gres/gpu,license/matlab");
	assert_int_equal(conf.enforce,
		ENFORCE_SAFE | ENFORCE_LIMITS | ENFORCE_ASSOCS | ENFORCE_QOS);
	assert_int_equal(conf.private_data, PRIVATE_JOBS | PRIVATE_USAGE);
	assert_false(conf.track_wckey);
	assert_true(conf.memory_consumable);
	assert_string_equal(
		strv_join(&conf.gres_types, " ", &arena), "gpu nvme");
	assert_string_equal(conf.scheduler_parameters,
		"bf_window=4320,bf_resolution=180,bf_max_job_test=2000,defer");
	assert_string_equal(conf.preempt_type, "preempt/qos");
	assert_string_equal(conf.preempt_mode, "REQUEUE");
	assert_string_equal(conf.preempt_exempt_time, "00:10:00");
	assert_int_equal(conf.over_time_limit, 5);
	assert_string_equal(conf_pairs_get(&conf.all, "PROLOG"),
		"/etc/slurm/prolog.d/run#me");
	assert_null(conf_pairs_get(&conf.all, "Reason"));
	assert_int_equal(conf.warnings.n, 0);
	assert_int_equal(conf.n_licenses, 3);
	assert_string_equal(conf.licenses[0].name, "matlab");
	assert_int_equal(conf.licenses[0].count, 30);
	assert_int_equal(conf.licenses[1].count, 10);
	assert_int_equal(conf.licenses[2].count, 1);
}

static void test_site_policy(void **state)
{
	const struct policy *p = &conf.policy;

	load_site();
	assert_true(p->multifactor);
	assert_int_equal(p->algorithm, FAIRSHARE_FAIR_TREE);
	assert_int_equal(p->half_life, 14 * 86400);
	assert_int_equal(p->calc_period, 60);
	assert_int_equal(p->reset, RESET_QUARTERLY);
	assert_int_equal(p->max_age, 3 * 86400 + 12 * 3600);
	assert_true(p->favor_small);
	assert_int_equal(
		p->flags, PRIO_MAX_TRES_GRES | PRIO_SMALL_RELATIVE_TO_TIME);
	assert_int_equal(p->billing, BILLING_MAX_TRES_GRES);
	assert_int_equal(p->weights.age, 10240);
	assert_int_equal(p->weights.fairshare, 65536);
	assert_string_equal(p->weights.tres, "CPU=100,Mem=200");
	assert_int_equal(p->dampening, 5);
}

static void test_site_nodes(void **state)
{
	const struct conf_node *node;

	load_site();
	assert_int_equal(conf.n_nodes, 7);
	node = conf_node_by_name(&conf, "n003");
	assert_string_equal(node->name, "n003");
	assert_int_equal(node->cpus, 64);
	assert_int_equal(node->real_memory, 192000);
	assert_int_equal(node->weight, 10);
	assert_string_equal(node->state, "UNKNOWN");
	assert_string_equal(
		strv_join(&node->features, " ", &arena), "ib cascade");
	assert_int_equal(node->n_gres, 0);
	node = conf_node_by_name(&conf, "g2");
	assert_int_equal(node->real_memory, 512000);
	assert_int_equal(node->n_gres, 3);
	assert_string_equal(node->gres[0].name, "gpu");
	assert_string_equal(node->gres[0].type, "a100");
	assert_int_equal(node->gres[0].count, 4);
	assert_string_equal(node->gres[1].name, "nvme");
	assert_null(node->gres[1].type);
	assert_int_equal(node->gres[1].count, 2048);
	assert_string_equal(node->gres[2].name, "fpga");
	assert_int_equal(node->gres[2].count, 1);
	node = conf_node_by_name(&conf, "login");
	assert_int_equal(node->cpus, 8);
	assert_int_equal(node->real_memory, 64000);
	assert_null(conf_node_by_name(&conf, "n005"));
	assert_null(conf_node_by_name(&conf, "DEFAULT"));
}

static void test_site_partitions(void **state)
{
	const struct conf_partition *p;

	load_site();
	assert_int_equal(conf.n_partitions, 3);
	p = conf_default_partition(&conf);
	assert_string_equal(p->name, "small");
	assert_string_equal(nodes_of("small"), "n001 n002 n003 n004");
	assert_int_equal(p->max_time, 2880);
	assert_int_equal(p->default_time, 30);
	assert_int_equal(p->priority_tier, 5);
	assert_int_equal(p->priority_job_factor, 1);
	assert_int_equal(p->over_time_limit, NO_VAL);
	assert_null(p->billing_weights);
	assert_int_equal(p->allow_accounts.n, 0);
	assert_int_equal(p->def_mem_per_cpu, 2000);
	p = conf_partition_by_name(&conf, "big");
	assert_string_equal(nodes_of("big"), "n001 n002 n003 n004 g1 g2 login");
	assert_int_equal(p->max_time, INFINITE);
	assert_int_equal(p->priority_tier, 20);
	assert_int_equal(p->priority_job_factor, 20);
	assert_string_equal(p->qos, "bigpart");
	assert_string_equal(p->billing_weights, "CPU=1.0, Mem=0.25G");
	assert_int_equal(p->min_nodes, 4);
	assert_int_equal(p->max_nodes, 64);
	assert_int_equal(p->max_share, 0);
	assert_false(p->is_default);
	p = conf_partition_by_name(&conf, "gpu");
	assert_string_equal(nodes_of("gpu"), "g1 n001 n002 n003 n004");
	assert_true(p->hidden);
	assert_int_equal(p->state, PARTITION_DRAIN);
	assert_int_equal(p->priority_job_factor, 7);
	assert_string_equal(
		strv_join(&p->allow_accounts, " ", &arena), "phys chem");
	assert_string_equal(strv_join(&p->deny_qos, " ", &arena), "low");
	assert_int_equal(p->over_time_limit, INFINITE);
	assert_int_equal(p->grace_time, 120);
	assert_string_equal(p->preempt_mode, "off");
	assert_int_equal(p->def_mem_per_node, 64000);
	assert_int_equal(p->def_mem_per_cpu, 0);
	assert_int_equal(p->max_mem_per_cpu, 8192);
	assert_true(p->exclusive_user);
	assert_null(conf_partition_by_name(&conf, "GPU"));
}

/* --- defaults ---------------------------------------------------------- */

static void check_defaults(void)
{
	const struct policy *p = &conf.policy;

	assert_null(conf.cluster_name);
	assert_string_equal(conf.slurm_user, "root");
	assert_int_equal(conf.enforce, 0);
	assert_true(conf.memory_consumable);
	assert_true(p->multifactor);
	assert_string_equal(p->priority_type, "priority/multifactor");
	assert_int_equal(p->half_life, 604800);
	assert_int_equal(p->calc_period, 300);
	assert_int_equal(p->max_age, 604800);
	assert_int_equal(p->dampening, 1);
	assert_int_equal(p->billing, BILLING_SUM);
	assert_null(p->weights.tres);
	assert_null(conf_default_partition(&conf));
	assert_null(conf_node_by_name(&conf, "n1"));
}

static void test_defaults(void **state)
{
	load("");
	check_defaults();
	load("# nothing\n\n   \n\\\n");
	check_defaults();
	conf_defaults(&conf);
	check_defaults();
	load("NodeName=n1\nPartitionName=p\n");
	assert_int_equal(conf_node_by_name(&conf, "n1")->cpus, 1);
	assert_int_equal(conf_node_by_name(&conf, "n1")->real_memory, 1);
	assert_int_equal(conf.partitions[0].nodes.n, 0);
	assert_int_equal(conf.partitions[0].default_time, NO_VAL);
	assert_int_equal(conf.partitions[0].max_nodes, INFINITE);
}

static void test_cpus(void **state)
{
	static const struct {
		const char *text;
		uint32_t cpus, sockets;
	} cases[] = {
		{"CPUs=8", 8, 8},
		{"Procs=8", 8, 8},
		{"CPUs=0", 1, 1},
		{"Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 2},
		{"Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CPUs=8", 8, 2},
		{"Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CPUs=2", 2, 2},
		{"Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CPUs=7", 16, 2},
		{"Boards=2 SocketsPerBoard=2 CoresPerSocket=3", 12, 4},
		{"Boards=2 CoresPerSocket=3", 6, 2},
		{"CPUs=64 CoresPerSocket=16 ThreadsPerCore=2", 64, 2},
		{"Sockets=4 SocketsPerBoard=2 CoresPerSocket=3", 6, 2},
		{"CoresPerSocket=0 ThreadsPerCore=0", 1, 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		load(arena_printf(&arena, "NodeName=x %s\n", cases[i].text));
		assert_int_equal(conf.nodes[0].cpus, cases[i].cpus);
		assert_int_equal(conf.nodes[0].sockets, cases[i].sockets);
	}
}

static void test_flags(void **state)
{
	static const struct {
		const char *text;
		unsigned flags;
		enum fairshare_algorithm algorithm;
		enum billing_rule billing;
	} cases[] = {
		{"MAX_TRES", PRIO_MAX_TRES, FAIRSHARE_FAIR_TREE,
			BILLING_MAX_TRES},
		{"max_tres_gres", PRIO_MAX_TRES_GRES, FAIRSHARE_FAIR_TREE,
			BILLING_MAX_TRES_GRES},
		{"MAX_TRES,MAX_TRES_GRES", PRIO_MAX_TRES_GRES,
			FAIRSHARE_FAIR_TREE, BILLING_MAX_TRES_GRES},
		{"NO_FAIR_TREE", 0, FAIRSHARE_CLASSIC, BILLING_SUM},
		{"NO_FAIR_TREE,DEPTH_OBLIVIOUS", 0, FAIRSHARE_DEPTH_OBLIVIOUS,
			BILLING_SUM},
		{"xACCRUE_ALWAYSx", PRIO_ACCRUE_ALWAYS, FAIRSHARE_FAIR_TREE,
			BILLING_SUM},
		{"NO_NORMAL_ALL",
			PRIO_NO_NORMAL_ASSOC | PRIO_NO_NORMAL_PART |
				PRIO_NO_NORMAL_QOS | PRIO_NO_NORMAL_TRES,
			FAIRSHARE_FAIR_TREE, BILLING_SUM},
		{"CALCULATE_RUNNING,INCR_ONLY",
			PRIO_CALCULATE_RUNNING | PRIO_INCR_ONLY,
			FAIRSHARE_FAIR_TREE, BILLING_SUM},
		{"NO_NORMAL_QOS,NO_NORMAL_TRES",
			PRIO_NO_NORMAL_QOS | PRIO_NO_NORMAL_TRES,
			FAIRSHARE_FAIR_TREE, BILLING_SUM},
		{"bogus", 0, FAIRSHARE_FAIR_TREE, BILLING_SUM},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		load(arena_printf(&arena, "PriorityFlags=%s", cases[i].text));
		assert_int_equal(conf.policy.flags, cases[i].flags);
		assert_int_equal(conf.policy.algorithm, cases[i].algorithm);
		assert_int_equal(conf.policy.billing, cases[i].billing);
	}
}

static void test_enforce(void **state)
{
	static const struct {
		const char *text;
		unsigned flags;
	} cases[] = {
		{"associations", ENFORCE_ASSOCS},
		{"1", ENFORCE_ASSOCS},
		{"2", ENFORCE_ASSOCS | ENFORCE_LIMITS},
		{"Limits", ENFORCE_ASSOCS | ENFORCE_LIMITS},
		{"SAFE", ENFORCE_ASSOCS | ENFORCE_LIMITS | ENFORCE_SAFE},
		{"qos", ENFORCE_ASSOCS | ENFORCE_QOS},
		{"nosteps", ENFORCE_NO_STEPS},
		{"nojobs", ENFORCE_NO_STEPS | ENFORCE_NO_JOBS},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		load(arena_printf(
			&arena, "AccountingStorageEnforce=%s", cases[i].text));
		assert_int_equal(conf.enforce, cases[i].flags);
		assert_false(conf.track_wckey);
	}
	load("AccountingStorageEnforce=\"all\"\nTrackWCKey=no\n");
	assert_int_equal(conf.enforce & ENFORCE_NO_JOBS, 0);
	assert_true(conf.enforce & ENFORCE_WCKEYS);
	assert_true(conf.track_wckey);
	load("PrivateData=all");
	assert_int_equal(conf.private_data, PRIVATE_ALL);
}

static void test_times(void **state)
{
	load("PriorityDecayHalfLife=UNLIMITED\nPriorityMaxAge=-1\n");
	assert_int_equal(conf.policy.half_life, 4294967236u);
	assert_int_equal(conf.policy.max_age, 4294967236u);
	load("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=NONE\n");
	assert_int_equal(conf.policy.half_life, 0);
	assert_int_equal(conf.policy.reset, RESET_NONE);
	load("PriorityType=priority/basic\nPriorityWeightAge=INFINITE\n");
	assert_false(conf.policy.multifactor);
	assert_string_equal(conf.policy.priority_type, "priority/basic");
	assert_int_equal(conf.policy.weights.age, UINT32_MAX);
}

static void test_share(void **state)
{
	static const struct {
		const char *text;
		uint16_t share;
		bool force;
	} cases[] = {
		{"OverSubscribe=NO", 1, false},
		{"OverSubscribe=exclusive", 0, false},
		{"Shared=YES", 4, false},
		{"OverSubscribe=YES:8", 8, false},
		{"OverSubscribe=YES:1", 1, false},
		{"OverSubscribe=FORCE", 4, true},
		{"OverSubscribe=FORCE:1", 1, true},
		{"OverSubscribe=FORCE:0", 1, false},
		{"Exclusive=NODE", 0, false},
		{"OverSubscribe=EXCLUSIVE Exclusive=NO", 1, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		load(arena_printf(&arena, "PartitionName=x %s", cases[i].text));
		assert_int_equal(conf.partitions[0].max_share, cases[i].share);
		assert_int_equal(
			conf.partitions[0].share_force, cases[i].force);
	}
}

static void test_memory_consumable(void **state)
{
	static const struct {
		const char *text;
		bool counts;
	} cases[] = {
		{"SelectType=select/cons_tres", true},
		{"SelectType=select/linear", false},
		{"SelectType=select/linear\nSelectTypeParameters=CR_Memory",
			true},
		{"SelectTypeParameters=CR_Core", false},
		{"SelectTypeParameters=cr_cpu_memory", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		load(cases[i].text);
		assert_int_equal(conf.memory_consumable, cases[i].counts);
	}
}

/* --- text -------------------------------------------------------------- */

static void test_text_forms(void **state)
{
	load("ClusterName=one\n"
	     "  Epilog = \"/a b/c\"  \n"
	     "Prolog=a\\\\b # c\n"
	     "TaskProlog=x \\ # the comment goes first\n"
	     "   TaskEpilog=y\n"
	     "MailProg=p\"q\"r\n"
	     "UnkillableStepProgram=\"\"\n"
	     "Odd+=1\n"
	     "LaunchParameters=a\\\\\\#b\n"
	     "HealthCheckProgram=last_line\\");
	assert_string_equal(conf_pairs_get(&conf.all, "Epilog"), "/a b/c");
	assert_string_equal(conf_pairs_get(&conf.all, "Prolog"), "a\\b");
	assert_string_equal(conf_pairs_get(&conf.all, "TaskProlog"), "x");
	assert_string_equal(conf_pairs_get(&conf.all, "TaskEpilog"), "y");
	assert_string_equal(conf_pairs_get(&conf.all, "MailProg"), "p\"q\"r");
	assert_string_equal(
		conf_pairs_get(&conf.all, "UnkillableStepProgram"), "");
	assert_string_equal(conf_pairs_get(&conf.all, "Odd"), "1");
	assert_string_equal(
		conf_pairs_get(&conf.all, "LaunchParameters"), "a\\#b");
	assert_string_equal(
		conf_pairs_get(&conf.all, "HealthCheckProgram"), "last_line");
	assert_int_equal(conf.all.v[4].line, 4);
	assert_int_equal(conf.all.v[5].line, 6);
	load("ClusterName=one\nClusterName=Two\n");
	assert_string_equal(conf.cluster_name, "two");
}

static void test_include(void **state)
{
	mkdir(in_folder("sub"), 0700);
	put("sub/c", "Include d\nLicenses=c");
	put("sub/d", "GresTypes=d");
	put("a", "SlurmUser=a\n");
	put("heron.conf", "TrackWCKey=yes\n");
	load("include a\n"
	     " Include  sub/c # comment\n"
	     "ClusterName=Heron\n"
	     "Include %c.conf\n"
	     "Include a\n");
	assert_string_equal(conf.slurm_user, "a");
	assert_string_equal(conf.gres_types.v[0], "d");
	assert_true(conf.track_wckey);
	load(arena_printf(&arena, "Include %s\n", in_folder("a")));
	assert_string_equal(conf.slurm_user, "a");
	assert_string_equal(conf_pairs_get(&conf.all, "slurmuser"), "a");
}

static void test_include_errors(void **state)
{
	assert_string_equal(error_of("\nInclude nowhere\n"),
		arena_printf(&arena,
			"slurm.conf:2: %s/nowhere cannot be read: No such file or "
			"directory",
			folder));
	assert_string_equal(error_of("Include slurm.conf"),
		arena_printf(&arena,
			"slurm.conf:1: Include of %s/slurm.conf goes round in "
			"a circle",
			folder));
	put("a", "\n\nInclude b");
	put("b", "#\nInclude a");
	assert_string_equal(error_of("Include a"),
		arena_printf(&arena,
			"b:2: Include of %s/a goes round in a circle", folder));
	assert_string_equal(error_of("Include *.conf"),
		"slurm.conf:1: Include takes one file, not a pattern: "
		"\"*.conf\"");
	assert_string_equal(error_of("Include %c.conf"),
		"slurm.conf:1: No ClusterName before this Include: "
		"\"%c.conf\"");
	assert_string_equal(error_of("Include \n"),
		"slurm.conf:1: Include without a file: \"\"");
	put("a", "x\n");
	assert_string_equal(error_of("Include a"), "a:1: Parse error: \"x\"");
}

static void test_unreadable(void **state)
{
	conf.slurm_user = "untouched";
	assert_int_equal(
		conf_load(&conf, "/no/such/slurm.conf", &arena, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.text,
		"/no/such/slurm.conf cannot be read: No such file or directory");
	assert_int_equal(conf_load(&conf, folder, &arena, &err), -1);
	assert_string_equal(err.text,
		arena_printf(&arena, "%s cannot be read: Is a directory", folder));
	write_file("slurm.conf", "Clu\0ster", 8);
	assert_int_equal(
		conf_load(&conf, in_folder("slurm.conf"), &arena, &err), -1);
	assert_non_null(strstr(err.text, "not a text file"));
	assert_string_equal(conf.slurm_user, "untouched");
}

/* --- errors ------------------------------------------------------------ */

static void test_bad_values(void **state)
{
	static const char *const cases[][2] = {
		{"PriorityDecayHalfLife=abc",
			"Bad value \"abc\" for PriorityDecayHalfLife"},
		{"priorityCALCperiod=0",
			"Bad value \"0\" for PriorityCalcPeriod"},
		{"PriorityCalcPeriod=UNLIMITED",
			"Bad value \"UNLIMITED\" for PriorityCalcPeriod"},
		{"PriorityMaxAge=1-2-3",
			"Bad value \"1-2-3\" for PriorityMaxAge"},
		{"PriorityMaxAge=71582789",
			"Bad value \"71582789\" for PriorityMaxAge"},
		{"PriorityUsageResetPeriod=hourly",
			"Bad value \"hourly\" for PriorityUsageResetPeriod"},
		{"PriorityFavorSmall=maybe",
			"\"maybe\" is not a valid option for "
			"\"PriorityFavorSmall\""},
		{"PriorityWeightAge=abc",
			"PriorityWeightAge value (abc) is not a valid number"},
		{"PriorityWeightAge=\"\"",
			"PriorityWeightAge value () is not a valid number"},
		{"PriorityWeightAge=5x",
			"PriorityWeightAge value (5x) is not a valid number"},
		{"PriorityWeightQOS=-5",
			"PriorityWeightQOS value (-5) is less than zero"},
		{"PriorityWeightJobSize=5000000000",
			"PriorityWeightJobSize value (5000000000) is greater "
			"than 4294967295"},
		{"PriorityWeightAssoc=99999999999999999999",
			"PriorityWeightAssoc value (99999999999999999999) is "
			"out of range"},
		{"MinJobAge=5m", "MinJobAge value (5m) is not a valid number"},
		{"MinJobAge=-1", "MinJobAge value (-1) is less than zero"},
		{"MinJobAge=99999999999999999999",
			"MinJobAge value (99999999999999999999) is out of "
			"range"},
		{"FairShareDampeningFactor=70000",
			"FairShareDampeningFactor value (70000) is greater "
			"than 65535"},
		{"FairShareDampeningFactor=x",
			"FairShareDampeningFactor value \"x\" is not a valid "
			"number"},
		{"AccountingStorageEnforce=limits,foo",
			"Invalid parameter for AccountingStorageEnforce: foo"},
		{"Licenses=a:x", "Invalid configured licenses: a:x"},
		{"Licenses=:5", "Invalid configured licenses: :5"},
		{"Licenses=a:-1", "Invalid configured licenses: a:-1"},
		{"Licenses=a:2147483647,a:1",
			"Invalid configured licenses: a:2147483647,a:1"},
		{"OverTimeLimit=no",
			"OverTimeLimit value \"no\" is not a valid number"},
		{"PartitionName=x MaxTime=abc",
			"Bad value \"abc\" for MaxTime"},
		{"PartitionName=DEFAULT DefaultTime=1:",
			"Bad value \"1:\" for DefaultTime"},
		{"PartitionName=x State=SLEEPY",
			"Bad value \"SLEEPY\" for State"},
		{"PartitionName=x Default=perhaps",
			"\"perhaps\" is not a valid option for \"Default\""},
		{"PartitionName=x PriorityTier=70000",
			"PriorityTier value (70000) is greater than 65535"},
		{"OverTimeLimit=65536",
			"OverTimeLimit value (65536) is greater than 65535"},
		{"PartitionName=x OverSubscribe=SOMETIMES",
			"Bad value \"SOMETIMES\" for OverSubscribe (use NO, "
			"YES, FORCE)"},
		{"PartitionName=x Exclusive=ME",
			"Bad value \"ME\" for Exclusive= (use NO, NODE, USER, "
			"TOPO)"},
		{"PartitionName=x Nodes=n[1-",
			"Invalid host list \"n[1-\": unbalanced brackets"},
		{"NodeName=n[3-1]",
			"Invalid host list \"n[3-1]\": a range runs "
			"backwards"},
		{"NodeName=all", "'all' is a reserved word disallowed for use "
				 "with NodeName"},
		{"NodeName=n CPUs=x", "CPUs value \"x\" is not a valid number"},
		{"NodeName=n RealMemory=-1",
			"RealMemory value (-1) is less than zero"},
		{"NodeName=n Sockets=999 CoresPerSocket=999",
			"more than 65535 CPUs in a node"},
		{"NodeName=n Gres=gpu:4X", "Bad GRES configuration: gpu:4X"},
		{"NodeName=n Gres=gpu::4", "Bad GRES configuration: gpu::4"},
		{"NodeName=n Gres=:4", "Bad GRES configuration: :4"},
		{"foo", "Parse error: \"foo\""},
		{"A=1 b", "Parse error: \"b\""},
		{"=5", "Parse error: \"=5\""},
		{"\x01\xff", "Parse error: \"?\xff\""},
		{"A=", "Value missing: \"A=\""},
		{"A=\"b c", "Closing quote missing: \"A=\"b c\""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *text = arena_printf(
			&arena, "# one\nX=1\\\n2\n%s\n", cases[i][0]);

		assert_string_equal(error_of(text),
			arena_printf(&arena, "slurm.conf:4: %s", cases[i][1]));
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

/* Slurm takes no fewer than two seconds, 0 included. */
static void test_min_job_age(void **state)
{
	static const struct {
		const char *text;
		uint32_t seconds;
	} cases[] = {
		{"", 300},
		{"MinJobAge=0\n", 2},
		{"MinJobAge=1\n", 2},
		{"MinJobAge=600\n", 600},
		{"minjobage=UNLIMITED\n", UINT32_MAX},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		load(cases[i].text);
		assert_int_equal(conf.min_job_age, cases[i].seconds);
	}
}

static void test_rollover(void **state)
{
	assert_string_equal(error_of("PriorityDecayHalfLife=0"),
		"slurm.conf: You have to either have PriorityDecayHalfLife != "
		"0 or PriorityUsageResetPeriod set to something or the "
		"priority plugin will result in rolling over.");
}

static void test_warnings(void **state)
{
	load("PriorityWeightAge=4294967295\nPriorityWeightQOS=1\n"
	     "PartitionName=x AllowAccounts=a DenyAccounts=b "
	     "DefMemPerCPU=1 DefMemPerNode=2\n"
	     "PartitionName=x MaxTime=1\n"
	     "NodeName=n[1-2] CPUs=2\nNodeName=n2 CPUs=4\n");
	assert_int_equal(conf.warnings.n, 3);
	assert_string_equal(conf.warnings.v[0],
		"Both AllowAccounts and DenyAccounts are defined, "
		"DenyAccounts will be ignored");
	assert_string_equal(conf.warnings.v[1],
		"DefMemPerCPU ignored, since it's mutually exclusive with "
		"DefMemPerNode");
	assert_string_equal(conf.warnings.v[2],
		"PriorityWeight values too high, job priority value may "
		"overflow");
	assert_int_equal(conf.partitions[0].deny_accounts.n, 0);
	assert_int_equal(conf.partitions[0].def_mem_per_cpu, 0);
	assert_int_equal(conf.partitions[0].max_time, INFINITE);
	assert_int_equal(conf.remarks.n, 2);
	assert_int_equal(conf.n_nodes, 2);
	assert_int_equal(conf_node_by_name(&conf, "n2")->cpus, 4);
	assert_int_equal(conf_node_by_name(&conf, "n1")->cpus, 2);
}

/* --- nodes of partitions, sizes ---------------------------------------- */

static void test_partition_nodes(void **state)
{
	load("PartitionName=all Nodes=ALL\n"
	     "NodeName=n[1-3] Feature=x\nNodeName=m1 Feature=x,y\n"
	     "NodeSet=s Nodes=n[2-3],n2\nNodeSet=f Feature=y\n"
	     "PartitionName=mix Nodes=\"n3, s f\" Default=YES\n"
	     "PartitionName=odd Nodes=n1,unknown Default=YES\n"
	     "PartitionName=all2 Nodes=ALL\n");
	assert_string_equal(nodes_of("all"), "n1 n2 n3 m1");
	assert_string_equal(nodes_of("all2"), "n1 n2 n3 m1");
	assert_string_equal(nodes_of("mix"), "n3 n2 m1");
	assert_string_equal(nodes_of("odd"), "n1 unknown");
	assert_string_equal(conf_default_partition(&conf)->name, "odd");
	assert_false(conf_partition_by_name(&conf, "mix")->is_default);
}

static void test_many_nodes(void **state)
{
	load("NodeName=r[001-100]n[001-200] CPUs=64\n"
	     "PartitionName=a Nodes=ALL\nPartitionName=b Nodes=ALL\n");
	assert_int_equal(conf.n_nodes, 20000);
	assert_int_equal(conf.partitions[1].nodes.n, 20000);
	for (size_t i = 0; i < conf.n_nodes; i++)
		assert_ptr_equal(conf_node_by_name(&conf, conf.nodes[i].name),
			&conf.nodes[i]);
	assert_non_null(strstr(error_of("NodeName=a[1-600000]\n"
					"NodeName=b[1-600000]\n"),
		"slurm.conf:2: more than 1000000 node names in all"));
}

/* --- slurmdbd.conf ----------------------------------------------------- */

static int try_load_dbd(struct conf_dbd *dbd, const char *text)
{
	put("slurmdbd.conf", text);
	return conf_load_dbd(dbd, in_folder("slurm.conf"), &arena, &err);
}

static void test_dbd(void **state)
{
	struct conf_dbd dbd;

	assert_int_equal(
		conf_load_dbd(&dbd, in_folder("slurm.conf"), &arena, &err), 0);
	assert_false(dbd.present);
	assert_string_equal(dbd.path, in_folder("slurmdbd.conf"));
	assert_string_equal(dbd.archive_dir, "/tmp");
	assert_int_equal(
		try_load_dbd(&dbd, "StorageType=accounting_storage/sqlite\n"
				   "StorageLoc=/var/lib/x.db\n"
				   "StoragePass=secret\n"
				   "DefaultQOS=Normal\nAllowNoDefAcct=yes\n"
				   "DisableCoordDBD=1\nTrackWCKey=no\n"
				   "PrivateData=users,accounts\n"
				   "Parameters=PreserveCaseUser\n"
				   "PurgeJobAfter=12months\nDbdPort=7031\n"),
		0);
	assert_true(dbd.present);
	assert_string_equal(dbd.storage_type, "accounting_storage/sqlite");
	assert_string_equal(dbd.storage_loc, "/var/lib/x.db");
	assert_string_equal(dbd.default_qos, "normal");
	assert_true(dbd.allow_no_def_acct);
	assert_true(dbd.disable_coord);
	assert_false(dbd.track_wckey);
	assert_int_equal(dbd.private_data, PRIVATE_USERS | PRIVATE_ACCOUNTS);
	assert_true(dbd.preserve_case_user);
	assert_false(dbd.preserve_case_resource);
	assert_string_equal(dbd.purge_job, "12months");
	assert_null(dbd.purge_txn);
	assert_string_equal(conf_pairs_get(&dbd.all, "dbdport"), "7031");
	assert_int_equal(try_load_dbd(&dbd, "\nTrackWCKey=eh\n"), -1);
	assert_non_null(strstr(err.text,
		"slurmdbd.conf:2: \"eh\" is not a valid option for "
		"\"TrackWCKey\""));
}

static void test_dbd_unreadable(void **state)
{
	struct conf_dbd dbd;

	if (geteuid() == 0)
		skip();
	put("slurmdbd.conf", "StorageLoc=/x\n");
	assert_int_equal(chmod(in_folder("slurmdbd.conf"), 0), 0);
	assert_int_equal(
		conf_load_dbd(&dbd, in_folder("slurm.conf"), &arena, &err), -1);
	assert_int_equal(err.kind, ERR_DENIED);
	assert_non_null(
		strstr(err.text, "slurmdbd.conf cannot be read: Permission"));
}

/* --- junk -------------------------------------------------------------- */

/* Whatever stands in the file: an answer, with an error text when it is no. */
static void test_junk(void **state)
{
	static const char *const bits[] = {"NodeName=", "PartitionName=",
		"DEFAULT", " Nodes=", "n[1-3]", "\"", "\\", "\\\n", "\n", "#",
		"=", " ", "Gres=gpu:", "Include ", "slurm.conf", "ALL",
		" MaxTime=", "1-", "PriorityWeightAge=", "99", "\xfe", "\r",
		"Licenses=", ":", ",", "NodeSet=", " Feature=", "%c"};

	srand(5);
	for (int round = 0; round < 3000; round++) {
		char text[400] = "";
		size_t used = 0;

		for (int i = rand() % 30; i > 0; i--) {
			const char *bit = bits[(size_t)rand() %
					       (sizeof(bits) / sizeof(*bits))];

			memcpy(text + used, bit, strlen(bit) + 1);
			used += strlen(bit);
		}
		if (try_load(text))
			assert_true(*err.text);
		arena_reset(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_site_globals, teardown),
		cmocka_unit_test_teardown(test_site_policy, teardown),
		cmocka_unit_test_teardown(test_site_nodes, teardown),
		cmocka_unit_test_teardown(test_site_partitions, teardown),
		cmocka_unit_test_teardown(test_defaults, teardown),
		cmocka_unit_test_teardown(test_cpus, teardown),
		cmocka_unit_test_teardown(test_flags, teardown),
		cmocka_unit_test_teardown(test_enforce, teardown),
		cmocka_unit_test_teardown(test_times, teardown),
		cmocka_unit_test_teardown(test_share, teardown),
		cmocka_unit_test_teardown(test_memory_consumable, teardown),
		cmocka_unit_test_teardown(test_text_forms, teardown),
		cmocka_unit_test_teardown(test_include, teardown),
		cmocka_unit_test_teardown(test_include_errors, teardown),
		cmocka_unit_test_teardown(test_unreadable, teardown),
		cmocka_unit_test_teardown(test_bad_values, teardown),
		cmocka_unit_test_teardown(test_min_job_age, teardown),
		cmocka_unit_test_teardown(test_rollover, teardown),
		cmocka_unit_test_teardown(test_warnings, teardown),
		cmocka_unit_test_teardown(test_partition_nodes, teardown),
		cmocka_unit_test_teardown(test_many_nodes, teardown),
		cmocka_unit_test_teardown(test_dbd, teardown),
		cmocka_unit_test_teardown(test_dbd_unreadable, teardown),
		cmocka_unit_test_teardown(test_junk, teardown),
	};

	return cmocka_run_group_tests_name(
		"conf", tests, setup, teardown_folder);
}
