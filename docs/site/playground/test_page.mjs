// SPDX-License-Identifier: BSL-1.0
// node test_page.mjs PACKAGES SITE [PICTURES]: pages and the playground in Chromium, from the disk: no error, no barrier that axe finds,
// and what is clicked, typed and linked is shown.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium.mjs';

const [packages, site, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(path.join(packages, 'node_modules/axe-core/axe.min.js'), 'utf8');
const page = pathToFileURL(path.resolve(site, 'playground.html')).href;
const linked = (state) => `${page}#${new URLSearchParams(state)}`;
setTimeout(() => {
  console.error('the page does not come to an end');
  process.exit(1);
}, 600_000).unref();

const chromium = new Chromium(process.env.CHROMIUM);
await chromium.begin();
const run = (expression) => chromium.evaluate(expression);
const drawn = (expression = 'true') => chromium.until(`document.body?.dataset.drawn && (${expression})`);
async function open(name) {
  await chromium.open(pathToFileURL(path.resolve(site, name)).href);
  await chromium.until(`document.readyState === 'complete' && document.body.clientWidth`);
}
const textOf = (id) => run(`document.getElementById('${id}').textContent`);

const PAGES = ['index.html', 'policies/equal_jitter.html', 'policies/rate_breaker.html', 'docs/how_to/retry_http.html',
  'docs/reference/policies.html', 'docs/reference/headers.html', 'docs/reference/glossary.html', 'docs/reference/faq.html',
  'docs/explanation/by_feature.html', 'docs/explanation/way_of_a_call.html', 'docs/explanation/what_is_next.html',
  'docs/how_to/protect_a_destination.html', 'docs/how_to/why_step_by_step.html',
  'docs/tutorial/from_a_loop_to_a_strategy.html', 'lookup.html', 'functions/retry.html', 'concepts/Quota.html',
  'docs/concepts.html', 'mistakes/two_backoffs.html'];
const STATES = [
  {},
  { s: 'exponential(50ms,20s) ful_jitter', b: 'constant(100ms) no_jitter unlimited_quota max_attempts(4)', rate: '400' },
];
async function check(name, width, scheme) {
  if (pictures) await chromium.picture(path.join(pictures, `${name}_${width}_${scheme}.png`));
  await run(axe);
  const found = await run('axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join("; ")}`))');
  assert.deepEqual(found, [], `${name}, ${width} px, ${scheme}`);
  assert(await run('document.documentElement.scrollWidth <= innerWidth'), `${name} is wider than ${width} px`);
}
for (const width of [390, 800, 1300]) {
  for (const scheme of ['light', 'dark']) {
    await chromium.look(width, scheme);
    for (const name of PAGES) {
      await open(name);
      await run(`document.querySelectorAll('main details').forEach((one) => { one.open = true; })`);
      await check(path.basename(name, '.html'), width, scheme);
    }
    for (const [i, state] of STATES.entries()) {
      await chromium.open(linked(state));
      await drawn();
      await check(`playground_${i}`, width, scheme);
    }
  }
}

// The fault of the last state is underlined, and said; the other strategy is drawn all the same.
assert.equal(await run(`document.querySelector('#a-under mark').textContent`), 'ful_jitter');
assert.equal(await textOf('a-said'), "there is no policy 'ful_jitter'; did you mean 'full_jitter'?");
assert.equal(await run(`document.getElementById('a-text').getAttribute('aria-invalid')`), 'true');
assert.equal(await textOf('a-delays'), '');
assert.equal(await textOf('a-as-alias'), '');
assert.match(await textOf('b-delays'), /100 ms/);
assert.equal(await textOf('rate-is'), '400 /s');

// A preset that is clicked, a menu, typing, a slider.
await run(`document.querySelector('#a button[data-text]').click()`);
await drawn(`document.getElementById('a-as-alias').textContent.includes('exponential_backoff<50ms, 20s>')`);
await run(`(() => { const menu = document.querySelector('#a-roles [data-role=jitter]');
  menu.value = 'equal_jitter'; menu.dispatchEvent(new Event('change', { bubbles: true })); })()`);
await drawn(`document.getElementById('a-as-alias').textContent.includes('anew::equal_jitter')`);
assert.match(await run(`document.getElementById('a-text').value`), / equal_jitter /);
const set = (id, value) => run(`(() => { const of = document.getElementById('${id}');
  of.value = ${JSON.stringify(value)}; of.dispatchEvent(new Event('input', { bubbles: true })); })()`);
await set('a-text', 'constant(7ms) no_jitter max_attempts(2)');
await drawn(`document.getElementById('a-delays').textContent.includes('7 ms')`);
assert.equal(await run(`document.querySelector('#a-roles [data-role=backoff]').value`), 'constant(7ms)');
await set('outage', '0');
await set('script', 'throttling:60:2000 ok:120');
await drawn(`document.getElementById('a-call').textContent.includes('waits 2 s')`);
await drawn(`document.getElementById('a-fleet').textContent.includes('99 % of the calls succeed again 0 after')`);

// The outage of the first page moves with its slider.
await open('index.html');
const end = () => run(`document.getElementById('storm-1').textContent`);
const before = await end();
await set('storm-outage', '1');
assert.equal(await textOf('storm-lasts'), '1 s');
assert.notEqual(await end(), before);
assert.match(await textOf('storm-0'), /succeed again 0 after/);
await set('storm-outage', '2');
assert.match(await textOf('storm-0'), /has not recovered/);

// The link has the state, and a page that it opens is the same.
await chromium.open(linked({ s: 'constant(7ms) no_jitter max_attempts(2)', outage: '0' }));
await drawn();
const link = await run('location.href');
const shown = await run(`document.querySelector('main').innerText`);
await chromium.open(link);
await drawn();
assert.equal(await run(`document.querySelector('main').innerText`), shown);

// The keyboard comes to each control, in the order of the page.
await chromium.open(page);
await drawn();
const order = [];
for (let i = 0; i < 80; i++) {
  await chromium.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 });
  order.push(await run(`document.activeElement.id || document.activeElement.dataset.role || document.activeElement.textContent.trim()`));
}
const places = ['a-text', 'backoff', 'pacer', 'compare', 'kind', 'script', 'rate', 'mode'].map((name) => order.indexOf(name));
assert(places[0] >= 0 && places.every((at, i) => i === 0 || at > places[i - 1]), `the keyboard comes to ${order}`);

