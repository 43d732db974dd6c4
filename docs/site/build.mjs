// SPDX-License-Identifier: BSL-1.0
// node build.mjs PACKAGES POLICIES.json PLAYGROUND.wasm OUT: the site. A page is made when something links to it, so that
// no link can miss its page; anchors are compared at the end.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstPage } from './first.mjs';
import { listOf, pageName, pageOf as pageOfName, pageOfMistake } from './lookup.mjs';
import { renderer } from './markdown.mjs';
import { frame } from './page.mjs';
import { playground } from './playground/page.mjs';
import { pageOf } from './policies.mjs';
import { indexOf, misled, script } from './search.mjs';
import { library } from './shown.mjs';
import { folderPage, sourcePage } from './source.mjs';
import { Tree } from './tree.mjs';

const MOST_OF_THE_FIRST_PAGE = 200_000;
const MOST_OF_THE_PLAYGROUND = 600_000;
const FEWEST_WORDS_THAT_LEAD = 85;  // of those of search_words.txt
const here = path.dirname(fileURLToPath(import.meta.url));
const tree = new Tree(path.join(here, '../..'));
const [policyFile, moduleFile, out] = process.argv.slice(3);
const repository = process.env.ANEW_REPOSITORY ?? '';
const errors = [];

// Pages made of something else than a file of their name.
const { policies, lookup, mistakes } = JSON.parse(fs.readFileSync(policyFile, 'utf8'));
const shown = await library(moduleFile);
const generated = new Map(policies.map((policy) => [`policies/${policy.page}.md`, pageOf(policy, shown.of(policy))]));
generated.set('index.md', firstPage(tree, shown.storm()));
generated.set('playground.md', '');
const pagesOfNames = new Map([...policies.map(({ name, page }) => [name, `policies/${page}.md`]),
  ...lookup.map((entry) => [[entry.namespace, entry.name].filter(Boolean).join('::'), pageName(entry)])]);
const roleOf = (concept) => concept.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
for (const entry of lookup) {
  generated.set(pageName(entry), pageOfName(entry, pagesOfNames,
    entry.kind === 'concept' && !entry.namespace ? policies.filter(({ role }) => role === roleOf(entry.name)) : []));
}
generated.set('lookup.md', listOf(lookup));
for (const mistake of mistakes) generated.set(`mistakes/${mistake.name}.md`, pageOfMistake(mistake));
// A link to a file whose text is a name in it leads to the page of the name.
const pageAt = new Map([
  ...policies.map((policy) => [`include/${policy.header} \`${policy.name}\``, `policies/${policy.page}.md`]),
  ...lookup.flatMap((entry) => entry.forms.flatMap(({ header }) => [entry.name, `${entry.name}()`].map((text) =>
    [`include/${header} \`${text}\``, pageName(entry)]))),
  ...mistakes.map(({ file, name }) => [`${file} \`${name}\``, `mistakes/${name}.md`])]);

const isPicture = (name) => /\.(svg|png)$/.test(name);
const urlOf = (name) => {
  if (isPicture(name)) return name;
  if (name.endsWith('.md')) return name.replace(/md$/, 'html');
  return !generated.has(name) && tree.kind(name) === 'folder' ? path.posix.join(name, 'index.html') : `${name}.html`;
};
const MADE = /^(docs|examples|include|policies|functions|concepts|mistakes)\b/;
const isOutside = (name) => !MADE.test(name) && path.dirname(name) !== '.';

const pages = new Map();
const pictures = new Set();
const queue = [];
const links = [];

function want(name) {
  if (isPicture(name)) pictures.add(name);
  else if (!pages.has(name)) {
    pages.set(name, {});
    queue.push(name);
  }
}

