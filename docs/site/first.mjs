// SPDX-License-Identifier: BSL-1.0
// The first page, for ten seconds: what it is, a call, what it prints, an outage, three ways in. README has the words.
const WAYS = [
  ['HTTP', 'docs/how_to/retry_http.md', 'Retry requests over any client, and obey `Retry-After`.'],
  ['Asio', 'docs/how_to/use_asio.md', '`async_retry` with every completion token: callbacks, futures, coroutines.'],
  ['Your own errors', 'docs/how_to/classify_your_errors.md', 'Say which failures may be retried.'],
];

export function firstPage(tree, storm) {
  const readme = tree.read('README.md');
  const what = /^# .*\n\n([^]*?)\n\n/.exec(readme)[1];
  const program = /```cpp\n([^]*?)```/.exec(readme)[1];
  const call = /^int main\(\)[^]*?^}/m.exec(program)[0];
  const printed = /```text\n([^]*?)```/.exec(readme)[1];
  const ways = WAYS.map(([name, page, text]) => `* [**${name}**](${page}) ${text}`).join('\n');
  return `# anew

${what}

\`\`\`cpp
#include "anew/http.hpp"

${call}
\`\`\`

The first attempt loses its connection, the second gets a 503 with \`Retry-After: 1\`:

\`\`\`text
${printed}\`\`\`

The [whole program](README.md#thirty-seconds), [how to install it](docs/how_to/install.md), [what it costs](docs/cost.md).

## Retries must not make an outage longer

A hundred clients make 700 calls a second to a service that can answer 1000. In an outage it answers a tenth of them. Without a
budget, the clients' own retries keep it down after the outage has ended. A budget ends the storm.

${storm}

## Begin with

${ways}

Or [come from another library](docs/how_to/come_from_another_library.md), read
[the tutorial](docs/tutorial/from_a_loop_to_a_strategy.md), or look at [all policies](docs/reference/policies.md) and
[all functions and concepts](lookup.md).
`;
}
