# Reads ID VIEW COLUMN VALUE, by tabs; `head` is the view that says what was told of the job. Prints
# for each job what differs from the job of its kind of which nothing else was told, a line for each
# view, and then the columns of jobs that differ for none.

# Numbers of records depend on what else there is; a SLUID is made of id and submit time.
$2 != "head" && $3 ~ /SLUID|sluid|DBIndex|^(key|modified)$/ { next }

$2 == "head" {
	head[$1] = $3
	jobs[++n_jobs] = $1
	if ($3 !~ / /)
		alike[$3] = $1
	next
}

{
	if (!(($2, $3) in known)) {
		known[$2, $3] = 1
		if (!($2 in n_columns))
			views[++n_views] = $2
		columns[$2, ++n_columns[$2]] = $3
	}
	value[$1, $2, $3] = $4
	there[$1, $2] = 1
}

# The text with ID for the number.
function masked(text, number,    out, at, around) {
	while (at = index(text, number)) {
		around = substr(text, at - 1, at > 1) substr(text, at + length(number), 1)
		out = out substr(text, 1, at - 1) (around ~ /[0-9]/ ? number : "ID")
		text = substr(text, at + length(number))
	}
	return out text
}

# What the job shows; its own number is ID, but where that was told.
function shown(job, view, column,    text) {
	text = value[job, view, column] ""
	return head[job] ~ / id=/ ? text : masked(text, job "")
}

function kept(job, view, column) {
	return value[job, view, column] "" == value[job, "store", column] ""
}

# Of a view `back ...`: is it another value than the one it had, of what was told, or where the job
# without it came back as it was?
function lost(job, view, column) {
	return !kept(job, view, column) &&
		(is_moved[job, "store", column] || kept(alike[kind], view, column))
}

function differs(job, view, column) {
	if (view ~ /^back/)
		return lost(job, view, column)
	return shown(job, view, column) != shown(alike[kind], view, column)
}

function line(job, view,    text, i, column) {
	if (!there[job, view])
		return there[alike[kind], view] ? "\t" view ": not there\n" : ""
	for (i = 1; i <= n_columns[view]; i++) {
		column = columns[view, i]
		if (!differs(job, view, column))
			continue
		is_moved[job, view, column] = moved[view, column] = 1
		text = text " " column "=" shown(job, view, column)
	}
	return text ? folded("\t" view ":" text) : ""
}

# Lines of 100 columns, broken between columns.
function folded(text,    out, at) {
	while (length(text) > 92) {
		for (at = 92; at > 20 && substr(text, at, 1) != " "; at--)
			;
		if (at == 20 && !(at = index(substr(text, 21), " ") + 20) || at == 20)
			break
		out = out substr(text, 1, at - 1) "\n"
		text = "\t\t" substr(text, at + 1)
	}
	return out text "\n"
}

END {
	for (j = 1; j <= n_jobs; j++) {
		kind = head[jobs[j]]
		if (!sub(/ .*/, "", kind))
			continue
		print head[jobs[j]]
		for (v = 1; v <= n_views; v++)
			printf "%s", line(jobs[j], views[v])
	}
	print "no word"
	for (v = 1; v <= n_views; v++) {
		if (views[v] ~ /^back/)
			continue
		text = ""
		for (i = 1; i <= n_columns[views[v]]; i++)
			if (!moved[views[v], columns[views[v], i]] && columns[views[v], i] !~ /^[a-z]+:|^steps/)
				text = text " " columns[views[v], i]
		printf "%s", folded("\t" views[v] ":" text)
	}
}
