// What is asked about the machines: the load, what for, how long to search, and on request how.
import { h, byId, field } from './dom.js';

const efforts = { quick: 50000, usual: 0, long: 100000000 };

// What a new page asks. All of it is text, as in the form and in the address.
export const defaults = {
  purpose: 'training',
  optimizer: '',
  batches: 'equal',
  skew: '0',
  effort: 'usual',
  edges: '',
  degree: '',
  method: 'auto',
  seed: '',
};

const choices = {
  purpose: [
    ['training', 'train a model'],
    ['consensus', 'agree soonest'],
    ['rate', 'mix fastest'],
  ],
  optimizer: [
    ['', 'the usual one'],
    ['adamw', 'AdamW'],
    ['sgd', 'SGD'],
  ],
  batches: [
    ['equal', 'equal'],
    ['speed', 'by speed'],
  ],
  skew: [
    ['0', 'none'],
    ['1', 'some'],
    ['0.1', 'strong'],
  ],
  effort: [
    ['quick', 'quickly'],
    ['usual', 'as usual'],
    ['long', 'minutes'],
  ],
  method: [
    ['auto', 'whatever suits'],
    ['lift', 'symmetric graphs'],
    ['swap', 'swaps of edges'],
    ['admm', 'ADMM'],
    ['paper', 'ADMM as published'],
  ],
};

// What was measured on the machines, as batopo.trial wrote it; null: nothing.
let trial = null;

async function readTrial(input) {
  trial = null;
  input.setCustomValidity('');
  if (!input.files[0]) return;
  try {
    trial = JSON.parse(await input.files[0].text());
  } catch {
    input.setCustomValidity('This is no JSON; batopo.trial writes trial.json.');
    input.reportValidity();
  }
}

// form makes the form; changed is called when the load, and when anything else is changed.
export function form(state, loaded, changed) {
  const load = (id) => h('input', { type: 'number', id, min: 0, step: 'any', required: true, onchange: loaded });
  const keep = (key) => (e) => {
    state[key] = e.target.value;
    suit(state);
    changed();
  };
  const choice = (key) =>
    h(
      'select',
      { id: key, onchange: keep(key) },
      choices[key].map(([value, title]) => h('option', { value }, title)),
    );
  const whole = (key, min, max) => h('input', { type: 'number', id: key, min, max, step: 1, onchange: keep(key) });
  byId('question-form').append(
    h(
      'div',
      { class: 'fields' },
      field('Model, MB', load('message-mb'), 'float32: 4 bytes a parameter'),
      field('Computation, ms', load('compute-ms'), 'of a step, between two averages'),
      field('What for', choice('purpose')),
      field('Optimizer', choice('optimizer'), 'usual: AdamW; SGD with skew'),
      field('Batches', choice('batches'), 'by speed: all machines compute equally long'),
      field('Non-IID data (skew)', choice('skew'), 'do machines see different classes?'),
      field('How long to search', choice('effort')),
    ),
    h(
      'details',
      { id: 'advanced' },
      h('summary', null, 'Limits and method of the search'),
      h(
        'div',
        { class: 'fields' },
        field('Target error', load('target'), 'consensus error that counts as agreed; not for training'),
        field('Edges, at most', whole('edges', 1), 'of the whole graph; empty: it chooses'),
        field('Peers, at most', whole('degree', 1), 'of one machine; empty: as many as pay'),
        field('Method', choice('method')),
        field('Seed', whole('seed', 1, Number.MAX_SAFE_INTEGER), 'the same seed gives the same plan; empty: 1'),
        field(
          'Trial',
          h('input', { type: 'file', id: 'trial', onchange: (e) => readTrial(e.target).then(changed) }),
          'trial.json of batopo.trial: the machines are corrected by what was measured',
        ),
      ),
    ),
  );
  fill(state);
}

// fill shows a state in the form.
export function fill(state) {
  for (const key of Object.keys(defaults)) byId(key).value = state[key];
  if (state.edges || state.degree || state.seed || state.method !== 'auto') byId('advanced').open = true;
  suit(state);
}

// trained is what only training depends on.
const trained = ['optimizer', 'batches', 'skew'];

// suit asks only for what the purpose needs.
function suit(state) {
  const rate = state.purpose === 'rate';
  byId('edges').required = rate;
  if (rate) byId('advanced').open = true;
  for (const key of trained) byId(key).disabled = state.purpose !== 'training';
}

// request is the job that the form asks for, on a cluster.
export function request(state, cluster) {
  const number = (key, name) => (state[key] ? { [name]: Number(state[key]) } : {});
  const question = {
    cluster,
    ...number('edges', 'max_edges'),
    ...number('degree', 'max_degree'),
    ...number('seed', 'seed'),
    ...(state.method === 'auto' ? {} : { method: state.method }),
    ...(efforts[state.effort] ? { evaluations: efforts[state.effort] } : {}),
  };
  if (state.purpose === 'rate') return ['optimize', question];
  const training = {
    ...(state.optimizer ? { optimizer: state.optimizer } : {}),
    ...(state.batches === 'speed' ? { balance: true } : {}),
    ...(state.skew === '0' ? {} : { skew: Number(state.skew) }),
  };
  const { purpose } = state;
  return ['plan', { ...question, purpose, ...(purpose === 'training' ? training : {}), ...(trial ? { trial } : {}) }];
}

// recall takes from a job what it was asked.
export function recall(job, state) {
  if (job.kind !== 'plan' && job.kind !== 'optimize') return;
  const r = job.request;
  const effort = Object.keys(efforts).find((key) => efforts[key] === (r.evaluations ?? 0));
  Object.assign(state, {
    purpose: job.kind === 'optimize' ? 'rate' : (r.purpose ?? (r.static ? 'consensus' : 'training')),
    optimizer: r.optimizer ?? '',
    batches: r.balance ? 'speed' : 'equal',
    skew: String(r.skew ?? 0),
    effort: effort ?? state.effort,
    edges: String(r.max_edges ?? ''),
    degree: String(r.max_degree ?? ''),
    method: r.method ?? 'auto',
    seed: String(r.seed ?? ''),
  });
  trial = null;
  recallTrial(job);
  byId('trial').value = '';
  fill(state);
}

// recallTrial takes the trial of a job, unless the user has chosen one.
export function recallTrial(job) {
  trial ??= job.request.trial ?? null;
}
