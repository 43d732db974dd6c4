// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_BRIDGES_ANSWERS_HPP
#define ANEW_TESTS_CONFORMANCE_BRIDGES_ANSWERS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What an HTTP server may say, well or badly: the bytes of an answer and what becomes of the connection.
namespace bridges {

enum class then : std::uint8_t {
  keeps,     ///< the connection stays open, and the next request on it has the same answer
  finishes,  ///< FIN
  resets,    ///< RST
};

struct answer {
  std::string name;
  std::string bytes;
  then afterwards = then::keeps;
  std::string method = "GET";
  bool never_ends = false;  ///< a client that waits for the rest of it waits for ever
};

/// `|` stands for the end of a line.
inline std::string lines(std::string_view text) {
  std::string bytes;
  for (char const c : text) c == '|' ? bytes.append("\r\n") : bytes.append(1, c);
  return bytes;
}

struct corpus {
  corpus() {
    statuses();
    informational();
    lengths();
    chunks();
    trailers();
    versions();
    fields();
    pauses();
    bodiless();
    cuts("cut length", "HTTP/1.1 200 OK|Content-Length: 5|Server: x||hello");
    cuts("cut chunks", "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|abc|2|de|0|X-End: 1||");
    cuts("cut failure", "HTTP/1.1 503 Busy|Retry-After: 0|Content-Length: 4||busy");
    cuts("cut early hints", "HTTP/1.1 103 Hints|Link: x||HTTP/1.1 200 OK|Content-Length: 2||ok");
  }
  [[nodiscard]] std::vector<answer> const& answers() const { return answers_; }

 private:
  void add(std::string name, std::string_view text, then afterwards = then::keeps, std::string method = "GET") {
    answers_.push_back({std::move(name), lines(text), afterwards, std::move(method)});
  }
  void add_endless(std::string name, std::string_view text) {
    add(std::move(name), text);
    answers_.back().never_ends = true;
  }
  static std::string ok(std::string const& field_lines, std::string const& body) {
    return std::string{"HTTP/1.1 200 OK|"}.append(field_lines).append("||").append(body);
  }

  void statuses() {
    for (auto const* const status :
         {"000", "001", "042", "099", "200", "201", "202", "203", "205", "206", "226", "299", "300", "301",
          "302", "303", "305", "307", "308", "399", "400", "401", "402", "403", "404", "405", "406", "407",
          "408", "409", "410", "411", "412", "413", "414", "415", "416", "417", "418", "421", "422", "423",
          "424", "425", "426", "428", "429", "431", "451", "499", "500", "501", "502", "503", "504", "505",
          "506", "507", "508", "510", "511", "520", "599", "600", "700", "999"}) {
      auto const name = std::string{"status "}.append(status);
      add(name, std::string{"HTTP/1.1 "}.append(status).append(" X|Content-Length: 0||"));
    }
    add("status 200, POST", "HTTP/1.1 200 OK|Content-Length: 2||ok", then::keeps, "POST");
    add("status 500, POST", "HTTP/1.1 500 No|Content-Length: 2||no", then::keeps, "POST");
    add("status 503, POST", "HTTP/1.1 503 No|Content-Length: 2||no", then::keeps, "POST");
    add("status 0200", "HTTP/1.1 0200 OK|Content-Length: 0||");
    add("status 2000", "HTTP/1.1 2000 OK|Content-Length: 0||");
    add("status 20", "HTTP/1.1 20 OK|Content-Length: 0||");
    add("status 2", "HTTP/1.1 2|Content-Length: 0||");
    add("status 2x0", "HTTP/1.1 2x0 OK|Content-Length: 0||");
    add("status -20", "HTTP/1.1 -20 OK|Content-Length: 0||");
    add("status +20", "HTTP/1.1 +20 OK|Content-Length: 0||");
    add("no status", "HTTP/1.1|Content-Length: 0||", then::finishes);
    add("no reason", "HTTP/1.1 200|Content-Length: 0||");
    add("an empty reason", "HTTP/1.1 200 |Content-Length: 0||");
    add("no reason, 503", "HTTP/1.1 503|Content-Length: 0||");
    add("a reason of UTF-8", "HTTP/1.1 200 \xc3\x9c\xc3\xa4|Content-Length: 0||");
    add("a reason with a tab", "HTTP/1.1 200 a\tb|Content-Length: 0||");
    add("a reason of control characters", "HTTP/1.1 200 \x01\x1b[2J|Content-Length: 0||");
    add("a reason of 4 kB", std::string{"HTTP/1.1 200 "}.append(4000, 'x').append("|Content-Length: 0||"));
  }

