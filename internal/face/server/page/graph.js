// The graph of a plan: nodes on a circle, line width is weight. Hover or focus a node to see what it does; rounds of a
// schedule are played one after the other.
import { h, s, number, count, roundOf } from './dom.js';

const size = 440;
const middle = size / 2;

// Names stand outside the circle, where there is room for them.
const named = (sketch) => sketch.names?.length > 0 && sketch.nodes <= 24;

function places(n, margin) {
  const radius = middle - margin;
  return Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n - Math.PI / 2;
    return { x: middle + radius * Math.cos(angle), y: middle + radius * Math.sin(angle) };
  });
}

// outside is where the name of a node stands.
function outside(p, r) {
  const [dx, dy] = [p.x - middle, p.y - middle];
  const away = (r + 6) / Math.hypot(dx, dy);
  const anchor = Math.abs(dx) < 20 ? 'middle' : dx < 0 ? 'end' : 'start';
  return { x: p.x + dx * away, y: p.y + dy * away + (dy > 20 ? 10 : dy < -20 ? 0 : 4), 'text-anchor': anchor };
}

const nameOf = (sketch, i) => sketch.names?.[i] || `node ${i}`;

// draw returns the picture of one round; look is called with a node, or null, when it is hovered, focused or left.
export function draw(sketch, round, look) {
  const at = places(sketch.nodes, named(sketch) ? 64 : 34);
  const r = Math.max(4, Math.min(15, 160 / sketch.nodes));
  const edges = sketch.rounds[round].edges;
  const most = Math.max(...edges.map((e) => Math.abs(e.weight)), 1e-9);
  const svg = s('svg', {
    viewBox: `0 0 ${size} ${size}`,
    class: 'graph',
    role: 'group',
    'aria-label': `${count(sketch.nodes, 'node')}, ${count(edges.length, sketch.directed ? 'arc' : 'edge')}`,
  });
  if (sketch.directed) {
    svg.append(
      s(
        'defs',
        null,
        s(
          'marker',
          {
            id: 'head',
            viewBox: '0 0 8 8',
            refX: 7,
            refY: 4,
            markerUnits: 'userSpaceOnUse',
            markerWidth: 12,
            markerHeight: 12,
            orient: 'auto',
          },
          s('path', { d: 'M0 0L8 4L0 8Z', class: 'arrow' }),
        ),
      ),
    );
  }
  const drawn = edges.map((e) => {
    const [from, to] = [at[e.i], at[e.j]];
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const back = sketch.directed ? (r + 2) / length : 0;
    const line = s(
      'line',
      {
        class: 'edge',
        x1: from.x,
        y1: from.y,
        x2: to.x - (to.x - from.x) * back,
        y2: to.y - (to.y - from.y) * back,
        'stroke-width': (0.8 + (3.4 * Math.abs(e.weight)) / most).toFixed(2),
        'marker-end': sketch.directed ? 'url(#head)' : null,
      },
      s(
        'title',
        null,
        `${nameOf(sketch, e.i)} ${sketch.directed ? '→' : '–'} ${nameOf(sketch, e.j)}: ` +
          `weight ${number(e.weight)}${e.gb_s ? `, ${number(e.gb_s)} GB/s` : ''}`,
      ),
    );
    svg.append(line);
    return line;
  });
  at.forEach((p, i) => {
    const mark = (on) => {
      svg.classList.toggle('looking', on);
      edges.forEach((e, k) => drawn[k].classList.toggle('near', on && (e.i === i || e.j === i)));
      node.classList.toggle('near', on);
      look?.(on ? i : null);
    };
    const node = s(
      'g',
      {
        class: 'node',
        tabindex: 0,
        role: 'button',
        'aria-label': describe(sketch, round, i).join('. '),
        onmouseenter: () => mark(true),
        onmouseleave: () => mark(false),
        onfocus: () => mark(true),
        onblur: () => mark(false),
      },
      s('circle', { cx: p.x, cy: p.y, r }),
      r >= 8 ? s('text', { x: p.x, y: p.y + 4, 'text-anchor': 'middle' }, String(i)) : null,
      named(sketch) ? s('text', outside(p, r), nameOf(sketch, i)) : null,
    );
    svg.append(node);
  });
  return svg;
}

