// SPDX-License-Identifier: BSL-1.0
// How the site searches. It runs in the browser, and in the test that counts which words lead where.
const INDEX_OPTIONS = { fields: ['title', 'heading', 'aliases', 'text'], storeFields: ['title', 'heading', 'url', 'page'] };
const SEARCH_OPTIONS = {
  prefix: (term) => term.length > 1,
  fuzzy: (term) => (term.length > 3 ? 0.2 : false),
  boost: { title: 5, heading: 3, aliases: 12 },
  boostDocument: (_, __, stored) => (/^docs\/(explanation\/decisions\/|reference\/(glossary|faq))/.test(stored.page) ? 0.4
    : stored.page.startsWith('mistakes/') ? 0.7
    : stored.page.endsWith('.md') && !/^[A-Z]/.test(stored.page) ? 1 : 0.2),
};

// The pages that a text leads to, each with its best part. All words count first; then any of them.
function findPages(index, text, most) {
  const pages = new Map();
  for (const combineWith of ['AND', 'OR']) {
    for (const hit of index.search(text, { ...SEARCH_OPTIONS, combineWith })) {
      if (!pages.has(hit.page)) pages.set(hit.page, hit);
    }
  }
  return [...pages.values()].slice(0, most);
}
