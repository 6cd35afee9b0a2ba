// spage, the plan: a row for each kind of node, a bar for each job that runs or has a place
// there. Nodes with the same jobs are one row. A job for which nothing is kept has no bar: it
// starts later, and a line below counts those.

const LANE = 17, GAP = 4, TOP = 22, MOST_LANES = 16, MOST_ROWS = 40;

class Plan {
	constructor({running, waiting, plan, colours}) {
		this.colours = colours;
		this.colour = 'account';
		this.most = MOST_ROWS;
		this.place = byId('gantt');
		this.bars = this.collect(running, waiting, plan);
		this.later = plan.filter(row => row.action === 'estimate');
		this.without = waiting.length - plan.filter(row => row.start_time).length;
		this.rows = this.fold(this.bars);
		this.setEnd();
		[this.from, this.to] = [now, this.end];
		this.listen();
	}

	// ---- what there is --------------------------------------------------

	collect(running, waiting, plan) {
		const known = new Map(waiting.flatMap(job => [[job.job, job], [job.job_id, job]]));
		const bars = running.map(job => ({job, state: 'runs',
			nodes: job.node_list, from: moment(job.start_time), to: moment(job.end_time)}));
		for (const row of plan)
			if (row.action !== 'estimate')
				bars.push({job: known.get(row.job) ?? known.get(row.job_id) ?? row,
					state: row.action === 'start' ? 'starts now' : 'reserved',
					nodes: row.node_list, from: moment(row.start_time), to: moment(row.end_time)});
		return bars.filter(bar => bar.nodes && bar.to > now && bar.to > bar.from)
			.sort((a, b) => a.from - b.from);
	}

	// Nodes that have the same bars, as one row.
	fold(bars) {
		const held = bars.flatMap((bar, id) => expand(bar.nodes).map(node => ({bar, id, node})));
		const onNode = [...groupBy(held, one => one.node)]
			.sort(([a], [b]) => collator.compare(a, b));
		const alike = groupBy(onNode, ([, all]) => all.map(one => one.id).join());
		const rows = [...alike.values()].map(all => ({nodes: all.map(([node]) => node),
			bars: all[0][1].map(one => one.bar)}));
		for (const row of rows)
			this.setLanes(row);
		return rows;
	}

	// Each bar the first lane that is free.
	setLanes(row) {
		const lanes = [];
		row.lane = new Map();
		for (const bar of row.bars) {
			let lane = lanes.findIndex(until => until <= bar.from);
			if (lane < 0)
				lane = lanes.length;
			lanes[lane] = bar.to;
			row.lane.set(bar, lane);
		}
		row.lanes = Math.min(lanes.length, MOST_LANES);
	}

	// As far as somebody is about to start, and a quarter more; six hours at least.
	setEnd() {
		const last = Math.max(now, ...this.bars.map(bar => bar.from));
		const runs = this.bars.map(bar => bar.to).sort((a, b) => a - b);
		const usual = runs[Math.floor(runs.length * 0.8)] ?? now;
		this.end = Math.max(now + 6 * 3600, last + (last - now) / 4, usual);
	}

	has(id) {
		return this.bars.some(bar => bar.job.job_id === id);
	}

	// ---- drawing --------------------------------------------------------

	colourOf({job, state}) {
		return this.colour === 'state' ? `var(--${state.split(' ')[0]})`
			: this.colours[this.colour](job[this.colour] ?? '');
	}

	matches(bar) {
		if (!words.length)
			return true;
		const {job, name, user, account, partition} = bar.job;
		bar.text ??= [job, name, user, account, partition, bar.nodes].join(' ')
			.toLowerCase();
		return words.every(word => bar.text.includes(word));
	}

	told({job, state, from, to, nodes}) {
		const begins = state === 'runs' ? `since ${when(from)}` : `from ${when(from)}`;
		return `${job.job} ${job.name ?? ''}, ${job.user ?? ''} in ${job.account ?? ''}, ` +
			`${job.cpus ?? '?'} CPUs on ${nodes}: ${state} ${begins}, until ${when(to)}`;
	}

