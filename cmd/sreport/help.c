/*
 * What `help` and --help print.
 */
#include <stdio.h>

#include "cmd/sreport/sreport.h"
#include "common/cli/options.h"

/* clang-format off */
static const char help_head[] =
"sreport [<OPTION>] [<COMMAND>]\n"
"\n"
"<COMMAND> is CLASS REPORT [CONDITIONS]; without one sreport reads commands\n"
"until `exit`.\n";

static const struct option_group option_groups[] = {
	{"Valid <OPTION> values are:", "all_clusters cluster federation local help,usage helpformat noheader parsable parsable2 quiet sort time tres verbose offline version"},
	{"  Only in Bursar:", "csv json,yaml ndjson svg openmetrics"},
	{NULL, NULL},
};

static const char help_tail[] =
"\n"
"Valid <COMMAND> values are:\n"
"    cluster      AccountUtilizationByUser, AccountUtilizationByQOS,\n"
"                 UserUtilizationByAccount, UserUtilizationByWckey,\n"
"                 Utilization, WCKeyUtilizationByUser\n"
"    job          SizesByAccount, SizesByWckey, SizesByAccountAndWckey\n"
"    reservation  Utilization\n"
"    user         TopUsage\n"
"\n"
"  CONDITIONS of every report\n"
"    Start=TIME  End=TIME   the window, in whole hours; the day before\n"
"    Clusters=LIST          these clusters; All_Clusters for every one\n"
"    Format=LIST            these columns, each with %WIDTH behind it\n"
"  of the cluster reports\n"
"    Accounts=LIST  Users=LIST  WCKeys=LIST  QosLevel=LIST  Tree\n"
"  of the job reports\n"
"    Accounts=LIST  Associations=LIST  Gid=LIST  Jobs=LIST  Nodes=LIST\n"
"    Partitions=LIST  Users=LIST  Wckeys=LIST\n"
"    AcctAsParent           the accounts below those named\n"
"    FlatView               every account by itself\n"
"    Grouping=LIST          where groups of sizes begin; or `individual`\n"
"    PrintJobCount          jobs instead of time\n"
"  of the reservation report\n"
"    Names=LIST  Ids=LIST  Nodes=LIST  Flags=LIST\n"
"  of the user report\n"
"    Accounts=LIST  Users=LIST\n"
"    Group                  one row a user\n"
"    TopCount=N             so many rows; 10; negative for all\n"
"\n"
"  COMMANDS of a session\n"
"    exit, quit  help  local  nonparsable  parsable  parsable2  quiet\n"
"    sort ORDER  time UNIT  verbose  version  !!\n"
"\n"
"  COLUMNS\n";

static const struct option_help help_page = {help_head, option_groups, 27, help_tail};
/* clang-format on */

static void print_fields(const char *class, enum report_class number)
{
	int n;
	const struct report_field *fields = class_fields(number, &n);

	printf("    %s\n", class);
	for (int i = 0; i < n; i++)
		printf("      %-14s %s\n", fields[i].member.heading,
			fields[i].member.help);
}

void print_columns(void *options)
{
	(void)options;
	print_fields("cluster", CLASS_CLUSTER);
	print_fields("job", CLASS_JOB);
	print_fields("reservation", CLASS_RESERVATION);
	print_fields("user", CLASS_USER);
}

void print_help(void *options)
{
	option_print_help(&help_page);
	print_columns(options);
}
