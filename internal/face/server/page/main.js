// The page: machines, a question, a search to watch, an answer. What is shown is also in the address, so that a link
// or a reload brings it back.
import { byId } from './dom.js';
import { get, over, post } from './api.js';
import * as machines from './cluster.js';
import * as live from './live.js';
import * as answers from './answer.js';
import * as question from './question.js';
import * as recent from './recent.js';

const state = { job: null, tab: 'why', spec: null, ...question.defaults };

// Whether the link or the user has filled the form. Then the job of the link does not change it.
let filled = false;

const longest = 100000; // bytes of a description that a link can hold; a job brings its own

// The address holds the state as JSON in base64url.
function remember() {
  const large = JSON.stringify(state.spec).length > longest;
  const bytes = new TextEncoder().encode(JSON.stringify(large ? { ...state, spec: null } : state));
  const code = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))
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
  const value = (name) => byId(name).valueAsNumber;
  const numbers = { message_mb: value('message-mb'), target_error: value('target') };
  if (!byId('compute-ms').disabled) numbers.compute_ms = value('compute-ms');
  return machines.withNumbers(machines.cluster(), numbers);
}

function form() {
  const loaded = () => {
    if (!machines.cluster() || !byId('question-form').checkValidity()) return;
    state.spec = withModel();
    changed();
  };
  const changed = () => {
    filled = true;
    remember();
  };
  question.form(state, loaded, changed);
  byId('question-form').addEventListener('submit', (event) => {
    event.preventDefault();
    run((spec) => question.request(state, spec));
  });
  byId('compare').addEventListener('click', () => run((spec) => ['compare', { cluster: spec }]));
}

// run starts the job that ask makes of a cluster, and shows it to its end.
async function run(ask) {
  say();
  await machines.settled();
  if (!machines.cluster()) {
    say('Describe your machines first.');
    return;
  }
  if (!byId('question-form').reportValidity()) return;
  try {
    const spec = withModel();
    const [kind, request] = ask(spec);
    live.leave();
    byId('answer').hidden = true;
    state.job = null; // a job that is being opened is no longer wanted
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
  byId('live').scrollIntoView({ block: 'nearest' });
  try {
    const ended = over(job) ? job : await live.follow(job);
    if (!ended || state.job !== job.id) return; // another one is shown
    byId('live').hidden = true;
    if (!over(ended)) {
      say('The server has stopped; the job goes on when it is started again.');
      return;
    }
    await answers.show(ended, state.tab, (tab) => {
      state.tab = tab;
      remember();
    });
  } catch (error) {
    if (state.job !== job.id) return;
    byId('live').hidden = true;
    say(error.message);
  }
}

// openJob shows a job again. It brings its machines and its question too, unless keeps says that the form stays.
async function openJob(id, keeps = () => false) {
  say();
  live.leave();
  byId('live').hidden = true;
  byId('answer').hidden = true;
  state.job = id;
  try {
    const job = await get(`/api/jobs/${id}`);
    if (state.job !== id) return; // another one was started or opened
    if (keeps()) question.recallTrial(job);
    else {
      state.spec = job.request.cluster ?? state.spec;
      question.recall(job, state);
      remember();
      if (job.request.cluster) await machines.restore(job.request.cluster);
      if (state.job !== id) return;
    }
    if (job.kind === 'train' || job.kind === 'simulate')
      say('This is part of another result; fetch its files over the API.');
    else await follow(job);
  } catch (error) {
    say(error.message);
  }
}

// takeLoad takes the load from a description that has one; what it leaves open stays as the user typed it.
function takeLoad(answer) {
  const given = answer.cluster.model ?? {};
  const own = answer.own_compute;
  for (const [id, key, value] of [
    ['message-mb', 'message_mb', answer.message_mb],
    ['compute-ms', 'compute_ms', answer.compute_ms],
    ['target', 'target_error', answer.target_error],
  ]) {
    if (key in given || (own && key === 'compute_ms') || byId(id).value === '') byId(id).value = value;
  }
  byId('compute-ms').disabled = own;
  state.spec = withModel();
  remember();
}

async function begin() {
  // What nobody expected to fail is said too, not only written to the console.
  window.addEventListener('unhandledrejection', (event) => say(event.reason?.message ?? String(event.reason)));
  if (new URLSearchParams(location.search).has('token')) {
    // it is in a cookie now
    history.replaceState(null, '', location.pathname + location.hash);
  }
  recall();
  filled = state.spec !== null;
  form();
  byId('recent-open').addEventListener('click', () => recent.open(openJob));
  byId('share').addEventListener('click', share);
  try {
    const info = await get('/api/info');
    byId('program').textContent = info.program;
    const { job, spec } = { ...state };
    await machines.begin(info, spec, takeLoad);
    if (job && state.job === job) await openJob(job, () => filled);
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
