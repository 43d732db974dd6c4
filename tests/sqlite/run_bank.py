#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Clients of a file of SQLite, two of which are killed in their transactions and started again: see bank.cpp.

usage: run_bank.py BANK MODE CLIENTS CALLS KILLS    MODE is that of the journal, delete or wal

A client dies at an early or a late write of a transaction, or when it is committed: each time at another one. The first
makes the call again, which is keyed; the second cannot know, and goes on behind it.
"""
import concurrent.futures
import contextlib
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import books

WRITES = 17  # of a transaction, at most


def main():
    bank, mode, clients, calls, kills = *sys.argv[1:3], *map(int, sys.argv[3:6])
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "bank.db"
        with contextlib.closing(sqlite3.connect(file)) as db:
            db.executescript(f"""PRAGMA journal_mode = {mode};
                CREATE TABLE once(id); CREATE TABLE keyed(id PRIMARY KEY); CREATE TABLE account(id, money);
                INSERT INTO account VALUES(0, 0), (1, 0), (2, 0), (3, 0)""")

        def lives(client):
            first, end, said = client * calls, (client + 1) * calls, ""
            deaths = kills // 2 if client < 2 else 0
            for death in range(deaths + 1):
                dies_at = first + (end - first) // (deaths - death + 1) // 2 * 2 + client if death < deaths else end
                write = 1 + (3 + 7 * death + client) % WRITES
                done = subprocess.run([bank, file, *map(str, (first, end, dies_at, write))], stdout=subprocess.PIPE,
                                      text=True)
                assert done.returncode == (0 if dies_at == end else -signal.SIGKILL), done
                said += done.stdout + (f"unknown once {dies_at}: it died\n" if dies_at % 2 else "")
                first = dies_at + dies_at % 2
            return said

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            said = "".join(pool.map(lives, range(clients)))
        with contextlib.closing(sqlite3.connect(file)) as db:
            ledger = [row[0] for row in db.execute(
                "SELECT 'keyed ' || id FROM keyed UNION ALL SELECT 'once ' || id FROM once")]
            money = [row[0] for row in db.execute("SELECT money FROM account ORDER BY id")]
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        books.audit(said, ledger, kills // 2 * 2)
        assert money[0] == -len(ledger) and sum(money) == 0, money


if __name__ == "__main__":
    main()
