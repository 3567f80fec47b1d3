// The answer of a job: a sentence, numbers, files to take home, and ways to look at it.
import { h, byId, number, duration, picture, tabs, count } from './dom.js';
import { lines, legend, penOf } from './chart.js';
import { fileOf, result, text } from './api.js';
import { viewer } from './graph.js';
import { heat } from './heat.js';
import * as alternatives from './alternatives.js';
import * as choices from './choices.js';
import * as whatif from './whatif.js';
import * as learn from './learn.js';

const files = [
  ['plan.json', 'Plan (JSON)'],
  ['cluster.yaml', 'Machines (YAML)'],
  ['train.py', 'Python snippet'],
  ['report.html', 'Report (HTML)'],
  ['graph.svg', 'Graph (SVG)'],
  ['matrix.svg', 'W (SVG)'],
  ['result.json', 'All numbers (JSON)'],
];

// show shows what a finished job found. tab is the one to open, chosen hears of others.
export async function show(job, cluster, spec, tab, chosen) {
  const section = byId('answer');
  const title = h('h2', { id: 'answer-title', tabindex: -1 }, 'Answer');
  section.hidden = false;
  if (job.state !== 'done') {
    section.replaceChildren(title, h('p', { class: 'error', role: 'alert' }, job.error || `The job was ${job.state}.`));
    return;
  }
  const answer = await result(job.id);
  const early = job.stopped
    ? h('p', { class: 'hint' }, `It was stopped early (${job.stopped}); this is the best it had.`)
    : null;
  const list = h('div', {
    class: 'tabs',
    role: 'tablist',
    'aria-label': 'Ways to look at the answer',
    id: 'answer-tabs',
  });
  const panel = h('div', { id: 'answer-panel', class: 'panel', tabindex: 0 });
  section.replaceChildren(
    ...[
      title,
      h('p', { class: 'sentence', id: 'sentence' }, answer.sentence ?? comparison(answer)),
      early,
      answer.plan ? facts(answer.plan) : null,
      downloads(job),
      list,
      panel,
    ].filter(Boolean),
  );
  const views = viewsOf(job, answer, cluster, spec);
  tabs(
    list,
    views.map(([name, label]) => [name, label]),
    tab,
    panel,
    (name, quiet) => {
      panel.replaceChildren(views.find(([n]) => n === name)[2]());
      if (!quiet) chosen(name);
    },
  );
  title.focus({ preventScroll: true });
  section.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
}

function comparison(answer) {
  const first = answer.alternatives[0];
  const all = answer.alternatives.length;
  return `Soonest of ${all} known topologies: ${first.name}, ${duration(first.time_ms)} to agreement.`;
}

function viewsOf(job, answer, cluster, spec) {
  const best = answer.graph;
  const views = [];
  if (answer.plan) {
    views.push(['why', 'Why', () => why(answer)]);
    if (best) {
      views.push(
        ['graph', best.rounds.length > 1 ? 'Rounds' : 'Graph', () => h('div', null, viewer(best), overHardware(job))],
        ['matrix', 'Weights', () => heat(best, 0)],
      );
    }
  }
  if (answer.advice) views.push(['choices', 'Alternatives', () => choices.panel(answer.advice)]);
  views.push(
    [
      'alternatives',
      answer.advice ? 'Speed of agreement' : 'Alternatives',
      () => alternatives.panel(answer.alternatives),
    ],
    ['error', 'Error over time', () => errors(answer)],
  );
  if (answer.plan) {
    views.push(
      ['whatif', 'What if', () => whatif.panel(job, cluster, answer)],
      ['learning', 'Learning', () => learn.panel(answer, cluster, spec)],
    );
  }
  return views;
}