// What a page needs to link: addresses are relative, because the site is read from the disk.
function environment(file) {
  const from = path.posix.dirname(urlOf(file));
  const base = path.posix.relative(from, '') || '.';
  const env = { file, base: `${base}/` };
  env.linkTo = (name, anchor = '') => {
    want(name);
    links.push([file, name, anchor.slice(1)]);
    return path.posix.relative(from, urlOf(name)) + anchor;
  };
  env.follow = (target, anchor, text = '') => {
    if (!target) return env.linkTo(file, anchor).replace(/^[^#]*/, '');
    const name = path.posix.normalize(target.startsWith('/') ? target.slice(1) : path.posix.join(path.posix.dirname(file), target))
      .replace(/\/$/, '');
    if (!generated.has(name) && !tree.kind(name)) {
      errors.push(`${file}: ${target} does not exist`);
      return target;
    }
    if (repository && isOutside(name)) return `${repository}/${name}${anchor}`;
    const page = /^(policies|functions|concepts|mistakes)\//.test(file) ? undefined : pageAt.get(`${name} \`${text}\``);
    return page ? env.linkTo(page) : env.linkTo(name, anchor);
  };
  return env;
}

const render = renderer(tree);
async function make(name) {
  const env = environment(name);
  if (name === 'playground.md') return { env, ...await playground(tree, fs.readFileSync(moduleFile), env) };
  if (generated.has(name) || name.endsWith('.md')) return { env, ...render(generated.get(name) ?? tree.read(name), env) };
  if (tree.kind(name) === 'folder') return { env, isListing: true, title: name };
  return { env, ...sourcePage(tree, name, env) };
}

const groups = tree.order();
groups.find(({ title }) => title === 'Look up').pages.push('lookup.md');
['index.md', 'README.md', 'CHANGELOG.md', ...groups.flatMap((group) => group.pages), ...generated.keys()].forEach(want);
tree.files('docs').filter((name) => name.endsWith('.md')).forEach(want);
[...tree.files('include'), ...tree.files('examples')].filter((name) => /\.[ch]pp$/.test(name)).forEach(want);
for (let name; (name = queue.shift());) pages.set(name, await make(name));

const titleOf = (name) => pages.get(name)?.title ?? name;
const write = (name, text) => {
  const file = path.join(out, name);
  if (fs.existsSync(file)) errors.push(`${name} is written twice`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};
fs.rmSync(out, { recursive: true, force: true });
for (const [name, page] of pages) {
  // The lists of folders come last: only now is it known which files have pages.
  if (page.isListing) Object.assign(page, folderPage(tree, name, page.env, (file) => pages.has(file)));
  page.written = frame(page, page.env, groups, titleOf);
  write(urlOf(name), page.written);
}
for (const name of pictures) write(name, fs.readFileSync(path.join(tree.root, name)));
for (const name of ['site.css', 'site.js']) write(name, fs.readFileSync(path.join(here, name)));

const idsOf = new Map();
for (const [from, name, anchor] of links) {
  if (!anchor) continue;
  if (!idsOf.has(name)) idsOf.set(name, new Set([...pages.get(name).written.matchAll(/ id="([^"]*)"/g)].map((m) => m[1])));
  if (!idsOf.get(name).has(anchor)) errors.push(`${from}: ${name} has no #${anchor}`);
}

const { index, errors: unknown } = indexOf(pages, urlOf);
write('search.js', script(index));
const lost = misled(index);
errors.push(...unknown);
if (lost.count - lost.errors.length < FEWEST_WORDS_THAT_LEAD) errors.push(...lost.errors);
const sizeOf = (...names) => names.reduce((sum, name) => sum + fs.statSync(path.join(out, name)).size, 0);
const size = sizeOf('index.html', 'site.css', 'site.js');
if (size > MOST_OF_THE_FIRST_PAGE) errors.push(`the first page has ${size} bytes, and may have ${MOST_OF_THE_FIRST_PAGE}`);
const sizeToPlay = sizeOf('playground.html');
if (sizeToPlay > MOST_OF_THE_PLAYGROUND) errors.push(`the playground has ${sizeToPlay} bytes, and may have ${MOST_OF_THE_PLAYGROUND}`);

for (const error of new Set([...errors, ...lost.errors])) console.log('site:', error);
console.log(`${pages.size} pages, ${links.length} links, ${lost.count - lost.errors.length} of ${lost.count} words lead ` +
  `to their page, first page ${Math.round(size / 1000)} kB, playground ${Math.round(sizeToPlay / 1000)} kB, ` +
  `${errors.length} errors`);
process.exitCode = errors.length ? 1 : 0;
