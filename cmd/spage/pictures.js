// spage, pictures: lines and stacked columns over time, as wide as the page has room for. Each
// series has a button in the legend, which shows and hides it; the first ones are shown.

const SHOWN = 8;
const pictures = [];

// Round numbers from 0 on, up to at least the highest value.
function numberTicks(high, most = 4) {
	const least = (high > 0 ? high : 1) / most, power = 10 ** Math.floor(Math.log10(least));
	const step = [1, 2, 5, 10].map(n => n * power).find(s => s >= least * (1 - 1e-9));
	const n = Math.ceil(high / step - 1e-9) || 1;
	return Array.from({length: n + 1}, (unused, i) => i * step);
}

function timeTicks(from, to, most) {
	const hours = [1, 3, 6, 12, 24, 48, 96, 168, 336, 672, 1344, 2688];
	const hour = hours.find(h => (to - from) / 3600 / h <= most) ?? 8760;
	const marks = [];
	for (let t = Math.ceil(from / 3600 / hour) * 3600 * hour; t <= to; t += 3600 * hour)
		marks.push([t, hour < 24 && t % 86400 ? clock(t) : day(t)]);
	return marks;
}

// Waits reach from seconds to weeks: a step for each kind of time, so that one long wait leaves
// the others a place.
const WAITS = [0, 60, 600, 3600, 6 * 3600, 86400, 4 * 86400, 14 * 86400, 60 * 86400];
const waitScale = {
	top: high => WAITS.find(tick => tick >= high) ?? high,
	ticks: top => WAITS.filter(tick => tick <= top),
	part: (value, top) => Math.log1p(value / 30) / Math.log1p(top / 30),
	label: seconds => lasting(seconds).replace(/ 00.$/, ''),
};
const linear = (label = short) => ({
	top: high => numberTicks(high).at(-1),
	ticks: top => numberTicks(top),
	part: (value, top) => value / top,
	label,
});

// The first whose colours differ.
function firstShown(series, most) {
	const taken = new Set();
	return series.filter(({colour}) => !taken.has(colour) && taken.add(colour)).slice(0, most);
}

class Picture {
	// Series have a name, a colour and a value for each of the times.
	constructor(id, {title, times, series, scale = linear(), limit, show = SHOWN}) {
		Object.assign(this, {title, times, series, scale, limit});
		this.place = byId(id);
		this.on = new Set(firstShown(series, show));
		this.place.innerHTML = html`<h3>${title}</h3><div class=keys role=group
			aria-label="What is shown of: ${title}"></div><div class=canvas></div>`.text;
		this.place.classList.add('picture');
		[, this.keys, this.canvas] = this.place.children;
		this.keys.addEventListener('click', event => this.toggle(event));
		this.drawKeys();
		pictures.push(this);
	}

	drawKeys() {
		const others = this.series.length - this.on.size;
		this.keys.innerHTML = escaped([this.series.map((one, i) => html`<button type=button
			data-i=${i} class="${this.on.has(one) ? '' : 'other'}"
			aria-pressed=${this.on.has(one)}>${swatch(one.colour)}${one.name}</button>`),
		others ? html`<button type=button class=choose aria-expanded=false>${
			others} others</button>` : '']);
	}

	toggle(event) {
		const button = event.target.closest('button');
		if (button?.matches('.choose')) {
			const open = this.keys.classList.toggle('open');
			button.setAttribute('aria-expanded', open);
			button.textContent = open ? 'fewer' : `${all('.other', this.keys).length} others`;
		}
		const one = this.series[button?.dataset.i];
		if (!one)
			return;
		if (!this.on.delete(one))
			this.on.add(one);
		button.setAttribute('aria-pressed', this.on.has(one));
		this.draw();
	}

	draw() {
		const shown = this.series.filter(one => this.on.has(one));
		this.width = Math.max(this.canvas.clientWidth, 240);
		this.wide = this.width > 560;
		this.height = this.wide ? 230 : 190;
		this.left = 46;
		this.right = this.labelWidth(shown);
		this.high = this.scale.top(this.highest(shown)) || 1;
		this.canvas.innerHTML = html`<svg viewBox="0 0 ${this.width} ${this.height}"
			width=${this.width} height=${this.height} role=img
			aria-label="${this.title}: ${shown.map(one => one.name).join(', ')}">${
			this.axes()}${this.marks(shown)}</svg>`.text;
	}

	x(t) {
		const [from, to] = this.range();
		const room = this.width - this.left - this.right;
		return this.left + (t - from) / (to - from || 1) * room;
	}

	y(value) {
		const bottom = this.height - 22;
		return bottom - this.scale.part(value, this.high) * (bottom - 10);
	}

