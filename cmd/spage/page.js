// spage: search, sorting and folding. The page is whole without it.
'use strict';
(() => {
	const root = document.documentElement;
	const all = (selector, within = document) => [...within.querySelectorAll(selector)];
	const byId = id => document.getElementById(id);

	root.classList.add('js');

	// ---- folding accounts -------------------------------------------------

	const tree = byId('t-shares');
	const original = new Map(all('table').map(table => [table, [...table.tBodies]]));
	const depth = body => Number(body.dataset.depth);

	// Rows below a folded account are hidden.
	function applyFolds() {
		let hiddenBelow = Infinity;
		for (const body of original.get(tree)) {
			if (depth(body) <= hiddenBelow)
				hiddenBelow = Infinity;
			body.classList.toggle('folded', hiddenBelow !== Infinity);
			const button = body.querySelector('button.fold');
			if (button && button.getAttribute('aria-expanded') === 'false' &&
				hiddenBelow === Infinity)
				hiddenBelow = depth(body);
		}
	}

	function setFold(button, open) {
		button.setAttribute('aria-expanded', open);
	}

	for (const body of all('tbody.account', tree)) {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'fold';
		button.setAttribute('aria-label',
			'below ' + body.querySelector('.name').textContent);
		setFold(button, true);
		button.addEventListener('click', () => {
			setFold(button, button.getAttribute('aria-expanded') === 'false');
			applyFolds();
		});
		body.querySelector('.gutter').append(button);
	}

	byId('fold').addEventListener('click', event => {
		const buttons = all('button.fold', tree);
		const open = buttons.every(b => b.getAttribute('aria-expanded') === 'false' ||
			!depth(b.closest('tbody')));
		for (const button of buttons)
			setFold(button, open || !depth(button.closest('tbody')));
		event.target.textContent = open ? 'Fold accounts' : 'Unfold accounts';
		applyFolds();
	});

	// ---- sorting ----------------------------------------------------------

	const collator = new Intl.Collator('en', {numeric: true});

	function keyOf(body, column) {
		const cell = body.rows[0].cells[column];
		return 'v' in cell.dataset ? Number(cell.dataset.v) : cell.textContent.trim();
	}

	function compare(a, b, sign) {
		if (a === '' || b === '')
			return (a === '') - (b === '');
		if (typeof a === 'number' && typeof b === 'number')
			return sign * (a - b);
		return sign * collator.compare(a, b);
	}

	function order(table, bodies) {
		const fragment = document.createDocumentFragment();
		fragment.append(...bodies);
		table.append(fragment);
	}

	function unsorted(table) {
		for (const head of all('thead th', table))
			head.removeAttribute('aria-sort');
	}

	function sortBy(table, head) {
		const down = head.getAttribute('aria-sort') === 'ascending';
		const column = head.cellIndex;
		const keys = new Map(original.get(table).map(b => [b, keyOf(b, column)]));
		unsorted(table);
		head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
		table.classList.add('sorted');
		order(table, [...original.get(table)].sort((a, b) =>
			compare(keys.get(a), keys.get(b), down ? -1 : 1)));
		for (const button of all(`.reset[data-for="${table.id}"]`))
			button.hidden = false;
	}

	for (const table of original.keys())
		for (const head of all('thead th', table)) {
			const button = document.createElement('button');
			button.type = 'button';
			button.className = 'sort';
			button.append(...head.childNodes);
			head.append(button);
			button.addEventListener('click', () => sortBy(table, head));
		}

	for (const button of all('.reset'))
		button.addEventListener('click', () => {
			const table = byId(button.dataset.for);
			unsorted(table);
			table.classList.remove('sorted');
			order(table, original.get(table));
			button.hidden = true;
		});

	// ---- search -----------------------------------------------------------

	const search = byId('search');
	const texts = new Map();
	for (const bodies of original.values())
		for (const body of bodies)
			texts.set(body, body.rows[0].textContent.toLowerCase());

	// Of the tree the accounts above what was found stay, too.
	function keepAbove(bodies) {
		let wanted = -1;
		for (const body of [...bodies].reverse()) {
			if (!body.classList.contains('missed'))
				wanted = depth(body) - 1;
			else if (depth(body) === wanted) {
				body.classList.remove('missed');
				wanted--;
			}
		}
	}

	function find() {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		let found = 0;
		for (const [body, text] of texts) {
			const hit = words.every(word => text.includes(word));
			found += hit;
			body.classList.toggle('missed', !hit);
		}
		root.classList.toggle('searching', words.length > 0);
		if (words.length)
			keepAbove(original.get(tree));
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
	});

	// ---- explanations: a click anywhere on the row ------------------------

	document.addEventListener('click', event => {
		const row = event.target.closest('tbody > tr:not(.why)');
		if (!row || event.target.closest('button, a') || getSelection().toString())
			return;
		const details = row.nextElementSibling?.querySelector('details');
		if (details)
			details.open = !details.open;
	});

	// A job of the plan: its row, with the explanation open.
	addEventListener('hashchange', () => {
		const body = byId(location.hash.slice(1));
		const details = body?.tagName === 'TBODY' && body.querySelector('details');
		if (details)
			details.open = true;
	});

	// ---- data -------------------------------------------------------------

	byId('save').addEventListener('click', () => {
		const data = byId('data').textContent;
		const link = document.createElement('a');
		link.href = URL.createObjectURL(new Blob([data], {type: 'application/json'}));
		link.download = JSON.parse(data).cluster + '.json';
		link.click();
	});
})();
