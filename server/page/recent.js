// Results that the server keeps.
import { h, byId } from './dom.js';
import { get, post, remove } from './api.js';

export async function open(choose) {
  const dialog = byId('recent');
  const list = h('ul', { class: 'jobs' });
  const fill = async () => {
    const all = await get('/api/jobs');
    list.replaceChildren(
      ...(all.length ? all.map((j) => row(j)) : [h('li', null, 'Nothing yet. What you run appears here and stays.')]),
    );
  };
  const row = (j) => {
    const over = j.state !== 'waiting' && j.state !== 'running';
    return h(
      'li',
      null,
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          onclick: () => {
            dialog.close();
            choose(j.id);
          },
        },
        j.title,
      ),
      h('small', null, ` ${j.state}${j.stopped ? `, ${j.stopped}` : ''}, ${new Date(j.created).toLocaleString()} `),
      h(
        'button',
        {
          type: 'button',
          onclick: async () => {
            try {
              await (over ? remove(`/api/jobs/${j.id}`) : post(`/api/jobs/${j.id}/cancel`));
            } finally {
              await fill();
            }
          },
          'aria-label': `${over ? 'Remove' : 'Stop'} ${j.title}`,
        },
        over ? 'Remove' : 'Stop',
      ),
    );
  };
  dialog.replaceChildren(
    h('h2', { id: 'recent-title' }, 'Results'),
    list,
    h('p', null, h('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
  );
  dialog.showModal();
  await fill();
}
