// spage, text: the data in the page, and how numbers, times and names are written.
// Text that is not ours never becomes HTML: every text goes through html`...`.

const byId = id => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const data = JSON.parse(byId('data').textContent);

// ---- HTML -------------------------------------------------------------------

class Html {
	constructor(text) { this.text = text; }
}

function escaped(value) {
	if (value instanceof Html)
		return value.text;
	if (Array.isArray(value))
		return value.map(escaped).join('');
	return String(value ?? '').replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
}

function html(parts, ...values) {
	return new Html(parts.map((part, i) =>
		part + (i < values.length ? escaped(values[i]) : '')).join(''));
}

function put(id, content) {
	byId(id).innerHTML = escaped(content);
}

// ---- data -------------------------------------------------------------------

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

function groupBy(rows, key) {
	const groups = new Map();
	for (const row of rows)
		if (groups.has(key(row)))
			groups.get(key(row)).push(row);
		else
			groups.set(key(row), [row]);
	return groups;
}

function sumBy(rows, key, value) {
	const sums = new Map();
	for (const row of rows)
		sums.set(key(row), (sums.get(key(row)) ?? 0) + value(row));
	return sums;
}

// ---- times ------------------------------------------------------------------

// The site's clock as it stands on the wall, in seconds; NaN: no time.
function moment(time) {
	const [, ahead] = data.zone.findLast(([since]) => since <= time) ?? data.zone[0];
	return time === null ? NaN : time + ahead;
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
const now = moment(data.written);

function lasting(seconds) {
	const d = Math.floor(seconds / 86400), h = Math.floor(seconds / 3600) % 24;
	const m = Math.floor(seconds / 60) % 60;
	if (d)
		return `${d}d ${two(h)}h`;
	return h ? `${h}h ${two(m)}m` : m ? `${m}m` : `${Math.floor(seconds)}s`;
}

// ---- numbers ----------------------------------------------------------------

const number = value => value ?? NaN;
const percent = part => Number.isFinite(part) ? `${(part * 100).toFixed(1)} %` : '';

// 795,532; below ten with a digit behind the point, if it has one.
function count(value) {
	if (!Number.isFinite(value))
		return '';
	const digits = Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0;
	return value.toLocaleString('en-US', {maximumFractionDigits: digits});
}

// Three figures: 0.797, 16.9, 1,240.
function figures(value) {
	if (!Number.isFinite(value))
		return value > 0 ? '\u221e' : '';
	return Math.abs(value) >= 1000 ? count(value) : value ? value.toPrecision(3) : '0';
}

// Short, for axes: 950, 12.5k, 3M.
function short(value) {
	const unit = Math.min(Math.floor(Math.log10(Math.max(Math.abs(value), 1)) / 3), 4);
	return Number((value / 1000 ** unit).toPrecision(3)) + ['', 'k', 'M', 'G', 'T'][unit];
}

// AssocGrpCpuLimit may be broken before each of its words.
const breakable = word => html`${word.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=_)/)
	.map((part, i) => i ? html`<wbr>${part}` : part)}`;

const memory = mb => mb >= 1048576 ? `${figures(mb / 1048576)} TB`
	: `${figures(mb / 1024)} GB`;

const collator = new Intl.Collator('en', {numeric: true});

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
					names.push(m[1] + String(i).padStart(from.length, '0') + end);
		}
	}
	return names;
}

// ---- colours ----------------------------------------------------------------

// Of the names in an object the numbers in the palette, which the programs choose
// (svg_book() in common/draw/svg.h).
function colourBook(numbers) {
	const book = new Map(Object.entries(numbers));
	return name => book.has(name) ? `var(--c${book.get(name)})` : 'var(--other)';
}
