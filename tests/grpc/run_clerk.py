#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Clients of a gRPC server that is killed and restarted while it works for them: see clerk.cpp.

usage: run_clerk.py CLERK CLIENTS CALLS KILLS

Each server but the last holds its answers after its share of the entries, and is killed when it has held one: an entry
is recorded, and its answer lost.
"""
import pathlib
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import books

NO_END = 10**9


def start(clerk, port, file, hold):
    server = subprocess.Popen([clerk, "serve", str(port), str(file), str(hold)], stdout=subprocess.PIPE, text=True)
    if server.stdout.readline() != "ready\n":
        server.kill()
        sys.exit("the server did not start")
    return server


def main():
    clerk, clients, calls, kills = sys.argv[1], *map(int, sys.argv[2:5])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "ledger"
        share = clients * calls // (kills + 1) - clients  # each client may add an entry whose answer is held
        server = start(clerk, port, file, share)
        try:
            said = pathlib.Path(folder) / "said"
            with said.open("w") as out, subprocess.Popen([clerk, "call", str(port), str(clients), str(calls)],
                                                         stdout=out) as client:
                for kill in range(kills):
                    assert server.stdout.readline() == "held\n"
                    server.kill()
                    server.wait()
                    server = start(clerk, port, file, share if kill + 1 < kills else NO_END)
            lost_answers = books.audit(said.read_text(), file.read_text().splitlines(), kills)
            if client.returncode or len(said.read_text().splitlines()) != clients * calls:
                sys.exit(f"the clients exited with {client.returncode}")
            if lost_answers < kills:
                sys.exit("a kill came while no entry waited for its answer")
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