	draw() {
		this.width = Math.max(this.place.clientWidth - 2, 280);
		this.left = this.width > 560 ? 112 : 62;
		const shown = this.rows.filter(row => row.bars.some(bar => this.matches(bar)))
			.slice(0, this.most);
		const pieces = [];
		let y = TOP;
		for (const row of shown) {
			pieces.push(this.drawRow(row, y));
			y += row.lanes * LANE + GAP;
		}
		this.place.innerHTML = escaped(shown.length
			? html`<svg class=plan viewBox="0 0 ${this.width} ${y}" width=${this.width}
				height=${y} role=group aria-label="Jobs on nodes, ${when(this.from)} to
				${when(this.to)}. Arrow keys move between them.">${
				this.ticks(y)}${pieces}</svg>`
			: html`<p class=none>${this.rows.length ? 'No bar matches the search.'
				: 'No job has nodes, now or in the plan.'}</p>`);
		this.drawWords(shown);
		this.drawLegend();
		const first = this.place.querySelector('a');
		if (first)
			first.tabIndex = 0;
	}

	x(t) {
		const part = (t - this.from) / (this.to - this.from);
		return this.left + part * (this.width - this.left);
	}

	ticks(height) {
		const most = (this.width - this.left) / 90;
		return timeTicks(this.from, this.to, most).map(([t, label]) => {
			const x = this.x(t).toFixed(1);
			return html`<path class=grid d="M${x} 16V${height}"/>${
				x < this.width - 24 && x > this.left + 16
					? html`<text x=${x} y=11 class=mid>${label}</text>` : ''}`;
		});
	}

	drawRow(row, y) {
		const [first] = row.nodes, n = row.nodes.length;
		const name = n === 1 ? first : `${first} +${n - 1}`;
		const hidden = row.bars.filter(bar => row.lane.get(bar) >= MOST_LANES).length;
		return html`<g><path class=grid d="M0 ${y - 2}H${this.width}"/><text x=0 y=${y + 12}>${
			name}<title>${row.nodes.join(', ')}</title></text>${
			hidden ? html`<text x=0 y=${y + 26}>${hidden} more</text>` : ''}${
			row.bars.map(bar => this.drawBar(bar, row, y))}</g>`;
	}

	drawBar(bar, row, top) {
		const lane = row.lane.get(bar);
		if (lane >= MOST_LANES || bar.to <= this.from || bar.from >= this.to)
			return '';
		const left = this.x(Math.max(bar.from, this.from));
		const right = this.x(Math.min(bar.to, this.to));
		const width = Math.max(right - left - 1, 2), y = top + lane * LANE;
		const kind = bar.state === 'runs' ? 'runs' : 'planned';
		return html`<a href="#job${bar.job.job_id}" tabindex=-1 data-bar=${bar.job.job_id}
			class="${kind} ${this.matches(bar) ? '' : 'dim'}"
			aria-label="${this.told(bar)}"><rect x=${left.toFixed(1)} y=${y}
			width=${width.toFixed(1)} height=${LANE - 2} rx=3
			style="--c:${this.colourOf(bar)}"><title>${this.told(bar)}</title></rect>${
			this.nameOf(bar, left, width, y)}</a>`;
	}

	// User and job, or one of them, where there is room.
	nameOf({job}, left, width, y) {
		const fits = [`${job.user} ${job.job}`, job.user, job.job]
			.find(name => name && name.length * 6.6 + 8 < width);
		return fits ? html`<text class=on x=${(left + 4).toFixed(1)} y=${y + 11.5}>${fits}</text>`
			: '';
	}

	drawWords(shown) {
		const more = this.rows.length - shown.length;
		const earliest = Math.min(...this.later.map(row => moment(row.start_time)));
		const parts = [];
		if (this.later.length)
			parts.push(`${count(this.later.length)} jobs start later than ${
				when(earliest)}: nothing is kept for them yet.`);
		if (this.without > 0)
			parts.push(`${count(this.without)} have no place: ` +
				'their reason in the table says why.');
		put('plan-words', parts.join(' '));
		byId('plan-more').hidden = !(more > 0) || words.length > 0;
		byId('plan-more').textContent = `${count(more)} more rows of nodes`;
		byId('span').textContent = `${when(this.from)} to ${when(this.to)}`;
	}

