#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A bucket on a real Redis, at its edges: TLS with certificates that the test makes, a server that is killed and comes
back, a name that moves, other numbers than the fleet's, and a server that loads no script.

usage: run_edges.py PROBE REDIS_SERVER OPENSSL

Exits with 77, which is "skipped", where the server has no TLS.
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

SKIPPED = 77


class Server:
    """A redis-server on a port that was free a moment ago."""

    def __init__(self, program, folder, args=(), tls=False):
        self.program, self.args, self.folder, self.tls = program, args, folder, tls
        for tries_left in range(4, -1, -1):
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]
            try:
                return self.start()
            except RuntimeError:
                if not tries_left or "in use" not in self.log:
                    raise

    def start(self):
        port = ["--port", "0", "--tls-port", str(self.port)] if self.tls else ["--port", str(self.port)]
        self.process = subprocess.Popen([self.program, *port, "--save", "", "--appendonly", "no", "--dir", self.folder,
                                         *self.args], stdout=subprocess.PIPE, text=True)
        self.log = ""
        for line in self.process.stdout:
            self.log += line
            if "Ready to accept connections" in line:
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return
        raise RuntimeError(self.log)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Probe:
    def __init__(self, program, *args):
        self.process = subprocess.Popen([program, *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, line="ask"):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n").split("\t")
        return answer if len(answer) == 4 else [f"died: {self.process.wait()}", "0", "0", ""]


class Silent:
    """Accepts connections, and answers nothing."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.kept = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            one, _ = self.listener.accept()
            self.kept.append(one)


def make_certificates(openssl, folder):
    """A CA and its certificates for localhost and for a client; another CA; a certificate that has expired."""

    def run(*args):
        subprocess.run([openssl, *args], check=True, cwd=folder, stderr=subprocess.DEVNULL)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for ca in ("ca", "other"):
        run("req", "-x509", *key, "-keyout", f"{ca}.key", "-out", f"{ca}.pem", "-days", "2", "-subj", f"/CN={ca}")
    for name, names, days in (("server", "DNS:localhost,IP:127.0.0.1", "2"), ("client", "DNS:client", "2"),
                              ("expired", "DNS:localhost,IP:127.0.0.1", "-1"),
                              ("localhost", "IP:127.0.0.2", "2")):  # it has the name as its common name alone
        with open(os.path.join(folder, name + ".ext"), "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={names}\n")
        run("req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", days,
            "-extfile", f"{name}.ext", "-out", f"{name}.pem")


def main():
    probe, server, openssl = sys.argv[1:]
    folder = tempfile.mkdtemp(prefix="anew-edges-")
    failures, running = [], []

    def expect(title, answer, became, error=""):
        right = answer[0] == became and error in answer[3]
        print(f"{title:52} {answer[0]:8} {answer[1]:>6} ms  lost {answer[2]}  {answer[3]}", flush=True)
        if not right:
            failures.append(f"{title}: {answer}, expected {became} and {error!r}")

    def started(*args, **more):
        running.append(Server(server, folder, *args, **more))
        return running[-1]

    def path(name):
        return os.path.join(folder, name)

    try:
        make_certificates(openssl, folder)
        plain = started()
        # Other numbers than the fleet's.
        expect("the fleet's numbers", Probe(probe, "127.0.0.1", plain.port, 500).ask(), "granted")
        expect("another capacity", Probe(probe, "127.0.0.1", plain.port, 100).ask(), "away",
               "capacity=500,transient=14,throttling=5,timeout=14,server=14,client=14 in Redis, and capacity=100,")
        expect("the fleet goes on", Probe(probe, "127.0.0.1", plain.port, 500).ask(), "granted")
        # A script that is gone, and a key that is another's.
        one = Probe(probe, "127.0.0.1", plain.port, 500)
        expect("before SCRIPT FLUSH", one.ask(), "granted")
        for title, command in (("after SCRIPT FLUSH", b"SCRIPT FLUSH\r\n"),
                               ("after an epoch that is none", b"HSET {probe} epoch rubbish\r\n")):
            with socket.create_connection(("127.0.0.1", plain.port)) as other:
                other.sendall(command)
                other.recv(64)
            expect(title, one.ask("heal"), "granted")
        # A name that moves.
        with open(path("names"), "w", encoding="utf-8") as file:
            file.write(str(plain.port))
        one = Probe(probe, path("names"), 0, 500)
        expect("the name points to the first server", one.ask(), "granted")
        moved = started()
        with open(path("names"), "w", encoding="utf-8") as file:
            file.write(str(moved.port))
        plain.kill()
        expect("the name has moved", one.ask("heal"), "granted")
        plain.start()
        # TLS.
        tls = ["--tls-cert-file", path("server.pem"), "--tls-key-file", path("server.key"), "--tls-ca-cert-file",
               path("ca.pem")]
        try:
            secure = started(tls, tls=True)
        except RuntimeError as error:
            print("skipped: redis-server has no TLS\n", error)
            return SKIPPED if not failures else 1
        good = [path("ca.pem"), path("client.pem"), path("client.key")]
        one = Probe(probe, "localhost", secure.port, 500, *good, "-")
        expect("TLS, by name", one.ask(), "granted")
        secure.kill()
        expect("TLS, the server is killed", one.ask(), "away", "the connection was closed")
        secure.start()
        expect("TLS, and is back", one.ask("heal"), "granted")
        expired = started([*tls[:1], path("expired.pem"), tls[2], path("expired.key"), *tls[4:]], tls=True)
        common = started([*tls[:1], path("localhost.pem"), tls[2], path("localhost.key"), *tls[4:]], tls=True)
        older = started([*tls, "--tls-protocols", "TLSv1.2"], tls=True)
        refused = "the server's certificate is refused: "
        for title, host, to, files, name, became, error in (
                ("by address", "127.0.0.1", secure, good, "-", "granted", ""),
                ("by a name of its own", "127.0.0.1", secure, good, "localhost", "granted", ""),
                ("1.2", "localhost", older, good, "-", "granted", ""),
                ("another name", "localhost", secure, good, "redis.internal", "away", refused + "hostname mismatch"),
                ("a common name", "localhost", common, good, "-", "away", refused + "hostname mismatch"),
                ("another address", "localhost", secure, good, "127.0.0.2", "away", refused + "IP address mismatch"),
                ("another CA", "localhost", secure, [path("other.pem"), *good[1:]], "-", "away", refused),
                ("the CAs of the system", "localhost", secure, ["-", *good[1:]], "-", "away", refused),
                ("expired", "localhost", expired, good, "-", "away", refused + "certificate has expired"),
                ("no certificate of the client", "localhost", secure, [good[0], "-", "-"], "-", "away",
                 "certificate required"),
                ("to a server that has none", "127.0.0.1", plain, good, "-", "away", "no connection in time"),
                ("to a silent server", "127.0.0.1", Silent(), good, "-", "away", "no connection in time"),
                ("none, to a server that has it", "127.0.0.1", secure, [], "", "away", "connection was closed")):
            words = [host, to.port, 500, *files, *([name] if files else [])]
            expect("TLS, " + title, Probe(probe, *words).ask(), became, error)
    finally:
        for each in running:
            each.kill()
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures:
        print("FAILED:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
