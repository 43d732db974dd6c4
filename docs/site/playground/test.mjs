// SPDX-License-Identifier: BSL-1.0
// node test.mjs PLAYGROUND.wasm NATIVE: the module answers as the library does, byte for byte; a fault is underlined where it
// is; and what the page gives to be copied compiles and reads as the strategy that it shows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { request, start } from './module.mjs';
import { aliasOf, jsonOf, nameOf, parse, placeOf, presetsOf, textOf, withPolicy, wordsOf } from './text.mjs';

const [moduleFile, native] = process.argv.slice(2);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const ask = start(await WebAssembly.compile(fs.readFileSync(moduleFile)));
const asked = (what, values, text) => JSON.parse(ask(request(what, values, text)));
const answersOf = (requests) => execFileSync(native, { input: requests.map((one) => `${one}\0`).join(''), encoding: 'utf8',
  maxBuffer: 1 << 28 }).split('\n');

const { words } = asked('words', {}, '');
let state = 20_261_127n;
function random(n) {
  state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(n));
}
const oneOf = (all) => all[random(all.length)];
const UNITS = ['us', 'ms', 's'];

// Policies of some roles with other numbers, and one in five texts with a mistake.
function randomText() {
  const roles = [...new Set(words.map(({ role }) => role))].filter(() => random(3) > 0);
  const chosen = roles.map((role) => oneOf(words.filter((word) => word.role === role)).example)
    .map((word) => word.replace(/\d+(us|ms|s)?/g, (number, unit) => (random(3) ? number : `${1 + random(900)}${unit ? oneOf(UNITS) : ''}`)));
  const text = chosen.sort(() => random(3) - 1).join(oneOf([' ', '  ', '\n']));
  if (random(5)) return text;
  const at = random(text.length + 1);
  return text.slice(0, at) + oneOf(['', ')', '(', ',', 'x', '7', 'é', '"', '\\', '\t', ' 🙂 ']) + text.slice(at + random(3));
}

const texts = Array.from({ length: 1000 }, randomText);
const requests = texts.flatMap((text, i) => [
  request('check', {}, text),
  request('delays', { calls: 3, seed: i, kind: oneOf(['transient', 'throttling', 'timeout', 'server']) }, text),
  request('call', { seed: i, script: oneOf(['server:80 ok:120', 'throttling:60:2000 timeout:1000', 'timeout:1000', '', 'x:y:z']) }, text),
  ...i % 50 ? [] : [request('fleet', { seed: i, rate: 20 + random(100), capacity: 50, clients: 1 + random(20), after: 20_000, mode: random(3) }, text)],
]);
const expected = answersOf(requests);
let accepted = 0;
requests.forEach((one, i) => {
  const found = ask(one);
  assert.equal(found, expected[i], one);
  accepted += one.startsWith('check') && JSON.parse(found).ok;
});
assert(accepted > 400 && accepted < 950, `${accepted} of the texts are accepted`);

// A wrong text, and what of it is underlined.
const WRONG = `exponental(50ms)|exponental
full_jitter exponential(50ms,20s) ful_jitter|ful_jitter
exponential(1ms,5) max_attempts(4)|5
exponential(5s,1s)|exponential(5s,1s)
deadline(2s)|deadline(2s)
max_attempts(0)|max_attempts(0)
max_attempts(three)|three
max_attempts(3) max_attempts(4)|max_attempts(4)
constant(-1s)|constant(-1s)
constant()|constant()
constant(1s,2s)|2s
no_jitter(1)|1
token_bucket(100,transiet=3)|transiet=3
token_bucket(100,refund=1,otherwise=2)|token_bucket(100,refund=1,otherwise=2)
server_hint(later)|later
by_kind(throtling=no_backoff,constant(1s))|throtling=no_backoff
immediate_first(nothing)|nothing
max_attempts(3) é(1)|é
constant(1s) full_jitter 🙂|🙂
circuit_breaker(5,30)|30
retry_budget(20%,x/s,10s)|x/s`.split('\n').map((line) => line.split('|'));
const misplaced = WRONG.flatMap(([text, wanted]) => {
  const answer = asked('check', {}, text);
  const found = answer.ok ? 'nothing' : text.slice(...placeOf(text, answer));
  return found === wanted ? [] : [`${text}: ${found} is underlined, not ${wanted}: ${answer.what}`];
});
assert.deepEqual(misplaced, []);
const [begin, end] = placeOf('constant(', asked('check', {}, 'constant('));
assert(begin < end && end <= 9, 'a fault at the end has a place in the text');