// Why a call is not retried: keys open the steps, and no script of the page runs; a frame's promise would wait for ever.
await chromium.send('Emulation.setScriptExecutionDisabled', { value: true });
await chromium.open(pathToFileURL(path.resolve(site, 'docs/how_to/why_step_by_step.html')).href);
while (!await run(`document.readyState === 'complete' && !!document.querySelector('main summary')`));
const key = (name, more) => chromium.send('Input.dispatchKeyEvent', { type: 'keyDown', key: name, code: name, ...more });
const atStep = (n) => run(`(() => { const steps = [...document.querySelectorAll('main summary')];
  return [steps.indexOf(document.activeElement), steps[${n}].parentElement.open].join(); })()`);
assert.equal(await run(`document.getElementById('theme').hidden`), true);
await run(`document.querySelector('main summary').focus()`);
await key('Enter', { windowsVirtualKeyCode: 13, text: '\r' });
assert.equal(await atStep(0), '0,true');
await key('Tab', { windowsVirtualKeyCode: 9 });
await key('Enter', { windowsVirtualKeyCode: 13, text: '\r' });
assert.equal(await atStep(1), '1,true');

assert.deepEqual(chromium.errors, []);
await chromium.close();
console.log(`site: the playground and ${PAGES.length} pages have no error, and axe finds nothing at 390, 800 and 1300 px, light and dark`);
