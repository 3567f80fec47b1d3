// The question of an answer again, with other numbers: a job like any other, whose answer is shown below the sliders.
import { h, number } from './dom.js';
import { fileOf, post, text, upload } from './api.js';
import { withNumbers } from './cluster.js';
import { beside, early } from './live.js';
import * as alternatives from './alternatives.js';
import * as choices from './choices.js';

// A slider has values from 0 to 100 and begins at a place; at(place) is its value, and what is said of it.
function slider(label, place, at) {
  const shown = h('output', null);
  let moved = false;
  const say = () => {
    shown.textContent = at(Number(input.value))[1];
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  const input = h('input', {
    type: 'range',
    min: 0,
    max: 100,
    'aria-label': label,
    value: String(place),
    oninput: () => {
      moved = true;
      say();
    },
  });
  say();
  const read = (key) => (moved ? { [key]: at(Number(input.value))[0] } : {});
  return { read, element: h('label', { class: 'slider' }, h('span', null, label), input, shown) };
}

// decades is a logarithmic slider from low to high; where it begins it has the value exactly.
function decades(label, unit, value, low, high) {
  const span = Math.log10(high / low);
  const start = Math.round((100 * Math.log10(Math.min(high, Math.max(low, value)) / low)) / span);
  return slider(label, start, (place) => {
    const v = place === start ? value : low * 10 ** ((span * place) / 100);
    return [v, `${number(v)} ${unit}`];
  });
}

// skews goes from evenly spread classes to a few classes at each machine.
const skews = (value) =>
  slider('Non-IID data (skew)', value ? Math.round(50 * (1 - Math.log10(value))) : 0, (place) => {
    const v = place ? 10 ** (1 - place / 50) : 0;
    return [v, v ? `Dirichlet ${number(v)}` : 'none'];
  });

// panel asks about the machines of the answer that is shown, as a trial and the options have corrected them, whatever
// the form says now.
export function panel(job, answer) {
  const holder = h('div', null, h('p', { class: 'hint' }, 'Reading the machines …'));
  const complain = (error) => holder.replaceChildren(h('p', { class: 'error' }, error.message));
  text(fileOf(job.id, 'cluster.yaml'))
    .then((yaml) => upload('/api/clusters/import?format=batopo', yaml))
    .then((machines) => holder.replaceChildren(...form(job, answer, machines)))
    .catch(complain);
  return holder;
}

function form(job, answer, machines) {
  const { trial, parameters, dtype, backend, ...question } = job.request; // cluster.yaml has what these say
  const numbers = {
    message_mb: decades('Message', 'MB', machines.message_mb, 0.01, 10000),
    latency_ms: decades('Latency of every edge', 'ms', machines.latency_ms, 0.001, 1000),
  };
  if (!machines.own_compute)
    numbers.compute_ms = decades('Computation of a step', 'ms', machines.compute_ms, 0.1, 10000);
  const options = answer.advice ? { skew: skews(job.request.skew) } : {};
  const read = (all) => Object.assign({}, ...Object.entries(all).map(([key, s]) => s.read(key)));
  const view = h('div', { 'aria-live': 'polite' });
  const ask = async () => {
    button.disabled = true;
    try {
      const cluster = withNumbers(machines, read(numbers));
      const asked = await post(`/api/${job.kind}`, { ...question, ...read(options), cluster });
      const found = await beside(asked, view, (says) => ({
        step: (step) => {
          says.textContent = step.phase;
        },
      }));
      if (found) view.replaceChildren(...shown(...found));
    } catch (error) {
      view.replaceChildren(h('p', { class: 'error' }, error.message));
    }
    button.disabled = false;
  };
  const button = h('button', { type: 'button', class: 'main', id: 'ask', onclick: ask }, 'What then?');
  const sliders = Object.values({ ...numbers, ...options }).map((s) => s.element);
  return [h('div', { class: 'sliders' }, sliders), h('p', null, button), view];
}

const shown = (job, { sentence, advice, alternatives: all }) =>
  [
    h('p', { class: 'sentence' }, sentence),
    early(job),
    ...(advice ? [choices.why(advice), choices.chart(advice), choices.panel(advice)] : [alternatives.panel(all)]),
  ].filter(Boolean);
