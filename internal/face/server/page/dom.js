// Small tools to make elements. Attributes that begin with "on" are listeners; null children are left out.

const svgNamespace = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

// picture turns a drawing of the server into elements, so that its hover texts work and its colours follow the page.
export function picture(source) {
  const svg = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
  if (svg.nodeName !== 'svg') return h('p', { class: 'error' }, 'The drawing cannot be read.');
  const own = document.importNode(svg, true);
  own.setAttribute('class', 'picture');
  return own;
}

// number spells a number with about three digits.
export function number(v) {
  if (v === null || v === undefined || Number.isNaN(v)) return '–';
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e7)) return v.toExponential(1).replace('e+', 'e');
  if (a >= 100) return Math.round(v).toString();
  return Number(v.toPrecision(3)).toString();
}

export function duration(ms) {
  if (ms === null || ms === undefined) return 'never';
  if (ms >= 60000) return `${number(ms / 60000)} min`;
  return ms >= 1000 ? `${number(ms / 1000)} s` : `${number(ms)} ms`;
}

export const count = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

// tabs makes a list of tabs that arrow keys move through; show is called with the name of the chosen one.
export function tabs(list, names, chosen, panel, show) {
  const buttons = names.map(([name, title], k) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${list.id}-${name}`,
        'aria-controls': panel.id,
        onclick: () => choose(k),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          choose((k + step + names.length) % names.length);
          buttons[(k + step + names.length) % names.length].focus();
        },
      },
      title,
    ),
  );
  function choose(k, quiet) {
    buttons.forEach((b, i) => {
      b.setAttribute('aria-selected', String(i === k));
      b.tabIndex = i === k ? 0 : -1;
    });
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', buttons[k].id);
    show(names[k][0], quiet);
  }
  list.replaceChildren(...buttons);
  const first = names.findIndex(([name]) => name === chosen);
  choose(Math.max(0, first), true);
}

// field is a labelled input.
export function field(label, input, hint, wide) {
  return h('label', { class: wide ? 'field wide' : 'field' }, h('span', null, label), input, hint ? h('small', null, hint) : null);
}