// A menu replaces the policy of its role where it stands.
const roleOf = Object.fromEntries(words.map(({ name, role }) => [name, role]));
assert.equal(withPolicy('constant(1s) full_jitter', roleOf, 'backoff', 'no_backoff'), 'no_backoff full_jitter');
assert.equal(withPolicy('full_jitter', roleOf, 'backoff', 'sum(constant(1s), no_backoff)'), 'full_jitter sum(constant(1s), no_backoff)');
assert.equal(withPolicy('constant(1s)\nfull_jitter', roleOf, 'jitter', ''), 'constant(1s)');
assert.deepEqual(wordsOf(' a(b, c(d)) e '), ['a(b, c(d))', 'e']);
assert.equal(new Set(words.map(({ name, role }) => `${name} ${role}`)).size, new Set(words.map(({ name }) => name)).size,
  'a name is of one role');

// Copies a strategy with each word, and each preset, as C++, and compares its describe() with the text.
const presets = presetsOf(fs.readFileSync(path.join(root, 'examples/expected/preset_table.txt'), 'utf8'), words);
const byRole = Map.groupBy?.(words, ({ role }) => role) ?? words.reduce((map, word) =>
  map.set(word.role, [...map.get(word.role) ?? [], word]), new Map());
const longest = Math.max(...[...byRole.values()].map((all) => all.length));
const strategies = Array.from({ length: longest }, (_, i) => [...byRole.values()].map((all) => all[i % all.length].example).join(' '));
strategies.push(...presets.filter((_, i) => i % 4 === 1).map(([, text]) => text),
  'token_bucket(500,transient=5,throttling=5,timeout=10,server=5,client=5,refund=1/2,partial)', 'token_bucket(99,otherwise=2)',
  'refilling_bucket(10,1s,transient=2)', 'deadline(2s,clamp,100ms) unbounded', 'deadline(2s,100ms) max_attempts(3)',
  'cool_down(constant(1s),ignored=2,longest_wait=3s)', 'client_rate_limiter(beta=0.5,min_capacity=2)');
const read = strategies.map((text) => asked('check', {}, text));
read.forEach((answer, i) => assert(answer.ok, `${strategies[i]}: ${answer.what}`));
const aliases = read.map(({ policies }, i) => aliasOf(policies, `s${i}`));
const program = `#include "anew/text.hpp"
#include <cstdio>
${aliases.join('\n')}
template <class S> int differs(char const* text) {
  auto const found = anew::describe(S{});
  return found == text ? 0 : std::printf("%s\\nis copied as\\n%s\\n", text, found.c_str());
}
int main() { return (${read.map(({ policies }, i) => `differs<s${i}>(${JSON.stringify(policies.map(({ text }) => text).join(' '))})`)
  .join(' + ')}) != 0; }
`;
fs.writeFileSync(`${native}_aliases.cpp`, program);
execFileSync(process.env.CXX ?? 'g++', ['-std=c++20', '-O0', '-Wall', '-Werror', `-I${root}/include`, `${native}_aliases.cpp`, '-o',
  `${native}_aliases`], { stdio: 'inherit' });
execFileSync(`${native}_aliases`, { stdio: 'inherit' });

// What is copied as a text is read as the same strategy, and each policy of it has a member of the JSON.
for (const { policies } of read) {
  assert.deepEqual(asked('check', {}, textOf(policies)).policies, policies);
  assert.deepEqual(Object.values(JSON.parse(jsonOf(policies))), policies.map(({ text }) => text));
  for (const { text } of policies) assert.equal(parse(text).name, nameOf(text));
}
console.log(`playground: ${requests.length} answers on ${texts.length} texts (${accepted} accepted) are the native library's; ` +
  `${WRONG.length} faults are underlined at their places; ${aliases.length} strategies are copied as C++`);
