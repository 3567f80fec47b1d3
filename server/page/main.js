// The page: machines, a question, a search to watch, an answer. What is shown is also in the address, so that a link
// or a reload brings it back.
import { h, byId, field } from './dom.js';
import { get, post } from './api.js';
import * as machines from './cluster.js';
import * as live from './live.js';
import * as answers from './answer.js';
import * as recent from './recent.js';

const efforts = { quick: 50000, usual: 0, long: 2000000 };
const state = { job: null, tab: 'why', purpose: 'training', skew: '0', effort: 'quick', spec: null };

// The address holds the state as JSON in base64url.
function remember() {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const code = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  history.replaceState(null, '', `${location.pathname}#${code}`);
}

function recall() {
  if (location.hash.length < 3) return;
  try {
    const text = atob(location.hash.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    const kept = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))));
    for (const key of Object.keys(state)) if (kept[key] !== undefined) state[key] = kept[key];
  } catch {
    say('The link is damaged; it was cut off perhaps. Describe your machines below.');
  }
}

const say = (text) => {
  byId('message').textContent = text ?? '';
};

// withModel is the cluster with the message and the times of the form.
function withModel() {
  const spec = structuredClone(machines.cluster().cluster);
  const value = (name) => byId(name).valueAsNumber;
  spec.model = { ...spec.model, message_mb: value('message-mb'), target_error: value('target') };
  if (!spec.model.node_compute_ms) spec.model.compute_ms = value('compute-ms');
  return spec;
}

function form() {
  const input = (id, min) =>
    h('input', {
      type: 'number',
      id,
      min,
      step: 'any',
      required: true,
      onchange: () => {
        if (machines.cluster() && byId('question-form').checkValidity()) {
          state.spec = withModel();
          remember();
        }
      },
    });
  const choice = (key, options) =>
    h(
      'select',
      {
        id: key,
        onchange: (e) => {
          state[key] = e.target.value;
          remember();
        },
      },
      options.map(([value, title]) => h('option', { value, selected: state[key] === value }, title)),
    );
  byId('question-form').append(
    field('Model to average, MB', input('message-mb', 0), '4 bytes for each parameter in float32'),
    field('Computation per step, ms', input('compute-ms', 0), 'between two rounds of averaging'),
    field('Disagreement to reach', input('target', 0), 'agreed when no more is left'),
    field(
      'What for',
      choice('purpose', [
        ['training', 'train a model'],
        ['consensus', 'agree as fast as possible'],
      ]),
    ),
    field(
      'Skew of the data',
      choice('skew', [
        ['0', 'none'],
        ['1', 'some'],
        ['0.1', 'strong'],
      ]),
      'for training: do machines see different classes?',
    ),
    field(
      'How long to search',
      choice('effort', [
        ['quick', 'quickly'],
        ['usual', 'some ten seconds'],
        ['long', 'some minutes'],
      ]),
    ),
  );
  byId('question-form').addEventListener('submit', (event) => {
    event.preventDefault();
    run('plan');
  });
  byId('compare').addEventListener('click', () => run('compare'));
}

// run starts a job and shows it to its end.
async function run(kind) {
  say();
  if (!machines.cluster()) {
    say('Describe your machines first.');
    return;
  }
  if (!byId('question-form').reportValidity()) return;
  try {
    const spec = withModel();
    const request =
      kind === 'compare'
        ? { cluster: spec }
        : {
            cluster: spec,
            purpose: state.purpose,
            ...(state.purpose === 'training' && state.skew !== '0' ? { skew: Number(state.skew) } : {}),
            ...(efforts[state.effort] ? { evaluations: efforts[state.effort] } : {}),
          };
    byId('live').dispatchEvent(new Event('leave'));
    byId('answer').hidden = true;
    const job = await post(`/api/${kind}`, request);
    Object.assign(state, { job: job.id, spec, tab: kind === 'compare' ? 'alternatives' : 'why' });
    remember();
    await follow(job);
  } catch (error) {
    say(error.message);
  }
}

// follow shows a job at work, then its answer.
async function follow(job) {
  const over = job.state !== 'waiting' && job.state !== 'running';
  byId('live').scrollIntoView({ block: 'nearest' });
  const ended = over ? job : await live.follow(job);
  if (state.job !== job.id) return; // another one was started meanwhile
  byId('live').hidden = true;
  if (ended.state === 'waiting' || ended.state === 'running') {
    say('The server has stopped; the job goes on when it is started again.');
    return;
  }
  await answers.show(ended, machines.cluster(), withModel, state.tab, (tab) => {
    state.tab = tab;
    remember();
  });
}

// openJob brings a job back, with its machines.
async function openJob(id) {
  say();
  try {
    const job = await get(`/api/jobs/${id}`);
    if (job.request.cluster) await machines.restore(job.request.cluster);
    Object.assign(state, { job: id, spec: job.request.cluster ?? state.spec });
    remember();
    byId('answer').hidden = true;
    if (job.kind === 'train' || job.kind === 'simulate')
      say('This was a part of another result; its files can be fetched over the API.');
    else await follow(job);
  } catch (error) {
    say(error.message);
  }
}

function told(answer) {
  byId('message-mb').value = answer.message_mb;
  byId('compute-ms').value = answer.compute_ms;
  byId('target').value = answer.target_error;
  state.spec = answer.cluster;
  remember();
}

async function begin() {
  if (new URLSearchParams(location.search).has('token')) {
    // it is in a cookie now
    history.replaceState(null, '', location.pathname + location.hash);
  }
  recall();
  form();
  byId('recent-open').addEventListener('click', () => recent.open(openJob));
  byId('share').addEventListener('click', share);
  try {
    const info = await get('/api/info');
    byId('program').textContent = info.program;
    const { job, spec } = { ...state };
    await machines.begin(info, spec, told);
    if (job) await openJob(job);
  } catch (error) {
    say(error.message);
  }
}

async function share(event) {
  const button = event.currentTarget;
  remember();
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'It is in the address bar';
  }
  setTimeout(() => {
    button.textContent = 'Copy link';
  }, 3000);
}

begin();
