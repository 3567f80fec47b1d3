// Requests to the server that this page came from.

async function ask(method, path, body, raw) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
      headers: body === undefined || raw ? {} : { 'Content-Type': 'application/json' },
    });
  } catch {
    throw new Error('The server does not answer. Is batopo serve still running?');
  }
  if (answer.status === 204) return null;
  const text = await answer.text();
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`The server answered with status ${answer.status} and no JSON.`);
  }
  if (!answer.ok) throw new Error(value.error ?? `The server answered with status ${answer.status}.`);
  return value;
}

export const get = (path) => ask('GET', path);
export const post = (path, body) => ask('POST', path, body ?? {});
export const remove = (path) => ask('DELETE', path);
export const upload = (path, file) => ask('POST', path, file, true);
export const fileOf = (id, name) => `/api/jobs/${id}/files/${encodeURIComponent(name)}`;
export const result = (id) => get(fileOf(id, 'result.json'));

export async function text(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`);
  return answer.text();
}

// watch calls handlers by the names of a job's events until it ends; "end" gets the finished job. The browser connects
// again by itself, and the server then sends what was missed. It returns a function that stops watching.
export function watch(id, handlers) {
  const source = new EventSource(`/api/jobs/${id}/events`);
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => {
      if (name === 'end') source.close();
      handle(JSON.parse(event.data));
    });
  }
  return () => source.close();
}