  void informational() {
    for (auto const* const status : {"100", "102", "103", "104", "150", "199"}) {
      auto const head = std::string{"HTTP/1.1 "}.append(status).append(" X||");
      auto const name = std::string{status};
      add(name + ", 200", head + "HTTP/1.1 200 OK|Content-Length: 2||ok");
      add(name + ", 503", head + "HTTP/1.1 503 Busy|Content-Length: 0|Retry-After: 7||");
      add(name + ", 404, POST", head + "HTTP/1.1 404 No|Content-Length: 0||", then::keeps, "POST");
      add(name + ", FIN", head, then::finishes);
      add(name + ", RST", head, then::resets);
    }
    for (std::size_t const count : {2U, 8U, 16U, 31U, 32U, 33U, 100U, 101U, 1000U}) {
      std::string chain;
      for (std::size_t i = 0; i < count; ++i) chain.append("HTTP/1.1 103 Hints|Link: x||");
      auto const name = std::to_string(count).append(" times 103");
      add(name + ", 200", chain + "HTTP/1.1 200 OK|Content-Length: 2||ok");
      add(name + ", 500", chain + "HTTP/1.1 500 No|Content-Length: 0||");
    }
    add("103 with a pause, 503 without", "HTTP/1.1 103 X|Retry-After: 9||HTTP/1.1 503 X|Content-Length: 0||");
    add("103 with a pause, 503 with another",
        "HTTP/1.1 103 X|Retry-After: 9||HTTP/1.1 503 X|Retry-After: 3|Content-Length: 0||");
    add("100 with a length", "HTTP/1.1 100 X|Content-Length: 5||HTTP/1.1 200 OK|Content-Length: 2||ok");
    add("100 that is chunked", "HTTP/1.1 100 X|Transfer-Encoding: chunked||HTTP/1.1 200 OK|Content-Length: 2||ok");
    add("100 that closes", "HTTP/1.1 100 X|Connection: close||HTTP/1.1 200 OK|Content-Length: 2||ok");
    add("100 of HTTP/1.0", "HTTP/1.0 100 X||HTTP/1.1 200 OK|Content-Length: 2||ok");
    add("100, junk", "HTTP/1.1 100 X||not HTTP at all||", then::finishes);
    add("100, a half head", "HTTP/1.1 100 X||HTTP/1.1 200 OK|Content-Le", then::finishes);
    add("101, FIN", "HTTP/1.1 101 Switching Protocols||", then::finishes);
    add("101 to a web socket, FIN", "HTTP/1.1 101 X|Upgrade: websocket|Connection: upgrade||\x81\x01x", then::finishes);
    add("101, RST", "HTTP/1.1 101 Switching Protocols||", then::resets);
    add("101, 200", "HTTP/1.1 101 X||HTTP/1.1 200 OK|Content-Length: 2||ok", then::finishes);
    add_endless("101, silence", "HTTP/1.1 101 Switching Protocols||");
    add_endless("100, silence", "HTTP/1.1 100 Continue||");
  }

  void lengths() {
    auto const with = [](std::string const& length) { return ok("Content-Length: " + length, "hello"); };
    add("length 5", with("5"));
    add("length 5, FIN", with("5"), then::finishes);
    add("length 5, RST", with("5"), then::resets);
    // clang-format off: it would put each on a line of its own
    for (auto const* const bad : {
        "05", "5 ", "+5", "-5", "-0", "0x5", "5.0", "5,5", "5, 5", "5, 6", "five", "", "5;", "5 5", "5h",
        "4294967301", "2147483653", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "18446744073709551621", "99999999999999999999999999"}) {
      // clang-format on
      add(std::string{"length '"}.append(bad).append("', FIN"), with(bad), then::finishes);
    }
    add("length 5 and 5", ok("Content-Length: 5|Content-Length: 5", "hello"), then::finishes);
    add("length 5 and 6", ok("Content-Length: 5|Content-Length: 6", "hello!"), then::finishes);
    add("length 6 and 5", ok("Content-Length: 6|Content-Length: 5", "hello!"), then::finishes);
    add("length 9, FIN", with("9"), then::finishes);
    add("length 9, RST", with("9"), then::resets);
    add("length 9 of a 503, FIN", "HTTP/1.1 503 X|Content-Length: 9|Retry-After: 4||hello", then::finishes);
    add("length 9 of a 404, RST", "HTTP/1.1 404 X|Content-Length: 9||hello", then::resets);
    add("length 3, FIN", with("3"), then::finishes);
    add("length 3", with("3"));
    add("length 0 and a body", with("0"), then::finishes);
    add("no length, FIN", ok("Server: x", "hello"), then::finishes);
    add("no length, RST", ok("Server: x", "hello"), then::resets);
    add("no length of a 500, FIN", "HTTP/1.1 500 X||hello", then::finishes);
    add("no length of a 500, RST", "HTTP/1.1 500 X||hello", then::resets);
    add("no length of a 429 that closes", "HTTP/1.1 429 X|Connection: close|Retry-After: 2||slow", then::finishes);
    add("no field at all, FIN", "HTTP/1.1 200 OK||", then::finishes);
    add_endless("length 9, silence", with("9"));
  }

