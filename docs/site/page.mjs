// SPDX-License-Identifier: BSL-1.0
// The frame of a page: skip link, head with the search, list of the documents, contents, next and previous.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { escape } from './highlight.mjs';

const THEME = `try{document.documentElement.dataset.theme=localStorage.getItem('theme')||''}catch{}`;

const list = (groups, titleOf, env) => groups.map(({ title, pages }) => {
  const here = pages.includes(env.file);
  return `<details${here ? ' open' : ''}><summary>${escape(title)}</summary>${pages.map((name) =>
    `<a href="${env.linkTo(name)}"${name === env.file ? ' aria-current="page"' : ''}>${escape(titleOf(name))}</a>`).join('')}
</details>`;
}).join('\n');

const contentsOf = (contents) => {
  const shown = contents.filter(({ level }) => level === 2 || level === 3);
  return shown.length < 2 ? '' : `<aside><nav aria-label="On this page"><b>On this page</b>${shown.map(({ level, id, text }) =>
    `<a class="h${level}" href="#${id}">${escape(text)}</a>`).join('')}</nav></aside>`;
};

function neighbours(groups, titleOf, env) {
  const order = groups.flatMap(({ pages }) => pages);
  const at = order.indexOf(env.file);
  if (at < 0) return '';
  const link = (name, rel, arrow) => (name ? `<a rel="${rel}" href="${env.linkTo(name)}">${arrow(escape(titleOf(name)))}</a>`
    : '<span></span>');
  return `<nav class="neighbours" aria-label="Previous and next">${link(order[at - 1], 'prev', (t) => `← ${t}`)}` +
    `${link(order[at + 1], 'next', (t) => `${t} →`)}</nav>`;
}

// A page with a css of its own has everything in it, and the files that it would share.
export function frame({ html, title, contents = [], kind = '', css = '', scripts = '' }, env, groups, titleOf) {
  const shared = (name) => fs.readFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), name), 'utf8');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}${title === 'anew' ? '' : ' - anew'}</title><script>${THEME}</script>
${css ? `<style>${shared('site.css')}${css}</style>` : `<link rel="stylesheet" href="${env.base}site.css">`}</head>
<body class="${kind}" data-base="${env.base}">
<a class="skip" href="#main">Skip to the text</a>
<header><a class="home" href="${env.base}index.html">anew</a>
<form role="search" hidden><input type="search" id="search" placeholder="Search  ( / )" aria-label="Search" autocomplete="off">
<div id="found" aria-live="polite"></div></form>
<a href="${env.linkTo('docs/README.md')}">Documents</a><a href="${env.linkTo('docs/reference/policies.md')}">Policies</a> <a href="${env.linkTo('playground.md')}">Playground</a>
<button id="theme" type="button" hidden aria-label="Dark or light">◐</button></header>
<nav class="documents" aria-label="Documents"><details class="all" open><summary>All documents</summary>
${list(groups, titleOf, env)}</details></nav>
<main id="main">${html}${neighbours(groups, titleOf, env)}</main>
${contentsOf(contents)}
${scripts}${css ? `<script type="module">${shared('site.js')}</script>` : `<script src="${env.base}site.js" defer></script>`}</body></html>
`;
}
