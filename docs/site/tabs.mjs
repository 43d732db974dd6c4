// SPDX-License-Identifier: BSL-1.0
// Alternatives as tabs, without a script. Other readers of Markdown see the headings or the blocks one after another.
//
//     <!-- tabs -->              the sections from here on: each is a tab with the address of its heading (:target)
//     <!-- tabs: CMake | sh -->  the blocks of code that follow at once: radio buttons
import { escape } from './highlight.mjs';

const MARKER = /^\s*<!--\s*tabs(?::\s*(.*?))?\s*-->\s*$/;
const html = (state, content) => Object.assign(new state.Token('html_block', '', 0), { content });

function ofSections(state, begin) {
  const tokens = state.tokens;
  const heads = tokens.flatMap((t, i) => (i > begin && t.type === 'heading_open' && t.tag === 'h2' ? [i] : []));
  const ids = heads.map((i) => tokens[i].attrGet('id'));
  const links = heads.map((i, n) => `<a href="#${ids[n]}">${escape(tokens[i + 1].content)}</a>`).join('');
  const shown = ids.map((id) => `.tabs:has(#${id}:target) a[href="#${id}"]`).join(',');
  const out = [html(state, `<div class="tabs"><style>${shown}{border-color:var(--accent);color:var(--text)}</style>` +
    `<nav aria-label="Alternatives">${links}</nav>`)];
  heads.forEach((head, n) => out.push(html(state, '<section>'), ...tokens.slice(head, heads[n + 1]),
    html(state, '</section>')));
  tokens.splice(begin, tokens.length, ...tokens.slice(begin + 1, heads[0]), ...out, html(state, '</div>'));
}

function ofBlocks(state, begin, names) {
  const group = `tabs${begin}`;
  const tokens = state.tokens;
  const out = [html(state, '<div class="choices">')];
  names.forEach((name, n) => {
    const block = tokens[begin + 1 + n];
    if (block?.type !== 'fence') throw new Error(`${state.env.file}: 'tabs' names ${names.length} blocks, not ${n}`);
    out.push(html(state, `<input type="radio" name="${group}" id="${group}-${n}"${n ? '' : ' checked'}>` +
      `<label for="${group}-${n}">${escape(name)}</label>`), block);
  });
  tokens.splice(begin, names.length + 1, ...out, html(state, '</div>'));
}

export function tabs(md) {
  md.core.ruler.push('tabs', (state) => {
    for (let i = 0; i < state.tokens.length; ++i) {
      const marker = state.tokens[i].type === 'html_block' && MARKER.exec(state.tokens[i].content);
      if (marker && marker[1]) ofBlocks(state, i, marker[1].split('|').map((name) => name.trim()));
      else if (marker) ofSections(state, i);
    }
  });
}
