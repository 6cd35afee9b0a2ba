// spage, tables: sorted at a click on a heading, searched, rows that unfold to an explanation, and
// the tree of shares.

// ---- what stands in cells ---------------------------------------------------

function bar(kind, part, words) {
	const width = (Math.min(Math.max(part, 0), 1) * 100).toFixed(1);
	return html`<span class="bar ${kind}" role=img aria-label="${words}"><i
		style="width:${width}%"></i></span>`;
}

const after = text => html`<span class=after>${text}</span>`;
const swatch = colour => html`<i class=swatch style="background:${colour}"></i>`;

// Columns: a title; the key that sorts and is searched; the cell, if it shows something else.
// `number`: to the right. `wrap`: over several lines on a phone. `spare`: 1 has no place there, 2
// only on a wide screen.
const text = (name, title, more = {}) => ({title, key: row => row[name], ...more});
const amount = (name, title, more = {}) => ({title, number: true,
	key: row => number(row[name]), cell: row => count(number(row[name])), ...more});
const moments = (name, title, more = {}) => ({title, key: row => moment(row[name]),
	cell: row => row[name] === null ? '' : when(moment(row[name])), ...more});

// ---- tables -----------------------------------------------------------------

const FIRST = 25, MORE = 500;
const tables = [];
let words = [];

function compare(a, b, sign) {
	const none = v => v === null || v === '' || Number.isNaN(v);
	if (none(a) || none(b))
		return none(a) - none(b);
	if (typeof a === 'number' && typeof b === 'number')
		return a === b ? 0 : sign * (a < b ? -1 : 1);
	return sign * collator.compare(a, b);
}

class Table {
	constructor(id, columns, rows, {why, none = 'None.', label} = {}) {
		Object.assign(this, {id, columns, rows, why, none});
		this.shown = FIRST;
		this.sorted = null;
		this.down = false;
		this.open = new Set();
		for (const [i, row] of rows.entries())
			row.place = i;
		this.make(byId(id), label);
		tables.push(this);
	}

	make(place, label) {
		const heads = this.columns.map(column => html`<th scope=col class="${
			this.classOf(column)}"><button type=button class=sort>${
			column.title}</button>`);
		place.innerHTML = html`<table aria-label="${label ?? ''}"><thead><tr><td>${
			heads}<tbody></tbody></table><p class="more buttons" hidden><output></output>
			<button type=button>${MORE} more</button>
			<button type=button>All</button></p>`.text;
		this.element = place.firstChild;
		this.body = this.element.tBodies[0];
		this.heads = all('th', this.element);
		for (const [i, head] of this.heads.entries())
			head.firstChild.addEventListener('click', () => {
				this.sortBy(i, this.sorted === i && !this.down);
				keepState();
			});
		this.more = place.lastChild;
		const [some, every] = all('button', this.more);
		some.addEventListener('click', () => this.show(this.shown + MORE));
		every.addEventListener('click', () => this.show(Infinity));
		this.body.addEventListener('click', event => this.clicked(event));
	}

	classOf({number, spare, wrap}) {
		return [number && 'number', wrap && 'wrap', spare && `spare${spare}`]
			.filter(Boolean).join(' ');
	}

	show(n) {
		this.shown = n;
		this.draw();
	}

	// null: as it came.
	sortBy(column, down) {
		this.sorted = column;
		this.down = down;
		for (const [i, head] of this.heads.entries())
			if (i === column)
				head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			else
				head.removeAttribute('aria-sort');
		this.element.classList.toggle('sorted', column !== null);
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
		const none = words.length && this.rows.length
			? `Nothing here matches \u201c${words.join(' ')}\u201d.` : this.none;
		this.body.innerHTML = escaped(shown.length ? shown.map(row => this.rowOf(row))
			: html`<tr class=none><td><td colspan=${this.columns.length}>${none}`);
		this.more.hidden = shown.length === rows.length;
		this.more.firstChild.textContent =
			`${count(shown.length)} of ${count(rows.length)} rows`;
		for (const row of shown)
			if (this.open.has(row.place))
				this.unfold(this.lineOf(row));
	}

	lineOf(row) {
		return this.body.querySelector(`[data-place="${row.place}"]`);
	}

	gutter(row) {
		return row.why !== undefined ? html`<button type=button class=why aria-expanded=false
			aria-label="${this.why(row)}"></button>` : '';
	}

	rowOf(row) {
		const cells = this.columns.map((column, i) => {
			const content = column.cell ? column.cell(row) : column.key(row);
			return i ? html`<td class="${this.classOf(column)}">${content}`
				: html`<th scope=row class="${this.classOf(column)}"
					style="${column.style?.(row) ?? ''}">${content}`;
		});
		return html`<tr data-place=${row.place}><td>${this.gutter(row)}${cells}`;
	}

	// A click anywhere on a row unfolds its explanation.
	clicked(event) {
		const tr = event.target.closest('tr[data-place]');
		const other = event.target.closest('a, button:not(.why)');
		if (!tr || other || getSelection().toString())
			return;
		const place = Number(tr.dataset.place);
		if (this.rows[place].why === undefined)
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
		if (row.why !== undefined)
			this.open.add(row.place);
		this.draw();
		for (const old of all('.target'))
			old.classList.remove('target');
		const tr = this.lineOf(row);
		tr.classList.add('target');
		tr.scrollIntoView({block: 'center'});
		tr.querySelector('button, a')?.focus({preventScroll: true});
		return true;
	}
}

// ---- the tree of shares -----------------------------------------------------

// Buttons fold its accounts all at once, and give the tree back after sorting.
class Tree extends Table {
	constructor(id, columns, rows, {fold, reset, ...options}) {
		super(id, columns, rows, options);
		this.folded = new Set();
		this.fold = fold;
		this.reset = reset;
		this.shown = MORE;
		if (rows.length > 60)
			this.foldUsers();
		fold.addEventListener('click', () => this.foldAll());
		reset.addEventListener('click', () => {
			this.sortBy(null);
			keepState();
		});
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
		return html`<button type=button class=fold aria-expanded=${!this.folded.has(row.place)}
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
		this.fold.textContent = this.folded.size ? 'Unfold accounts' : 'Fold accounts';
		this.reset.hidden = this.sorted === null;
	}
}
