// Sliders that price the alternatives again under another load, without any search.
import { h, number, duration } from './dom.js';
import { post } from './api.js';
import { scatter, table } from './alternatives.js';
import * as choices from './choices.js';

// A slider is logarithmic between two values.
function slider(label, unit, value, low, high, changed) {
  const from = Math.log10(low);
  const to = Math.log10(high);
  const shown = h('output', null);
  const input = h('input', {
    type: 'range',
    min: 0,
    max: 100,
    step: 1,
    'aria-label': label,
    value: String(Math.round((100 * (Math.log10(Math.max(low, Math.min(high, value))) - from)) / (to - from))),
    oninput: () => {
      say();
      changed();
    },
  });
  let exact = value; // until it is moved
  const read = () => exact ?? 10 ** (from + ((to - from) * input.value) / 100);
  const say = () => {
    shown.textContent = `${number(read())} ${unit}`;
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  input.addEventListener('input', () => {
    exact = null;
    say();
  });
  say();
  return { read, element: h('label', { class: 'slider' }, h('span', null, label), input, shown) };
}

// skews is a slider from evenly spread classes to a few classes at each machine.
function skews(value, changed) {
  const shown = h('output', null);
  const read = () => (Number(input.value) === 0 ? 0 : 10 ** (1 - input.value / 50));
  const say = () => {
    shown.textContent = read() === 0 ? 'none' : `Dirichlet ${number(read())}`;
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  const input = h('input', {
    type: 'range',
    min: 0,
    max: 100,
    step: 5,
    'aria-label': 'Skew of the data',
    value: value ? String(Math.round(50 * (1 - Math.log10(value)))) : '0',
    oninput: () => {
      say();
      changed();
    },
  });
  say();
  return { read, element: h('label', { class: 'slider' }, h('span', null, 'Skew of the data'), input, shown) };
}

export function panel(job, cluster, answer) {
  const out = h('div', { 'aria-live': 'polite' }, h('p', { class: 'hint' }, 'Move a slider to see what would change.'));
  let timer = null;
  let latest = 0;
  const price = async () => {
    const mine = ++latest;
    try {
      const priced = await post(`/api/jobs/${job.id}/prices`, {
        message_mb: message.read(),
        compute_ms: compute.read(),
        latency_ms: latency.read(),
        ...(skew ? { skew: skew.read() } : {}),
      });
      if (mine === latest) out.replaceChildren(...(priced.advice ? advised(priced) : show(priced.alternatives)));
    } catch (error) {
      if (mine === latest) out.replaceChildren(h('p', { class: 'error' }, error.message));
    }
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(price, 150);
  };
  const message = slider('Message', 'MB', cluster.message_mb, 0.01, 10000, changed);
  const compute = slider('Computation between rounds', 'ms', cluster.compute_ms, 0.1, 10000, changed);
  const latency = slider('Latency of every edge', 'ms', cluster.latency_ms, 0.001, 1000, changed);
  const skew = answer.advice ? skews(job.request.skew, changed) : null;
  const all = [message, compute, latency, skew].filter(Boolean).map((one) => one.element);
  return h('div', null, h('div', { class: 'sliders' }, all), out);
}

const advised = (priced) => [h('p', { class: 'sentence' }, priced.sentence), choices.panel(priced.advice)];

function show(all) {
  const best = all.find((a) => a.recommended);
  const soonest = all.find((a) => a.iterations);
  const says = best
    ? `Of the plans that were searched for: ${best.name}, ${best.iterations} rounds of ` +
      `${number(best.communication_ms)} ms, ${duration(best.time_ms)} to agreement.`
    : 'None of the plans that were searched for is ahead of all-reduce here.';
  const ahead =
    soonest && !soonest.recommended ? ` Soonest of all: ${soonest.name}, ${duration(soonest.time_ms)}.` : '';
  return [h('p', { class: 'sentence' }, says + ahead), scatter(all), table(all)];
}
