// Results that the server keeps.
import { h, byId } from './dom.js';
import { get, over, post, remove } from './api.js';

export async function open(choose) {
  const dialog = byId('recent');
  const list = h('ul', { class: 'jobs' });
  const says = h('p', { class: 'error', role: 'alert' });
  const fill = async () => {
    try {
      const all = await get('/api/jobs');
      list.replaceChildren(
        ...(all.length ? all.map((j) => row(j)) : [h('li', null, 'Nothing yet. What you run appears here and stays.')]),
      );
    } catch (error) {
      says.textContent = error.message;
    }
  };
  const row = (j) => {
    const ended = over(j);
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
              await (ended ? remove(`/api/jobs/${j.id}`) : post(`/api/jobs/${j.id}/cancel`));
            } catch (error) {
              says.textContent = error.message;
            }
            await fill();
          },
          'aria-label': `${ended ? 'Remove' : 'Stop'} ${j.title}`,
        },
        ended ? 'Remove' : 'Stop',
      ),
    );
  };
  dialog.replaceChildren(
    h('h2', { id: 'recent-title' }, 'Results'),
    says,
    list,
    h('p', null, h('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
  );
  dialog.showModal();
  await fill();
}
