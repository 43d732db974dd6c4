#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Clients of a Redis that is killed and restarted while they write into it: see commands.cpp.

usage: run_commands.py COMMANDS REDIS_SERVER CLIENTS KILLS [asio]

The server is killed when it has executed commands whose replies are lost. It starts again as a replica, and is promoted
once it has refused a write.
"""
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import books


class Server:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    def start(self, *as_what):
        # What a process wrote survives its death; a reply comes after the write into the file.
        self.process = subprocess.Popen([self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--dir",
                                         str(self.folder), "--appendonly", "yes", "--appendfsync", "no", "--save", "",
                                         *as_what], stdout=subprocess.DEVNULL)
        while not self.ask("PING").startswith((b"+PONG", b"-MASTERDOWN")):
            assert self.process.poll() is None, "the server did not start"

    def ask(self, command):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
                link.sendall(command.encode() + b"\r\n")
                return link.recv(65536)
        except ConnectionError:
            return b""

    def elements(self, command):
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as link, link.makefile("rb") as answer:
            link.sendall(command.encode() + b"\r\n")
            lines = [answer.readline() for _ in range(2 * int(answer.readline()[1:]))]
        return [line.decode().strip() for line in lines[1::2]]

    def unread(self):
        """How many sockets of a stopped server hold a command."""
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(int(f[1].split(":")[1], 16) == self.port and f[3] == "01" and f[4].split(":")[1] != "00000000"
                   for f in lines)

    def stop_between_two_commands(self, link):
        link.sendall(b"PING\r\n")
        link.recv(100)
        self.process.send_signal(signal.SIGSTOP)

    def kill_and_restart(self, clients):
        """It executes commands of half of the clients at least, and closes the connections before it replies."""
        while int(self.ask("INFO stats").split(b"total_commands_processed:")[1].split()[0]) < 500:
            pass
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
            self.stop_between_two_commands(link)
            # It may have read some already, and not yet replied.
            while not any(self.unread() >= clients // 2 for _ in range(100)):
                self.process.send_signal(signal.SIGCONT)
                self.stop_between_two_commands(link)
            link.sendall(b"CLIENT KILL TYPE normal\r\n")  # the last that is ready, and so the last that is read
            self.process.send_signal(signal.SIGCONT)
            assert link.recv(100).startswith(b":")
        self.process.kill()
        self.process.wait()
        self.start("--replicaof", "127.0.0.1", "1")
        while b"errorstat_READONLY" not in self.ask("INFO errorstats"):
            pass
        assert self.ask("REPLICAOF NO ONE") == b"+OK\r\n"


def main():
    commands, program, clients, kills = *sys.argv[1:3], *map(int, sys.argv[3:5])
    with tempfile.TemporaryDirectory() as name:
        server = Server(program, pathlib.Path(name))
        try:
            said = pathlib.Path(name) / "said"
            with said.open("w") as out, subprocess.Popen([commands, str(server.port), str(clients), *sys.argv[5:]],
                                                         stdin=subprocess.PIPE, stdout=out) as process:
                for _ in range(kills):
                    server.kill_and_restart(clients)
                process.stdin.close()
            ledger = [f"keyed {id}" for id in server.elements("SMEMBERS keyed")]
            ledger += [f"once {id}" for id in server.elements("LRANGE once 0 -1")]
            if not books.audit(said.read_text(), ledger, kills):
                sys.exit("no reply was lost")
            if process.returncode:
                sys.exit(f"the clients exited with {process.returncode}")
        finally:
            server.process.kill()
            server.process.wait()


if __name__ == "__main__":
    main()
