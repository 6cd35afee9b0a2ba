// spage, the page: what is made of the data, the search, and the address, which keeps search,
// sorting and place.

const root = document.documentElement;
root.classList.add('js');

// ---- rows -------------------------------------------------------------------

const jobs = data.jobs;
const waiting = jobs.filter(job => job.state === 'PENDING');
const running = jobs.filter(job => /^(RUNNING|SUSPENDED|COMPLETING)$/.test(job.state));
const priorities = new Map([...data.priorities].reverse().map(row => [row.job_id, row]));
const planned = data.plan;
const placeOf = new Map([...planned].reverse().map(row => [row.job, row]));
const nodes = data.nodes.map(nodeOf);
const days = data.days;
const {used} = data;
const shares = data.shares;
const depths = new Map();
for (const row of shares) {
	row.depth = (depths.get(row.parent) ?? -1) + 1;
	if (!row.user)
		depths.set(row.account, row.depth);
}

// ---- colours ----------------------------------------------------------------

const partitions = [...new Set([...nodes, ...jobs].map(row => row.partition))].sort();
const colours = {
	user: colourBook(data.colour_of_user),
	account: colourBook(data.colour_of_account),
	partition: colourBook(Object.fromEntries(partitions.map((name, i) => [name, i % 12]))),
};
const colourOfUser = colours.user;

// ---- now --------------------------------------------------------------------

const distinctNodes = distinct(nodes);
put('cards', [
	nodes.length ? useCard('CPUs', useOf(distinctNodes, 'cpus'), count) : '',
	nodes.length ? useCard('Memory', useOf(distinctNodes, 'memory'), memory) : '',
	useOf(distinctNodes, 'gpus')[1] ? useCard('GPUs', useOf(distinctNodes, 'gpus'), count) : '',
	jobCards({waiting, running, days})]);
drawNodes(nodes);
drawWho(running, colourOfUser);
put('errors', data.errors.map(error => html`<p class=none>${error}</p>`));

// ---- the plan ---------------------------------------------------------------

const plan = new Plan({running, waiting, plan: planned, colours});

// ---- jobs -------------------------------------------------------------------

const factors = [['site', 'site'], ['age_points', 'age'], ['assoc_points', 'association'],
	['fairshare_points', 'fair-share'], ['job_size_points', 'job size'],
	['partition_points', 'partition'], ['qos_points', 'QOS'], ['tres_points', 'TRES']];
const mostPriority = Math.max(...waiting.map(job => number(job.priority)));

// TRES are a list, cpu=10,mem=1.
const points = value => typeof value === 'string'
	? value.split(',').reduce((sum, one) => sum + Number(one.replace(/.*=/, '')), 0) : value;

function priority(job) {
	const row = priorities.get(job.job_id);
	if (!row || !(mostPriority > 0))
		return after(count(number(job.priority)));
	const given = factors.map(([name, label], i) => [i, label, points(row[name])])
		.filter(([, , value]) => value > 0);
	const told = given.map(([, label, value]) => `${label} ${count(Math.round(value))}`)
		.join(', ');
	const width = value => (value / mostPriority * 100).toFixed(1);
	const parts = given.map(([i, , value]) =>
		html`<i class=f${i} style="width:${width(value)}%"></i>`);
	return html`<span class=stack role=img title="${told}"
		aria-label="${told}">${parts}</span> ${after(count(number(job.priority)))}`;
}

function startOf(job) {
	const row = placeOf.get(job.job);
	const start = moment(row?.start_time ?? null);
	if (row?.action === 'start')
		return [0, html`<b class=good>next pass</b>`];
	if (Number.isNaN(start))
		return [Infinity, 'not planned'];
	return [start, row.action === 'estimate' ? `later than ${when(start)}` : when(start)];
}

const jobLink = job => plan.has(job.job_id)
	? html`<a class=tobar href="#bar${job.job_id}" title="to its bar in the plan">${job.job}</a>`
	: job.job;
const jobColumns = [
	text('job', 'Job', {cell: jobLink}),
	{title: 'Name', key: job => job.name, spare: 1,
		cell: ({name}) => html`<span class=clip title="${name}">${name}</span>`},
	text('user', 'User', {cell: job => html`${swatch(colourOfUser(job.user))}${job.user}`}),
	text('account', 'Account', {spare: 1}), text('partition', 'Partition', {spare: 2}),
	amount('cpus', 'CPUs', {spare: 1})];

const limitOf = job => (job.time_limit ?? Infinity) * 60;