  void chunks() {
    auto const chunked = [](std::string const& body) { return ok("Transfer-Encoding: chunked", body); };
    add("chunks", chunked("5|hello|0||"));
    add("chunks, FIN", chunked("5|hello|0||"), then::finishes);
    add("chunks, RST", chunked("5|hello|0||"), then::resets);
    add("many chunks", chunked("1|h|1|e|1|l|1|l|1|o|0||"));
    add("no chunk but the last", chunked("0||"));
    add("the last chunk as 000", chunked("5|hello|000||"));
    add("a chunk in upper case", chunked("A|helloworld|0||"));
    add("a chunk in lower case", chunked("a|helloworld|0||"));
    add("a chunk with leading zeros", chunked("0005|hello|0||"));
    add("a chunk with 15 leading zeros", chunked("0000000000000005|hello|0||"));
    add("a chunk with 16 leading zeros", chunked("00000000000000005|hello|0||"), then::finishes);
    add("a chunk with an extension", chunked("5;a=b|hello|0||"));
    add("a chunk with a quoted extension", chunked("5;a=\"b;c\"|hello|0||"));
    add("a chunk with an extension and no value", chunked("5;a|hello|0||"));
    add("a chunk with a bad extension", chunked("5;=;=|hello|0||"), then::finishes);
    add("a chunk with a space before the extension", chunked("5 ;a=b|hello|0||"), then::finishes);
    add("a chunk with a space behind its size", chunked("5 |hello|0||"), then::finishes);
    add("a chunk with a space before its size", chunked(" 5|hello|0||"), then::finishes);
    for (auto const* const bad : {"ZZZ", "-5", "+5", "0x5", "5x", "", ";", "5,5", "5.0", "7fffffffffffffff",
                                  "ffffffffffffffff", "10000000000000005", "fffffffffffffffff"}) {
      add(std::string{"a chunk of '"}.append(bad).append("'"), chunked(std::string{bad}.append("|hello|0||")),
          then::finishes);
    }
    add("a chunk that is longer than it says", chunked("3|hello|0||"), then::finishes);
    add("a chunk that is shorter than it says", chunked("9|hello|0||"), then::finishes);
    add("a chunk without an end of line", chunked("5|hello0||"), then::finishes);
    add("a chunk and no last one, FIN", chunked("5|hello|"), then::finishes);
    add("a chunk and no last one, RST", chunked("5|hello|"), then::resets);
    add("a last chunk without a blank line, FIN", chunked("5|hello|0|"), then::finishes);
    add("a last chunk without a blank line, RST", chunked("5|hello|0|"), then::resets);
    add("a last chunk without an end of line, FIN", chunked("5|hello|0"), then::finishes);
    add("chunks with LF for CRLF", chunked("5\nhello\n0\n\n"), then::finishes);
    add("chunks of a 503", "HTTP/1.1 503 X|Transfer-Encoding: chunked|Retry-After: 5||4|busy|0||");
    add("bad chunks of a 503", "HTTP/1.1 503 X|Transfer-Encoding: chunked|Retry-After: 5||ZZ|busy|0||", then::finishes);
    add("bad chunks of a 404", "HTTP/1.1 404 X|Transfer-Encoding: chunked||ZZ|none|0||", then::finishes);
    add("chunks in capitals", ok("TRANSFER-ENCODING: CHUNKED", "5|hello|0||"));
    add("chunks and a length", ok("Transfer-Encoding: chunked|Content-Length: 3", "5|hello|0||"), then::finishes);
    add("a length and chunks", ok("Content-Length: 3|Transfer-Encoding: chunked", "5|hello|0||"), then::finishes);
    add("chunked twice", ok("Transfer-Encoding: chunked, chunked", "5|hello|0||"), then::finishes);
    add("chunked in two fields", ok("Transfer-Encoding: chunked|Transfer-Encoding: chunked", "5|hello|0||"),
        then::finishes);
    add("identity", ok("Transfer-Encoding: identity|Content-Length: 5", "hello"), then::finishes);
    add("an unknown coding", ok("Transfer-Encoding: xchunked", "5|hello|0||"), then::finishes);
    add("chunked and then unknown", ok("Transfer-Encoding: chunked, x", "5|hello|0||"), then::finishes);
    add("chunks of HTTP/1.0", "HTTP/1.0 200 OK|Transfer-Encoding: chunked||5|hello|0||", then::finishes);
    add_endless("a chunk, silence", chunked("5|hello|"));
  }

