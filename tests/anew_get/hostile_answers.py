# SPDX-License-Identifier: BSL-1.0
"""Answers of servers that are broken, lie, or attack: a table of cases for a download of at most 100 kB in three
attempts.

A case has a name, the answers to its requests (the last one from then on), what becomes of the file (None: it stays as
it was) and the exit code. An answer is its bytes and the end of the connection: "fin", "rst", or "hang", which sends
nothing more."""
import collections

Case = collections.namedtuple("Case", "name answers content code")
OK = b"HTTP/1.1 200 OK\r\n"
FETCHED, FINAL, ATTEMPTS, HINT, UNREADABLE = 0, 1, 3, 6, 7
MOST = 100_000
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"a\"\r\n\r\nhelloworld"
HALF = (WHOLE[:-5], "rst")


def cut_off():
    """An answer that ends early is tried again, whatever its form, and wherever it ends."""
    sized = OK + b"Content-Length: 5\r\n\r\nhello"
    chunked = OK + b"Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n"
    for name, answer in (("sized", sized), ("chunked", chunked)):
        for end in ("fin", "rst"):
            for length in range(0, len(answer), 3):
                yield f"{name}-{end}-{length}", [(answer[:length], end)], None, ATTEMPTS
    yield "chunked-hang", [(chunked, "hang")], None, ATTEMPTS
    yield "sized-hang", [(sized[:-1], "hang")], None, ATTEMPTS
    yield "head-hang", [(OK, "hang")], None, ATTEMPTS
    yield "nothing-hang", [(b"", "hang")], None, ATTEMPTS


def statuses():
    """A status is read as such, whatever comes with it."""
    retried = {408, 429, 500, 502, 503, 504}
    for status in (*range(200, 210), 226, 299, *range(300, 309), *range(400, 432), 451, 499, *range(500, 512), 599):
        head = b"HTTP/1.1 %d x\r\nContent-Length: 5\r\n\r\n" % status
        page = b"" if status in (204, 304) else b"hello"
        if status // 100 == 2 and status != 206:
            yield f"status-{status}", [(head + page, "fin")], page, FETCHED
        else:
            yield f"status-{status}", [(head + page, "fin")], None, ATTEMPTS if status in retried | {206} else FINAL
    moved = b"HTTP/1.1 302 x\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"
    yield "moved", [(moved, "fin")], None, FINAL


def hints():
    for text, code in ((b"86400", HINT), (b"1" + b"0" * 30, HINT), (b"-1", ATTEMPTS), (b"soon", ATTEMPTS),
                       (b"", ATTEMPTS),
                       (b"Thu, 01 Jan 1970 00:00:00 GMT", ATTEMPTS), (b"Fri, 31 Dec 9999 23:59:59 GMT", HINT),
                       (b"\xff\x00\x1b[31m", ATTEMPTS), (b"1e9", ATTEMPTS), (b"0", ATTEMPTS)):
        head = b"HTTP/1.1 503 x\r\nContent-Length: 0\r\nRetry-After: " + text.replace(b"\x00", b"") + b"\r\n\r\n"
        yield f"hint-{text[:6].hex()}", [(head, "fin")], None, code


def sizes():
    """A body is as long as its length says; one above the limit is refused at its head, or where it passes it."""
    yield "more-than-its-length", [(OK + b"Content-Length: 5\r\n\r\nhello and more", "fin")], b"hello", FETCHED
    yield "at-the-limit", [(OK + b"Content-Length: %d\r\n\r\n" % MOST + b"x" * MOST, "fin")], b"x" * MOST, FETCHED
    too_much = b"x" * (MOST + 1)
    for name, head, body in (("announced", b"Content-Length: %d" % (MOST + 1), too_much),
                             ("announced-terabytes", b"Content-Length: 9000000000000000", b"x"),
                             ("unannounced", b"X: y", too_much),
                             ("chunked", b"Transfer-Encoding: chunked", b"%x\r\n" % len(too_much) + too_much)):
        yield f"too-large-{name}", [(OK + head + b"\r\n\r\n" + body, "fin")], None, FINAL
    page = b"x" * 3_000_000
    yield "endless-404", [(b"HTTP/1.1 404 x\r\n\r\n" + page, "fin")], None, FINAL
    yield "endless-503", [(b"HTTP/1.1 503 x\r\n\r\n" + page, "fin")], None, ATTEMPTS
    yield "endless-302", [(b"HTTP/1.1 302 x\r\nLocation: /\r\n\r\n" + page, "fin")], None, FINAL