const queue = new Table('t-queue', [...jobColumns,
	text('qos', 'QOS', {spare: 2}),
	{title: 'Limit', key: limitOf, spare: 2,
		cell: job => Number.isFinite(limitOf(job)) ? lasting(limitOf(job)) : 'none'},
	{title: 'Priority', key: job => number(job.priority), cell: priority, spare: 1},
	{title: 'Planned start', wrap: true,
		key: job => startOf(job)[0], cell: job => startOf(job)[1],
		text: job => escaped(startOf(job)[1])},
	text('reason', 'Reason', {cell: job => breakable(job.reason)}),
], waiting, {why: job => `Why job ${job.job} waits`, label: 'Jobs that wait',
	none: 'No job waits.'});

function timeUsed(job) {
	const from = moment(job.start_time), to = moment(job.end_time);
	return to > from ? (now - from) / (to - from) : 0;
}

const run = new Table('t-running', [...jobColumns,
	text('node_list', 'Nodes', {spare: 2, cell: job => html`<span class=clip
		title="${job.node_list}">${job.node_list}</span>`}),
	moments('start_time', 'Started', {spare: 2}), moments('end_time', 'Ends by', {spare: 1}),
	{title: 'Time used', key: timeUsed, cell: job => [bar('fair', timeUsed(job),
		'of its time limit'), after(`${lasting(job.elapsed)} of ${
			job.time_limit === null ? 'no limit' : lasting(limitOf(job))}`)]},
], running, {label: 'Jobs that run', none: 'No job runs.'});

// ---- shares -----------------------------------------------------------------

function shareName(row) {
	if (!row.user)
		return html`<b>${row.account}</b>`;
	const partition = row.partition ? `, ${row.partition}` : '';
	return html`${row.user} <small>${row.account}${partition}</small>`;
}

function shareUse(row) {
	const promised = row.shares_normalized, use = row.effective_usage;
	if (row.raw_shares === null)
		return '';
	return [bar('owed', promised, `promised ${percent(promised)}`),
		bar(use > promised ? 'over' : 'used', use, `used ${percent(use)}`),
		after(percent(use))];
}

const part = (name, title, more) => ({title, number: true,
	key: row => row.raw_shares === null ? NaN : number(row[name]),
	cell: row => row.raw_shares === null ? '' : percent(number(row[name])),
	...more});

// Without usage it is infinite, which JSON has no number for.
const levelOf = row => row.level_fs ?? (row.raw_shares > 0 ? Infinity : NaN);

const shareColumns = [
	{title: 'Account, user', key: row => row.user || row.account, cell: shareName,
		text: row => `${row.user} ${row.account} ${row.partition}`,
		style: row => `--d:${row.depth}`},
	amount('raw_shares', 'Shares', {spare: 1,
		cell: row => row.raw_shares === 'parent' ? 'parent' : count(number(row.raw_shares))}),
	part('shares_normalized', 'Promised', {spare: 1}),
	{...part('effective_usage', 'Used of its level'), number: false, cell: shareUse},
	{title: 'Decayed hours', number: true, spare: 2, key: row => number(row.usage),
		cell: row => count(Math.round(number(row.usage) / 3600))},
	part('usage_normalized', 'Of all', {spare: 2}),
	{title: 'Fair-share', key: row => number(row.fairshare), cell: row => row.fairshare === null
		? '' : [bar('fair', number(row.fairshare), 'fair-share'),
			after(number(row.fairshare).toFixed(3))]},
	{title: 'LevelFS', number: true, spare: 1, key: levelOf,
		cell: row => figures(levelOf(row))}];
const whyShare = row => `Why ${row.user} in ${row.account} has this fair-share`;
const tree = new Tree('t-shares', shareColumns, shares,
	{why: whyShare, label: 'Shares', fold: byId('fold'), reset: byId('unsort')});

// ---- usage, days, limits ----------------------------------------------------

const top = data.top;
const mostUsed = Math.max(...top.map(row => row.used));
new Table('t-top', [
	text('user', 'User', {cell: row => html`${swatch(colourOfUser(row.user))}${row.user}`}),
	...top.some(row => row.proper_name) ? [text('proper_name', 'Name', {spare: 1})] : [],
	text('account', 'Account'),
	{title: 'Used of all there was', key: row => row.used, cell: row => [
		bar('used', mostUsed > 0 ? row.used / mostUsed : 0, 'of the first here'),
		after(percent(row.used_percent / 100))]},
], top, {label: 'Top users', none: 'Nothing was used.'});

