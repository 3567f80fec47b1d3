// The alternatives as a table and as a chart: time per iteration against speed of agreement.
import { h, number, duration } from './dom.js';
import { dots } from './chart.js';
import { key, ranking } from './ranking.js';

const colour = (a) =>
  a.found
    ? 'pen-vermilion'
    : a.kind === 'allreduce'
      ? 'pen-green'
      : a.kind === 'schedule'
        ? 'pen-purple'
        : 'pen-blue';

export function scatter(all) {
  const shown = all.filter((a) => a.iterations);
  const svg = dots({
    title: 'Time of an iteration against rounds to consensus; lower left is better',
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
  });
  return h(
    'figure',
    null,
    svg,
    key([
      ['vermilion', 'searched for'],
      ['blue', 'known graphs'],
      ['purple', 'schedules'],
      ['green', 'all-reduce'],
    ]),
  );
}

// table marks the best of what was searched for with a word.
export function table(all, mark = 'recommended') {
  return ranking({
    label: 'Table of alternatives',
    caption: 'Fastest first: time until the consensus error reaches the target',
    columns: ['topology', 'edges', 'peers', 'ms a round', 'rounds', 'to agreement', 'note'],
    rows: all.map((a) => ({
      recommended: a.recommended,
      head: [a.name, a.recommended ? h('small', null, ` ${mark}`) : null],
      cells: [
        String(a.edges),
        String(a.max_degree),
        number(a.communication_ms),
        a.iterations ? String(a.iterations) : 'never',
        a.iterations ? duration(a.time_ms) : '–',
      ],
      note: a.note ?? '',
    })),
  });
}

export const panel = (all, mark) => h('div', null, scatter(all), table(all, mark));
