// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_BRIDGES_DIFFERENCES_HPP
#define ANEW_TESTS_CONFORMANCE_BRIDGES_DIFFERENCES_HPP

#include <array>
#include <string_view>

/// The answers that libcurl and Boost.Beast read differently, and why the bridges leave it so.
namespace bridges {

struct difference {
  std::string_view answers;  ///< names of the corpus, or beginnings of names that end in `*`, with `|` between
  std::string_view described;
  std::string_view curl;
  std::string_view beast;
  std::string_view why;
};

inline constexpr std::array differences{
    difference{"no reason|no reason, 503", "`HTTP/1.1 200` with no space behind it", "read", "final",
               "Beast's parser requires the space, as RFC 9112 4 does; some old servers omit it"},
    difference{"'HTTP/2.0 200 OK'|'HTTP/2 200 OK'|'HTTP/.1 200 OK'|'HTTP/a.b 200 OK'|'http/1.1 200 OK'|'Http/1.1 200 "
               "OK'|'HTTP/1.1  200 OK'|'HTTP/1.1\t200 OK'|'HTTP/1.1 200\tOK'",
               "A status line with another version, in lower case, or with a tab or two spaces", "read", "final",
               "RFC 9112 2.3 and 4 forbid them; libcurl tolerates them"},
    difference{"a reason of control characters|a control character in a value",
               "Control characters in the reason or in a field", "read", "final",
               "RFC 9110 5.5 forbids them; libcurl refuses NUL alone"},
    difference{"LF for CRLF|LF for CRLF, 503|CR for CRLF|a CR in a value|chunks with LF for CRLF",
               "Lines that end with LF or CR alone", "LF: read. CR: not the end of a line",
               "final; in a chunk transient", "RFC 9112 2.2 lets a recipient accept LF; Beast's parser does not"},
    difference{"a space before the colon|no name|a name in brackets|a name of UTF-8",
               "A field name that is empty or not a token, or has a space before the colon", "read", "final",
               "RFC 9112 5.1 forbids them; libcurl does not validate names"},
    difference{"a pause that is folded", "`Retry-After` whose value is on the next line", "pause not read",
               "pause read", "`curl_easy_header` loses a value that begins behind the fold"},
    difference{"length '+5', FIN|length '0x5', FIN|length '5.0', FIN|length '5, 6', FIN|length '5;', FIN|length '5 5', "
               "FIN|length '5h', FIN|length '1844674407370955*|length '9999*|length 5 and 6|length 6 and 5",
               "A `Content-Length` that is no number, too large for one, or given twice and differently",
               "read up to the first character that is no digit, or to the end of the connection", "final",
               "RFC 9112 6.3 makes it an unrecoverable error; libcurl guesses"},
    difference{"length '4294967301', FIN|length '2147483653', FIN|length '922337203685477580*|a chunk of "
               "'7fffffffffffffff'|a chunk of 'ffffffffffffffff'",
               "A body that is announced to be longer than `body_limit()`, 8 MB",
               "transient: the body ends early; from 2^63 on the length is ignored", "final",
               "libcurl has no limit; set `CURLOPT_MAXFILESIZE_LARGE`"},
    difference{"chunks and a length|a length and chunks|chunked in two fields|chunked twice",
               "`Transfer-Encoding` with `Content-Length`, or `chunked` twice", "chunks are read", "final",
               "RFC 9112 6.1 and 6.3 permit either reading; it is a sign of request smuggling"},
    difference{"a length in a trailer|a coding in a trailer", "`Content-Length` or `Transfer-Encoding` in a trailer",
               "ignored", "final", "RFC 9110 6.5.1 forbids them; Beast's parser reads trailers as fields"},
    difference{"a chunk with 16 leading zeros", "A chunk size of more than 16 digits", "transient", "read",
               "libcurl's limit is 16 digits, Beast's is the value"},
    difference{"a chunk with a bad extension|a chunk with a space behind its size|a chunk of '0x5'|a chunk of '5x'|a "
               "chunk of '5,5'|a chunk of '5.0'",
               "Other characters behind a chunk size", "skipped; behind a 0 they are a trailer, which is final",
               "transient", "libcurl does not parse what follows the digits"},
    difference{"cut chunks, FIN at 76", "The end of the connection before the blank line behind trailers", "succeeded",
               "transient", "The body is whole, and libcurl waits for no more"},
    difference{"101, FIN|101 to a web socket, FIN|101, RST|101, 200|101, silence",
               "101 for a request without `Upgrade`", "what follows is the body, up to the end of the connection",
               "final", "libcurl does not tell whether an upgrade was asked for"},
};

/// The row for an answer, or null.
inline difference const* reason_for(std::string_view name) {
  for (auto const& row : differences) {
    auto rest = row.answers;
    while (!rest.empty()) {
      auto const end = rest.find('|');
      auto const one = rest.substr(0, end);
      if (one == name || (one.ends_with('*') && name.starts_with(one.substr(0, one.size() - 1)))) return &row;
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }
  return nullptr;
}

}  // namespace bridges

#endif