const limitPart = row => number(row.most) > 0 ? number(row.used) / number(row.most) : 1;
const limitColumns = [text('whose', 'Set for', {wrap: true}),
	text('limit', 'Limit', {wrap: true, cell: row => breakable(row.limit)}),
	amount('most', 'At most', {spare: 1}), amount('used', 'In use', {spare: 1}),
	{title: 'Part', key: limitPart, cell: row => [
		bar(limitPart(row) >= 0.8 ? 'over' : 'used', limitPart(row), 'in use'),
		after(number(row.most) > 0 ? percent(limitPart(row)) : 'full')]}];

// sacctmgr's: an amount is a number, or of TRES one of a kind.
function limitOfRecord({user, account, origin, setting, value, used}) {
	const [kind] = typeof value === 'object' ? Object.keys(value) : [];
	return {whose: user && !origin.startsWith('user ') ? `${user} in ${account}, ${origin}` : origin,
		limit: kind ? `${setting} ${kind}` : setting,
		most: kind ? value[kind] : value, used: kind ? used[kind] : used};
}

const limits = data.limits.map(limitOfRecord).sort((a, b) => limitPart(b) - limitPart(a) ||
	collator.compare(a.whose + a.limit, b.whose + b.limit));
new Table('t-limits', limitColumns, limits, {label: 'Limits', none: 'No limit is in use.'});

const waits = Math.max(...days.map(row => number(row.nine_tenths)).filter(Number.isFinite), 1);
const wait = (name, title) => ({title, number: true, key: row => number(row[name]),
	cell: row => row[name] === null ? '' : lasting(row[name])});
new Table('t-days', [{...moments('day_time', 'Day'), cell: row => day(moment(row.day_time))},
	amount('started', 'Started', {spare: 1}),
	wait('half', 'Half waited at most'), wait('nine_tenths', 'Nine of ten at most'),
	amount('ended', 'Ended', {spare: 1}), amount('failed', 'Failed'),
	amount('timeout', 'Timed out')], [...days].reverse(), {label: 'Days'});

const wasted = data.waste;
const lost = (name, title, more) => amount(name, title, {...more,
	cell: row => count(number(row[name]))});
const wastedPart = (name, title, more) => ({title, number: true, key: row => number(row[name]),
	cell: row => percent(number(row[name]) / 100), ...more});
// What is measured nowhere has no column.
const measured = ([name]) => wasted.some(row => row[name] !== null);
new Table('t-waste', [
	data.user ? text('job', 'Job') : text('user', 'User'),
	data.user ? text('name', 'Name', {spare: 1}) : amount('jobs', 'Jobs'),
	...[['cpu_percent', wastedPart('cpu_percent', 'CPU used')],
		['cpu_percent', lost('cpu_hours_lost', 'CPU hours lost')],
		['memory_percent', wastedPart('memory_percent', 'Memory used', {spare: 1})],
		['memory_percent', lost('memory_gib_hours_lost', 'GiB hours lost', {spare: 1})],
		['time_limit_percent', wastedPart('time_limit_percent', 'Of the time limit', {spare: 1})],
	].filter(measured).map(([, column]) => column),
	...data.user ? [] : [text('enough', 'Would have been enough', {spare: 2})],
], wasted, {label: 'Lost', none: 'Nothing is known of what jobs used.'});

// ---- pictures ---------------------------------------------------------------

const dayTimes = days.map(row => moment(row.day_time));
const dayValues = name => days.map(row => number(row[name]));
const seriesOf = kind => used.filter(row => row.kind === kind).map(row => ({values: row.cpu_hours,
	name: row.name || 'others', colour: colours[kind](row.name)}));
// What is not shown by name is one series: the columns are as high as what was used.
function firstAndRest(series) {
	if (series.length <= SHOWN)
		return series;
	const first = firstShown(series.filter(one => one.name !== 'others'), SHOWN);
	const rest = series.filter(one => !first.includes(one));
	return [...first, {name: `${rest.length} others`, colour: 'var(--other)',
		values: dayTimes.map((t, i) => rest.reduce((sum, one) => sum + one.values[i], 0))}];
}
const cpus = useOf(distinctNodes, 'cpus')[1];
const limit = cpus ? {value: cpus * 24, name: 'all CPUs'} : undefined;
if (dayTimes.length > 1) {
	new Columns('p-accounts', {title: 'CPU hours a day, by account', times: dayTimes, limit,
		series: firstAndRest(seriesOf('account')), show: SHOWN + 1});
	new Columns('p-users', {title: 'CPU hours a day, by user', times: dayTimes, limit,
		series: firstAndRest(seriesOf('user')), show: SHOWN + 1});
	new Lines('p-waits', {title: 'How long jobs had waited that started on a day',
		times: dayTimes, scale: waitScale, series: [
			{name: 'nine of ten', colour: 'var(--c1)',
				values: dayValues('nine_tenths')},
			{name: 'half', colour: 'var(--c0)', values: dayValues('half')}]});
	const good = days.map(row => row.ended - row.failed - row.timeout);
	new Columns('p-ended', {title: 'How jobs ended', times: dayTimes, series: [
		{name: 'completed, cancelled', colour: 'var(--c2)', values: good},
		{name: 'failed', colour: 'var(--c7)', values: dayValues('failed')},
		{name: 'timed out', colour: 'var(--c4)', values: dayValues('timeout')}]});
}