	axes() {
		const [from, to] = this.range();
		const end = this.width - this.right;
		const levels = this.scale.ticks(this.high).map(tick => html`<path class=grid
			d="M${this.left} ${this.y(tick).toFixed(1)}H${end}"/><text class=end
			x=${this.left - 6} y=${(this.y(tick) + 4).toFixed(1)}>${
			this.scale.label(tick)}</text>`);
		const marks = timeTicks(from, to, this.wide ? 8 : 3).map(([t, label]) => html`<text
			class=mid x=${Math.min(Math.max(this.x(t), 24), end - 14).toFixed(1)}
			y=${this.height - 5}>${label}</text>`);
		return [levels, marks];
	}
}

class Lines extends Picture {
	range() {
		return [this.times[0], this.times.at(-1)];
	}

	highest(shown) {
		return Math.max(0, ...shown.flatMap(one => one.values.filter(Number.isFinite)));
	}

	labelWidth(shown) {
		const longest = Math.max(0, ...shown.map(one => one.name.length));
		return this.wide ? Math.min(20 + longest * 7, 170) : 8;
	}

	// Names at the lines' ends, pushed apart.
	labels(shown) {
		const last = one => one.values.findLast(Number.isFinite) ?? 0;
		const ends = shown.map(one => ({one, y: this.y(last(one))})).sort((a, b) => a.y - b.y);
		for (const [i, end] of ends.entries())
			end.y = Math.max(end.y, i ? ends[i - 1].y + 13 : 10);
		for (let i = ends.length - 1, most = this.height - 22; i >= 0; i--, most -= 13)
			ends[i].y = Math.min(ends[i].y, most);
		return ends.map(({one, y}) => html`<text class=name x=${this.width - this.right + 8}
			y=${(y + 4).toFixed(1)} style="fill:${one.colour}">${one.name}</text>`);
	}

	// A gap where nothing is known; a lonely point is a dot. The second of a colour is dashed.
	path(one, dashed) {
		const known = i => Number.isFinite(one.values[i]);
		let d = '';
		for (const [i, t] of this.times.entries())
			if (known(i)) {
				const at = `${this.x(t).toFixed(1)} ${this.y(one.values[i]).toFixed(1)}`;
				d += `${known(i - 1) ? 'L' : 'M'}${at}`;
				if (!known(i - 1) && !known(i + 1))
					d += `L${at}`;
			}
		return html`<path class="line ${dashed ? 'dashed' : ''}" d="${d}"
			style="stroke:${one.colour}"><title>${one.name}</title></path>`;
	}

	// Lines that run where an earlier one does lie below it and are wider: all are seen.
	marks(shown) {
		const same = (a, b) => a.values.every((v, i) => Math.abs(v - b.values[i]) <
			this.high / 200 || Number.isNaN(v));
		const paths = shown.map((one, i) => {
			const before = shown.slice(0, i);
			const twins = before.filter(other => same(one, other)).length;
			const dashed = before.some(other => other.colour === one.colour);
			return html`<g class=twin${Math.min(twins, 3)}>${this.path(one, dashed)}</g>`;
		});
		return [paths.reverse(), this.wide ? this.labels(shown) : ''];
	}
}

class Columns extends Picture {
	range() {
		const {times} = this;
		return [times[0], times.at(-1) + (times.length > 1 ? times[1] - times[0] : 86400)];
	}

	// A limit far above all columns would flatten them.
	highest(shown) {
		const high = Math.max(...this.times.map((t, i) =>
			shown.reduce((sum, one) => sum + one.values[i], 0)));
		this.limited = this.limit?.value < high * 2;
		return this.limited ? Math.max(this.limit.value, high) : high;
	}

	labelWidth() {
		return 8;
	}

	column(t, i, shown) {
		const [from, to] = [this.x(t), this.x(this.times[i + 1] ?? this.range()[1])];
		let base = 0;
		return shown.filter(one => one.values[i] > 0).map(one => {
			const top = this.y(base + one.values[i]), bottom = this.y(base);
			base += one.values[i];
			return html`<rect x=${from.toFixed(1)} y=${top.toFixed(1)}
				width=${Math.max(to - from - 2, 1).toFixed(1)}
				height=${(bottom - top).toFixed(1)} style="fill:${one.colour}"><title>${
				one.name}, ${day(t)}: ${count(one.values[i])}</title></rect>`;
		});
	}

	marks(shown) {
		const columns = this.times.map((t, i) => this.column(t, i, shown));
		if (!this.limited)
			return columns;
		const y = this.y(this.limit.value).toFixed(1), end = this.width - this.right;
		return [columns, html`<path class=limit d="M${this.left} ${y}H${end}"/><text class=end
			x=${end} y=${Number(y) - 4}>${this.limit.name}</text>`];
	}
}

// Those that moved most come first, and are shown.
function mostMoved(series) {
	const moved = ({values}) => {
		const known = values.filter(Number.isFinite);
		return known.length ? Math.max(...known) - Math.min(...known) : 0;
	};
	return [...series].sort((a, b) => moved(b) - moved(a));
}
