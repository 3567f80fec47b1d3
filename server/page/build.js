// Machines built by clicking: equal ones, servers, racks, or sites with a bandwidth table.
import { h, field } from './dom.js';

const number = (value, min, step, onchange) =>
  h('input', { type: 'number', value, min, step: step ?? 'any', required: true, oninput: onchange });

// What can be built, with the fields of each and the description they make.
const kinds = {
  equal: {
    title: 'Equal machines',
    fields: [
      ['nodes', 'Machines', 16, 2, 1],
      ['gbs', 'Network of each, GB/s', 9.76, 0],
    ],
    spec: (v) => ({ format: 'batopo.cluster/v1', nodes: v.nodes, bandwidth: v.gbs }),
  },
  servers: {
    title: 'Servers with GPUs',
    fields: [
      ['count', 'Servers', 2, 1, 1],
      ['gpus', 'GPUs in each', 8, 1, 1],
      ['inside', 'Between GPUs, GB/s', 26, 0],
      ['nics', 'Network cards in each', 1, 1, 1],
      ['nic', 'Each card, GB/s', 12.5, 0],
    ],
    spec: (v) => ({
      format: 'batopo.cluster/v2',
      tree: {
        groups: [
          {
            name: 'server',
            count: v.count,
            nodes: v.gpus,
            link: { gb_s: v.inside },
            ...(v.count > 1 ? { nics: { count: v.nics, gb_s: v.nic } } : {}),
          },
        ],
      },
    }),
  },
  racks: {
    title: 'Racks',
    fields: [
      ['racks', 'Racks', 4, 1, 1],
      ['hosts', 'Machines in each', 8, 1, 1],
      ['link', 'Line of a machine, GB/s', 12.5, 0],
      ['uplink', 'Uplink of a rack, GB/s', 50, 0],
    ],
    spec: (v) => ({
      format: 'batopo.cluster/v2',
      tree: {
        groups: [{ name: 'rack', count: v.racks, nodes: v.hosts, link: { gb_s: v.link }, uplink: { gb_s: v.uplink } }],
      },
    }),
  },
  sites: { title: 'Sites' },
};

const sites = {
  names: ['berlin', 'paris', 'oslo'],
  gbs: [
    [0, 1.2, 0.5],
    [1.2, 0, 0.8],
    [0.5, 0.8, 0],
  ],
  spec() {
    return { format: 'batopo.cluster/v2', names: [...this.names], matrix: { gb_s: this.gbs.map((r) => [...r]) } };
  },
};

// builder shows a form for a kind of machines; describe is called with every description that it makes.
export function builder(kind, describe) {
  const holder = h('div', { id: 'builder' });
  const chooser = h(
    'fieldset',
    { class: 'choice' },
    h('legend', null, 'What do you have?'),
    Object.entries(kinds).map(([name, k]) =>
      h(
        'label',
        null,
        h('input', { type: 'radio', name: 'kind', value: name, checked: name === kind, onchange: () => form(name) }),
        k.title,
      ),
    ),
  );
  function form(name) {
    if (name === 'sites') {
      table(holder, describe);
      describe(sites.spec());
      return;
    }
    const inputs = {};
    const read = () => {
      const v = {};
      for (const [key, input] of Object.entries(inputs)) {
        if (!input.checkValidity()) {
          input.reportValidity();
          return;
        }
        v[key] = input.valueAsNumber;
      }
      describe(kinds[name].spec(v));
    };
    holder.replaceChildren(
      h(
        'div',
        { class: 'fields' },
        kinds[name].fields.map(([key, label, value, min, step]) => {
          inputs[key] = number(value, min, step, read);
          return field(label, inputs[key]);
        }),
      ),
    );
    read();
  }
  form(kind);
  return [chooser, holder];
}

// table is the bandwidth between sites: row sends, column receives.
function table(holder, describe) {
  const redo = () => {
    table(holder, describe);
    describe(sites.spec());
  };
  const n = sites.names.length;
  const head = h(
    'tr',
    null,
    h('td', null),
    sites.names.map((name, j) =>
      h(
        'th',
        { scope: 'col' },
        h('input', {
          value: name,
          'aria-label': `Name of site ${j + 1}`,
          size: 7,
          onchange: (e) => {
            sites.names[j] = e.target.value.trim() || `site ${j + 1}`;
            redo();
          },
        }),
      ),
    ),
  );
  const rows = sites.names.map((name, i) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, name),
      sites.names.map((other, j) =>
        h(
          'td',
          null,
          i === j
            ? '–'
            : h('input', {
                type: 'number',
                min: 0,
                step: 'any',
                value: sites.gbs[i][j],
                'aria-label': `GB/s from ${name} to ${other}`,
                onchange: (e) => {
                  sites.gbs[i][j] = e.target.valueAsNumber || 0;
                  describe(sites.spec());
                },
              }),
        ),
      ),
    ),
  );
  holder.replaceChildren(
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Bandwidth table' },
      h(
        'table',
        { class: 'sites' },
        h('caption', null, 'GB/s from the row to the column; 0 means that they cannot talk'),
        h('thead', null, head),
        h('tbody', null, rows),
      ),
    ),
    h(
      'p',
      null,
      h(
        'button',
        {
          type: 'button',
          onclick: () => {
            sites.names.push(`site ${n + 1}`);
            sites.gbs.forEach((r) => r.push(0.5));
            sites.gbs.push([...new Array(n).fill(0.5), 0]);
            redo();
          },
        },
        'Add a site',
      ),
      n > 2
        ? h(
            'button',
            {
              type: 'button',
              onclick: () => {
                sites.names.pop();
                sites.gbs.pop();
                sites.gbs.forEach((r) => r.pop());
                redo();
              },
            },
            'Remove the last',
          )
        : null,
    ),
  );
}
