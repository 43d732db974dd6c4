# SPDX-License-Identifier: BSL-1.0
"""A server on loopback of large bodies that are computed, in which a connection is reset where a test says so."""
import contextlib
import re
import socket
import struct
import threading

PIECE = 65536


def piece_of(number):
    """The bytes of a body from number * PIECE on: no two pieces are equal."""
    return struct.pack(">Q", number) * (PIECE // 8)


def content(first, last):
    """The bytes from first to last, in pieces."""
    while first <= last:
        number, begin = divmod(first, PIECE)
        piece = piece_of(number)[begin:begin + last - first + 1]
        yield piece
        first += len(piece)


class RangeServer:
    """Serves one body of `size` bytes. `reset_after(n)` says after how many bytes the n-th answer is reset, or None."""

    def __init__(self, size, reset_after, etag='"v1"'):
        self.size, self.reset_after, self.etag = size, reset_after, etag
        self.answers = []  # (first byte, bytes sent)
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path="/file"):
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}{path}"

    @property
    def sent(self):
        return sum(sent for _, sent in self.answers)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection:
            # What waits in the buffers when the connection is reset is lost, and counts as sent.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * PIECE)
            received = b""
            while True:
                while b"\r\n\r\n" not in received:
                    more = connection.recv(PIECE)
                    if not more:
                        return
                    received += more
                head, _, received = received.partition(b"\r\n\r\n")
                self._answer(connection, head.decode())

    def _answer(self, connection, head):
        wanted = re.search(r"(?m)^Range: bytes=(\d+)-\r?$", head)
        condition = re.search(r"(?m)^If-Range: (.*?)\r?$", head)
        first = int(wanted[1]) if wanted and condition and condition[1] == self.etag else 0
        status = "206 Partial Content" if first else "200 OK"
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {self.size - first}", f"ETag: {self.etag}"]
        if first:
            lines.append(f"Content-Range: bytes {first}-{self.size - 1}/{self.size}")
        with self.lock:
            number = len(self.answers)
            self.answers.append((first, 0))
        most = self.reset_after(number)
        sent = 0
        try:
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            for piece in content(first, self.size - 1):
                if most is not None and sent >= most:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    raise OSError
                connection.sendall(piece)
                sent += len(piece)
        finally:
            with self.lock:
                self.answers[number] = (first, sent)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
