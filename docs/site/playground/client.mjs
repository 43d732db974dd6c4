// SPDX-License-Identifier: BSL-1.0
// Asks the library in its worker, so that the page never stalls.

// connect(script, module) -> async (requests) -> answers
export function connect(script, module) {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data }) => {
    waiting.get(data.id)(data.answers);
    waiting.delete(data.id);
  };
  worker.onerror = (event) => { throw new Error(event.message); };
  worker.postMessage({ module });
  return (requests) => new Promise((done) => {
    waiting.set(++last, done);
    worker.postMessage({ id: last, requests });
  });
}

// The latest question counts: what is asked meanwhile is asked once, afterwards.
export function latest(work) {
  let isRunning = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work(() => isWanted);
    }
    isRunning = false;
  };
}
