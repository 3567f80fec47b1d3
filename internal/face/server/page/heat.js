// W as a heat map on a canvas, one round at a time: row i is what node i listens to.
import { h, field, number, roundOf } from './dom.js';

export function heat(sketch) {
  if (sketch.rounds.length === 1) return map(sketch, 0);
  const holder = h('div');
  const show = (k) => holder.replaceChildren(map(sketch, k));
  const round = h(
    'select',
    { onchange: (e) => show(Number(e.target.value)) },
    sketch.rounds.map((_, k) => h('option', { value: String(k) }, roundOf(k, sketch.rounds))),
  );
  show(0);
  return h('div', null, h('div', { class: 'fields' }, field('Round', round)), holder);
}

function map(sketch, round) {
  const n = sketch.nodes;
  const cell = Math.max(2, Math.floor(440 / n));
  const w = matrix(sketch, round);
  const most = Math.max(...w.flat().map(Math.abs), 1e-9);
  const canvas = h('canvas', {
    width: n * cell,
    height: n * cell,
    class: 'heat',
    tabindex: 0,
    role: 'img',
    'aria-label': `The ${n} by ${n} matrix W. Arrow keys move from entry to entry.`,
  });
  const pen = canvas.getContext('2d');
  const style = getComputedStyle(document.documentElement);
  const [blue, vermilion, paper, rule] = ['--blue', '--vermilion', '--soft', '--ink'].map((v) =>
    style.getPropertyValue(v),
  );
  const says = h('p', { class: 'hint', 'aria-live': 'polite' }, `Darker is more, up to ${number(most)}. Hover an entry, or use the arrow keys, to read it.`);
  let here = null;
  const paint = () => {
    pen.globalAlpha = 1;
    pen.fillStyle = paper;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    w.forEach((row, i) =>
      row.forEach((v, j) => {
        if (v === 0) return;
        pen.globalAlpha = 0.15 + (0.85 * Math.abs(v)) / most;
        pen.fillStyle = v > 0 ? blue : vermilion;
        pen.fillRect(j * cell, i * cell, cell - (cell > 5 ? 1 : 0), cell - (cell > 5 ? 1 : 0));
      }),
    );
    if (here) {
      pen.globalAlpha = 1;
      pen.strokeStyle = rule;
      pen.lineWidth = 2;
      pen.strokeRect(here[1] * cell + 1, here[0] * cell + 1, cell - 2, cell - 2);
    }
  };
  const look = (i, j) => {
    here = [Math.max(0, Math.min(n - 1, i)), Math.max(0, Math.min(n - 1, j))];
    const [a, b] = here;
    const name = (k) => sketch.names?.[k] || `node ${k}`;
    says.textContent =
      a === b
        ? `${name(a)} gives ${number(w[a][a])} to itself`
        : `${name(a)} gives ${number(w[a][b])} to what it hears from ${name(b)}`;
    paint();
  };
  canvas.addEventListener('mousemove', (e) => {
    const scale = canvas.width / canvas.clientWidth;
    look(Math.floor((e.offsetY * scale) / cell), Math.floor((e.offsetX * scale) / cell));
  });
  canvas.addEventListener('keydown', (e) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
    if (!step) return;
    e.preventDefault();
    look((here?.[0] ?? 0) + step[0], (here?.[1] ?? 0) + step[1]);
  });
  paint();
  return h('div', null, canvas, says);
}

function matrix(sketch, round) {
  const { edges, self } = sketch.rounds[round];
  const w = Array.from({ length: sketch.nodes }, () => new Array(sketch.nodes).fill(0));
  self.forEach((v, i) => {
    w[i][i] = v;
  });
  for (const e of edges) {
    w[e.j][e.i] = e.weight; // j receives from i
    if (!sketch.directed) w[e.i][e.j] = e.weight;
  }
  return w;
}
