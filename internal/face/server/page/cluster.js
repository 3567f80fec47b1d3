// How the machines are described: built by clicking, uploaded, or one of the examples.
import { h, byId, field, picture, tabs, count } from './dom.js';
import { get, post, upload } from './api.js';
import { builder } from './build.js';

let current = null; // the answer about the cluster that is shown
let changed = () => {};
let latest = 0; // which request was the last

let pending = Promise.resolve();

export const cluster = () => current;

// settled waits for what the server says about the latest description.
export const settled = () => pending;

// withNumbers is a description that the server has answered, with other numbers. Parameters say how large a message is;
// one of another size has none.
export function withNumbers({ cluster: spec, message_mb: was }, { latency_ms, ...model }) {
  const out = structuredClone(spec);
  if (model.message_mb !== undefined && model.message_mb !== was) delete out.model?.parameters;
  if (Object.keys(model).length > 0) out.model = { ...out.model, ...model };
  return latency_ms === undefined ? out : { ...out, latency_ms };
}

// describe asks the server about a description and shows what it says.
export function describe(spec, said) {
  pending = ask(spec, said);
  return pending;
}

async function ask(spec, said) {
  const mine = ++latest;
  try {
    const answer = said ?? (await post('/api/clusters/describe', { cluster: spec }));
    if (mine !== latest) return;
    current = answer;
    show(answer);
    changed(answer);
  } catch (error) {
    if (mine !== latest) return;
    complain(error);
  }
}

// complain shows what is wrong with a description; there are no machines then.
function complain(error) {
  current = null;
  byId('cluster-drawing').replaceChildren();
  byId('cluster-caption').replaceChildren(h('span', { class: 'error' }, error.message));
  byId('cluster-more').hidden = true;
}

// bring sends a file or a description as text, and shows what the server makes of it.
function bring(query, file) {
  const mine = ++latest;
  pending = upload(`/api/clusters/import?${query}`, file).then(
    (answer) => (mine === latest ? ask(null, answer) : null),
    (error) => (mine === latest ? complain(error) : null),
  );
}

function show(answer) {
  const drawing = answer.drawing ? picture(answer.drawing) : boxes(answer);
  byId('cluster-drawing').replaceChildren(drawing);
  const notes = [...(answer.notes ?? []), ...(answer.assumed ?? []).map((a) => `Assumed: ${a}`)];
  byId('cluster-caption').replaceChildren(
    answer.summary.split('\n')[0],
    answer.format && answer.format !== 'batopo' ? ` (read as ${answer.format})` : '',
    notes.length
      ? h(
          'ul',
          { class: 'notes' },
          notes.map((n) => h('li', null, n)),
        )
      : '',
  );
  byId('cluster-more').hidden = false;
  byId('cluster-summary').textContent = answer.summary;
  byId('cluster-yaml').textContent = answer.yaml;
}

// boxes stand for machines when the description gives only their number.
function boxes(answer) {
  return h(
    'div',
    { class: 'boxes', role: 'img', 'aria-label': count(answer.nodes, 'machine') },
    answer.names.slice(0, 64).map((name) => h('span', null, name)),
    answer.nodes > 64 ? h('span', null, '…') : null,
  );
}

function uploader(info) {
  const format = h(
    'select',
    { id: 'format' },
    info.formats.map((f) => h('option', { value: f.name }, f.name === 'auto' ? 'Find out' : `${f.name}: ${f.about}`)),
  );
  const servers = h('input', { type: 'number', min: 1, step: 1, value: 1 });
  const file = h('input', { type: 'file', id: 'file' });
  const read = () => {
    if (file.files[0]) bring(`format=${format.value}&servers=${servers.value || 1}`, file.files[0]);
  };
  for (const input of [file, format, servers]) input.addEventListener('change', read);
  return h(
    'div',
    { class: 'fields' },
    field('File', file, 'What nvidia-smi topo -m, NCCL, hwloc, Slurm, iperf3 or others wrote, or a cluster.yaml', 'wide'),
    field('Format', format),
    field('How many of them', servers),
  );
}

function chooser(examples) {
  return h(
    'ul',
    { class: 'examples' },
    examples.map((e) =>
      h(
        'li',
        null,
        h(
          'button',
          {
            type: 'button',
            onclick: () => bring('format=batopo', e.yaml),
          },
          e.about,
          h('small', null, e.name),
        ),
      ),
    ),
  );
}

// begin shows the ways to describe machines; onchange hears of every new description.
export async function begin(info, restored, onchange) {
  changed = onchange;
  const examples = await get('/api/examples');
  const panel = byId('source');
  tabs(
    byId('source-tabs'),
    [
      ['build', 'Build'],
      ['upload', 'Upload a file'],
      ['example', 'Choose an example'],
    ],
    'build',
    panel,
    (name, quiet) => {
      if (quiet && restored) return;
      panel.replaceChildren(
        ...[
          name === 'build' ? builder('machines', describe) : name === 'upload' ? uploader(info) : chooser(examples),
        ].flat(),
      );
    },
  );
  if (restored) await restore(restored);
}

// restore shows machines that came with a link or a result.
export async function restore(spec) {
  byId('source').replaceChildren(
    h('p', { class: 'hint' }, 'These machines came with the link or the result. Choose a tab to describe others.'),
  );
  await describe(spec);
}
