// What could be run to train fastest: why the answer is that, and all candidates as bars and as a table.
import { h, number } from './dom.js';
import { ranking } from './ranking.js';

// counted is what the cost of averaging less is counted in.
const counted = (advice) => (advice.optimizer === 'adamw' ? 'steps' : 'epochs');

// why says how fast the answer is, why it wins and how sure that is.
export const why = (advice) =>
  h(
    'div',
    { class: 'hint' },
    [
      advice.speed,
      `Why: ${advice.why}.`,
      `Confidence: ${advice.confidence}; ${advice.confidence_basis}.`,
      advice.assumed,
      `Memory: ${number(advice.memory_gb)} GB a GPU without activations.`,
      ...(advice.cautions ?? []),
    ].map((line) => h('p', null, line)),
  );

// chart has a bar for each of the best candidates: the progress of a synchronous step, in ms.
export function chart(advice) {
  const shown = advice.candidates.filter((c, k) => k < 8 || c.recommended || c.kind === 'ddp');
  const longest = Math.max(...shown.map((c) => c.progress_ms));
  return h(
    'figure',
    { class: 'bars' },
    h('figcaption', null, `Progress: ms a step × ${counted(advice)}; the shorter, the faster`),
    shown.map((c) =>
      h(
        'div',
        { class: c.recommended ? 'recommended' : null },
        h('span', null, c.name),
        h('meter', { min: 0, max: longest, value: c.progress_ms, 'aria-label': c.name }),
        h('span', null, `${number(c.progress_ms)} ms`),
      ),
    ),
  );
}

function how(c) {
  if (c.kind === 'alone') return 'one machine by itself';
  if (c.kind.startsWith('ddp')) return `in the backward pass, buckets of ${number(c.bucket_mb)} MB`;
  const words = [c.every > 1 ? `every ${c.every} steps` : 'every step'];
  if (c.overlap) words.push('overlapped with compute');
  return words.join(', ');
}

// facts are the numbers that decide for a choice: label, value, what it is.
export const facts = (c, advice) => [
  ['iteration', `${number(c.iteration_ms)} ms`, `computation and averaging, ${how(c)}`],
  ['averaging', `${number(c.communication_ms)} ms`, c.bottleneck ? `slowed by ${c.bottleneck}` : 'a round'],
  [counted(advice), `× ${c.relative_epochs.toFixed(2)}`, `the ${counted(advice)} of synchronous training`],
  ['progress', `${number(c.progress_ms)} ms`, 'for the progress of one synchronous iteration'],
];

function table(advice) {
  const slower = Math.round(100 * (advice.slower_links - 1));
  return ranking({
    label: 'Table of what could be run',
    caption:
      `In the order of the pessimistic time: links ${slower} % slower, ${counted(advice)} at the high end of their range. ` +
      `Among rows that are hardly apart the simplest is recommended.`,
    columns: [
      'row and what',
      'every',
      'ms/round',
      'ms/iteration',
      counted(advice),
      'progress, ms',
      'pessimistic, ms',
      'slowed by',
    ],
    rows: advice.candidates.map((c) => ({
      recommended: c.recommended,
      head: [`${c.row ? `${c.row} ` : ''}${c.name}`, h('small', null, c.recommended ? ' recommended' : c.tied ? ' a tie' : '')],
      cells: [
        how(c),
        number(c.communication_ms),
        number(c.iteration_ms),
        `× ${c.relative_epochs.toFixed(2)}`,
        number(c.progress_ms),
        number(c.pessimistic_ms),
      ],
      note: c.bottleneck,
    })),
  });
}

export const panel = (advice) =>
  h('div', null, h('p', { class: 'hint' }, advice.convergence_model), table(advice));

export const list = (lines) =>
  h(
    'ul',
    null,
    lines.map((line) => h('li', null, line)),
  );

// notes say what would change the recommendation, how to run it, and what it assumes.
export function notes(advice) {
  return h(
    'div',
    null,
    advice.changes ? [h('h3', null, 'What would change the answer'), list(advice.changes)] : null,
    h('h3', null, 'To run it'),
    h('pre', { tabindex: 0 }, [...advice.python, '', `# on the K-th host: ${advice.start}`].join('\n')),
    h('h3', null, 'Where the numbers come from'),
    list([advice.convergence_model, ...(advice.notes ?? [])]), // results of older programs have no notes
  );
}
