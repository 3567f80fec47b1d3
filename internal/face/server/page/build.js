// Machines built by clicking: groups of machines, of servers or of racks, or sites with a bandwidth table.
import { h, field } from './dom.js';
import * as sites from './sites.js';

// What can be built, with the fields of a group and the description that groups make. Fields are: name, label, first
// value, least value, step.
const kinds = {
  machines: {
    title: 'Machines',
    group: 'Machines',
    fields: [
      ['nodes', 'Machines', 16, 1, 1],
      ['gbs', 'Network of each, GB/s', 9.76, 0],
    ],
    spec: (groups) => ({
      format: 'batopo.cluster/v1',
      nodes: groups.reduce((n, g) => n + g.nodes, 0),
      bandwidth: groups.length === 1 ? groups[0].gbs : groups.flatMap((g) => new Array(g.nodes).fill(g.gbs)),
    }),
  },
  servers: {
    title: 'Servers with GPUs',
    group: 'Servers',
    fields: [
      ['count', 'Servers', 2, 1, 1],
      ['gpus', 'GPUs in each', 8, 1, 1],
      ['inside', 'Between GPUs, GB/s', 26, 0],
      ['nics', 'NICs in each', 1, 1, 1],
      ['nic', 'Each NIC, GB/s', 12.5, 0],
    ],
    spec: (groups) => {
      const alone = groups.length === 1 && groups[0].count === 1;
      return tree('server', groups, (g) => ({
        count: g.count,
        nodes: g.gpus,
        link: { gb_s: g.inside },
        ...(alone ? {} : { nics: { count: g.nics, gb_s: g.nic } }),
      }));
    },
  },
  racks: {
    title: 'Racks',
    group: 'Racks',
    fields: [
      ['racks', 'Racks', 4, 1, 1],
      ['hosts', 'Machines in each', 8, 1, 1],
      ['link', 'Line of a machine, GB/s', 12.5, 0],
      ['uplink', 'Uplink of a rack, GB/s', 50, 0],
    ],
    spec: (groups) =>
      tree('rack', groups, (g) => ({
        count: g.racks,
        nodes: g.hosts,
        link: { gb_s: g.link },
        uplink: { gb_s: g.uplink },
      })),
  },
  sites: { title: 'Sites' },
};

// tree describes groups of a kind; a letter distinguishes several kinds.
const tree = (name, groups, describe) => ({
  format: 'batopo.cluster/v2',
  tree: {
    groups: groups.map((g, k) => ({
      name: groups.length > 1 ? `${name} ${String.fromCharCode(65 + k)}` : name,
      ...describe(g),
    })),
  },
});

const mostGroups = 8;

// groups is a form for groups that differ: one at first, which is all that most need.
function groups(kind, describe) {
  const first = () => Object.fromEntries(kind.fields.map(([key, , value]) => [key, value]));
  const all = [first()];
  const holder = h('div');
  const tell = () => {
    const wrong = [...holder.querySelectorAll('input')].find((input) => !input.checkValidity());
    if (wrong) wrong.reportValidity();
    else describe(kind.spec(all));
  };
  const one = (g, k) =>
    h(
      'fieldset',
      { class: 'group' },
      all.length > 1 ? h('legend', null, `${kind.group} ${String.fromCharCode(65 + k)}`) : null,
      h(
        'div',
        { class: 'fields' },
        kind.fields.map(([key, label, , min, step]) =>
          field(
            label,
            h('input', {
              type: 'number',
              value: g[key],
              min,
              step: step ?? 'any',
              required: true,
              oninput: (e) => {
                g[key] = e.target.valueAsNumber;
                tell();
              },
            }),
          ),
        ),
      ),
    );
  const redo = () => {
    holder.replaceChildren(
      ...all.map(one),
      h(
        'p',
        { class: 'controls' },
        all.length < mostGroups ? h('button', { type: 'button', onclick: add }, 'Add others that differ') : null,
        all.length > 1 ? h('button', { type: 'button', onclick: drop }, 'Remove the last') : null,
      ),
    );
    tell();
  };
  const add = () => {
    all.push({ ...all.at(-1) });
    redo();
  };
  const drop = () => {
    all.pop();
    redo();
  };
  redo();
  return holder;
}

// builder shows a form for a kind of machines; describe is called with every description that it makes.
export function builder(chosen, describe) {
  const holder = h('div', { id: 'builder' });
  const chooser = h(
    'fieldset',
    { class: 'choice' },
    h('legend', null, 'What do you have?'),
    Object.entries(kinds).map(([name, kind]) =>
      h(
        'label',
        null,
        h('input', {
          type: 'radio',
          name: 'kind',
          value: name,
          checked: name === chosen,
          onchange: () => form(name),
        }),
        kind.title,
      ),
    ),
  );
  function form(name) {
    if (name === 'sites') sites.form(holder, describe);
    else holder.replaceChildren(groups(kinds[name], describe));
  }
  form(chosen);
  return [chooser, holder];
}
