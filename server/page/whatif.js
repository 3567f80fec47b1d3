// Sliders that price the alternatives again under another load, without any search.
import { h, number, duration } from './dom.js';
import { post } from './api.js';
import { scatter, table } from './alternatives.js';

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

export function panel(job, cluster) {
  const out = h('div', { 'aria-live': 'polite' }, h('p', { class: 'hint' }, 'Move a slider to see what would change.'));
  let timer = null;
  let latest = 0;
  const price = async () => {
    const mine = ++latest;
    try {
      const { alternatives } = await post(`/api/jobs/${job.id}/prices`, {
        message_mb: message.read(),
        compute_ms: compute.read(),
        latency_ms: latency.read(),
      });
      if (mine === latest) out.replaceChildren(...show(alternatives));
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
  return h('div', null, h('div', { class: 'sliders' }, message.element, compute.element, latency.element), out);
}

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
