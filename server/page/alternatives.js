// The alternatives as a table and as a chart: time per iteration against speed of agreement.
import { h, number, duration } from './dom.js';
import { dots } from './chart.js';
import { viewer } from './graph.js';

const colour = (a) =>
  a.found
    ? 'fill-vermilion'
    : a.kind === 'allreduce'
      ? 'fill-green'
      : a.kind === 'schedule'
        ? 'fill-purple'
        : 'fill-blue';

export function scatter(all, choose) {
  const shown = all.filter((a) => a.iterations);
  const svg = dots({
    title: 'Time of an iteration against rounds to agreement; lower left is better',
    x: { label: 'time of an iteration, computation included, ms', log: true },
    y: { label: 'rounds to agreement', log: true },
    points: shown.map((a) => ({
      name: a.name,
      x: a.iteration_ms,
      y: a.iterations,
      class: colour(a),
      strong: a.recommended,
      text: `${a.name}: ${number(a.iteration_ms)} ms an iteration, ${duration(a.time_ms)} to agreement`,
    })),
    choose: (k) => choose?.(shown[k]),
  });
  return h(
    'figure',
    null,
    svg,
    h(
      'figcaption',
      null,
      'Lower left is better. ',
      [
        ['vermilion', 'searched for'],
        ['blue', 'known graphs'],
        ['purple', 'schedules'],
        ['green', 'all-reduce'],
      ].map(([c, t]) => h('span', { class: 'key' }, h('span', { class: `dot-key bg-${c}` }), t)),
    ),
  );
}

export function table(all, choose) {
  const columns = ['topology', 'edges', 'peers', 'ms a round', 'rounds', 'to agreement', 'note'];
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table of alternatives' },
    h(
      'table',
      { class: 'alternatives' },
      h('caption', null, 'Soonest first, by the time until the disagreement is down to the target'),
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
        all.map((a) =>
          h(
            'tr',
            { class: a.recommended ? 'recommended' : null },
            h(
              'th',
              { scope: 'row' },
              a.graph && choose
                ? h('button', { type: 'button', class: 'link', onclick: () => choose(a) }, a.name)
                : a.name,
              a.recommended ? h('small', null, ' recommended') : null,
            ),
            h('td', null, String(a.edges)),
            h('td', null, String(a.max_degree)),
            h('td', null, number(a.communication_ms)),
            h('td', null, a.iterations ? String(a.iterations) : 'never'),
            h('td', null, a.iterations ? duration(a.time_ms) : '–'),
            h('td', { class: 'note' }, a.note ?? ''),
          ),
        ),
      ),
    ),
  );
}

export function panel(all) {
  const chosen = h('div', { 'aria-live': 'polite' });
  const choose = (a) => {
    chosen.replaceChildren(
      h('h3', { tabindex: -1 }, a.name),
      a.graph ? viewer(a.graph) : h('p', null, 'An exact average of all nodes; it has no graph of weights.'),
    );
    chosen.firstChild.focus();
  };
  return h('div', null, scatter(all, choose), table(all, choose), chosen);
}