  void trailers() {
    auto const with = [](std::string const& status, std::string const& trailer) {
      return std::string{"HTTP/1.1 "}
          .append(status)
          .append(" X|Transfer-Encoding: chunked||2|ok|0|")
          .append(trailer)
          .append("||");
    };
    add("a trailer", with("200", "X-Sum: 1"));
    add("three trailers", with("200", "A: 1|B: 2|C: 3"));
    for (auto const* const status : {"200", "404", "429", "500", "503"}) {
      add(std::string{"a pause in a trailer of "}.append(status), with(status, "Retry-After: 50"));
    }
    add("a pause in the head and another in a trailer",
        "HTTP/1.1 503 X|Retry-After: 3|Transfer-Encoding: chunked||2|ok|0|Retry-After: 50||");
    add("an announced pause in a trailer",
        "HTTP/1.1 503 X|Trailer: Retry-After|Transfer-Encoding: chunked||2|ok|0|Retry-After: 50||");
    add("a length in a trailer", with("200", "Content-Length: 9"), then::finishes);
    add("a coding in a trailer", with("200", "Transfer-Encoding: chunked"), then::finishes);
    add("Connection: close in a trailer", with("200", "Connection: close"), then::finishes);
    add("a trailer that is folded", with("200", "A: 1| 2"), then::finishes);
    add("a trailer without a colon", with("200", "junk"), then::finishes);
    add("a trailer that ends early, FIN", "HTTP/1.1 200 X|Transfer-Encoding: chunked||2|ok|0|A: ", then::finishes);
    add("a trailer that ends early, RST", "HTTP/1.1 200 X|Transfer-Encoding: chunked||2|ok|0|A: ", then::resets);
    std::string many;
    for (int i = 0; i < 100; ++i) many.append("X-").append(std::to_string(i)).append(": 1|");
    many.resize(many.size() - 1);
    add("100 trailers", with("200", many));
  }

  void versions() {
    auto const of = [](std::string const& start) { return start + "|Content-Length: 5||hello"; };
    for (auto const* const start :
         {"HTTP/1.0 200 OK",  "HTTP/0.9 200 OK",  "HTTP/1.2 200 OK",  "HTTP/1.9 200 OK",  "HTTP/2.0 200 OK",
          "HTTP/2 200 OK",    "HTTP/3 200 OK",    "HTTP/11.1 200 OK", "HTTP/1.11 200 OK", "HTTP/1. 200 OK",
          "HTTP/1 200 OK",    "HTTP/.1 200 OK",   "HTTP/a.b 200 OK",  "http/1.1 200 OK",  "Http/1.1 200 OK",
          "HTTP 200 OK",      "HTTP/ 200 OK",     "HTTPS/1.1 200 OK", "ICY 200 OK",       "RTSP/1.0 200 OK",
          "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 200\tOK", " HTTP/1.1 200 OK", "XHTTP/1.1 200 OK",
          "HTTP/1.1200 OK"}) {
      add(std::string{"'"}.append(start).append("'"), of(start), then::finishes);
    }
    add("HTTP/1.0 with no length", "HTTP/1.0 200 OK||hello", then::finishes);
    add("HTTP/1.0 that keeps", "HTTP/1.0 200 OK|Connection: keep-alive|Content-Length: 5||hello");
    add("HTTP/1.0 with 503", "HTTP/1.0 503 X|Retry-After: 4|Content-Length: 0||", then::finishes);
    add("HTTP/0.9", "hello, this is a page|", then::finishes);
    add("HTTP/0.9, one byte", "h", then::finishes);
    add("HTTP/0.9, RST", "hello, this is a page|", then::resets);
    add("HTML", "<html><body>503</body></html>", then::finishes);
    add("SSH", "SSH-2.0-OpenSSH_9.2|", then::finishes);
    add("SMTP", "220 mail.example.org ESMTP|", then::finishes);
    add("a request", "GET / HTTP/1.1|Host: x||", then::finishes);
    add("an alert of TLS", std::string{"\x15\x03\x01\x00\x02\x02\x46", 7}, then::finishes);
    add("zeros", std::string(64, '\0'), then::finishes);
    add("one blank line before the head", "|HTTP/1.1 200 OK|Content-Length: 2||ok", then::finishes);
    add("only blank lines", "||||", then::finishes);
    add("LF for CRLF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", then::finishes);
    add("LF for CRLF, 503", "HTTP/1.1 503 X\nContent-Length: 2\nRetry-After: 3\n\nno", then::finishes);
    add("CR for CRLF", "HTTP/1.1 200 OK\rContent-Length: 2\r\rok", then::finishes);
  }

