// SPDX-License-Identifier: BSL-1.0
// Code with classes, which site.css colours in two themes.
import { hljs } from './packages.mjs';

export const escape = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

const LANGUAGES = { hpp: 'cpp', py: 'python', sh: 'sh', json: 'json', mjs: 'javascript', meson: 'python', build: 'python' };

export function highlight(text, name) {
  const language = LANGUAGES[name] ?? name;
  return hljs.getLanguage(language) ? hljs.highlight(text, { language, ignoreIllegals: true }).value : escape(text);
}

// A comment may span lines, and a line that can be linked to is an element: what is open is closed and opened again.
export function lines(text, name) {
  let open = [];
  return highlight(text, name).replace(/\n$/, '').split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}
