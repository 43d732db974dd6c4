// SPDX-License-Identifier: BSL-1.0
// Peers on Node beside a loop by hand in the same language, each with a policy of its own for 32 destinations:
//   node peers.mjs FOLDER    FOLDER holds node_modules
// Prints one line a figure: group, what, peer, value, lower quartile, upper quartile, unit; separated by tabs. No
// timer waits: setTimeout calls back in a microtask, which costs every peer the same. Counted is the processor time.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(process.argv[2] ?? '.');
const require = createRequire(pathToFileURL(path.join(folder, 'package.json')));
// ANEW_BENCHMARK_SMOKE=1: does it run at all?
const smoke = !['', '0', undefined].includes(process.env.ANEW_BENCHMARK_SMOKE);

const version = (name) => require(path.join(folder, 'node_modules', name, 'package.json')).version;
const { retry, handleAll, ExponentialBackoff } = require('cockatiel');
const { StandardRetryStrategy } = require('@smithy/util-retry');
const pRetry = (await import(pathToFileURL(path.join(folder, 'node_modules/p-retry/index.js')))).default;

globalThis.setTimeout = (callback, _delay, ...rest) => {
  queueMicrotask(() => callback(...rest));
  return { unref() {}, ref() {} };
};
globalThis.clearTimeout = () => {};

const strategies = 32;
const mostAttempts = 4;
// One object: to collect a stack costs more than a retry.
const problem = Object.assign(new Error('busy'), { name: 'TimeoutError' });
let failuresToCome = 0;
const ask = async () => {
  if (failuresToCome === 0) return 1;
  --failuresToCome;
  throw problem;
};
const sleep = (delay) => new Promise((resolve) => setTimeout(resolve, delay));

const byHand = (base) => async () => {
  for (let attempt = 1; ; ++attempt) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === mostAttempts || error.name !== 'TimeoutError') throw error;
      await sleep(Math.random() * Math.min(base * 2 ** (attempt - 1), 20000));
    }
  }
};
const byCockatiel = (base) => {
  const policy = retry(handleAll, {
    maxAttempts: mostAttempts - 1,
    backoff: new ExponentialBackoff({ initialDelay: base, maxDelay: 20000 }),
  });
  return () => policy.execute(ask);
};
const byPRetry = (base) => {
  const options = { retries: mostAttempts - 1, minTimeout: base, maxTimeout: 20000, randomize: true };
  return () => pRetry(ask, options);
};
const bySmithy = () => {
  const strategy = new StandardRetryStrategy(mostAttempts);  // with its bucket, which it always has
  return async () => {
    let token = await strategy.acquireInitialRetryToken('');
    for (;;) {
      try {
        const answer = await ask();
        strategy.recordSuccess(token);
        return answer;
      } catch (error) {
        token = await strategy.refreshRetryTokenForRetry(token, { errorType: 'TRANSIENT', error });
        if (token.getRetryDelay() > 0) await sleep(token.getRetryDelay());  // this release has waited in the line above
      }
    }
  };
};

const peers = [
  ['by hand', byHand],
  [`cockatiel ${version('cockatiel')}`, byCockatiel],
  [`p-retry ${version('p-retry')}`, byPRetry],
  [`@smithy/util-retry ${version('@smithy/util-retry')}`, bySmithy],
].map(([name, make]) => ({ name, calls: Array.from({ length: strategies }, (_, i) => make(50 + i)) }));

const nanosecondsOf = async (calls, n, failures) => {
  const begin = process.cpuUsage();
  for (let i = 0; i !== n; ++i) {
    failuresToCome = failures;
    await calls[i % strategies]();
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) * 1000 / n;
};
const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * q)];
const print = (what, peer, series) =>
  console.log(['Node ' + process.versions.node.split('.')[0], what, peer, quantile(series, 0.5).toFixed(0),
               quantile(series, 0.25).toFixed(0), quantile(series, 0.75).toFixed(0), 'ns'].join('\t'));

const rounds = smoke ? 3 : 41;
const length = smoke ? 64 : 4096;
for (const { calls } of peers) await nanosecondsOf(calls, smoke ? 64 : 20000, 1);  // compiled by then
const series = peers.map(() => ({ success: [], extra: [] }));
for (let round = 0; round !== rounds; ++round) {
  for (let i = 0; i !== peers.length; ++i) {
    const at = (i + round) % peers.length;
    const success = await nanosecondsOf(peers[at].calls, length, 0);
    const one = await nanosecondsOf(peers[at].calls, length, 1);
    series[at].success.push(success);
    series[at].extra.push(one - success);
  }
}
peers.forEach(({ name }, i) => print('a call that succeeds', name, series[i].success));
peers.forEach(({ name }, i) => print('one attempt more', name, series[i].extra));