const past = [...groupBy(data.history, row =>
	[row.account, row.user, row.partition].join()).values()];
const pastTimes = past[0]?.map(row => moment(row.time)) ?? [];
// A user with several associations has their accounts beside the name.
function pastName([row]) {
	const several = past.filter(([other]) => other.user === row.user).length > 1;
	return several ? [row.user, row.account, row.partition].filter(Boolean).join(' ') : row.user;
}
const pastSeries = (name, divide) => mostMoved(past.map(rows => ({
	name: pastName(rows),
	colour: colourOfUser(rows[0].user),
	values: rows.map(row => number(row[name]) / divide)})));
if (pastTimes.length > 1) {
	new Lines('p-usage', {title: 'Decayed usage in hours, of those who moved most',
		times: pastTimes, series: pastSeries('usage', 3600)});
	new Lines('p-fairshare', {title: 'Fair-share, of those who moved most',
		times: pastTimes, series: pastSeries('fairshare', 1), scale: linear(figures)});
}

function passing({passes}, i) {
	const {set, infinite, number: time} = passes[i].time;
	return set ? time <= data.written ? 'now' : when(moment(time)) : infinite ? 'never' : '';
}
// at 2026-11-26T21:15:00
const shortTimes = text => text.replace(/(?:^at )?\d+-(\d\d)-(\d\d)T(\d\d:\d\d):\d\d/,
	(all, month, day, time) => `${months[month - 1]} ${day} ${time}`);
const passes = (i, title) => ({title, spare: 2, key: row => row.passes[i].time.number || Infinity,
	cell: row => passing(row, i)});
new Table('t-forecast', [
	text('user', 'User', {cell: row => html`${swatch(colourOfUser(row.user))}${row.user}`}),
	text('account', 'Account', {spare: 1}),
	amount('fairshare', 'Fair-share now', {cell: row => figures(number(row.fairshare))}),
	amount('at_best', 'At best', {spare: 1, cell: row => figures(number(row.at_best))}),
	passes(0, 'Passes 0.25'), passes(1, 'Passes 0.5'),
	{title: 'First waiting job starts', key: row => shortTimes(row.next_start ?? '')},
], data.forecast, {label: 'Fair-share to come'});

// Of all CPU time there was: a bar, and the parts in words.
const [whole] = data.utilization;
if (whole) {
	const parts = [['allocated', 'c0'], ['planned', 'c5'], ['plnd_down', 'c4'], ['down', 'c7'],
		['idle', 'track']].map(([name, colour]) => [name.replace('plnd_', 'planned '),
		`var(--${colour})`, whole[`${name}_percent`] ?? 0]).filter(([, , value]) => value > 0);
	put('utilization', [html`<div class=whole role=img aria-label="Of all CPU time: ${
		parts.map(([name, , value]) => `${name} ${value.toFixed(1)} %`).join(', ')}">${
		parts.map(([, colour, value]) =>
			html`<i style="width:${value}%;background:${colour}"></i>`)}</div>`,
	html`<p class=legend>${parts.map(([name, colour, value]) =>
		html`<span>${swatch(colour)}${name} ${value.toFixed(1)} %</span>`)}</p>`]);
}

// ---- one user's own view ----------------------------------------------------

