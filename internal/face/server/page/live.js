// A job at work: how far it is, and the best value against what is proved.
import { h, byId, number } from './dom.js';
import { penOf } from './chart.js';
import { plot } from './curves.js';
import { post, result, watch } from './api.js';

let leaving = () => {};

// leave stops watching; the code that waits for the job gets null.
export const leave = () => leaving();

// follow shows a job until it ends and returns the finished job, or null when it was left.
export function follow(job) {
  leave();
  const section = byId('live');
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
  const says = h(
    'p',
    { class: 'says', 'aria-live': 'polite' },
    job.state === 'waiting' ? 'Waiting for its turn …' : 'Starting …',
  );
  const trouble = h('p', { class: 'error', role: 'status' });
  const facts = h('dl', { class: 'facts' });
  const chart = h('div');
  section.replaceChildren(h('h2', { id: 'live-title' }, 'Searching'), says, bar, trouble, stop(job, says), facts, chart);
  section.hidden = false;
  const watching = watch(
    job.id,
    () => views({ bar, says, facts, chart }),
    (text) => {
      trouble.textContent = text;
    },
  );
  leaving = watching.leave;
  return watching.ended;
}

// stop is a button that ends a job.
function stop(job, says) {
  const cancel = h(
    'button',
    {
      type: 'button',
      class: 'cancel',
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
  return h('p', null, cancel);
}

// beside shows a job within a view of another's answer, above what more there is to see, and returns it with what it
// found; null when the view was left. begin returns handlers by the names of events, which may say how far it is.
export async function beside(job, view, begin, ...more) {
  const says = h('p', { class: 'says' }, 'Waiting for its turn …');
  view.replaceChildren(says, stop(job, says), ...more);
  const { ended, leave } = watch(
    job.id,
    () => begin(says),
    (text) => {
      if (text) says.textContent = text;
      if (!view.isConnected) leave();
    },
  );
  const done = await ended;
  if (!done || !view.isConnected) return null;
  if (done.state !== 'done') throw new Error(done.error || `The job was ${done.state}.`);
  return [done, await result(job.id)];
}

// early says that a job was stopped before its end.
export const early = (job) =>
  job.stopped ? h('p', { class: 'hint' }, `It was stopped early (${job.stopped}); this is the best it had.`) : null;

// views returns what to do with each event.
function views(to) {
  const improved = []; // of one budget: time, value and bound at each improvement
  const found = []; // plans of a sweep
  let known = {}; // the latest value and bound
  let chart = null;
  const chartOf = (label) => {
    if (!chart) {
      chart = values(label);
      to.chart.replaceChildren(chart.element);
    }
    return chart;
  };
  const at = (step) => ({ x: step.elapsed_ms / 1000, best: step.best, bound: step.bound });
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
      const where = step.budgets ? `Edge budget ${step.budget} of ${step.budgets}: ` : '';
      to.says.textContent = `${where}${step.phase}${step.total ? `, ${step.done} of ${step.total}` : ''}`;
      if (step.best === null) return; // 0 is exact
      tell(step);
      if (!step.budgets && improved.length > 0) chartOf('seconds').show([...improved, at(step)]);
    },
    improved: (step) => {
      tell(step);
      if (step.budgets) return; // a sweep is shown by its plans
      improved.push(at(step));
      chartOf('seconds').show(improved);
    },
    found: (find) => {
      found.push(find);
      tell({ best: find.r_asym, bound: find.bound });
      const byEdges = new Map(found.map((f) => [f.edges, { x: f.edges, best: f.r_asym, bound: f.bound }]));
      chartOf('edges').show([...byEdges.values()].sort((a, b) => a.x - b.x));
    },
  };
}

// values returns a chart of what was reached and what is proved: show draws points {x, best, bound}.
function values(label) {
  const chart = plot({
    title: 'Best value and proved bound',
    x: { label },
    y: { label: 'consensus error left per round' },
  });
  const curve = (points, key) => points.map((p) => [p.x, p[key]]).filter((p) => p[1] !== null && p[1] !== undefined);
  const show = (points) =>
    chart.show([
      { name: 'best so far', points: curve(points, 'best'), pen: penOf(0), strong: true },
      { name: 'proved bound', points: curve(points, 'bound'), pen: { colour: 'vermilion', dash: '7 3' } },
    ]);
  const caption = h('figcaption', null, 'Solid: the best found. Dashed: proved, no graph of as many edges is lower.');
  return { element: h('figure', null, chart.element, caption), show };
}

function facts(step) {
  const gap = step.best !== undefined && step.bound ? `${number(100 * (step.best / step.bound - 1))} %` : '–';
  return [
    ['value', number(step.best), 'of the consensus error is left after a round'],
    ['bound', number(step.bound), 'no graph of this many edges is lower'],
    ['gap', gap, 'at most above the best possible'],
  ].map(([label, value, note]) => h('div', null, h('dt', null, label), h('dd', null, value, h('small', null, note))));
}
