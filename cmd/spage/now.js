// spage, now: nodes by state, what is in use of what there is, who runs most; and for one user the
// view of what is theirs.

// What sinfo calls a state, in five kinds. "*" and other marks stand behind it.
const PATTERNS = [
	['down', /\*|^(down|fail|error|unknown|power)/],
	['drained', /^(drain|maint|reboot)/],
	['idle', /^idle/],
	['part', /^mix/],
	['full', /^(alloc|comp)/],
];
const kindOf = state => PATTERNS.find(([, pattern]) => pattern.test(state))?.[0] ?? 'other';
const KINDS = ['full', 'part', 'idle', 'drained', 'down', 'other'];

// gpu:a100:4(S:0-1),gpu:2: how many.
const gpusOf = gres => gres.split(/,(?![^(]*\))/).filter(one => /^gpu\b/.test(one))
	.reduce((sum, one) => sum + (Number(/:(\d+)(\(|$)/.exec(one)?.[1]) || 0), 0);

function nodeOf(row) {
	const [allocated, , , total] = row.cpus_state.split('/').map(Number);
	return {...row, node: row.node_list, kind: kindOf(row.state),
		cpus: [allocated, total],
		memory: [row.alloc_memory ?? 0, row.real_memory ?? 0],
		gpus: [gpusOf(row.gres_used ?? ''), gpusOf(row.gres ?? '')]};
}

const useOf = (nodes, what) => [0, 1].map(i => nodes.reduce((sum, node) => sum + node[what][i], 0));

// A node of several partitions counts once.
const distinct = nodes => [...new Map(nodes.map(node => [node.node, node])).values()];

// ---- cards ------------------------------------------------------------------

function card(title, value, words, part, href) {
	return html`<a class=card href="#${href}"><span>${title}</span><b>${value}</b>${
		part === undefined ? '' : bar('used', part, percent(part))}<small>${
		words}</small></a>`;
}

function useCard(title, [used, whole], write) {
	const part = whole ? used / whole : 0;
	return card(title, percent(part), `${write(used)} of ${write(whole)} in use`, part, 'now');
}

function jobCards({waiting, running, days}) {
	const waits = waiting.map(job => now - moment(job.submit_time)).filter(Number.isFinite);
	const today = days.at(-1);
	const cards = [
		card('Running', count(running.length), `${count(running.reduce((sum, job) =>
			sum + number(job.cpus), 0))} CPUs`, undefined, 'running'),
		card('Waiting', count(waiting.length), waits.length
			? `longest ${lasting(Math.max(...waits))}` : 'nobody waits',
		undefined, 'queue')];
	if (today)
		cards.push(
			card('Failed today', count(number(today.failed)),
				`of ${count(number(today.ended))} that ended`, undefined, 'days'),
			card('Timed out today', count(number(today.timeout)),
				'ran into their limit', undefined, 'days'));
	return cards;
}

// ---- nodes ------------------------------------------------------------------

function square(node) {
	const words = `${node.node}: ${node.state}, ${node.cpus[0]} of ${node.cpus[1]} CPUs${
		node.gpus[1] ? `, ${node.gpus[0]} of ${node.gpus[1]} GPUs` : ''}${
		node.reason ? `, ${node.reason}` : ''}`;
	return html`<i class=${node.kind} title="${words}"></i>`;
}

function meter(title, [used, whole], write) {
	return whole ? html`<span class=meter><span>${title}</span>${
		bar('used', used / whole, percent(used / whole))}<span>${write(used)} of ${
		write(whole)}</span></span>` : '';
}

function partition(name, nodes) {
	const kinds = sumBy(nodes, node => node.kind, () => 1);
	const told = KINDS.filter(kind => kinds.has(kind))
		.map(kind => `${count(kinds.get(kind))} ${kind}`).join(', ');
	return html`<div class=partition><h3>${name} <small>${count(nodes.length)} nodes: ${
		told}</small></h3><div class="nodes ${nodes.length <= 64 ? 'few' : ''}"
		role=img aria-label="Nodes of ${name}: ${told}">${
		nodes.map(square)}</div><div class=meters>${
		meter('CPUs', useOf(nodes, 'cpus'), count)}${
		meter('Memory', useOf(nodes, 'memory'), memory)}${
		meter('GPUs', useOf(nodes, 'gpus'), count)}</div></div>`;
}

function drawNodes(nodes) {
	const names = [...new Set(nodes.map(node => node.partition))];
	put('nodes', names.map(name =>
		partition(name, nodes.filter(node => node.partition === name))));
	put('kinds', KINDS.filter(kind => nodes.some(node => node.kind === kind))
		.map(kind => html`<span><i class="swatch ${kind}"></i>${kind}</span>`));
	const out = distinct(nodes).filter(node => /^(down|drained)$/.test(node.kind));
	const reasons = groupBy(out, node => `${node.state}: ${node.reason ?? 'no reason given'}`);
	put('reasons', [...reasons].map(([reason, nodes]) =>
		html`<li><b>${reason}</b> ${nodes.map(node => node.node).join(' ')}`));
}

// ---- who runs most ----------------------------------------------------------

function drawWho(running, colourOf) {
	const cpus = [...sumBy(running, job => job.user, job => number(job.cpus))]
		.sort((a, b) => b[1] - a[1]);
	const most = cpus[0]?.[1] ?? 1;
	const line = ([user, n]) => html`<li><a href="#running?q=${encodeURIComponent(user)}">${
		user}</a><span class=bar><i style="width:${(n / most * 100).toFixed(1)}%;background:${
		colourOf(user)}"></i></span> <span class=number>${count(n)}</span>`;
	put('who', cpus.length ? cpus.slice(0, 8).map(line) : html`<li>Nobody runs anything.`);
}

// ---- what is one user's -----------------------------------------------------

function limitsOf(user, accounts, limits) {
	const names = new Set(accounts.map(account => `account ${account}`));
	return limits.filter(({whose}) => whose.startsWith(`${user} in `) ||
		whose.startsWith(`user ${user} `) || names.has(whose));
}

// The accounts of the user, and those above them.
function accountsOf(user, shares) {
	const found = new Set();
	let wanted = -1;
	for (const row of [...shares].reverse())
		if (row.user === user) {
			found.add(row.account);
			wanted = row.depth - 1;
		} else if (!row.user && row.depth <= wanted) {
			found.add(row.account);
			wanted = row.depth - 1;
		}
	return [...found];
}
