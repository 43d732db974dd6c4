// SPDX-License-Identifier: BSL-1.0
// What the page does to a text before the library reads it, and what it makes of what the library read.

// 'name(a,key=b(c))' -> { name, args: [{ key, name, args }] }
export function parse(text) {
  let at = 0;
  const word = () => {
    const [, key, name] = /^(?:([a-z_]+)=)?([^(),]*)/.exec(text.slice(at));
    at += (key ? key.length + 1 : 0) + name.length;
    const args = [];
    if (text[at] === '(') {
      do {
        at++;
        args.push(word());
      } while (text[at] === ',');
      at++;
    }
    return { key, name, args };
  };
  return word();
}

const duration = ({ name }) => name.replace(/(\d)m$/, '$1min');
const rational = ({ name }) => {
  const [whole, part = ''] = name.split('.');
  const [num, den] = name.includes('/') ? name.split('/') : [whole + part, 10 ** part.length];
  return `anew::rational{${BigInt(num)}, ${den}}`;
};
const number = ({ name }) => name.replace(/%|\/s/, '');
const kindsOfErrors = ['transient', 'throttling', 'timeout', 'server', 'client'];
const keyed = (args, key) => args.find((arg) => arg.key === key);
const positional = (args) => args.filter((arg) => !arg.key);
const enumerator = (type) => ({ name }) => `anew::${type}::${name}`;

function costs(args, type) {
  const of = kindsOfErrors.filter((kind) => keyed(args, kind));
  return of.length && `anew::retry_costs{${of.map((kind) => `.${kind} = ${keyed(args, kind).name}`).join(', ')}}` || type;
}
// The costs that are not named are those of `one_each`, not of retry_costs{}.
function costsOfOne(args) {
  return kindsOfErrors.some((kind) => keyed(args, kind))
    ? `anew::retry_costs{${kindsOfErrors.map((kind) => `.${kind} = ${keyed(args, kind)?.name ?? keyed(args, 'transient')?.name ?? 1}`)
      .join(', ')}}` : '';
}
const template = (name, ...args) => {
  while (args.length && !args.at(-1)) args.pop();
  return `anew::${name}${args.length ? `<${args.join(', ')}>` : ''}`;
};
const each = (name, ...kinds) => ({ args }) => template(name, ...args.map((arg, i) => kinds[Math.min(i, kinds.length - 1)](arg)));
const byKind = (name) => ({ args }) => template(name, ...args.map((arg) =>
  (arg.key ? template('for_kind', `anew::error_kind::${arg.key}`, cpp(arg)) : cpp(arg))));

const FORMS = {
  constant: each('constant_backoff', duration),
  exponential: each('exponential_backoff', duration, duration, rational),
  linear: each('linear_backoff', duration),
  fibonacci: each('fibonacci_backoff', duration),
  sequence: each('sequence_backoff', duration),
  immediate_first: each('immediate_first', cpp),
  sum: each('sum_backoff', cpp),
  at_least: each('at_least_backoff', cpp, duration),
  raised_cap: each('raised_cap_backoff', cpp, rational),
  for_first: each('for_first', number, cpp),
  phased: each('phased_backoff', cpp),
  by_kind: byKind('by_kind_backoff'),
  counted_by_kind: byKind('counted_by_kind_backoff'),
  proportional_jitter: each('proportional_jitter', rational),
  scaled_jitter: each('scaled_jitter', rational),
  token_bucket({ args }) {
    const share = keyed(args, 'refund');
    const otherwise = keyed(args, 'otherwise');
    const refund = share ? `anew::refund::fraction(${/\{(.*)\}/.exec(rational(share))[1]})`
      : otherwise ? `anew::refund::last_cost(${otherwise.name})` : '';
    const isPartial = args.some(({ name }) => name === 'partial');
    const usual = (type) => (isPartial || (type === 'retry_costs' && refund) ? `anew::${type}{}` : '');
    return template('token_bucket', args[0].name, costs(args, usual('retry_costs')), refund || usual('refund'),
      isPartial && 'anew::payment::partial');
  },
  refilling_bucket({ args }) {
    const [capacity, per, reserve, longest] = positional(args);
    const of = costsOfOne(args);
    const empty = reserve ? 'anew::when_empty::reserve' : of && 'anew::when_empty::refuse';
    return template('refilling_bucket', capacity.name, duration(per), empty, longest ? duration(longest) : of && '0s', of);
  },
  retry_budget: each('retry_budget', number, number, duration),
  concurrency_budget: each('concurrency_budget', number),
  retry_throttle: each('retry_throttle', number, rational),
  long_poll: each('long_poll', cpp),
  max_attempts: each('max_attempts', number),
  max_attempts_by_kind: byKind('max_attempts_by_kind'),
  server_hint: each('server_hint', enumerator('long_hint'), duration),
  clamped_hint: each('clamped_hint', duration),
  pushback_hint: each('pushback_hint', duration),
  jittered_hint: each('jittered_hint', rational, cpp),
  deadline({ args: [total, ...more] }) {
    const how = more.find(({ name }) => /^[a-z]/.test(name));
    const reserve = more.find(({ name }) => /^\d/.test(name));
    return template('deadline', duration(total), how ? enumerator('at_deadline')(how) : reserve && 'anew::at_deadline::stop',
      reserve && duration(reserve));
  },
  poll_deadline: each('poll_deadline', duration),
  circuit_breaker: each('circuit_breaker', number, duration, number),
  rate_breaker: each('rate_breaker', number, duration, number, duration, number),
  client_throttle: each('client_throttle', rational, duration),
  cool_down({ args }) {
    const [backoff, refuse] = positional(args);
    const [ignored, longest] = [keyed(args, 'ignored'), keyed(args, 'longest_wait')];
    return template('cool_down', cpp(backoff), `anew::when_cooling::${refuse ? 'refuse' : 'wait'}`,
      ignored ? ignored.name : longest && '0', longest && duration(longest));
  },
  max_concurrency: each('max_concurrency', number),
  adaptive_concurrency: each('adaptive_concurrency', number, duration, number),
  rate_limit: each('rate_limit', number, duration, number, duration),
  client_rate_limiter({ args }) {
    const constants = args.filter(({ key }) => key).map(({ key, name }) => `.${key} = ${name}`).join(', ');
    return template('client_rate_limiter', `anew::when_limited::${positional(args).length ? 'fail_fast' : 'wait'}`,
      constants && `anew::rate_limiter_constants{${constants}}`);
  },
  retry_info: () => 'anew::retry_info_classifier',
};

