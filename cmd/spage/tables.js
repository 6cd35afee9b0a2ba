// spage: tables with bars, the plan, search, sorting, folding, made of the data in the page.
// Without it the page has the first rows of each table as plain text, and the pictures.
'use strict';
(() => {
	const root = document.documentElement;
	const byId = id => document.getElementById(id);
	const all = (selector, within = document) => [...within.querySelectorAll(selector)];
	const data = JSON.parse(byId('data').textContent);

	root.classList.add('js');

	// ---- text that is not ours never becomes HTML --------------------------

	class Html {
		constructor(text) { this.text = text; }
	}

	function escaped(value) {
		if (value instanceof Html)
			return value.text;
		if (Array.isArray(value))
			return value.map(escaped).join('');
		return String(value).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
	}

	function html(parts, ...values) {
		return new Html(parts.map((part, i) =>
			part + (i < values.length ? escaped(values[i]) : '')).join(''));
	}

	// ---- data ---------------------------------------------------------------

	function rowsOf(name) {
		const {columns, rows} = data[name];
		return rows.map(row => Object.fromEntries(columns.map((c, i) => [c, row[i]])));
	}

	let unpacked;

	// All explanations, in the order of their numbers.
	function explanations() {
		unpacked ??= (async () => {
			const bytes = Uint8Array.from(atob(data.why.zlib), c => c.charCodeAt(0));
			const stream = new Blob([bytes]).stream()
				.pipeThrough(new DecompressionStream('deflate'));
			return (await new Response(stream).text()).split('\0');
		})();
		return unpacked;
	}

	// The site's clock as it stands on the wall; NaN: no time.
	function moment(text) {
		const m = /^(\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(text);
		return m ? Date.UTC(m[1], m[2] - 1, m[3], m[4], m[5], m[6]) / 1000 : NaN;
	}

	const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
	const two = n => String(n).padStart(2, '0');

	function clock(seconds) {
		const d = new Date(seconds * 1000);
		return `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}`;
	}

	function day(seconds) {
		const d = new Date(seconds * 1000);
		return `${months[d.getUTCMonth()]} ${two(d.getUTCDate())}`;
	}

	const when = seconds => `${day(seconds)} ${clock(seconds)}`;
	const now = moment(data.now);

	function lasting(seconds) {
		const d = Math.floor(seconds / 86400), h = Math.floor(seconds / 3600) % 24;
		const m = Math.floor(seconds / 60) % 60;
		if (d)
			return `${d}d ${two(h)}h`;
		return h ? `${h}h ${two(m)}m` : m ? `${m}m` : `${Math.floor(seconds)}s`;
	}

	// ---- what stands in cells -----------------------------------------------

	const number = text => text === 'inf' ? Infinity
		: text === '' ? NaN : Number.parseFloat(text);
	const percent = part => `${(part * 100).toFixed(1)} %`;

	function bar(kind, part, words) {
		const width = (Math.min(Math.max(part, 0), 1) * 100).toFixed(1);
		return html`<span class="bar ${kind}" role=img aria-label="${words}"><i
			style="width:${width}%"></i></span>`;
	}

	const after = text => html`<span class=after>${text}</span>`;
	const time = seconds => Number.isNaN(seconds) ? '' : when(seconds);
	const text = name => ({key: row => row[name], cell: row => row[name]});
	const amount = name => ({key: row => number(row[name]), cell: row => row[name]});

	// ---- tables -------------------------------------------------------------

	const collator = new Intl.Collator('en', {numeric: true});
	const FIRST = 100, MORE = 500;
	let words = [];

	function compare(a, b, sign) {
		const none = v => v === '' || Number.isNaN(v);
		if (none(a) || none(b))
			return none(a) - none(b);
		if (typeof a === 'number' && typeof b === 'number')
			return a === b ? 0 : sign * (a < b ? -1 : 1);
		return sign * collator.compare(a, b);
	}

	class Table {
		constructor(id, columns, rows, {why} = {}) {
			Object.assign(this, {columns, rows, why});
			this.element = byId(id);
			this.body = this.element.tBodies[0];
			this.shown = FIRST;
			this.sorted = null;
			this.down = false;
			this.open = new Set();
			this.reset = document.querySelector(`.reset[data-for="${id}"]`);
			for (const [i, row] of rows.entries())
				row.place = i;
			this.sortButtons();
			this.moreButtons();
			this.body.addEventListener('click', event => this.clicked(event));
		}

		sortButtons() {
			for (const [i, head] of all('thead th', this.element).entries()) {
				const button = document.createElement('button');
				button.type = 'button';
				button.className = 'sort';
				button.append(...head.childNodes);
				head.append(button);
				button.addEventListener('click', () => this.sortBy(i, head));
			}
			this.reset?.addEventListener('click', () => this.sortBy(null));
		}

		moreButtons() {
			this.more = document.createElement('p');
			this.more.className = 'more buttons';
			this.more.hidden = true;
			this.more.innerHTML = html`<output></output>
				<button type=button>${MORE} more</button>
				<button type=button>All</button>`.text;
			this.element.parentNode.after(this.more);
			const [some, every] = all('button', this.more);
			some.addEventListener('click', () => this.show(this.shown + MORE));
			every.addEventListener('click', () => this.show(Infinity));
		}

		show(n) {
			this.shown = n;
			this.draw();
		}

		sortBy(column, head) {
			this.down = head?.getAttribute('aria-sort') === 'ascending';
			this.sorted = column;
			for (const other of all('[aria-sort]', this.element))
				other.removeAttribute('aria-sort');
			head?.setAttribute('aria-sort', this.down ? 'descending' : 'ascending');
			this.element.classList.toggle('sorted', column !== null);
			if (this.reset)
				this.reset.hidden = column === null;
			this.draw();
		}

		// What a search looks at, made when it is first looked at.
		textOf(row) {
			return row.text ??= this.columns.map(c => c.text ? c.text(row) : c.key(row))
				.join(' ').toLowerCase();
		}

		// Rows with all the words that are searched for.
		hits() {
			return this.rows.filter(row =>
				words.every(word => this.textOf(row).includes(word)));
		}

		chosen() {
			return words.length ? this.hits() : this.rows;
		}

		view() {
			if (this.sorted === null)
				return this.chosen();
			const {key} = this.columns[this.sorted], sign = this.down ? -1 : 1;
			return [...this.chosen()].sort((a, b) =>
				compare(key(a), key(b), sign) || a.place - b.place);
		}

		draw() {
			const rows = this.view();
			const shown = rows.slice(0, this.shown);
			this.body.innerHTML = shown.map(row => this.rowOf(row).text).join('');
			this.more.hidden = shown.length === rows.length;
			this.more.firstChild.textContent = `${shown.length} of ${rows.length} rows`;
			for (const row of shown)
				if (this.open.has(row.place))
					this.unfold(this.lineOf(row));
		}

		lineOf(row) {
			return this.body.querySelector(`[data-place="${row.place}"]`);
		}

		gutter(row) {
			return row.why ? html`<button type=button class=why aria-expanded=false
				aria-label="${this.why(row)}"></button>` : '';
		}

		rowOf(row) {
			const [first, ...others] = this.columns;
			return html`<tr data-place=${row.place}><td>${this.gutter(row)}<th scope=row
				style="${first.style?.(row) ?? ''}">${first.cell(row)}${
				others.map(column => html`<td>${column.cell(row)}`)}`;
		}

		// A click anywhere on a row unfolds its explanation.
		clicked(event) {
			const tr = event.target.closest('tr[data-place]');
			const other = event.target.closest('a, button:not(.why)');
			if (!tr || other || getSelection().toString())
				return;
			const place = Number(tr.dataset.place);
			if (!this.rows[place].why)
				return;
			if (this.open.delete(place)) {
				tr.querySelector('.why').setAttribute('aria-expanded', false);
				tr.nextElementSibling.remove();
			} else {
				this.open.add(place);
				this.unfold(tr);
			}
		}

		async unfold(tr) {
			const row = this.rows[tr.dataset.place];
			tr.querySelector('.why').setAttribute('aria-expanded', true);
			tr.insertAdjacentHTML('afterend', html`<tr class=words><td
				colspan=${this.columns.length + 1}><pre tabindex=0></pre>`.text);
			const pre = tr.nextElementSibling.querySelector('pre');
			try {
				pre.textContent = (await explanations())[row.why];
			} catch (error) {
				pre.textContent = `This browser cannot unpack it (${error}).`;
			}
		}

		// The row, in view and unfolded.
		visit(row) {
			const place = this.view().indexOf(row);
			if (place < 0)
				return false;
			if (place >= this.shown)
				this.shown = place + 1;
			if (row.why)
				this.open.add(row.place);
			this.draw();
			for (const old of all('.target'))
				old.classList.remove('target');
			const tr = this.lineOf(row);
			tr.classList.add('target');
			tr.scrollIntoView({block: 'center'});
			tr.querySelector('button')?.focus({preventScroll: true});
			return true;
		}
	}

	// ---- the tree of shares -------------------------------------------------

	class Tree extends Table {
		constructor(id, columns, rows, options) {
			super(id, columns, rows, options);
			this.folded = new Set();
			this.shown = MORE;
			if (rows.length > 150)
				this.foldUsers();
			byId('fold').addEventListener('click', () => this.foldAll());
		}

		// Of a large site the accounts are seen first.
		foldUsers() {
			for (const [i, row] of this.rows.entries())
				if (!row.user && row.depth && this.rows[i + 1]?.user)
					this.folded.add(i);
		}

		foldAll() {
			if (this.folded.size)
				this.folded.clear();
			else
				this.folded = new Set(this.rows.filter(r => !r.user && r.depth)
					.map(r => r.place));
			this.draw();
		}

		// Without those below a folded account.
		unfolded() {
			let below = Infinity;
			return this.rows.filter(row => {
				if (row.depth > below)
					return false;
				below = this.folded.has(row.place) ? row.depth : Infinity;
				return true;
			});
		}

		// What was found, and the accounts above it.
		withAbove() {
			const kept = new Set(this.hits());
			let wanted = -1;
			for (const row of [...this.rows].reverse())
				if (kept.has(row))
					wanted = row.depth - 1;
				else if (row.depth === wanted) {
					kept.add(row);
					wanted--;
				}
			return this.rows.filter(row => kept.has(row));
		}

		chosen() {
			if (this.sorted !== null)
				return super.chosen().filter(row => row.user);
			return words.length ? this.withAbove() : this.unfolded();
		}

		gutter(row) {
			if (row.user || this.sorted !== null || words.length)
				return super.gutter(row);
			return html`<button type=button class=fold
				aria-expanded=${!this.folded.has(row.place)}
				aria-label="below ${row.account}"></button>`;
		}

		clicked(event) {
			const button = event.target.closest('.fold');
			if (!button)
				return super.clicked(event);
			const {place} = button.closest('tr').dataset;
			if (!this.folded.delete(Number(place)))
				this.folded.add(Number(place));
			this.draw();
			this.body.querySelector(`[data-place="${place}"] .fold`).focus();
		}

		draw() {
			super.draw();
			byId('fold').textContent = this.folded.size
				? 'Unfold accounts' : 'Fold accounts';
		}
	}

	function shareName(row) {
		if (!row.user)
			return html`<b>${row.account}</b>`;
		const partition = row.partition ? `, ${row.partition}` : '';
		return html`${row.user} <small>${row.account}${partition}</small>`;
	}

	function shareUse(row) {
		const promised = number(row.promised), used = number(row.used);
		if (row.shares === '')
			return '';
		return [bar('owed', promised, `promised ${percent(promised)}`),
			bar(used > promised ? 'over' : 'used', used, `used ${percent(used)}`),
			after(percent(used))];
	}

	const part = name => ({
		key: row => row.shares === '' ? NaN : number(row[name]),
		cell: row => row.shares === '' || row[name] === ''
			? '' : percent(number(row[name])),
	});

	const shares = rowsOf('shares');
	for (const row of shares) {
		row.depth = row.account.search(/[^ ]|$/);
		row.account = row.account.trim();
	}
	const tree = new Tree('t-shares', [
		{key: row => row.user || row.account, cell: shareName,
			text: row => `${row.user} ${row.account} ${row.partition}`,
			style: row => `--d:${row.depth}`},
		amount('shares'),
		part('promised'),
		{...part('used'), cell: shareUse},
		{key: row => number(row.usage), cell: row => (number(row.usage) / 3600).toFixed(1)},
		part('used_of_all'),
		{key: row => number(row.fairshare), cell: row => row.fairshare === '' ? ''
			: [bar('fair', number(row.fairshare), 'fair-share'), after(row.fairshare)]},
		amount('levelfs'),
	], shares, {why: row => `Why ${row.user} in ${row.account} has this fair-share`});

	// ---- jobs ---------------------------------------------------------------

	const factors = [['site', 'site'], ['age', 'age'], ['association', 'association'],
		['fairshare', 'fair-share'], ['job_size', 'job size'],
		['partition_factor', 'partition'], ['qos', 'QOS'], ['tres', 'TRES']];
	const jobs = rowsOf('jobs');
	const waiting = jobs.filter(job => job.state === 'PENDING');
	const running = jobs.filter(job => /^(RUNNING|SUSPENDED|COMPLETING)$/.test(job.state));
	const priorities = new Map(rowsOf('priorities').reverse().map(row => [row.id, row]));
	const plan = rowsOf('plan');
	const planOf = new Map([...plan].reverse().map(row => [row.job, row]));
	const most = Math.max(...waiting.map(job => number(job.priority)));

	// TRES are a list, cpu=10,mem=1.
	const points = value => value.includes('=')
		? value.split(',').reduce((sum, one) => sum + number(one.replace(/.*=/, '')), 0)
		: number(value);

	function priority(job) {
		const row = priorities.get(job.id);
		if (!row || !(most > 0))
			return after(job.priority);
		const given = factors.map(([name, label], i) => [i, label, points(row[name])])
			.filter(([, , value]) => value > 0);
		const told = given.map(([, label, value]) => `${label} ${Math.round(value)}`)
			.join(', ');
		const width = value => (value / most * 100).toFixed(1);
		const parts = given.map(([i, , value]) =>
			html`<i class=f${i} style="width:${width(value)}%"></i>`);
		return html`<span class=stack role=img title="${told}"
			aria-label="${told}">${parts}</span> ${after(job.priority)}`;
	}

	function planned(job) {
		const row = planOf.get(job.job) ?? planOf.get(job.id);
		if (row?.action === 'start')
			return [0, html`<b class=now>can start</b>`];
		const start = moment(row?.start);
		return Number.isNaN(start) ? [Infinity, 'not planned'] : [start, when(start)];
	}

	const moments = name => ({
		key: job => moment(job[name]),
		cell: job => time(moment(job[name])),
	});
	const jobColumns = [
		text('job'),
		{key: job => job.name, cell: ({name}) =>
			html`<span class=clip title="${name}">${name}</span>`},
		text('user'), text('account'), text('partition'), amount('cpus')];
	const seconds = limit => {
		const [clock, days] = limit.split('-').reverse();
		return (clock ?? '').split(':').reduce((sum, n) => sum * 60 + Number(n), 0) +
			86400 * (days ?? 0);
	};

	const queue = new Table('t-queue', [...jobColumns, text('qos'),
		{key: job => seconds(job.limit), cell: job => job.limit},
		{key: job => number(job.priority), cell: priority},
		{key: job => planned(job)[0], cell: job => planned(job)[1],
			text: job => escaped(planned(job)[1])},
		text('reason'),
	], waiting, {why: job => `Why job ${job.job} waits`});

	function timeUsed(job) {
		const from = moment(job.start), to = moment(job.end);
		return to > from ? (now - from) / (to - from) : 0;
	}

	const run = new Table('t-running', [...jobColumns, text('node_list'), moments('start'),
		moments('end'),
		{key: timeUsed, cell: job => [bar('fair', timeUsed(job), 'of its time limit'),
			after(`${job.elapsed} of ${job.limit}`)]},
	], running);

	// ---- usage, waits, limits -----------------------------------------------

	const top = rowsOf('top');
	const mostUsed = Math.max(...top.map(row => number(row.used)));
	const waits = rowsOf('waits');
	const longest = Math.max(...waits.map(row => number(row.nine_tenths)), 1);
	const limitPart = row => number(row.most) > 0 ? number(row.used) / number(row.most) : 1;
	const wait = (name, kind) => ({
		key: row => number(row[name]),
		cell: row => [bar(kind, number(row[name]) / longest, 'of the longest'),
			after(lasting(number(row[name])))],
	});

	const tables = [tree, queue, run,
		new Table('t-top', [text('user'), text('proper_name'), text('account'),
			{key: row => number(row.used), cell: row => [
				bar('used', mostUsed > 0 ? number(row.used) / mostUsed : 0,
					'of the first in this list'), after(row.used)]},
		], top),
		new Table('t-waits', [text('day'), amount('started'), wait('half', 'fair'),
			wait('nine_tenths', 'used')], waits),
		new Table('t-limits', [text('whose'), text('limit'), amount('most'), amount('used'),
			{key: limitPart, cell: row => [
				bar(limitPart(row) >= 0.8 ? 'over' : 'used', limitPart(row),
					'in use'),
				after(number(row.most) > 0 ? percent(limitPart(row)) : 'full')]},
		], rowsOf('limits')),
	];

	// ---- the plan as a picture ----------------------------------------------

	// n[01-03,7],x: every node by name.
	function expand(list) {
		const names = [];
		for (const part of list.match(/(?:[^,[\]]|\[[^\]]*\])+/g) ?? []) {
			const m = /^([^[]*)\[([^\]]*)\](.*)$/.exec(part);
			if (!m) {
				names.push(part);
				continue;
			}
			for (const range of m[2].split(',')) {
				const [from, to = from] = range.split('-');
				for (let i = Number(from); i <= Number(to); i++)
					for (const end of m[3] ? expand(m[3]) : [''])
						names.push(m[1] +
							String(i).padStart(from.length, '0') + end);
			}
		}
		return names;
	}

	const WIDTH = 1100, LEFT = 90, LANE = 12, GAP = 5, TOP = 26, MOST_LANES = 12;
	const nodes = new Map(); // name -> bars, and how many lanes they take
	let names;
	let from = now, to = now, end = now + 6 * 3600, shownNodes = 40;

	function addBars(list, piece) {
		if (!(piece.to > now && piece.to > piece.from))
			return;
		for (const node of expand(list))
			if (nodes.has(node))
				nodes.get(node).push(piece);
			else
				nodes.set(node, [piece]);
	}

	// Each bar the first lane that is free.
	function setLanes(bars) {
		const lanes = [];
		for (const piece of bars) {
			let lane = lanes.findIndex(until => until <= piece.from);
			if (lane < 0)
				lane = lanes.length;
			lanes[lane] = piece.to;
			(piece.lanes ??= new Map()).set(bars, lane);
		}
		bars.lanes = lanes.length;
	}

	function preparePlan() {
		const known = new Map(waiting.flatMap(job => [[job.job, job], [job.id, job]]));
		for (const job of running)
			addBars(job.node_list, {job, kind: 'run', from: moment(job.start),
				to: moment(job.end), does: 'runs'});
		for (const row of plan)
			addBars(row.node_list, {
				job: known.get(row.job) ?? {id: row.job, job: row.job},
				kind: row.action,
				from: moment(row.start),
				to: moment(row.end),
				does: `${row.action} at ${row.start.replace('T', ' ')}`,
			});
		for (const bars of nodes.values()) {
			bars.sort((a, b) => a.from - b.from);
			setLanes(bars);
			end = Math.max(end, bars[bars.length - 1].from * 4 / 3 - now / 3);
		}
		names = [...nodes.keys()].sort(collator.compare);
		to = end;
	}

	function ticks(x, height) {
		const hour = [1 / 12, 1 / 4, 1, 2, 3, 6, 12, 24, 48, 96, 168, 336]
			.find(h => (to - from) / 3600 / h <= 12) ?? 672;
		const marks = [];
		let last = '';
		const step = hour * 3600;
		for (let t = Math.ceil(from / step) * step; t < to; t += step) {
			const label = day(t) === last ? clock(t) : when(t);
			last = day(t);
			marks.push(html`<path class=grid d="M${x(t).toFixed(1)} 18V${height}"/>`);
			if (x(t) < WIDTH - 40)
				marks.push(html`<text x=${x(t).toFixed(1)} y=12
					class=mid>${label}</text>`);
		}
		return marks;
	}

	function barsOf(bars, x, y) {
		const has = b => b.to > from && b.from < to && b.lanes.get(bars) < MOST_LANES;
		return bars.filter(has).map(b => {
			const left = x(Math.max(b.from, from)), right = x(Math.min(b.to, to));
			const {id, job, name, user} = b.job;
			const tip = `${job} ${name ?? ""}, ${user ?? ""}: ${b.does}, ` +
				`until ${when(b.to)}`;
			return html`<a href="#job${id}" tabindex=-1><rect class=${b.kind}
				x=${left.toFixed(1)} y=${y + b.lanes.get(bars) * LANE}
				width=${Math.max(right - left - 0.5, 1.5).toFixed(1)}
				height=${LANE - 1} rx=2><title>${tip}</title></rect></a>`;
		});
	}

	function drawPlan() {
		const x = t => LEFT + (t - from) / (to - from) * (WIDTH - LEFT);
		const pieces = [];
		let y = TOP;
		for (const name of names.slice(0, shownNodes)) {
			const bars = nodes.get(name);
			pieces.push(html`<path class=grid d="M0 ${y - 3}H${WIDTH}"/>
				<text x=0 y=${y + 10}>${name}</text>`);
			const lanes = Math.min(bars.lanes, MOST_LANES);
			const hidden = bars.filter(b => b.lanes.get(bars) >= MOST_LANES).length;
			if (hidden)
				pieces.push(html`<text x=0 y=${y + 22}>and ${hidden} more</text>`);
			pieces.push(barsOf(bars, x, y));
			y += lanes * LANE + GAP;
		}
		byId('span').textContent = names.length ? `${when(from)} to ${when(to)}` : '';
		byId('gantt').innerHTML = (names.length
			? html`<svg class=gantt viewBox="0 0 ${WIDTH} ${y}" role=img
				aria-label="Jobs on nodes from ${when(from)} to ${when(to)}">${
				ticks(x, y)}${pieces}</svg>`
			: html`<p class=none>No job has nodes, now or in the plan.</p>`).text;
		if (names.length > shownNodes) {
			const more = document.createElement('p');
			more.className = 'more buttons';
			more.innerHTML = html`${shownNodes} of ${names.length} nodes
				<button type=button>${MORE} more</button>`.text;
			more.lastChild.addEventListener('click', () => {
				shownNodes += MORE;
				drawPlan();
			});
			byId('gantt').append(more);
		}
	}

	// By a factor, around a place from 0 to 1.
	function zoom(factor, place) {
		const least = Math.min(1800, end - now);
		const width = Math.min(Math.max((to - from) * factor, least), end - now);
		const left = from + (to - from) * place - width * place;
		from = Math.min(Math.max(left, now), end - width);
		to = from + width;
		drawPlan();
	}

	function move(part) {
		const width = to - from;
		from = Math.min(Math.max(from + width * part, now), end - width);
		to = from + width;
		drawPlan();
	}

	const zooms = {in: () => zoom(0.5, 0), out: () => zoom(2, 0), earlier: () => move(-0.5),
		later: () => move(0.5), all: () => zoom(Infinity, 0)};
	for (const button of all('[data-zoom]'))
		button.addEventListener('click', zooms[button.dataset.zoom]);
	byId('gantt').addEventListener('wheel', event => {
		if (!event.ctrlKey)
			return;
		event.preventDefault();
		const box = byId('gantt').firstChild.getBoundingClientRect();
		const at = (event.clientX - box.left) / box.width * WIDTH;
		const place = (at - LEFT) / (WIDTH - LEFT);
		zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(Math.max(place, 0), 1));
	}, {passive: false});

	// ---- search -------------------------------------------------------------

	const search = byId('search');

	function find() {
		words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		for (const table of tables)
			table.draw();
		const found = tables.reduce((n, table) => n + table.hits().length, 0);
		byId('found').textContent = words.length ? `${found} rows` : '';
	}

	search.addEventListener('input', find);
	search.form.addEventListener('submit', event => event.preventDefault());
	document.addEventListener('keydown', event => {
		if (event.key === '/' && !event.ctrlKey && !event.metaKey &&
			!/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
			event.preventDefault();
			search.focus();
		}
		if (event.key === 'Escape' && event.target === search) {
			search.value = '';
			find();
		}
	});

	// #job17, as the bars of the plan have it: the job's row.
	function visit() {
		const id = /^#job(\d+)$/.exec(location.hash)?.[1];
		if (!id)
			return;
		if (words.length) {
			search.value = '';
			find();
		}
		for (const table of [queue, run]) {
			const job = table.rows.find(row => row.id === id);
			if (job && table.visit(job))
				return;
		}
	}

	addEventListener('hashchange', visit);
	byId('gantt').addEventListener('click', event => {
		if (event.target.closest('a')?.getAttribute('href') === location.hash)
			visit();
	});

	// ---- the data as a file -------------------------------------------------

	byId('save').addEventListener('click', async () => {
		const whole = data.why ? {...data, why: await explanations()} : data;
		const link = document.createElement('a');
		link.href = URL.createObjectURL(
			new Blob([JSON.stringify(whole)], {type: 'application/json'}));
		link.download = `${data.cluster}.json`;
		link.click();
	});

	for (const table of tables)
		table.draw();
	// The plan takes longest and is seen later.
	setTimeout(() => {
		preparePlan();
		drawPlan();
		visit();
	});
})();
