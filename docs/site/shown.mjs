// SPDX-License-Identifier: BSL-1.0
// What the library itself computes for the pages: an outage with and without a quota, and what each policy does.
import fs from 'node:fs';
import { escape } from './highlight.mjs';
import { delays, mostOf, outage } from './playground/draw.mjs';
import { request, start } from './playground/module.mjs';

const USUAL = { backoff: 'exponential(50ms,20s)', jitter: 'full_jitter', quota: 'unlimited_quota', max_attempts: 'max_attempts(3)' };
const TIMES = { before: 5, after: 45 };
const OUTAGES = [0, 1, 2, 3, 4, 6, 8, 10, 12];  // seconds
const SHOWN_FIRST = OUTAGES.indexOf(4);
const BY_DELAYS = ['backoff', 'jitter', 'max_attempts', 'hint', 'deadline'];
const BY_OUTAGE = ['quota', 'gate', 'pacer'];

const textWith = (parts) => Object.values({ ...USUAL, ...parts }).join(' ');
const tried = (text, page = '') =>
  `<a href="${page}playground.html#${escape(new URLSearchParams({ s: text, outage: 4 }).toString())}">Try it in the playground</a>`;

export async function library(wasm) {
  const ask = start(await WebAssembly.compile(fs.readFileSync(wasm)));
  const answer = (what, values, text) => {
    const got = JSON.parse(ask(request(what, values, text)));
    if (what !== 'words' && !got.ok) throw new Error(`${text}: ${got.what}`);
    return got;
  };
  const through = (seconds, text) => answer('fleet', { rate: 700, clients: 100, remaining: 10, timeout: 1000, outage: 1000 * seconds }, text);
  const { words } = answer('words', {}, '');

  // A fleet for each place of the slider, drawn beforehand. Without a script the first is shown.
  function storm() {
    const texts = [textWith({}), textWith({ quota: 'token_bucket(500)' })];
    const found = OUTAGES.map((seconds) => texts.map((text) => through(seconds, text)));
    const most = mostOf(found.flat());
    const drawn = found.map((pair, i) => pair.map((one) => outage(one, { ...TIMES, outage: OUTAGES[i] }, most)));
    const side = (i, title) => `<div><h3>${title}</h3><p><code>${texts[i]}</code></p><div id="storm-${i}" aria-live="polite">${drawn[SHOWN_FIRST][i]}</div></div>`;
    return `<p><label class="slider">The outage lasts <output id="storm-lasts">${OUTAGES[SHOWN_FIRST]} s</output>
<input type="range" id="storm-outage" min="0" max="${OUTAGES.length - 1}" value="${SHOWN_FIRST}" hidden></label></p>
<div class="storm">${side(0, 'Three attempts, no budget')}${side(1, 'The same with a token bucket')}</div>
<p>${tried(texts[1])}.</p>
<script type="application/json" id="storms">${JSON.stringify({ outages: OUTAGES, drawn }).replace(/</g, '\\u003c')}</script>`;
  }

  // The page of a policy that a text can name: the delays that it makes, or a fleet's outage with it.
  function of(policy) {
    const word = words.find(({ name, role }) => role === policy.role && policy.words.some(([written]) => written.split('(')[0] === name));
    if (!word) return '';
    const text = textWith({ ...(BY_DELAYS.includes(word.role) && word.role !== 'max_attempts' && { max_attempts: 'max_attempts(8)' }),
      [word.role]: word.example });
    const shown = BY_DELAYS.includes(word.role) ? delays(answer('delays', { kind: word.role === 'hint' ? 'throttling' : 'transient' }, text))
      : BY_OUTAGE.includes(word.role) && outage(through(4, text), { ...TIMES, outage: 4 }, 2200);
    const said = BY_OUTAGE.includes(word.role) ? `The service can answer 1000 attempts a second, and answers a tenth of them for 4 s. 100 clients make 700
calls a second with <code>${escape(text)}</code>:` : `The delays of <code>${escape(text)}</code>:`;
    return shown && `<p>${said}</p>\n<div class="wide" tabindex="0" role="group" aria-label="What it does">${shown}</div>\n<p>${tried(text, '../')}.</p>`.replace(/\n\n+/g, '\n');
  }
  return { storm, of };
}