	// Of the colours those with most bars.
	drawLegend() {
		const names = this.colour === 'state' ? ['runs', 'starts now', 'reserved']
			: [...sumBy(this.bars, bar => bar.job[this.colour] ?? '', () => 1)]
				.sort((a, b) => b[1] - a[1]).slice(0, 10)
				.map(([name]) => name).filter(Boolean);
		const paint = name => this.colour === 'state' ? `var(--${name.split(' ')[0]})`
			: this.colours[this.colour](name);
		const keys = names.map(name => html`<span>${swatch(paint(name))}${name}</span>`);
		put('plan-legend', [keys, this.colour === 'state' ? ''
			: html`<span><i class="swatch planned"></i>paler: planned</span>`]);
	}

	// ---- moving about ---------------------------------------------------

	listen() {
		const zooms = {in: () => this.zoom(0.5, 0), out: () => this.zoom(2, 0),
			earlier: () => this.move(-0.5), later: () => this.move(0.5),
			all: () => this.zoom(Infinity, 0)};
		for (const button of all('[data-zoom]'))
			button.addEventListener('click', zooms[button.dataset.zoom]);
		byId('plan-more').addEventListener('click', () => {
			this.most += MOST_ROWS;
			this.draw();
		});
		byId('colour').addEventListener('change', event => {
			this.colour = event.target.value;
			this.draw();
			keepState();
		});
		this.place.addEventListener('keydown', event => this.key(event));
		for (const kind of ['pointerover', 'focusin'])
			this.place.addEventListener(kind, event => this.tell(event.target.closest('a')));
		this.place.addEventListener('wheel', event => {
			if (!event.ctrlKey)
				return;
			event.preventDefault();
			const box = this.place.firstChild.getBoundingClientRect();
			const at = (event.clientX - box.left - this.left) /
				(this.width - this.left);
			this.zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(Math.max(at, 0), 1));
		}, {passive: false});
	}

	tell(link) {
		if (link)
			byId('plan-told').textContent = link.getAttribute('aria-label');
	}

	// By a factor, around a place from 0 to 1.
	zoom(factor, place) {
		const most = this.end - now, least = Math.min(1800, most);
		const width = Math.min(Math.max((this.to - this.from) * factor, least), most);
		const left = this.from + (this.to - this.from) * place - width * place;
		this.from = Math.min(Math.max(left, now), this.end - width);
		this.to = this.from + width;
		this.draw();
	}

	move(part) {
		const width = this.to - this.from;
		this.from = Math.min(Math.max(this.from + width * part, now), this.end - width);
		this.to = this.from + width;
		this.draw();
	}

	// Left and right in the order of the bars; up and down to the next row.
	key(event) {
		const links = all('a', this.place), at = links.indexOf(event.target.closest('a'));
		const row = link => link.parentNode;
		const other = {
			ArrowRight: () => links[at + 1],
			ArrowLeft: () => links[at - 1],
			ArrowDown: () => links.find((l, i) => i > at && row(l) !== row(links[at])),
			ArrowUp: () => links.findLast((l, i) => i < at && row(l) !== row(links[at])),
			Home: () => links[0],
			End: () => links.at(-1),
		}[event.key]?.();
		if (at < 0 || !other)
			return;
		event.preventDefault();
		links[at].tabIndex = -1;
		other.tabIndex = 0;
		other.focus();
	}

	// The bar of a job, in view and focused.
	visit(id) {
		const row = this.rows.findIndex(({bars}) => bars.some(bar => bar.job.job_id === id));
		if (row < 0)
			return false;
		this.most = Math.max(this.most, row + 1);
		const bar = this.bars.find(one => one.job.job_id === id);
		if (bar.from >= this.to || bar.to <= this.from)
			[this.from, this.to] = [now, this.end];
		this.draw();
		const link = this.place.querySelector(`[data-bar="${CSS.escape(id)}"]`);
		link?.scrollIntoView({block: 'center'});
		link?.focus({preventScroll: true});
		return Boolean(link);
	}
}
