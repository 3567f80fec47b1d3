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
  if (!answer.ok) throw refusal(value.error ?? `The server answered with status ${answer.status}.`, answer.status);
  return value;
}

function refusal(text, status) {
  const error = new Error(text);
  error.status = status;
  return error;
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

export const over = (job) => job.state !== 'waiting' && job.state !== 'running';

const pause = 2000; // ms before a stream that was refused is asked for again

// watch follows a job to its end. begin returns handlers by the names of events; it is called again when the events
// begin again, as they do after a restart of the server. trouble hears what is wrong with the connection, and '' when
// nothing is. It returns {ended, leave}: ended is a promise of the finished job, or of null after leave was called; it
// fails when the job is gone.
export function watch(id, begin, trouble) {
  let source = null;
  let timer = null;
  let seen = 0; // number of the last event
  let handlers = begin();
  let settle = null;
  const ended = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  const stop = (then, value) => {
    source?.close();
    source = null;
    clearTimeout(timer);
    then(value);
  };
  const hear = (name) => (event) => {
    const value = JSON.parse(event.data);
    if (name === 'end') {
      stop(settle.resolve, value);
      return;
    }
    const number = Number(event.lastEventId);
    if (number <= seen) handlers = begin();
    seen = number;
    handlers[name](value);
  };
  const connect = () => {
    source = new EventSource(`/api/jobs/${id}/events`);
    source.onopen = () => trouble('');
    for (const name of [...Object.keys(handlers), 'end']) source.addEventListener(name, hear(name));
    source.onerror = () => {
      if (!source) return;
      trouble('The connection is lost; trying again …');
      // The browser comes back by itself when a stream breaks off, but not when it was refused.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(again, pause);
    };
  };
  const again = async () => {
    try {
      const job = await get(`/api/jobs/${id}`);
      if (!source) return;
      if (over(job)) {
        stop(settle.resolve, job);
        return;
      }
      source.close();
      trouble('The server sends no progress now, perhaps because many are watching; trying again …');
      connect();
    } catch (error) {
      if (!source) return;
      if (error.status === 404) {
        stop(settle.reject, error);
        return;
      }
      trouble(`${error.message} Trying again …`);
      timer = setTimeout(again, pause);
    }
  };
  connect();
  return { ended, leave: () => stop(settle.resolve, null) };
}
