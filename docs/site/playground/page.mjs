// SPDX-License-Identifier: BSL-1.0
// The page of the playground, with everything in it: it works from the disk, and alone.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { escape } from '../highlight.mjs';
import { request, start } from './module.mjs';
import { presetsOf } from './text.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const ROLES = ['backoff', 'jitter', 'quota', 'max_attempts', 'hint', 'deadline', 'gate', 'pacer'];
const FIRST = 'exponential(50ms,20s) full_jitter token_bucket(500) max_attempts(3)';
const SECOND = 'exponential(50ms,20s) full_jitter unlimited_quota max_attempts(3)';
const SCRIPTS = [
  ['fails twice, then answers', 'server:80 server:80 ok:120'],
  ['asks to wait 2 s (429 with Retry-After), then answers', 'throttling:60:2000 ok:120'],
  ['is slow once, loses a connection, then answers', 'timeout:1000 transient:40 ok:120'],
  ['fails six times, then answers', 'server:80 server:80 server:80 server:80 server:80 server:80 ok:120'],
  ['never answers', 'timeout:1000'],
  ['asks to wait an hour', 'throttling:60:3600000 ok:120'],
];
const KINDS = ['transient', 'throttling', 'timeout', 'server'];

// Scripts as one: their exports are names, and their imports are what stands before.
export const joined = (...names) => names.map((name) => fs.readFileSync(path.join(here, name), 'utf8')
  .replace(/^import .*\n/gm, '').replace(/^export /gm, '').replace(/^\/\/ SPDX.*\n/, '')).join('\n');

const options = (all) => all.map(([text, value]) => `<option value="${escape(value)}">${escape(text)}</option>`).join('');
const select = (id, label, all) => `<label>${label} <select id="${id}">${options(all)}</select></label>`;
const slider = (id, label, [least, most, step, value], unit) => `<label>${label} <input type="range" id="${id}" min="${least}" max="${most}"
step="${step}" value="${value}" data-unit="${unit}"><output id="${id}-is" for="${id}"></output></label>`;

const editor = (side, title, text, presets, words) => `<section class="strategy" id="${side}" aria-labelledby="${side}-title"${side === 'b' ? ' hidden' : ''}>
<h2 id="${side}-title">${title}</h2>
<div class="typed"><div class="under" id="${side}-under" aria-hidden="true"></div>
<textarea id="${side}-text" rows="3" spellcheck="false" autocapitalize="off" aria-label="${title}, as text" aria-describedby="${side}-said">${escape(text)}</textarea></div>
<p class="said" id="${side}-said" role="status"></p>
<div class="roles" id="${side}-roles" role="group" aria-label="${title}, by policies">${ROLES.map((role) => `<label>${role.replace('_', ' ')}
<select data-role="${role}">${options([['default', ''], ...words.filter((word) => word.role === role).map(({ example }) => [example, example])])}</select></label>`).join('')}</div>
<details class="presets"${side === 'a' ? ' open' : ''}><summary>Presets</summary><div role="group" aria-label="Presets">${presets.map(([name, preset]) =>
  `<button type="button" data-text="${escape(preset)}">${escape(name)}</button>`).join('')}</div></details>
</section>`;

const both = (part, title) => ['a', 'b'].map((side) =>
  `<div class="${side}" id="${side}-${part}" role="group" tabindex="0" aria-label="${title}, ${side === 'a' ? 'the strategy' : 'the second strategy'}"></div>`).join('');
const toGo = (side, title) => `<div class="${side}">${[['alias', 'C++'], ['text', 'text'], ['json', 'JSON']].map(([form, name]) =>
  `<div class="form"><button type="button" data-copy="${side}-as-${form}" aria-label="Copy ${title} as ${name}">Copy</button><b>${name}</b>
<pre tabindex="0" role="group" aria-label="${title} as ${name}"><code id="${side}-as-${form}"></code></pre></div>`).join('')}</div>`;

export async function playground(tree, wasm, env) {
  const ask = start(await WebAssembly.compile(wasm));
  const { words } = JSON.parse(ask(request('words', {}, '')));
  const presets = presetsOf(tree.read('examples/expected/preset_table.txt'), words);
  for (const [name, text] of presets) {
    const answer = JSON.parse(ask(request('check', {}, text)));
    if (!answer.ok) throw new Error(`the preset ${name}, ${text}: ${answer.what}`);
  }
  const html = `<h1>Playground</h1>
<p>Compose a strategy, and see what it does. The library itself answers: it is in this page, compiled to WebAssembly. The words are
those of <a href="${env.linkTo('docs/reference/notation.md')}">the notation</a>; each
<a href="${env.linkTo('docs/reference/policies.md')}">policy</a> has a page.</p>
<div class="sides">${editor('a', 'Strategy', FIRST, presets, words)}${editor('b', 'Second strategy', SECOND, presets, words)}</div>
<p><button type="button" id="compare">Compare with a second strategy</button>
<button type="button" id="alone" class="b">Omit the second strategy</button>
<button type="button" data-copy="link">Copy the link</button> <span id="copied" role="status"></span></p>
<section aria-labelledby="delays"><h2 id="delays">Delays</h2>
<p>${select('kind', 'Each attempt fails with an error of the kind', KINDS.map((kind) => [kind, kind]))}</p>
<div class="sides">${both('delays', 'Delays')}</div></section>
<section aria-labelledby="call"><h2 id="call">One call</h2>
<p>${select('script', 'The server', SCRIPTS)}</p>
<div class="sides">${both('call', 'One call')}</div></section>
<section aria-labelledby="fleet"><h2 id="fleet">A fleet through an outage</h2>
<p>Clients call one service, which answers 1000 attempts a second, one after the other. After 5 s it has an outage. A client gives up
on an attempt after the time-out; the service works on it all the same.</p>
<div class="controls">${slider('rate', 'calls of all clients', [50, 1200, 10, 700], '/s')}
${slider('remaining', 'capacity in the outage', [0, 100, 1, 10], '%')}
${slider('outage', 'the outage lasts', [0, 30, 1, 10], 's')}
${slider('clients', 'clients, each with a quota of its own', [1, 500, 1, 100], '')}
${slider('timeout', 'time-out of an attempt', [100, 3000, 50, 1000], 'ms')}
${select('mode', 'what it cannot answer in the outage', [['waits in its queue', '0'], ['is refused at once', '1'], ['is dropped', '2']])}</div>
<div class="sides">${both('fleet', 'The fleet')}</div></section>
<section aria-labelledby="to-go"><h2 id="to-go">Take it with you</h2>
<p>C++ names the classifier; <a href="${env.linkTo('docs/how_to/read_a_strategy_from_text.md')}">a text</a> gets that of your program.
The fleet is simulated by what <a href="${env.linkTo('docs/how_to/simulate_a_fleet.md')}">anew-fleet</a> runs.</p>
<div class="sides">${toGo('a', 'the strategy')}${toGo('b', 'the second strategy')}</div></section>
<noscript><p>The playground needs JavaScript.</p></noscript>`;
  const scripts = `<script type="text/plain" id="module">${zlib.gzipSync(wasm, { level: 9 }).toString('base64')}</script>
<script type="text/plain" id="worker">${joined('module.mjs', 'worker.mjs')}</script>
<script type="module">${joined('module.mjs', 'text.mjs', 'draw.mjs', 'client.mjs', 'page.js')}</script>`;
  return { html, scripts, title: 'Playground', kind: 'playground', css: fs.readFileSync(path.join(here, 'playground.css'), 'utf8') };
}
