// A job at work: how far it is, the best value against what is proved, and the best graph so far.
import { h, byId, number, duration } from './dom.js';
import { lines, penOf } from './chart.js';
import { post, watch } from './api.js';
import { draw } from './graph.js';

// follow shows a job until it ends and returns the finished job.
export function follow(job) {
  const section = byId('live');
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
  const says = h(
    'p',
    { class: 'says', 'aria-live': 'polite' },
    job.state === 'waiting' ? 'Waiting for its turn …' : 'Starting …',
  );
  const facts = h('dl', { class: 'facts' });
  const chart = h('div');
  const graph = h('figure');
  const cancel = h(
    'button',
    {
      type: 'button',
      id: 'cancel',
      onclick: async () => {
        cancel.disabled = true;
        says.textContent = 'Stopping; the best so far is kept …';
        try {
          await post(`/api/jobs/${job.id}/cancel`);
        } catch (error) {
          says.textContent = error.message;
        }
      },
    },
    'Stop, and keep the best so far',
  );
  section.replaceChildren(
    h('h2', { id: 'live-title' }, 'Searching'),
    says,
    bar,
    h('p', null, cancel),
    facts,
    h('div', { class: 'two' }, chart, graph),
  );
  section.hidden = false;
  const show = views({ bar, says, facts, chart, graph });
  return new Promise((resolve) => {
    const stop = watch(job.id, { ...show, end: (ended) => resolve(ended) });
    section.addEventListener('leave', stop, { once: true });
  });
}

// views returns what to do with each event.
function views(to) {
  const improved = []; // of one budget: value and bound after each improvement
  const found = []; // plans of a sweep
  const tests = new Map(); // of a training: name → points
  let known = {}; // the latest value and bound
  const tell = (now) => {
    known = { best: now.best ?? known.best, bound: now.bound ?? known.bound };
    to.facts.replaceChildren(...facts(known));
  };
  return {
    state: () => {
      to.says.textContent = 'Running …';
    },
    step: (step) => {
      const within = step.total ? step.done / step.total : 0;
      to.bar.value = step.budgets ? (step.budget - 1 + within) / step.budgets : within;
      const where = step.budgets ? `budget ${step.budget} of ${step.budgets}, ` : '';
      to.says.textContent = `${where}${step.phase}${step.total ? `, ${step.done} of ${step.total}` : ''}`;
      if (step.best) tell(step);
    },
    improved: (step) => {
      tell(step);
      if (step.budgets) return; // a sweep is shown by its plans
      improved.push(step);
      to.chart.replaceChildren(
        values(
          'improvements',
          improved.map((p, k) => ({ x: k + 1, best: p.best, bound: p.bound })),
        ),
      );
    },
    found: (find) => {
      found.push(find);
      tell({ best: find.r_asym, bound: find.bound });
      const byEdges = new Map(found.map((f) => [f.edges, { x: f.edges, best: f.r_asym, bound: f.bound }]));
      to.chart.replaceChildren(
        values(
          'edges',
          [...byEdges.values()].sort((a, b) => a.x - b.x),
        ),
      );
      const soonest = found.filter((f) => f.time_ms > 0).reduce((a, b) => (a && a.time_ms <= b.time_ms ? a : b), null);
      if (!find.graph) return;
      to.graph.replaceChildren(
        draw(find.graph, 0),
        h(
          'figcaption',
          null,
          `Latest: ${find.edges} edges, ${duration(find.time_ms)} to agreement.`,
          soonest ? ` Soonest so far: ${soonest.edges} edges, ${duration(soonest.time_ms)}.` : '',
        ),
      );
    },
    test: (test) => {
      if (!tests.has(test.run)) tests.set(test.run, []);
      tests.get(test.run).push([test.time_ms / 1000, 1 - test.accuracy]);
      to.says.textContent = `iteration ${test.iteration}: ${test.run} has ${number(100 * test.accuracy)} % right`;
      to.chart.replaceChildren(
        lines({
          title: 'Test error over predicted time',
          x: { label: 'predicted time, s' },
          y: { label: 'test error' },
          curves: [...tests].map(([name, points], k) => ({ name, points, pen: penOf(k) })),
        }),
      );
    },
  };
}

// values draws what was reached and what is proved.
function values(label, points) {
  const curve = (key) => points.map((p) => [p.x, p[key]]).filter((p) => p[1] !== null && p[1] !== undefined);
  return h(
    'figure',
    null,
    lines({
      title: 'Best value and proved bound',
      x: { label },
      y: { label: 'disagreement left per round' },
      curves: [
        { name: 'best so far', points: curve('best'), pen: penOf(0), strong: true },
        { name: 'proved bound', points: curve('bound'), pen: { colour: 'vermilion', dash: '7 3' } },
      ],
    }),
    h('figcaption', null, 'Solid: the best found. Dashed: proved, no graph of as many edges is lower.'),
  );
}

function facts(step) {
  const gap = step.best && step.bound ? `${number(100 * (step.best / step.bound - 1))} %` : '–';
  return [
    ['value', number(step.best), 'of the disagreement is left after a round'],
    ['bound', number(step.bound), 'no graph of this many edges is lower'],
    ['gap', gap, 'at most above the best possible'],
  ].map(([label, value, note]) => h('div', null, h('dt', null, label), h('dd', null, value, h('small', null, note))));
}
