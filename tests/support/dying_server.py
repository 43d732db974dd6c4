# SPDX-License-Identifier: BSL-1.0
"""A server on loopback that answers byte for byte what it is told, and dies where it is told."""
import contextlib
import socket
import struct
import threading

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


class DyingServer:
    """Executes each request that it has read whole, which is a (method, path), and then does what `reply` returns for
    (path, number of the request on its connection, from 1): the bytes of an answer, and what becomes of the connection:
    "keep", "fin" or "rst"."""

    def __init__(self, reply):
        self.reply = reply
        self.executed = []
        self.connections = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}{path}"

    def count(self, path):
        with self.lock:
            return sum(1 for _, executed in self.executed if executed == path)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with self.lock:
                    self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        received = b""
        number = 0
        with contextlib.suppress(OSError), connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                request, received = self._read(connection, received)
                if request is None:
                    return
                number += 1
                with self.lock:
                    self.executed.append(request)
                answer, then = self.reply(request[1], number)
                if then == "fin":  # in the segment of the answer's end: whoever has read the answer can know
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
                connection.sendall(answer)
                if then == "rst":
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                if then != "keep":
                    return

    @staticmethod
    def _read(connection, received):
        def more():
            piece = connection.recv(65536)
            if not piece:
                raise OSError
            return piece
        while b"\r\n\r\n" not in received:
            received += more()
        head, _, rest = received.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        length = sum(int(line[15:]) for line in lines if line.lower().startswith(b"content-length:"))
        while len(rest) < length:
            rest += more()
        method, path, _ = lines[0].decode().split(" ")
        return (method, path), rest[length:]

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        # A listener that is only closed keeps a thread in accept().
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