def heads():
    """What cannot be read is no answer."""
    body = b"\r\nContent-Length: 5\r\n\r\nhello"
    for name, line in (("garbage", b"\x00\x01\x02\xff"), ("smtp", b"220 mail ESMTP"), ("no-version", b"HTTP 200 OK"),
                       ("letters", b"HTTP/1.1 abc OK"), ("two-digits", b"HTTP/1.1 20 OK"), ("json", b"{}"),
                       ("four-digits", b"HTTP/1.1 2000 OK"), ("version", b"HTTP/9.9 200 OK"), ("ssh", b"SSH-2.0-x")):
        yield f"line-{name}", [(line + body, "fin")], None, UNREADABLE
    early = b"HTTP/1.1 103 Early Hints\r\n\r\n"
    yield "informational", [(early * 3 + OK + b"Content-Length: 5\r\n\r\nhello", "fin")], b"hello", FETCHED
    yield "informational-flood", [(early * 101 + OK + b"Content-Length: 5\r\n\r\nhello", "fin")], None, UNREADABLE
    yield "long-field", [(OK + b"X: " + b"y" * 120_000 + b"\r\n\r\n", "fin")], None, UNREADABLE
    yield "many-fields", [(OK + b"X: yyyyyyyyyy\r\n" * 6_000 + b"\r\n", "fin")], None, UNREADABLE
    for name, value, code in (("text", b"abc", UNREADABLE), ("negative", b"-5", UNREADABLE),
                              ("huge", b"9" * 40, UNREADABLE), ("hex", b"0x5", UNREADABLE), ("plus", b"+5", UNREADABLE),
                              ("two", b"5\r\nContent-Length: 3", UNREADABLE),
                              ("two-less-first", b"3\r\nContent-Length: 5", UNREADABLE),
                              ("list", b"5, 3", UNREADABLE), ("list-open", b"5,", UNREADABLE)):
        yield f"length-{name}", [(OK + b"Content-Length: " + value + b"\r\n\r\nhello", "fin")], None, code
    for name, value in (("spaces", b" \t5 \t"), ("list-of-one", b"5, 5"), ("twice", b"5\r\nContent-Length: 5")):
        yield f"length-{name}", [(OK + b"Content-Length: " + value + b"\r\n\r\nhello", "fin")], b"hello", FETCHED
    chunks = b"Content-Length: 0x3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    yield "length-beside-chunks", [(OK + chunks, "fin")], b"hello", FETCHED
    for name, line in (("status-nul", b"HTTP/1.1 200 O\0K\r\n"), ("field-nul", OK + b"X: a\0b\r\n")):
        yield name, [(line + body[2:], "fin")], None, UNREADABLE
    for name, value in (("text", b"ZZZ"), ("negative", b"-5"), ("huge", b"F" * 40)):
        chunk = b"Transfer-Encoding: chunked\r\n\r\n" + value + b"\r\nhello"
        yield f"chunk-{name}", [(OK + chunk, "fin")], None, ATTEMPTS