  void fields() {
    auto const with = [](std::string_view field) {
      return std::string{"HTTP/1.1 200 OK|"}.append(field).append("|Content-Length: 2||ok");
    };
    add("an empty field", with("X-Empty:"));
    add("a field with no space", with("X:1"));
    add("a field with tabs", with("X:\t1\t"));
    add("a field in UTF-8", with("X: \xc3\xbc"));
    add("a field in Latin-1", with("X: \xfc"));
    add("a field that is folded", with("X: 1| 2"), then::finishes);
    add("a field that is folded by a tab", with("X: 1|\t2"), then::finishes);
    add("a first line that is folded", with(" folded: 1"), then::finishes);
    add("a space before the colon", with("X : 1"), then::finishes);
    add("no colon", with("junk"), then::finishes);
    add("no name", with(": 1"), then::finishes);
    add("a name in brackets", with("X[0]: 1"), then::finishes);
    add("a name of UTF-8", with("\xc3\xbc: 1"), then::finishes);
    add("a NUL in a value", with(std::string_view{"X: a\0b", 6}), then::finishes);
    add("a NUL in a name", with(std::string_view{"X\0Y: a", 6}), then::finishes);
    add("a control character in a value", with("X: a\x01z"), then::finishes);
    add("a CR in a value", with("X: a\rb"), then::finishes);
    add("a LF in a value", with("X: a\nb"), then::finishes);
    for (std::size_t const size : {1000U, 4000U, 7000U}) {
      add(std::string{"a field of "}.append(std::to_string(size)).append(" bytes"),
          with(std::string{"X: "}.append(size, 'x')));
    }
    for (std::size_t const size : {65'536U, 65'537U}) {
      std::string head{"HTTP/1.1 404 X|X: |Content-Length: 0||"};
      auto const line_ends = static_cast<std::size_t>(std::count(head.begin(), head.end(), '|'));
      head.insert(head.find("X: ") + 3, size - head.size() - line_ends, 'x');
      add(std::string{"a head of "}.append(std::to_string(size)).append(" bytes"), head);
    }
    for (std::size_t const size : {16'000U, 120'000U, 500'000U}) {
      add(std::string{"a field of "}.append(std::to_string(size)).append(" bytes"),
          with(std::string{"X: "}.append(size, 'x')), then::finishes);
    }
    for (std::size_t const count : {100U, 300U}) {
      std::string many;
      for (std::size_t i = 0; i < count; ++i) many.append("X-").append(std::to_string(i)).append(": 1|");
      many.resize(many.size() - 1);
      add(std::to_string(count).append(" fields"), with(many));
    }
    std::string many;
    for (std::size_t i = 0; i < 20'000; ++i) many.append("X-").append(std::to_string(i)).append(": some value here|");
    many.resize(many.size() - 1);
    add("20000 fields", with(many), then::finishes);
    add("Connection: close", with("Connection: close"), then::finishes);
    add("Connection: close, in many words", with("Connection: foo, close"), then::finishes);
    add("Connection: close of a 503", "HTTP/1.1 503 X|Connection: close|Content-Length: 0||", then::finishes);
    add("Connection: close of a 429", "HTTP/1.1 429 X|Connection: close|Content-Length: 0||", then::finishes);
  }

  void pauses() {
    for (auto const* const status : {"200", "301", "400", "404", "408", "413", "429", "500", "502", "503", "504"}) {
      add(std::string{"a pause of "}.append(status),
          std::string{"HTTP/1.1 "}.append(status).append(" X|Retry-After: 7|Content-Length: 0||"));
    }
    // clang-format off: it would put each on a line of its own
    for (auto const* const value : {
        "0", "1", "00", "007", "-1", "+1", "1.5", "", " ", "soon", "1 2", "1,2", "1, 60", "99999999999999999999999",
        "9223372036", "9223372037", "Wed, 21 Oct 2015 07:28:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "0x10", "1s"}) {
      // clang-format on
      add(std::string{"a pause of '"}.append(value).append("'"),
          std::string{"HTTP/1.1 503 X|Retry-After: "}.append(value).append("|Content-Length: 0||"));
    }
    add("two pauses", "HTTP/1.1 503 X|Retry-After: 3|Retry-After: 60|Content-Length: 0||");
    add("two pauses, the longer one first", "HTTP/1.1 503 X|Retry-After: 60|Retry-After: 3|Content-Length: 0||");
    add("two pauses, the first one unreadable", "HTTP/1.1 503 X|Retry-After: soon|Retry-After: 3|Content-Length: 0||");
    add("a pause in lower case", "HTTP/1.1 503 X|retry-after: 3|Content-Length: 0||");
    add("a pause in capitals", "HTTP/1.1 503 X|RETRY-AFTER:3|Content-Length: 0||");
    add("a pause with spaces", "HTTP/1.1 503 X|Retry-After:  \t 3 \t |Content-Length: 0||");
    add("a pause that is folded", "HTTP/1.1 503 X|Retry-After:| 3|Content-Length: 0||");
    add("a pause, and a body cut off", "HTTP/1.1 503 X|Retry-After: 3|Content-Length: 9||busy", then::finishes);
    add("a pause of a success, and a body cut off", "HTTP/1.1 200 X|Retry-After: 3|Content-Length: 9||busy",
        then::finishes);
  }

  void bodiless() {
    for (auto const* const status : {"204", "304"}) {
      auto const start = std::string{"HTTP/1.1 "}.append(status).append(" X|");
      auto const name = std::string{status};
      add(name, start + "|");
      add(name + " with a length", start + "Content-Length: 5||");
      add(name + " with a length and a body", start + "Content-Length: 5||hello", then::finishes);
      add(name + " with chunks", start + "Transfer-Encoding: chunked||5|hello|0||", then::finishes);
      add(name + " with a body", start + "|hello", then::finishes);
      add(name + ", RST", start + "|", then::resets);
    }
    add("205 with a body", "HTTP/1.1 205 X|Content-Length: 5||hello");
    add("HEAD", "HTTP/1.1 200 OK|Content-Length: 5||", then::keeps, "HEAD");
    add("HEAD with no length", "HTTP/1.1 200 OK||", then::keeps, "HEAD");
    add("HEAD with chunks", "HTTP/1.1 200 OK|Transfer-Encoding: chunked||", then::keeps, "HEAD");
    add("HEAD with a body", "HTTP/1.1 200 OK|Content-Length: 5||hello", then::finishes, "HEAD");
    add("HEAD with 503", "HTTP/1.1 503 X|Content-Length: 5|Retry-After: 6||", then::keeps, "HEAD");
    add("HEAD with 103, 200", "HTTP/1.1 103 X||HTTP/1.1 200 OK|Content-Length: 5||", then::keeps, "HEAD");
    add("HEAD, cut in its head", "HTTP/1.1 200 OK|Content-Length: 5|", then::finishes, "HEAD");
    add("HEAD, RST", "HTTP/1.1 200 OK|Content-Length: 5||", then::resets, "HEAD");
  }

  /// Every beginning of an answer, and then the end of the connection.
  void cuts(std::string const& name, std::string_view text) {
    auto const whole = lines(text);
    for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
      for (auto const how : {then::finishes, then::resets}) {
        auto const label = std::string{name}.append(how == then::resets ? ", RST at " : ", FIN at ");
        answers_.push_back({label + std::to_string(bytes), whole.substr(0, bytes), how});
      }
    }
  }

  std::vector<answer> answers_;
};

}  // namespace bridges

#endif
