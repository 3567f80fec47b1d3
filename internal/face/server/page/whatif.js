// Sliders that price the alternatives again under another load, without any search.
import { h, number, duration } from './dom.js';
import { post } from './api.js';
import { scatter, table } from './alternatives.js';
import * as choices from './choices.js';

// A slider is logarithmic between two values. Without a value it stands for what differs from machine to machine.
function slider(label, unit, value, low, high, changed) {
  const from = Math.log10(low);
  const to = Math.log10(high);
  const place = (v) => Math.round((100 * (Math.log10(Math.max(low, Math.min(high, v))) - from)) / (to - from));
  const shown = h('output', null);
  let moved = false;
  const input = h('input', {
    type: 'range',
    min: 0,
    max: 100,
    step: 1,
    'aria-label': label,
    value: String(place(value ?? Math.sqrt(low * high))),
    oninput: () => {
      moved = true;
      say();
      changed();
    },
  });
  const read = () => (moved ? 10 ** (from + ((to - from) * input.value) / 100) : value);
  const say = () => {
    shown.textContent = read() === undefined ? 'as described' : `${number(read())} ${unit}`;
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  say();
  return { read, moved: () => moved, element: h('label', { class: 'slider' }, h('span', null, label), input, shown) };
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
    'aria-label': 'Non-IID data (skew)',
    value: value ? String(Math.round(50 * (1 - Math.log10(value)))) : '0',
    oninput: () => {
      say();
      changed();
    },
  });
  say();
  return { read, element: h('label', { class: 'slider' }, h('span', null, 'Non-IID data (skew)'), input, shown) };
}

// panel asks about the plans and the machines of the answer that is shown, whatever the form says now. What was not
// moved is left out, and so does not change: machines may differ in what they compute.
export function panel(job, answer) {
  const out = h('div', { 'aria-live': 'polite' }, h('p', { class: 'hint' }, 'Computing prices …'));
  const sliders = h('div', { class: 'sliders' });
  const skew = answer.advice ? skews(job.request.skew, changed) : null;
  let read = () => ({});
  let timer = null;
  let latest = 0;
  const price = async () => {
    const mine = ++latest;
    try {
      const priced = await post(`/api/jobs/${job.id}/prices`, { ...read(), ...(skew ? { skew: skew.read() } : {}) });
      if (mine !== latest) return;
      if (!sliders.firstChild) begin(priced.load);
      out.replaceChildren(...(priced.advice ? advised(priced) : show(priced.alternatives)));
    } catch (error) {
      if (mine === latest) out.replaceChildren(h('p', { class: 'error' }, error.message));
    }
  };
  function changed() {
    clearTimeout(timer);
    timer = setTimeout(price, 150);
  }
  // begin shows the load that the answer is for.
  function begin(load) {
    const all = {
      message_mb: slider('Message', 'MB', load.message_mb, 0.01, 10000, changed),
      compute_ms: slider('Computation between rounds', 'ms', load.compute_ms, 0.1, 10000, changed),
      latency_ms: slider('Latency of every edge', 'ms', load.latency_ms, 0.001, 1000, changed),
    };
    read = () => Object.fromEntries(Object.entries(all).flatMap(([key, s]) => (s.moved() ? [[key, s.read()]] : [])));
    sliders.append(...Object.values(all).map((s) => s.element), ...(skew ? [skew.element] : []));
  }
  price();
  return h('div', null, sliders, out);
}

const advised = ({ sentence, advice }) => [
  h('p', { class: 'sentence' }, sentence),
  choices.why(advice),
  choices.panel(advice),
];

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
