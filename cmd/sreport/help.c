/*
 * What `help` and --help print.
 */
#include <stdio.h>

#include "cmd/sreport/sreport.h"

/* clang-format off */
static const char help_text[] =
"sreport [<OPTION>] [<COMMAND>]\n"
"\n"
"<COMMAND> is CLASS REPORT [CONDITIONS]; without one sreport reads commands\n"
"until `exit`.\n"
"\n"
"Valid <OPTION> values are:\n"
"    -a, --all_clusters     every cluster of the store\n"
"    -M, --cluster=LIST     these clusters\n"
"        --federation       the clusters of our federation, added up\n"
"        --local            our own cluster\n"
"    -h, --help, --usage    this text\n"
"        --helpformat       the columns of every report\n"
"    -n, --noheader         no title and no heading\n"
"    -p, --parsable         cells with a `|` behind each\n"
"    -P, --parsable2        cells with a `|` between them\n"
"    -Q, --quiet            fewer messages\n"
"    -s, --sort=ORDER       rows of users by Name or by Time\n"
"    -t, --time=UNIT        Seconds, Minutes, Hours, Percent, SecPer, MinPer,\n"
"                           HourPer\n"
"    -T, --tres=LIST        which TRES; ALL for every one\n"
"    -v, --verbose          more messages\n"
"    -V, --version          display tool version number\n"
"  Only in Bursar:\n"
"        --csv[=safe]       the table as comma separated values\n"
"        --json, --yaml     a document; amounts in seconds\n"
"        --ndjson           one JSON object a line for each row\n"
"        --svg=FILE         a picture\n"
"        --openmetrics      the present state, for a monitoring system\n"
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

void print_columns(void)
{
	print_fields("cluster", CLASS_CLUSTER);
	print_fields("job", CLASS_JOB);
	print_fields("reservation", CLASS_RESERVATION);
	print_fields("user", CLASS_USER);
}

void print_help(void)
{
	fputs(help_text, stdout);
	print_columns();
}
