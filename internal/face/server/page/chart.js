// Scatter charts as SVG: few points, so elements are enough, and they follow the colours of the page. Pens and legends
// of curves.
import { h, s, number } from './dom.js';

export const pens = ['blue', 'vermilion', 'green', 'purple', 'orange', 'sky', 'ink'];
const dashes = ['', '7 3', '2 2.5', '9 3 2 3', '4 6'];
const box = { width: 640, height: 360, left: 62, right: 16, top: 14, bottom: 46 };

// fit makes room for what the screen has, so that letters stay readable on a phone.
function fit() {
  const narrow = window.innerWidth < 640;
  box.width = narrow ? 380 : 640;
  box.height = narrow ? 300 : 360;
}

export const penOf = (k) => ({
  colour: pens[k % pens.length],
  dash: dashes[Math.floor(k / pens.length) % dashes.length],
});

// An axis maps values to pixels, on a logarithmic scale where log is true.
function axis(values, log, from, to, fixed) {
  let usable = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  if (fixed) usable = usable.concat(fixed.filter((v) => !log || v > 0));
  if (usable.length === 0) usable = [1];
  const scale = log ? Math.log10 : (v) => v;
  let low = scale(Math.min(...usable));
  let high = scale(Math.max(...usable));
  if (!log) {
    low = Math.min(low, 0);
    high = high > low ? high * 1.04 : low + 1;
  } else if (high - low < 0.3) {
    low -= 0.2;
    high += 0.2;
  } else {
    const margin = 0.05 * (high - low); // no point lies on the frame, and no label of one on the numbers
    low -= margin;
    high += margin;
  }
  const at = (v) => from + ((to - from) * ((log && v <= 0 ? low - 1 : scale(v)) - low)) / (high - low);
  return { at, ticks: log ? decades(low, high) : steps(low, high) };
}

function steps(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((v) => v >= rough);
  const out = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) out.push(v);
  return out;
}

// decades are the numbers on a logarithmic axis: powers of ten, with 2 and 5 times these where there would be few.
export function decades(low, high) {
  const out = [];
  const every = Math.max(1, Math.ceil((high - low) / 6));
  for (let p = Math.ceil(low); p <= Math.floor(high); p += every) out.push(10 ** p);
  if (out.length >= 2) return out;
  const finer = [];
  for (let p = Math.floor(low); p <= high; p++) {
    for (const v of [1, 2, 5].map((k) => k * 10 ** p)) if (v >= 10 ** low && v <= 10 ** high) finer.push(v);
  }
  return finer.length >= 3 ? finer : steps(10 ** low, 10 ** high);
}

function frame(title, x, y, xs, ys) {
  fit();
  const across = axis(xs, x.log, box.left, box.width - box.right, x.include);
  const up = axis(ys, y.log, box.height - box.bottom, box.top, y.include);
  const svg = s('svg', { viewBox: `0 0 ${box.width} ${box.height}`, class: 'chart', role: 'img', 'aria-label': title });
  for (const v of up.ticks) {
    svg.append(
      s('line', { class: 'grid', x1: box.left, x2: box.width - box.right, y1: up.at(v), y2: up.at(v) }),
      s('text', { x: box.left - 8, y: up.at(v) + 4, 'text-anchor': 'end' }, number(v)),
    );
  }
  for (const v of across.ticks) {
    svg.append(
      s('line', { class: 'grid', x1: across.at(v), x2: across.at(v), y1: box.top, y2: box.height - box.bottom }),
      s('text', { x: across.at(v), y: box.height - box.bottom + 18, 'text-anchor': 'middle' }, number(v)),
    );
  }
  svg.append(
    s('text', { class: 'label', x: (box.left + box.width) / 2, y: box.height - 8, 'text-anchor': 'middle' }, x.label),
    s(
      'text',
      {
        class: 'label',
        'text-anchor': 'middle',
        transform: `translate(14 ${(box.height - box.bottom) / 2}) rotate(-90)`,
      },
      y.label,
    ),
  );
  return { svg, across, up };
}

// dots draws points {name, x, y, class, text}.
export function dots({ title, x, y, points }) {
  const { svg, across, up } = frame(
    title,
    x,
    y,
    points.map((p) => p.x),
    points.map((p) => p.y),
  );
  const marks = []; // above all points
  const places = points.map((p) => ({ x: across.at(p.x), y: up.at(p.y) }));
  points.forEach((p) => {
    const at = {
      cx: across.at(p.x),
      cy: up.at(p.y),
      r: p.strong ? 8 : 5.5,
      class: `dot ${p.class}${p.strong ? ' strong' : ''}`,
    };
    const dot = s('circle', at, s('title', null, p.text));
    if (!p.strong) {
      svg.append(dot);
      return;
    }
    const left = at.cx > box.width / 2;
    const below = quieter(p.name, at, left, places);
    marks.push(
      dot,
      s(
        'text',
        {
          class: 'mark',
          x: at.cx + (left ? 8 : -8),
          y: at.cy + (below ? 24 : -14),
          'text-anchor': left ? 'end' : 'start',
        },
        p.name,
      ),
    );
  });
  svg.append(...marks);
  return svg;
}

// quieter says whether the name of a point hides fewer others below it than above it.
function quieter(name, at, left, places) {
  const [letter, line] = [7.5, 18]; // room of a letter, and above a line's foot
  if (at.cy < box.top + 24) return true;
  if (at.cy + 24 > box.height - box.bottom) return false;
  const from = left ? at.cx + 8 - letter * name.length : at.cx - 8;
  const hidden = (foot) =>
    places.filter((p) => p.x > from && p.x < from + letter * name.length && p.y > foot - line && p.y < foot + 6).length;
  return hidden(at.cy + 24) < hidden(at.cy - 14);
}

// legend lists curves with boxes that switch them on and off.
export function legend(curves, changed) {
  return h(
    'ul',
    { class: 'legend' },
    curves.map((c) =>
      h(
        'li',
        null,
        h(
          'label',
          null,
          h('input', {
            type: 'checkbox',
            checked: c.on,
            onchange: (e) => {
              c.on = e.target.checked;
              changed();
            },
          }),
          s(
            'svg',
            { viewBox: '0 0 26 10', width: 26, height: 10, 'aria-hidden': 'true' },
            s('path', {
              class: `line pen-${c.pen.colour}${c.strong ? ' strong' : ''}`,
              d: 'M1 5L25 5',
              'stroke-dasharray': c.pen.dash,
            }),
          ),
          h('span', { class: c.strong ? 'strong' : null }, c.name, c.note ? h('small', null, ` ${c.note}`) : null),
        ),
      ),
    ),
  );
}