// peers of a node in a round, with what passes between them.
export function peersOf(sketch, round, i) {
  return sketch.rounds[round].edges
    .filter((e) => e.i === i || e.j === i)
    .map((e) => ({
      peer: e.i === i ? e.j : e.i,
      weight: e.weight,
      gbs: e.gb_s,
      bottleneck: e.bottleneck,
      way: !sketch.directed ? 'both ways' : e.i === i ? 'sends' : 'receives',
    }));
}

function describe(sketch, round, i) {
  const peers = peersOf(sketch, round, i);
  return [
    nameOf(sketch, i),
    count(peers.length, 'peer'),
    ...peers.map((p) => `${nameOf(sketch, p.peer)} weight ${number(p.weight)}`),
  ];
}

// details is the table about one node.
export function details(sketch, round, i) {
  if (i === null) {
    return h(
      'p',
      { class: 'hint' },
      'Hover a node, or move to it with the Tab key, to see its peers, weights, load and share of the bandwidth.',
    );
  }
  const peers = peersOf(sketch, round, i);
  const own = sketch.rounds[round].self[i];
  return h(
    'div',
    null,
    h('h4', null, `${nameOf(sketch, i)}: ${count(peers.length, 'peer')}, keeps ${number(100 * own)} % of its own`),
    sketch.inside ? h('p', null, `All-reduce inside: ${sketch.inside[i].join(', ')}.`) : null,
    peers.length === 0
      ? h('p', null, 'It is idle in this round.')
      : h(
          'table',
          null,
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              ['peer', 'direction', 'weight', 'share', 'slowed by'].map((t) => h('th', { scope: 'col' }, t)),
            ),
          ),
          h(
            'tbody',
            null,
            peers.map((p) =>
              h(
                'tr',
                null,
                h('th', { scope: 'row' }, nameOf(sketch, p.peer)),
                h('td', null, p.way),
                h('td', null, number(p.weight)),
                h('td', null, p.gbs ? `${number(p.gbs)} GB/s` : '–'),
                h('td', null, p.bottleneck ?? '–'),
              ),
            ),
          ),
        ),
  );
}

// loads lists the busiest resources of a round.
export function loads(sketch, round) {
  const all = sketch.rounds[round].resources ?? [];
  if (all.length === 0) return '';
  const share = (r) => r.gb_s / r.edges;
  const slowest = [...all].sort((a, b) => share(a) - share(b)).slice(0, 8);
  return h(
    'details',
    null,
    h('summary', null, 'The links with the least for each edge'),
    h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['link', 'GB/s', 'edges', 'each gets'].map((t) => h('th', { scope: 'col' }, t)),
        ),
      ),
      h(
        'tbody',
        null,
        slowest.map((r) =>
          h(
            'tr',
            null,
            h('th', { scope: 'row' }, r.name),
            h('td', null, number(r.gb_s)),
            h('td', null, String(r.edges)),
            h('td', null, `${number(share(r))} GB/s`),
          ),
        ),
      ),
    ),
  );
}

// viewer shows a sketch with its details, and plays its rounds where there are several.
export function viewer(sketch) {
  const holder = h('div', { class: 'graph-holder' });
  const info = h('div', { class: 'details', 'aria-live': 'polite' });
  const where = h('span', { class: 'round', 'aria-live': 'off' });
  let round = 0;
  let timer = null;
  const show = (k) => {
    round = (k + sketch.rounds.length) % sketch.rounds.length;
    holder.replaceChildren(
      draw(sketch, round, (i) => info.replaceChildren(details(sketch, round, i), loads(sketch, round))),
    );
    info.replaceChildren(details(sketch, round, null), loads(sketch, round));
    where.textContent = `${roundOf(round, sketch.rounds)}, ${number(sketch.rounds[round].ms)} ms`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = 'Play';
  };
  const play = h(
    'button',
    {
      type: 'button',
      onclick: () => {
        if (timer) {
          stop();
          return;
        }
        play.textContent = 'Pause';
        timer = setInterval(() => {
          if (holder.isConnected) show(round + 1);
          else stop();
        }, 900);
      },
    },
    'Play',
  );
  show(0);
  const controls =
    sketch.rounds.length < 2
      ? null
      : h(
          'p',
          { class: 'controls' },
          h(
            'button',
            {
              type: 'button',
              onclick: () => {
                stop();
                show(round - 1);
              },
            },
            'Back',
          ),
          play,
          h(
            'button',
            {
              type: 'button',
              onclick: () => {
                stop();
                show(round + 1);
              },
            },
            'Next',
          ),
          where,
        );
  return h('div', null, controls, h('div', { class: 'two' }, holder, info));
}
