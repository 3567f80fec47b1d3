// What alternatives of any kind share: a table with the recommended row marked, and the key of a chart.
import { h } from './dom.js';

// ranking is a table that scrolls by itself. Every row has a head, cells and whether it is recommended. On narrow
// screens a row is a block in which every number stands below its label.
export function ranking({ label, caption, columns, rows }) {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label },
    h(
      'table',
      { class: 'alternatives' },
      h('caption', null, caption),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          columns.map((t) => h('th', { scope: 'col' }, t)),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((r) =>
          h(
            'tr',
            { class: r.recommended ? 'recommended' : null },
            h('th', { scope: 'row' }, r.head),
            r.cells.map((text, k) => h('td', { 'data-label': columns[k + 1] }, text)),
            h('td', { class: 'note', 'data-label': r.note ? columns.at(-1) : null }, r.note),
          ),
        ),
      ),
    ),
  );
}

// key says what the colours of a chart mean: pairs of a colour and its meaning.
export const key = (colours) =>
  h(
    'figcaption',
    null,
    'Lower left is better. ',
    colours.map(([c, t]) => h('span', { class: 'key' }, h('span', { class: `dot-key pen-${c}` }), t)),
  );
