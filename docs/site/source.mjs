// SPDX-License-Identifier: BSL-1.0
// A file of the sources as a page whose lines can be linked to, and a folder as a list.
import path from 'node:path';
import { escape, lines } from './highlight.mjs';

export function sourcePage(tree, name, env) {
  const code = lines(tree.read(name), path.extname(name).slice(1)).map((line, i) =>
    `<span class="line" id="L${i + 1}"><a href="#L${i + 1}" tabindex="-1" data-n="${i + 1}"></a>${line}\n</span>`).join('');
  const folder = path.dirname(name);
  return {
    title: name, kind: 'source', isSource: true,
    html: `<h1>${escape(path.basename(name))}</h1>${folder === '.' ? ''
      : `<p>in <a href="${env.follow(`/${folder}`, '')}">${escape(folder)}</a></p>`}` +
      `<pre tabindex="0"><code>${code}</code></pre>`,
  };
}

export function folderPage(tree, name, env, hasPage) {
  const rows = tree.files(name).map((file) => {
    const text = escape(file.slice(name.length + 1));
    return `<li>${hasPage(file) ? `<a href="${env.linkTo(file)}">${text}</a>` : text}</li>`;
  });
  return { title: name, isListing: true, html: `<h1>${escape(name)}</h1><ul class="files">${rows.join('\n')}</ul>` };
}
