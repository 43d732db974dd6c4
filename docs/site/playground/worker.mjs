// SPDX-License-Identifier: BSL-1.0
// Runs in a worker: the first message is the module, packed; the others are requests.
import { start } from './module.mjs';

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  return start(await WebAssembly.compile(await bytes));
}

let ask;
self.onmessage = async ({ data }) => {
  if (data.module) ask = unpacked(data.module);
  else {
    const answer = await ask;
    self.postMessage({ id: data.id, answers: data.requests.map((request) => JSON.parse(answer(request))) });
  }
};