def ranges():
    """After a half, the rest is taken if it is that, and nothing else ever is."""
    def rest(content_range=b"Content-Range: bytes 5-9/10\r\n", tag=b"ETag: \"a\"\r\n", body=b"world", length=None,
             more=b""):
        length = b"Content-Length: %d\r\n" % len(body) if length is None else length
        return (b"HTTP/1.1 206 x\r\n" + content_range + tag + length + more + b"\r\n" + body, "fin")
    yield "rest", [HALF, rest()], b"helloworld", FETCHED
    yield "rest-of-unknown-size", [HALF, rest(b"Content-Range: bytes 5-9/*\r\n")], b"helloworld", FETCHED
    yield "rest-in-parts", [HALF, rest(b"Content-Range: bytes 5-6/10\r\n", body=b"wo"),
                            rest(b"Content-Range: bytes 7-9/10\r\n", body=b"rld")], b"helloworld", FETCHED
    chunks = b"Transfer-Encoding: chunked\r\n"
    broken = {
        "from-4": rest(b"Content-Range: bytes 4-9/10\r\n", body=b"oworld"), "from-6": rest(
            b"Content-Range: bytes 6-9/10\r\n", body=b"orld"), "from-0": rest(
                b"Content-Range: bytes 0-9/10\r\n", body=b"helloworld"),
        "shifted": rest(b"Content-Range: bytes 6-10/*\r\n", body=b"orlds"),
        "size-11": rest(b"Content-Range: bytes 5-10/11\r\n", body=b"worlds"), "no-range": rest(b""),
        "size-9": rest(b"Content-Range: bytes 5-8/9\r\n", body=b"worl"), "backwards": rest(
            b"Content-Range: bytes 9-5/10\r\n"),
        "no-unit": rest(b"Content-Range: 5-9/10\r\n"), "items": rest(b"Content-Range: items 5-9/10\r\n"),
        "twice": rest(b"Content-Range: bytes 5-9/10\r\nContent-Range: bytes 5-9/10\r\n"),
        "beyond": rest(b"Content-Range: bytes 5-10/10\r\n"), "unsatisfied": rest(b"Content-Range: bytes */10\r\n"),
        "overflow": rest(b"Content-Range: bytes 18446744073709551621-9/10\r\n"),
        "sign": rest(b"Content-Range: bytes +5-9/10\r\n"), "negative": rest(b"Content-Range: bytes -5-9/10\r\n"),
        "junk": rest(b"Content-Range: bytes 5-9/10x\r\n"), "empty": rest(b"Content-Range: \r\n"),
        "multipart": rest(b"Content-Type: multipart/byteranges; boundary=x\r\n", body=b"--x\r\n\r\nworld\r\n--x--"),
        "other-tag": rest(tag=b"ETag: \"b\"\r\n"), "weak-tag": rest(tag=b"ETag: W/\"a\"\r\n"), "no-tag": rest(tag=b""),
        "two-tags": rest(tag=b"ETag: \"a\"\r\nETag: \"b\"\r\n"),
        "coding": rest(more=b"Content-Encoding: gzip\r\n"),
        "length": rest(length=b"Content-Length: 4\r\n"), "chunks-too-long": rest(
            length=chunks, body=b"6\r\nworlds\r\n0\r\n\r\n"),
        "416": (b"HTTP/1.1 416 x\r\nContent-Range: bytes */4\r\nContent-Length: 0\r\n\r\n", "fin"),
    }
    for name, answer in broken.items():
        # The last attempt asks for everything, for which 416 is no answer that another attempt could mend.
        yield f"rest-{name}", [HALF, answer], None, FINAL if name == "416" else ATTEMPTS
        yield f"rest-{name}-then-all", [HALF, answer, (WHOLE, "fin")], b"helloworld", FETCHED
    yield "rest-two-lengths", [HALF, rest(more=b"Content-Length: 3\r\n")], None, UNREADABLE
    cut = rest(length=chunks, body=b"3\r\nwor\r\n0\r\n\r\n")
    yield "rest-too-short", [HALF, cut, rest(b"Content-Range: bytes 8-9/10\r\n", body=b"ld")], b"helloworld", FETCHED
    other = WHOLE.replace(b'"a"', b'"b"').replace(b"helloworld", b"HELLOWORLD")
    yield "all-of-another", [HALF, (other, "fin")], b"HELLOWORLD", FETCHED
    other_rest = rest(tag=b'ETag: "b"\r\n', body=b"WORLD")
    yield "half-of-another", [HALF, (other[:-5], "rst"), other_rest], b"HELLOWORLD", FETCHED
    yield "half-of-another-and-the-first", [HALF, (other[:-5], "rst"), rest()], None, ATTEMPTS
    yield "rest-404", [HALF, (b"HTTP/1.1 404 x\r\nContent-Length: 5\r\n\r\nworld", "fin")], None, FINAL
    busy = b"HTTP/1.1 503 x\r\nContent-Length: 5\r\n\r\nworld"
    yield "rest-503", [HALF, (busy, "fin"), rest()], b"helloworld", FETCHED
    dates = b"Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"
    for name, old in (("weak", b"ETag: W/\"a\""), ("unquoted", b"ETag: a"), ("date", dates), ("none", b"X: y")):
        half = WHOLE[:-5].replace(b'ETag: "a"', old)
        # Without a strong validator no range is asked for, and a part is refused.
        yield f"validator-{name}", [(half, "rst"), rest()], None, ATTEMPTS
    half = WHOLE[:-5].replace(b'ETag: "a"', dates + b"\r\nDate: Fri, 02 Jan 2026 00:00:00 GMT")
    yield "strong-date", [(half, "rst"), rest(tag=dates + b"\r\n")], b"helloworld", FETCHED
    yield "strong-date-alone", [(half, "rst"), rest(tag=b"")], b"helloworld", FETCHED
    yield "other-date", [(half, "rst"), rest(tag=dates.replace(b"2026", b"2025") + b"\r\n")], None, ATTEMPTS


CASES = [Case(*case) for part in (cut_off, statuses, hints, sizes, heads, ranges) for case in part()]
