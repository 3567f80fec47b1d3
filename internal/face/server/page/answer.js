// The answer of a job: a sentence, numbers, files to take home, and ways to look at it.
import { h, byId, number, duration, picture, tabs, count } from './dom.js';
import { legend, penOf } from './chart.js';
import { plot } from './curves.js';
import { fileOf, result, text } from './api.js';
import { early } from './live.js';
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
  ['result.json', 'All numbers (JSON)'],
];

// show shows what a finished job found. tab is the one to open, chosen hears of others.
export async function show(job, tab, chosen) {
  const section = byId('answer');
  const title = h('h2', { id: 'answer-title', tabindex: -1 }, 'Answer');
  section.hidden = false;
  if (job.state !== 'done') {
    section.replaceChildren(title, h('p', { class: 'error', role: 'alert' }, job.error || `The job was ${job.state}.`));
    return;
  }
  const answer = await result(job.id);
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
      answer.advice ? [choices.why(answer.advice), choices.chart(answer.advice)] : null,
      early(job),
      answer.plan || answer.advice ? facts(answer) : null,
      downloads(job),
      list,
      panel,
    ]
      .flat()
      .filter(Boolean),
  );
  const views = viewsOf(job, answer);
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
  return `Fastest of ${all} known topologies: ${first.name}, ${duration(first.time_ms)} to consensus.`;
}

function viewsOf(job, answer) {
  const views = [];
  if (job.kind !== 'compare') views.push(['why', 'Why', () => why(job, answer)]);
  if (job.files.includes('graph.svg')) views.push(['graph', 'Graph', () => drawing(job)]);
  if (answer.advice) views.push(['choices', 'Alternatives', () => choices.panel(answer.advice)]);
  if (answer.alternatives.length && aboutGraphs(answer)) {
    views.push(
      [
        'alternatives',
        answer.advice ? 'Speed of consensus' : 'Alternatives',
        () => alternatives.panel(answer.alternatives, answer.advice ? 'static graph of the search' : 'recommended'),
      ],
      ['error', 'Error over time', () => errors(answer)],
    );
  }
  if (job.kind !== 'compare') views.push(['whatif', 'What if', () => whatif.panel(job, answer)]);
  if (answer.plan) views.push(['learning', 'Learning', () => learn.panel(job, answer)]);
  return views;
}

function proved(bound) {
  if (!bound) return h('p', null, 'There is no proved bound for this number of edges.');
  return h('p', null, `No graph within these limits leaves less than ${number(bound.r_asym)} of the error per round: ${bound.detail}.`);
}

// aboutGraphs reports whether a static graph is the answer. What the search found about others does not matter then.
const aboutGraphs = (answer) => !answer.advice || answer.advice.candidates.find((c) => c.recommended)?.kind === 'static';

const graphReasons = (answer) =>
  answer.reasons?.length ? answer.reasons.map((r) => h('p', null, r)) : proved(answer.plan.claims.bound);

function why(job, answer) {
  return h(
    'div',
    null,
    answer.advice ? choices.notes(answer.advice) : null,
    aboutGraphs(answer) && answer.advice ? h('h3', null, 'The static graph of the search') : null,
    aboutGraphs(answer) ? graphReasons(answer) : null,
    answer.left_out?.length
      ? h('details', null, h('summary', null, 'What was left out'), choices.list(answer.left_out))
      : null,
  );
}

// facts are the numbers of an answer: of an advice about training what decides it, else those of the plan.
function facts(answer) {
  const chosen = answer.advice?.candidates.find((c) => c.recommended);
  const all = chosen ? choices.facts(chosen, answer.advice) : planFacts(answer.plan);
  return h(
    'dl',
    { class: 'facts' },
    all.map(([label, value, note]) => h('div', null, h('dt', null, label), h('dd', null, value, h('small', null, note)))),
  );
}

// percent shows a share below a millionth, which is a rounding error, as 0.
function percent(v) {
  if (v === null || v === undefined) return '–';
  return `${v < 1e-6 ? 0 : number(100 * v)} %`;
}

function planFacts(plan) {
  const c = plan.claims;
  const edges = plan.rounds?.length === 1 ? plan.rounds[0].edges.length : null;
  return [
    edges === null
      ? ['rounds', String(plan.rounds?.length ?? 1), 'used in turn']
      : ['edges', String(edges), `at most ${count(c.max_degree, 'neighbour')}`],
    [
      'to agreement',
      c.iterations ? duration(c.time_ms) : 'never',
      `${count(c.iterations, 'round')} of ${number(c.communication_ms)} ms`,
    ],
    ['left per round', number(c.r_asym), 'of the consensus error'],
    ['gap', percent(c.gap), 'at most above the best possible for these edges'],
  ];
}

function downloads(job) {
  return h(
    'ul',
    { class: 'downloads', 'aria-label': 'Downloads' },
    files
      .filter(([name]) => job.files.includes(name))
      .map(([name, title]) =>
        h('li', null, h('a', { href: fileOf(job.id, name), download: name, class: 'button' }, title)),
      ),
  );
}

// drawing shows the plan as the server draws it, over its machines where they have a shape.
function drawing(job) {
  const holder = h('div', { class: 'drawing', tabindex: 0 });
  text(fileOf(job.id, 'graph.svg')).then(
    (svg) => holder.replaceChildren(picture(svg)),
    (error) => holder.replaceChildren(h('p', { class: 'error' }, error.message)),
  );
  return holder;
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
  // All-reduces fall to the lower edge, a little below the target.
  const curves = answer.curves.map((c, k) => ({
    name: c.name,
    recommended: c.recommended,
    strong: c.recommended,
    pen: c.recommended ? { colour: 'vermilion', dash: '' } : besides(k),
    points: c.points.map(([t, e]) => [t, Math.max(e, target / 20)]),
    on: c.recommended || usual.includes(c.name) || answer.curves.length < 6,
  }));
  const chart = plot({
    title: 'Consensus error over time',
    x: { label: 'time, ms' },
    y: { label: 'consensus error', log: true },
    level: { name: `target ${number(target)}`, value: target },
  });
  const redraw = () => chart.show(curves.filter((c) => c.on));
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
    chart.element,
    h(
      'p',
      { class: 'controls' },
      h('button', { type: 'button', onclick: all(true) }, 'Show all'),
      h('button', { type: 'button', onclick: all(false) }, 'Only the plan'),
    ),
    list,
  );
}
