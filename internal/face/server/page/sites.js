// Sites with a table of the bandwidth between them.
import { h } from './dom.js';

const sites = {
  names: ['berlin', 'paris', 'oslo'],
  gbs: [
    [0, 1.2, 0.5],
    [1.2, 0, 0.8],
    [0.5, 0.8, 0],
  ],
  spec() {
    return { format: 'batopo.cluster/v2', names: [...this.names], matrix: { gb_s: this.gbs.map((r) => [...r]) } };
  },
};

// form shows the table and describes what it says.
export function form(holder, describe) {
  table(holder, describe);
  describe(sites.spec());
}

// table is the bandwidth between sites: row sends, column receives.
function table(holder, describe) {
  const redo = () => form(holder, describe);
  const n = sites.names.length;
  const head = h(
    'tr',
    null,
    h('td', null),
    sites.names.map((name, j) =>
      h(
        'th',
        { scope: 'col' },
        h('input', {
          value: name,
          'aria-label': `Name of site ${j + 1}`,
          size: 7,
          onchange: (e) => {
            sites.names[j] = e.target.value.trim() || `site ${j + 1}`;
            redo();
          },
        }),
      ),
    ),
  );
  const rows = sites.names.map((name, i) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, name),
      sites.names.map((other, j) =>
        h(
          'td',
          null,
          i === j
            ? '–'
            : h('input', {
                type: 'number',
                min: 0,
                step: 'any',
                value: sites.gbs[i][j],
                'aria-label': `GB/s from ${name} to ${other}`,
                onchange: (e) => {
                  sites.gbs[i][j] = e.target.valueAsNumber || 0;
                  describe(sites.spec());
                },
              }),
        ),
      ),
    ),
  );
  holder.replaceChildren(
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Bandwidth table' },
      h(
        'table',
        { class: 'sites' },
        h('caption', null, 'GB/s from the row to the column; 0 means that they cannot talk'),
        h('thead', null, head),
        h('tbody', null, rows),
      ),
    ),
    h(
      'p',
      { class: 'controls' },
      h(
        'button',
        {
          type: 'button',
          onclick: () => {
            sites.names.push(`site ${n + 1}`);
            sites.gbs.forEach((r) => r.push(0.5));
            sites.gbs.push([...new Array(n).fill(0.5), 0]);
            redo();
          },
        },
        'Add a site',
      ),
      n > 2
        ? h(
            'button',
            {
              type: 'button',
              onclick: () => {
                sites.names.pop();
                sites.gbs.pop();
                sites.gbs.forEach((r) => r.pop());
                redo();
              },
            },
            'Remove the last',
          )
        : null,
    ),
  );
}