if (data.user) {
	const own = row => row.user === data.user;
	const mine = shares.filter(own), myJobs = jobs.filter(own);
	byId('own').hidden = false;
	byId('own').after(byId('waste'));
	byId('to-own').hidden = false;
	const shareCard = row => card(`Fair-share in ${row.account}`,
		figures(number(row.fairshare)) || '0',
		`used ${percent(row.effective_usage)} of its level, ` +
		`promised ${percent(row.shares_normalized)}`, undefined, 'shares');
	put('own-cards', [mine.map(shareCard), jobCards(
		{waiting: waiting.filter(own), running: running.filter(own), days: []})]);
	const isWaiting = job => job.state === 'PENDING';
	new Table('t-own-jobs', [
		text('job', 'Job', {cell: jobLink}), text('name', 'Name', {spare: 1}),
		text('state', 'State', {cell: job => job.state.toLowerCase()}),
		amount('cpus', 'CPUs', {spare: 1}),
		{title: 'Starts, or ends by', wrap: true,
			key: job => isWaiting(job) ? startOf(job)[0] : moment(job.end_time),
			cell: job => isWaiting(job) ? startOf(job)[1] : when(moment(job.end_time))},
		text('reason', 'Why it waits',
			{cell: job => isWaiting(job) ? breakable(job.reason) : ''}),
	], myJobs.map(job => ({...job})), {label: 'Your jobs', none: 'You have no jobs here.',
		why: job => `Why job ${job.job} waits`});
	const myLimits = limitsOf(data.user, accountsOf(data.user, shares), limits);
	new Table('t-own-limits', limitColumns, myLimits.map(row => ({...row})),
		{label: 'Your limits', none: 'No limit of yours is in use.'});
}

// ---- search, and the address ------------------------------------------------

// #PLACE?q=WORDS&colour=user&t-queue=-3: the third column, descending.
const search = byId('search');
let place = '';

function keepState() {
	const state = new URLSearchParams();
	if (search.value.trim())
		state.set('q', search.value.trim());
	if (plan.colour !== 'account')
		state.set('colour', plan.colour);
	for (const {id, sorted, down} of tables)
		if (sorted !== null)
			state.set(id, `${down ? '-' : ''}${sorted + 1}`);
	const words = state.toString();
	// Where an address may not be changed the page works all the same.
	try {
		window.history.replaceState(null, '', `#${place}${words ? `?${words}` : ''}`);
	} catch {
		return;
	}
}

function find() {
	words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
	for (const table of tables)
		table.draw();
	plan.draw();
	const found = tables.reduce((n, table) => n + table.hits().length, 0);
	byId('found').textContent = !words.length ? '' : found ? `${count(found)} rows`
		: 'nothing found';
}

// A job's row, or its bar.
function visit(kind, id) {
	if (words.length) {
		search.value = '';
		find();
	}
	if (kind === 'bar')
		return plan.visit(id);
	return [queue, run].some(table => {
		const job = table.rows.find(row => row.job_id === id);
		return job && table.visit(job);
	});
}

function readState() {
	const [to, rest] = decodeURI(location.hash.slice(1)).split('?');
	if (rest !== undefined) {
		const state = new URLSearchParams(rest);
		search.value = state.get('q') ?? '';
		byId('colour').value = plan.colour = state.get('colour') ?? 'account';
		for (const table of tables) {
			const sort = Number(state.get(table.id));
			if (sort)
				table.sortBy(Math.abs(sort) - 1, sort < 0);
		}
		find();
	}
	place = to;
	const [, kind, id] = /^(job|bar)(\d+)$/.exec(to) ?? [];
	if (kind)
		visit(kind, Number(id));
	else if (rest !== undefined)
		document.getElementById(to)?.scrollIntoView();
	keepState();
}

search.addEventListener('input', () => {
	find();
	keepState();
});
search.form.addEventListener('submit', event => event.preventDefault());
document.addEventListener('keydown', event => {
	if (event.key === '/' && !event.ctrlKey && !event.metaKey &&
		!/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
		event.preventDefault();
		search.focus();
	}
	if (event.key === 'Escape' && event.target === search) {
		search.value = '';
		find();
		keepState();
	}
});
addEventListener('hashchange', readState);
document.addEventListener('click', event => {
	const link = event.target.closest('a[href^="#"]');
	if (link?.getAttribute('href') === location.hash)
		readState();
});

// ---- the data as a file -----------------------------------------------------

byId('save').addEventListener('click', async () => {
	const whole = data.why ? {...data, why: await explanations()} : data;
	const link = document.createElement('a');
	link.href = URL.createObjectURL(
		new Blob([JSON.stringify(whole)], {type: 'application/json'}));
	link.download = `${data.cluster}.json`;
	link.click();
});

// ---- at last ----------------------------------------------------------------

for (const table of tables)
	table.draw();

// Sticky heads of tables stand below the page's own.
function fit() {
	root.style.setProperty('--head', `${document.querySelector('header').offsetHeight}px`);
	plan.draw();
	for (const picture of pictures)
		picture.draw();
}
let fitted = 0;
addEventListener('resize', () => {
	if (fitted !== innerWidth)
		fit();
	fitted = innerWidth;
});
// Pictures take longest and are seen later.
setTimeout(() => {
	fit();
	if (location.hash)
		readState();
});