function why(answer) {
  return h(
    'div',
    null,
    answer.advice ? choices.notes(answer.advice) : null,
    answer.advice ? h('h3', null, 'The best static graph') : null,
    answer.reasons?.length
      ? answer.reasons.map((r) => h('p', null, r))
      : h('p', null, answer.plan.claims.bound?.detail ?? ''),
    answer.left_out?.length
      ? h(
          'details',
          null,
          h('summary', null, 'What was left out'),
          h(
            'ul',
            null,
            answer.left_out.map((l) => h('li', null, l)),
          ),
        )
      : null,
  );
}

function facts(plan) {
  const c = plan.claims;
  const edges = plan.rounds?.length === 1 ? plan.rounds[0].edges.length : null;
  return h(
    'dl',
    { class: 'facts' },
    [
      edges === null
        ? ['rounds', String(plan.rounds?.length ?? 1), 'used in turn']
        : ['edges', String(edges), `at most ${count(c.max_degree, 'neighbour')}`],
      [
        'to agreement',
        c.iterations ? duration(c.time_ms) : 'never',
        `${count(c.iterations, 'round')} of ${number(c.communication_ms)} ms`,
      ],
      ['left per round', number(c.r_asym), 'of the disagreement'],
      [
        'gap',
        c.gap === null || c.gap === undefined ? '–' : `${number(100 * c.gap)} %`,
        'at most above the best possible for these edges',
      ],
    ].map(([label, value, note]) => h('div', null, h('dt', null, label), h('dd', null, value, h('small', null, note)))),
  );
}

function downloads(job) {
  return h(
    'ul',
    { class: 'downloads', 'aria-label': 'Files to take home' },
    files
      .filter(([name]) => job.files.includes(name))
      .map(([name, title]) =>
        h('li', null, h('a', { href: fileOf(job.id, name), download: name, class: 'button' }, title)),
      ),
  );
}

// overHardware shows the server's drawing of the plan on its machines, when it is opened.
function overHardware(job) {
  if (!job.files.includes('graph.svg')) return null;
  const holder = h('div', { class: 'drawing' });
  return h(
    'details',
    {
      ontoggle: async (e) => {
        if (e.target.open && !holder.firstChild) holder.append(picture(await text(fileOf(job.id, 'graph.svg'))));
      },
    },
    h('summary', null, 'Drawn over the hardware'),
    holder,
  );
}

// besides are pens that the plan's own, vermilion, is not among.
const besides = (k) => {
  const pen = penOf(k);
  return pen.colour === 'vermilion' ? { colour: 'ink', dash: pen.dash } : pen;
};

// errors is the consensus error of every alternative, with boxes to switch them.
function errors(answer) {
  const target = answer.plan?.question.target_error ?? answer.target_error;
  const usual = ['ring', 'exponential', 'ring all-reduce', 'one-peer-exponential'];
  // Exact averages fall to the lower edge, a little below the target.
  const curves = answer.curves.map((c, k) => ({
    name: c.name,
    recommended: c.recommended,
    strong: c.recommended,
    pen: c.recommended ? { colour: 'vermilion', dash: '' } : besides(k),
    points: c.points.map(([t, e]) => [t, Math.max(e, target / 20)]),
    on: c.recommended || usual.includes(c.name) || answer.curves.length < 6,
  }));
  const chart = h('div');
  const redraw = () =>
    chart.replaceChildren(
      lines({
        title: 'Consensus error over time',
        x: { label: 'time, ms' },
        y: { label: 'disagreement', log: true },
        curves: curves.filter((c) => c.on),
        level: { name: `target ${number(target)}`, value: target },
      }),
    );
  redraw();
  const all = (on) => () => {
    curves.forEach((c) => {
      c.on = on || c.recommended;
    });
    list.replaceChildren(legend(curves, redraw));
    redraw();
  };
  const list = h('div', null, legend(curves, redraw));
  return h(
    'div',
    null,
    chart,
    h(
      'p',
      { class: 'controls' },
      h('button', { type: 'button', onclick: all(true) }, 'Show all'),
      h('button', { type: 'button', onclick: all(false) }, 'Only the plan'),
    ),
    list,
  );
}
