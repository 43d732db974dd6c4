// SPDX-License-Identifier: BSL-1.0
// What needs a script: the search, and the theme that is remembered. Without it every page can be read.
const base = document.body.dataset.base;
const input = document.getElementById('search');
const found = document.getElementById('found');
const theme = document.getElementById('theme');

theme.hidden = false;
theme.onclick = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem('theme', root.dataset.theme); } catch { /* not remembered */ }
};

// On a phone the list of the documents would be before the text.
if (matchMedia('(max-width: 1000px)').matches) document.querySelector('.documents .all').open = false;

// The index has some megabytes: it comes with the first use.
let index;
const load = () => {
  index ??= new Promise((done) => {
    const script = document.createElement('script');
    script.src = `${base}search.js`;
    script.onload = () => done(INDEX);
    document.head.append(script);
  });
  return index;
};
// The script is here only behind load(), and with it the function.
const search = async (text) => {
  const loaded = await load();
  return findPages(loaded, text, 12);
};
const show = async () => {
  const text = input.value.trim();
  const hits = text ? await search(text) : [];
  if (text !== input.value.trim()) return;
  found.replaceChildren(...hits.map((hit) => {
    const link = document.createElement('a');
    link.href = base + hit.url;
    link.textContent = hit.title + (hit.heading && hit.heading !== hit.title ? ` › ${hit.heading}` : '');
    return link;
  }));
  if (text && !hits.length) found.textContent = 'Nothing found';
};

input.form.hidden = false;
input.onfocus = load;
input.oninput = show;
input.form.onsubmit = (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
};
document.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) input.focus();
  else if (event.key === 'Escape') { input.value = ''; show(); input.blur(); }
  else if (event.key === 'ArrowDown' && (at >= 0 || document.activeElement === input)) links[at + 1]?.focus();
  else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus();
  else return;
  event.preventDefault();
});

// The first page: an outage, drawn beforehand for each place of the slider.
const storms = document.getElementById('storms');
if (storms) {
  const { outages, drawn } = JSON.parse(storms.textContent);
  const slider = document.getElementById('storm-outage');
  slider.hidden = false;
  slider.oninput = () => {
    document.getElementById('storm-lasts').textContent = `${outages[slider.value]} s`;
    drawn[slider.value].forEach((html, i) => { document.getElementById(`storm-${i}`).innerHTML = html; });
  };
}
