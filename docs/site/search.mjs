// SPDX-License-Identifier: BSL-1.0
// The index of the search: each part of a page below a heading. It is a script, because a page from the disk may not
// fetch. synonyms.txt has the words that a page does not use, and people do.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';
import { MiniSearch, fileOfMiniSearch } from './packages.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const finder = fs.readFileSync(path.join(here, 'find.js'), 'utf8');
const { INDEX_OPTIONS, findPages } = vm.runInNewContext(`${finder};({ INDEX_OPTIONS, findPages })`);

// [[left, right]] of the lines `left: right` of a file.
const pairs = (name) => fs.readFileSync(path.join(here, name), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#')).map((line) => line.split(/:\s+/));

const textOf = (html) => html.replace(/<[^>]*>/g, ' ').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
  .replace(/\s+/g, ' ');

export function indexOf(pages, urlOf) {
  const index = new MiniSearch(INDEX_OPTIONS);
  const aliases = new Map(pairs('synonyms.txt'));
  const errors = [...aliases.keys()].filter((name) => !pages.has(name)).map((name) => `synonyms.txt: no page ${name}`);
  let id = 0;
  for (const [name, page] of pages) {
    if (!page.title || page.isListing) continue;
    const parts = page.isSource ? [''] : page.html.split(/(?=<h[23] )/);
    parts.forEach((part, n) => {
      const head = /^<h[23] id="([^"]*)">([^]*?)<\/h/.exec(part);
      index.add({
        id: id++, page: name, title: page.title, heading: head ? textOf(head[2]).trim() : '',
        url: urlOf(name) + (head ? `#${head[1]}` : ''), aliases: n ? '' : aliases.get(name) ?? '', text: textOf(part),
      });
    });
  }
  return { index, errors };
}

export function script(index) {
  const library = fs.readFileSync(fileOfMiniSearch, 'utf8').replace(/\n\/\/# sourceMappingURL.*/, '');
  return `${library}\n${finder}\nconst INDEX = MiniSearch.loadJS(${JSON.stringify(index)}, INDEX_OPTIONS);\n`;
}

// What does not lead where search_words.txt says, to the first or the second page.
export function misled(index) {
  const words = pairs('search_words.txt');
  const errors = words.flatMap(([word, wanted]) => {
    const found = findPages(index, word, 2).map((hit) => hit.page);
    return wanted.split(/\s+/).some((page) => found.includes(page)) ? []
      : [`'${word}' leads to ${found.join(' and ') || 'nothing'}, not to ${wanted}`];
  });
  return { count: words.length, errors };
}