// A policy as C++ writes it. A word without arguments is the name of its policy.
export function cpp(word) {
  return Object.hasOwn(FORMS, word.name) ? FORMS[word.name](word) : `anew::${word.name}`;
}

// policies: [{ role, text }], as the library read them.
export function aliasOf(policies, name = 'my_strategy') {
  return `#include "anew/policies.hpp"
using namespace std::chrono_literals;

using ${name} = anew::strategy<
    ${policies.map(({ text }) => cpp(parse(text))).join(',\n    ')}>;`;
}
export const textOf = (policies) =>
  policies.filter(({ role }) => role !== 'classifier').map(({ text }) => text).join(' ');
export const jsonOf = (policies) => JSON.stringify(Object.fromEntries(policies.map(({ role, text }) => [role, text])), null, 2);

// The words of a text: what stands between blanks outside of parentheses.
export function wordsOf(text) {
  const words = [];
  let depth = 0;
  let begin = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i] ?? ' ';
    depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    if (!/\s/.test(c) || depth > 0 && i < text.length) continue;
    if (i > begin) words.push(text.slice(begin, i));
    begin = i + 1;
  }
  return words;
}
export const nameOf = (word) => word.replace(/\([^]*/, '');

// The text with another policy of a role, in its place; '' omits it.
export function withPolicy(text, roleOf, role, policy) {
  const words = wordsOf(text);
  const at = words.findIndex((word) => roleOf[nameOf(word)] === role);
  if (at >= 0) words[at] = policy;
  else words.push(policy);
  return words.filter(Boolean).join(' ');
}

// The library counts bytes, a page counts UTF-16: [begin, end] of the fault, of at least one character where there is one.
export function placeOf(text, { at, length }) {
  const bytes = new TextEncoder().encode(text);
  const units = (until) => new TextDecoder().decode(bytes.slice(0, until)).length;
  const begin = Math.min(units(at), Math.max(text.length - 1, 0));
  return [begin, Math.max(units(at + length), Math.min(begin + 1, text.length))];
}

// [[name, text]] of the presets, each policy in the text's words, in the order of examples/expected/preset_table.txt.
export function presetsOf(table, words) {
  const known = new Set(words.map(({ name }) => name));
  const texts = new Map();
  for (const [, policy, names] of table.split('\n## promises')[0].matchAll(/^\| `([^`]*)` \| (.*) \|$/gm)) {
    if (!known.has(nameOf(policy))) continue;
    for (const [, name] of names.matchAll(/`([^`]*)`/g)) texts.set(name, [...texts.get(name) ?? [], policy]);
  }
  return [...texts].map(([name, policies]) => [name, policies.join(' ')]);
}
