#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Clients of a PostgreSQL that is killed and restarted while they transfer money: see bank.cpp.

usage: run_bank.py BANK PG_CTL CLIENTS CALLS KILLS

The server is killed, with all its processes, each time that a share of the calls has ended and a commit waits. Exits
with 77, which is "skipped", where root has no other user for the server, which does not run as root.
"""
import os
import pathlib
import pwd
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import books

SKIPPED = 77


class Server:
    def __init__(self, pg_ctl, folder):
        self.pg_ctl, self.data, self.log = pg_ctl, folder / "data", folder / "log"
        self.as_user = {}
        if os.geteuid() == 0:
            try:
                user = pwd.getpwnam("postgres")
            except KeyError:
                print("no user 'postgres': the server does not run as root")
                sys.exit(SKIPPED)
            os.chown(folder, user.pw_uid, user.pw_gid)
            self.as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.where = f"host={folder} dbname=postgres user=tester"
        self.run("initdb", "--options=--auth=trust --username=tester --no-sync --no-instructions")
        with (self.data / "postgresql.conf").open("a") as settings:
            # What a process wrote survives its death; only a machine's would need fsync.
            settings.write(f"unix_socket_directories = '{folder}'\nlisten_addresses = ''\nfsync = off\n"
                           "full_page_writes = off\nmax_connections = 30\ninclude_if_exists = 'late.conf'\n")
        self.late = self.data / "late.conf"
        self.run("start")

    def run(self, verb, *args):
        done = subprocess.run([self.pg_ctl, verb, "-D", self.data, "-l", self.log, "-w", "-t", "120", "-s", *args],
                              cwd="/", **self.as_user, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            log = self.log.read_text() if self.log.exists() else ""
            sys.exit(f"pg_ctl {verb}: {done.stdout}\n{log[-2000:]}")

    def ask(self, sql):
        psql = [pathlib.Path(self.pg_ctl).with_name("psql"), self.where, "-Atc", sql]
        return subprocess.run(psql, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()

    def kill_in_a_commit_and_restart(self):
        """The server waits for a standby that does not exist: a COMMIT has taken effect, and its answer is lost."""
        self.late.write_text("synchronous_standby_names = 'absent'\n")
        os.chmod(self.late, 0o644)
        self.run("reload")
        while self.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == ["0"]:
            pass
        self.run("stop", "--mode=immediate")
        self.late.unlink()
        self.run("start")


def main():
    bank, pg_ctl, clients, calls, kills = *sys.argv[1:3], *map(int, sys.argv[3:6])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        server = Server(pg_ctl, folder)
        try:
            server.ask("CREATE TABLE account (id int PRIMARY KEY, money int); CREATE TABLE done (id int);"
                       "CREATE TABLE keyed (id int PRIMARY KEY);"
                       "INSERT INTO account SELECT n, 1000 FROM generate_series(0, 3) n")
            with subprocess.Popen([bank, server.where, str(clients), str(calls)], stdout=subprocess.PIPE,
                                  text=True) as process:
                killed, said = 0, []
                for line in process.stdout:
                    said.append(line)
                    if killed < kills and len(said) * (kills + 1) > (killed + 1) * clients * calls:
                        server.kill_in_a_commit_and_restart()
                        killed += 1
            ledger = server.ask("SELECT 'keyed ' || id FROM keyed UNION ALL SELECT 'once ' || id FROM done")
            books.audit("".join(said), ledger, killed)
            money = server.ask("SELECT sum(money) FROM account")
            if process.returncode or killed != kills or len(said) != clients * calls or money != ["4000"]:
                sys.exit(f"the bank exited with {process.returncode}, and has {money}")
        finally:
            server.run("stop", "--mode=immediate")


if __name__ == "__main__":
    main()
