# SPDX-License-Identifier: BSL-1.0
"""The books of clients that make entries in a ledger while something is killed: see clerk.hpp. A client says how each
call ended: "done keyed 12: ", "unknown once 13: why" or "lost once 14: why"."""
import collections
import re
import sys


def audit(said, ledger, kills):
    """Compares what the clients said, a text, with the entries that the ledger has. Prints the sums, and exits unless
    nothing was lost, no entry that was done is missing, and none was made twice that must not be."""
    ends = re.findall(r"(?m)^(done|unknown|lost) (\w+ [\w-]+): (.*)$", said)
    count = collections.Counter(end for end, _, _ in ends)
    times = collections.Counter(ledger)
    missing = [entry for end, entry, _ in ends if end == "done" and not times[entry]]
    strange = set(times) - {entry for _, entry, _ in ends}
    twice = [entry for entry in times if times[entry] > 1 and entry.startswith("once")]
    again = sum(times[entry] > 1 for entry in times) - len(twice)
    print(f"calls {len(ends)}, done {count['done']}, unknown {count['unknown']}, lost {count['lost']}, missing "
          f"{len(missing)}, twice {len(twice)}, keyed again {again}, killed {kills} times")
    if not ends or count["lost"] or missing or strange or twice or len({entry for _, entry, _ in ends}) != len(ends):
        lost = [f"{entry}: {why}" for end, entry, why in ends if end == "lost"]
        sys.exit(f"lost {lost[:5]}, missing {missing[:5]}, twice {twice[:5]}, not called for {sorted(strange)[:5]}")
    return count["unknown"] + again
