// SPDX-License-Identifier: BSL-1.0
// The module as a function. It asks nothing of a platform: node and a page load it alike.

// ask(request) -> answer. What the library says while it ends, says why it did.
export function start(compiled) {
  let exports;
  let said = '';
  const memory = (at, bytes) => new Uint8Array(exports.memory.buffer, at, bytes);
  const wasi = {
    fd_close: () => 8,
    fd_seek: () => 8,
    fd_write(file, vectors, count, written) {
      const view = new DataView(exports.memory.buffer);
      let all = 0;
      for (let i = 0; i < count; i++) {
        const bytes = view.getUint32(vectors + 8 * i + 4, true);
        said += new TextDecoder().decode(memory(view.getUint32(vectors + 8 * i, true), bytes));
        all += bytes;
      }
      view.setUint32(written, all, true);
      return 0;
    },
  };
  const begin = () => {
    exports = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: wasi }).exports;
    exports._initialize();
  };
  begin();
  return (request) => {
    const bytes = new TextEncoder().encode(request);
    said = '';
    try {
      const room = exports.room(bytes.length);
      memory(room, bytes.length).set(bytes);
      const at = exports.ask();
      return new TextDecoder().decode(memory(at, exports.size()));
    } catch (error) {
      begin();
      return JSON.stringify({ ok: false, at: 0, length: 0, what: said.trim() || String(error) });
    }
  };
}

export const request = (what, values, text) =>
  [what, ...Object.entries(values).map(([name, value]) => `${name} ${value}`), `text ${text}`].join('\n');
