// Learning curves on the digits: the plan and some known topologies train the same small network.
import { h, field, number, duration } from './dom.js';
import { legend, penOf } from './chart.js';
import { plot } from './curves.js';
import { post } from './api.js';
import { beside } from './live.js';

// What train calls them, and by which name the alternatives list them.
const offered = [
  ['ring', 'ring'],
  ['exponential', 'exponential'],
  ['one-peer-exponential', 'one-peer-exponential'],
  ['all-reduce', 'ring all-reduce'],
];

export function panel(job, answer) {
  // What is recommended, unchanged: its every, order and overlap too.
  const plans = [{ name: 'plan', plan: answer.plan }];
  const iterations = h('input', { type: 'number', min: 10, max: 5000, step: 10, value: 200 });
  const skew = h(
    'select',
    null,
    [
      ['0', 'none: every machine has all classes'],
      ['1', 'some'],
      ['0.1', 'strong: few classes at each'],
    ].map(([value, title]) => h('option', { value }, title)),
  );
  const known = answer.alternatives.map((a) => a.name);
  const boxes = offered
    .filter(([, listed]) => known.includes(listed))
    .map(([name]) => [name, h('input', { type: 'checkbox', checked: true })]);
  const view = h('div', { 'aria-live': 'polite' });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'main',
      id: 'train',
      onclick: async () => {
        button.disabled = true;
        try {
          const training = await post('/api/train', {
            cluster: job.request.cluster, // of the answer that is shown, whatever the form says now
            plans,
            baselines: boxes.filter(([, b]) => b.checked).map(([n]) => n),
            iterations: iterations.valueAsNumber,
            skew: Number(skew.value),
          });
          await show(training, view);
        } catch (error) {
          view.replaceChildren(h('p', { class: 'error' }, error.message));
        }
        button.disabled = false;
      },
    },
    'Train',
  );
  return h(
    'div',
    null,
    h(
      'p',
      null,
      'Every machine trains a small network on its own part of 1797 handwritten digits and averages as the plan says. ',
      'Time is what these machines would need, messages of the size above included.',
    ),
    h('div', { class: 'fields' }, field('Iterations', iterations), field('Non-IID data (skew)', skew)),
    h(
      'fieldset',
      { class: 'choice' },
      h('legend', null, 'Beside the plan'),
      boxes.map(([name, box]) => h('label', null, box, name)),
    ),
    button,
    view,
  );
}

async function show(job, view) {
  const curves = new Map();
  const chart = errors();
  const begin = (says) => {
    curves.clear();
    const test = (t) => {
      if (!curves.has(t.run)) curves.set(t.run, []);
      curves.get(t.run).push([t.time_ms / 1000, 1 - t.accuracy]);
      says.textContent = `iteration ${t.iteration}`;
      chart.show([...curves].map(([name, points], k) => ({ name, points, pen: penOf(k), strong: k === 0 })));
    };
    return { test };
  };
  const found = await beside(job, view, begin, chart.element);
  if (found) view.replaceChildren(...finished(found[1]));
}

const errors = () =>
  plot({ title: 'Test error over predicted time', x: { label: 'predicted time, s' }, y: { label: 'test error' } });

function finished(answer) {
  const curves = answer.ends.map((end, k) => ({
    name: end.run,
    on: true,
    strong: k === 0,
    pen: penOf(k),
    note: end.time_ms_to_target
      ? `${number(100 * answer.start.target)} % after ${duration(end.time_ms_to_target)}`
      : 'target not reached',
    points: answer.tests.filter((t) => t.run === end.run).map((t) => [t.time_ms / 1000, 1 - t.accuracy]),
  }));
  const chart = errors();
  const redraw = () => chart.show(curves.filter((c) => c.on));
  redraw();
  return [chart.element, legend(curves, redraw)];
}
