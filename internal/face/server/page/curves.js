// Curves over time, drawn by uPlot (folder uplot, with its licence): new points are added to a chart that stands.
import uPlot from './uplot/uPlot.esm.js';
import { h, number } from './dom.js';

const shown = new Set(); // charts on the page, painted again when its colours change
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const chart of shown) chart.redraw(false);
});

// colour is what the page calls by that name at the time of painting.
const colour = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// aligned puts all curves onto one axis; a curve has no value where only others have a point. Two points of a curve
// above each other are moved apart by a hair.
function aligned(curves) {
  const tables = curves.map((c) => {
    let before = -Infinity;
    const xs = c.points.map(([x]) => {
      before = x > before ? x : before + Math.abs(before) * 1e-9 + 1e-12;
      return before;
    });
    return [xs, c.points.map((p) => p[1])];
  });
  return uPlot.join(tables);
}

// whole leaves powers of ten alone where an axis is logarithmic; between them there is no room.
const whole = (log) => (_, splits) =>
  splits.map((v) => (log && (v <= 0 || Math.abs(Math.log10(v) % 1) > 1e-6) ? null : v));

const axis = ({ label, log }, size) => ({
  label,
  size,
  stroke: colour('muted'),
  grid: { stroke: colour('rule'), width: 1, filter: whole(log) },
  ticks: { stroke: colour('rule'), width: 1, filter: whole(log) },
  font: '12px system-ui, sans-serif',
  labelFont: '13px system-ui, sans-serif',
  labelSize: 20,
  values: (_, splits) => splits.map((v) => (v === null ? '' : number(v))),
});

const series = (curve) => ({
  label: curve.name,
  stroke: colour(curve.pen.colour),
  width: curve.strong ? 3.2 : 1.7,
  dash: curve.pen.dash ? curve.pen.dash.split(' ').map(Number) : undefined,
  spanGaps: true,
  points: { show: curve.points.length < 2, size: 6, fill: colour(curve.pen.colour) },
});

// scale says what an axis reaches from and to: zero and a little more than the highest, or whole powers of ten.
function scale({ log }, level) {
  const range = (_, low, high) => {
    if (low === null) return log ? [0.1, 1] : [0, 1];
    const [from, to] = level ? [Math.min(low, level.value), Math.max(high, level.value)] : [low, high];
    return log ? uPlot.rangeLog(from, to, 10, true) : [Math.min(0, from), to > 0 ? to * 1.04 : 1];
  };
  return { time: false, distr: log ? 3 : 1, range };
}

// across draws a level, such as a target.
const across = (level) => (u) => {
  const y = u.valToPos(level.value, 'y', true);
  const { left, width } = u.bbox;
  const pen = u.ctx;
  pen.save();
  pen.strokeStyle = pen.fillStyle = colour('ink')();
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(left, y);
  pen.lineTo(left + width, y);
  pen.stroke();
  pen.font = `${13 * devicePixelRatio}px system-ui, sans-serif`;
  pen.textAlign = 'right';
  pen.setLineDash([]);
  pen.lineWidth = 4 * devicePixelRatio;
  pen.strokeStyle = colour('paper')();
  pen.strokeText(level.name, left + width - 4, y - 6 * devicePixelRatio);
  pen.fillText(level.name, left + width - 4, y - 6 * devicePixelRatio);
  pen.restore();
};

// nearest is the value of a series at a place, or of its last point before.
function nearest(values, k) {
  while (k >= 0 && (values[k] === null || values[k] === undefined)) k--;
  return k < 0 ? null : values[k];
}

// readout says what the curve closest to the mouse is and has there.
const readout = (says, x) => (u) => {
  const { idx, top } = u.cursor;
  if (idx === null || idx === undefined || top < 0) {
    says.textContent = 'Hover a curve to read it.';
    return;
  }
  const all = u.series
    .slice(1)
    .map((s, k) => ({ name: s.label, value: nearest(u.data[k + 1], idx) }))
    .filter((c) => c.value !== null);
  const off = (c) => Math.abs(u.valToPos(c.value, 'y') - top);
  const best = all.reduce((a, b) => (a && off(a) <= off(b) ? a : b), null);
  if (best) says.textContent = `${best.name}: ${number(best.value)} at ${number(u.data[0][idx])} (${x.label})`;
};

// plot returns {element, show}: show draws curves {name, points, pen, strong}, again and again. level is a line across.
export function plot({ title, x, y, level }) {
  const canvas = h('div');
  const says = h('p', { class: 'readout' }, 'Hover a curve to read it.');
  const element = h('div', { class: 'plot', role: 'img', 'aria-label': title }, canvas, says);
  let chart = null;
  let curves = [];
  let drawn = ''; // what the chart that stands was made for
  const size = () => ({ width: Math.min(canvas.clientWidth, 768), height: canvas.clientWidth < 560 ? 300 : 380 });
  const forget = () => {
    shown.delete(chart);
    chart?.destroy();
    chart = null;
  };
  const make = () => {
    forget();
    const options = {
      ...size(),
      scales: { x: scale(x), y: scale(y, level) },
      axes: [axis(x, 34), axis(y, 58)],
      series: [{}, ...curves.map(series)],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      hooks: { draw: level ? [across(level)] : [], setCursor: [readout(says, x)] },
    };
    chart = new uPlot(options, aligned(curves), canvas);
    shown.add(chart);
  };
  const draw = () => {
    const now = JSON.stringify(curves.map((c) => [c.name, c.pen, c.strong, c.points.length < 2]));
    if (canvas.clientWidth === 0 || curves.length === 0) return;
    if (chart && now === drawn) chart.setData(aligned(curves));
    else make();
    drawn = now;
  };
  new ResizeObserver(() => {
    if (!element.isConnected) forget();
    else if (chart) chart.setSize(size());
    else draw();
  }).observe(canvas);
  const show = (all) => {
    curves = all.filter((c) => c.points.length > 0);
    element.dataset.curves = String(curves.length);
    draw();
  };
  return { element, show };
}
