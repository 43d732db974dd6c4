// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"
#include "anew/policies.hpp"

#include "easy_handle.hpp"
#include "names.hpp"
#include "pinned.hpp"
#include "scripted_peer.hpp"
#include "uploads.hpp"

namespace curl_upload_test {
namespace {

using anew::curl::transfer;
using anew::curl::upload;
using support::body_to_send;
using support::reader;
using support::scripted_peer;

using strategy = anew::strategy<anew::curl::classifier<>, anew::no_backoff, anew::no_jitter, anew::max_attempts<5>>;

std::size_t read_from(char* to, std::size_t size, std::size_t count, void* from) {
  return static_cast<reader*>(from)->read(to, size * count);
}
int seek_in(void* in, curl_off_t offset, int origin) {
  static_cast<reader*>(in)->at = static_cast<std::size_t>(offset);
  return origin == SEEK_SET ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK;
}
int cannot_seek(void* /*in*/, curl_off_t /*offset*/, int /*origin*/) { return CURL_SEEKFUNC_CANTSEEK; }

/// What a case sends its body from. All exist, and one is used.
struct sources {
  std::string const bytes = body_to_send();
  reader callback{};
  support::body_file file{};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe{make_pipe(), &std::fclose};
  CURL* handle = nullptr;

  static std::FILE* make_pipe() {
    int ends[2]{};
    if (::pipe(ends) != 0) throw std::runtime_error{"no pipe"};
    auto const text = body_to_send();
    if (::write(ends[1], text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw std::runtime_error{"?"};
    ::close(ends[1]);
    return ::fdopen(ends[0], "r");
  }
  void reads_by_callback() {
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, &read_from);
    curl_easy_setopt(handle, CURLOPT_READDATA, &callback);
  }
};

struct way {
  char const* name;
  std::function<std::optional<upload>(sources&)> body;  ///< none: the bridge is not told
  bool repeats;
  std::function<void(sources&)> set_up = [](sources&) {};
  bool is_rewound = false;
};

std::vector<way> ways() {
  using none = std::optional<upload>;
  auto const untold = [](sources&) { return none{}; };
  auto const callback = [](sources& s) { s.reads_by_callback(); };
  auto const seeks = [](sources& s) {
    s.reads_by_callback();
    curl_easy_setopt(s.handle, CURLOPT_SEEKFUNCTION, &seek_in);
    curl_easy_setopt(s.handle, CURLOPT_SEEKDATA, &s.callback);
  };
  auto const of_fields = [](sources& s) {
    curl_easy_setopt(s.handle, CURLOPT_UPLOAD, 0L);
    curl_easy_setopt(s.handle, CURLOPT_COPYPOSTFIELDS, s.bytes.c_str());
  };
  return {
      {"bytes", [](sources& s) { return none{s.bytes}; }, true},
      {"bytes that it keeps", [](sources& s) { return none{std::string{s.bytes}}; }, true},
      {"text", [](sources& s) { return none{s.bytes.c_str()}; }, true},
      {"a file", [](sources& s) { return none{s.file.get()}; }, true},
      {"a pipe", [](sources& s) { return none{s.pipe.get()}; }, false},
      {"a callback", [](sources& s) { return none{{&read_from, &s.callback, &seek_in}}; }, true},
      {"a callback and its size", [](sources& s) { return none{{&read_from, &s.callback, &seek_in, 5000}}; }, true},
      {"a callback that cannot", [](sources& s) { return none{{&read_from, &s.callback, &cannot_seek}}; }, false},
      {"a callback without seek", [](sources& s) { return none{{&read_from, &s.callback, nullptr}}; }, false},
      {"own body", [](sources&) { return none{anew::curl::own_body}; }, true, of_fields},
      {"fields, not told", untold, false, of_fields},
      {"a read function, not told", untold, false, callback},
      {"a read and a seek function, not told", untold, false, seeks},
      {"a read function that is rewound", untold, true, callback, true},
  };
}

struct ended {
  transfer last{};
  stop_reason reason = stop_reason::succeeded;
  std::uint32_t attempts = 0;
};

/// The law: each request has the whole body, or there is one request.
void check(scripted_peer const& peer, ended const& end, bool repeats, std::string const& name) {
  auto const sent = support::bodies_at(peer);
  EXPECT_EQ(sent.size(), repeats ? 3U : 1U) << name;
  EXPECT_EQ(end.attempts, sent.size()) << name;
  for (auto const& body : sent) EXPECT_TRUE(body == body_to_send()) << name << body.size();
  EXPECT_EQ(end.reason, repeats ? stop_reason::succeeded : stop_reason::not_replayable)
      << name << ": " << to_string(end.reason);
}

enum class bridge : std::uint8_t { easy, easy_and_temporary, easy_and_exceptions, multi };

using operation = std::function<transfer(anew::attempt&)>;

struct busy : std::runtime_error {
  explicit busy(transfer const& t) : runtime_error{"busy"}, status{t.http_status} {}
  int status;
};
using throwing = anew::with<strategy, anew::retry_on<busy>>;

ended over_easy(bridge by, way const& how, sources& from) {
  std::optional<upload> kept = how.body(from);
  auto* const easy = from.handle;
  ended end;
  operation const once = [&](anew::attempt& attempt) {
    end.attempts += 1;
    if (!how.body(from)) return end.last = anew::curl::perform(easy, attempt, anew::idempotent_call, 20s);
    if (by == bridge::easy) return end.last = anew::curl::perform(easy, attempt, *kept, anew::idempotent_call, 20s);
    return end.last = anew::curl::perform(easy, attempt, *how.body(from), 20s);
  };
  auto const throws = [&](anew::attempt& attempt) {
    if (auto const r = once(attempt); !r.has_value()) throw busy{r};
  };
  auto const rewind = [&] { return from.callback.begin_again(); };
  auto const run = [&](auto const& outcome) { end.reason = outcome.reason(); };
  if (by != bridge::easy_and_exceptions) {
    if (how.is_rewound) run(anew::retry_outcome(strategy{}, anew::idempotent(anew::rewinding(once, rewind))));
    if (!how.is_rewound) run(anew::retry_outcome(strategy{}, anew::idempotent(once)));
    return end;
  }
  if (how.is_rewound) run(anew::retry_outcome(throwing{}, anew::rewinding(throws, rewind)));
  if (!how.is_rewound) run(anew::retry_outcome(throwing{}, throws));
  if (end.last.code == CURLE_SEND_FAIL_REWIND) {
    // The exception does not say that the body is used up, so later attempts find out, and send nothing.
    EXPECT_EQ(end.attempts, 5U) << how.name;
    end.reason = stop_reason::not_replayable;
    end.attempts = 1;
  }
  return end;
}

ended over_multi(way const& how, sources& from) {
  ended end;
  anew::curl::multi_retry calls;
  std::function<void(anew::curl::ended_call const&)> const done = [&](anew::curl::ended_call const& call) {
    end = {call.last, call.reason, call.attempts};
  };
  strategy const by{};
  auto const nothing = [] {};
  if (how.is_rewound) {
    auto const rewind = [&] { return from.callback.begin_again(); };
    calls.add(from.handle, by, anew::idempotent(anew::rewinding(nothing, rewind)), done);
  } else if (auto body = how.body(from)) {
    calls.add(from.handle, by, anew::idempotent(anew::curl::with_upload(*std::move(body))), done);
  } else {
    calls.add(from.handle, by, anew::idempotent_call, done);
  }
  calls.run();
  return end;
}

struct easy_handle : support::easy_handle, support::pinned {
  easy_handle(scripted_peer const& peer, bool puts) : support::easy_handle{peer.url()} {
    // The peer does not say 100 Continue, and a body of unknown size goes in chunks.
    fields = curl_slist_append(curl_slist_append(fields, "Expect:"), "Transfer-Encoding: chunked");
    curl_easy_setopt(handle.get(), CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(handle.get(), puts ? CURLOPT_UPLOAD : CURLOPT_POST, 1L);
  }
  ~easy_handle() { curl_slist_free_all(fields); }
  curl_slist* fields = nullptr;
};

class Uploads : public testing::TestWithParam<bridge> {};

TEST_P(Uploads, SendTheSameBytesEachTimeOrOnce) {
  for (bool const breaks : {false, true}) {
    for (bool const puts : {true, false}) {
      for (auto const& how : ways()) {
        scripted_peer const peer{{support::busy_then_well(breaks)}};
        easy_handle const easy{peer, puts};
        sources from;
        from.handle = easy.handle.get();
        how.set_up(from);
        auto const end = GetParam() == bridge::multi ? over_multi(how, from) : over_easy(GetParam(), how, from);
        check(peer, end, how.repeats,
              std::string{puts ? "PUT " : "POST "}.append(how.name).append(breaks ? ", connection reset" : ""));
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Curl, Uploads,
                         testing::Values(bridge::easy, bridge::easy_and_temporary, bridge::easy_and_exceptions,
                                         bridge::multi));

TEST(Upload, IsSentFromItsBeginningByTheNextCallToo) {
  scripted_peer const peer{{support::busy_then_well()}};
  easy_handle const easy{peer, true};
  support::body_file const file;
  upload body{file.get()};
  for (int call = 0; call < 3; ++call) {
    anew::attempt const first{anew::attempt::parts{}};
    auto const ended = anew::curl::perform(easy.handle.get(), first, body, 20s);
    EXPECT_TRUE(ended.is_replayable());
  }
  EXPECT_EQ(support::bodies_at(peer), std::vector(3, body_to_send()));
}

TEST(Upload, AHandleThatLostItsBodySendsNothing) {
  scripted_peer const peer{{support::busy_then_well()}};
  easy_handle const easy{peer, true};
  anew::attempt const first{anew::attempt::parts{}};
  EXPECT_EQ(anew::curl::perform(easy.handle.get(), first, upload{"gone"}, 20s).http_status, 503);
  EXPECT_EQ(curl_easy_perform(easy.handle.get()), CURLE_ABORTED_BY_CALLBACK);
  EXPECT_EQ(peer.executed(), 1U);
}

TEST(Upload, ARequestWithoutABodyIsRepeated) {
  for (char const* const method : {"GET", "DELETE", "POST"}) {
    scripted_peer const peer{{support::busy_then_well()}};
    easy_handle const easy{peer, false};
    curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPHEADER, nullptr);
    curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPGET, 1L);
    if (*method == 'P') curl_easy_setopt(easy.handle.get(), CURLOPT_POSTFIELDS, "");
    if (*method == 'D') curl_easy_setopt(easy.handle.get(), CURLOPT_CUSTOMREQUEST, method);
    operation const once = [&](anew::attempt& attempt) { return anew::curl::perform(easy.handle.get(), attempt, 20s); };
    EXPECT_TRUE(anew::retry(strategy{}, once).has_value()) << method;
    EXPECT_EQ(peer.executed(), 3U) << method;
  }
}

// libcurl may have read bytes of the body without sending them.
TEST(Upload, IsNotRepeatedAfterAnAnswerToItsHead) {
  scripted_peer const peer{{{support::peer::read_bytes(20),
                             support::peer::send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
                             support::peer::finish()}}};
  easy_handle const easy{peer, true};
  char asks[] = "Expect: 100-continue";
  curl_slist field{asks, nullptr};
  curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPHEADER, &field);
  curl_easy_setopt(easy.handle.get(), CURLOPT_EXPECT_100_TIMEOUT_MS, 20'000L);
  curl_easy_setopt(easy.handle.get(), CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(body_to_send().size()));
  sources from;
  from.handle = easy.handle.get();
  from.reads_by_callback();
  auto const end = over_easy(bridge::easy, {"not told", [](sources&) { return std::optional<upload>{}; }, false}, from);
  EXPECT_EQ(end.reason, stop_reason::not_replayable) << to_string(end.reason);
  EXPECT_EQ(peer.connections(), 1U);
}

// libcurl then says of the whole transfer that it sent no body, as the GET has none.
TEST(Upload, IsNotRepeatedAfterARedirectionMadeItAGet) {
  for (auto const by : {bridge::easy, bridge::easy_and_exceptions, bridge::multi}) {
    for (auto const& [puts, is_sized] : {std::pair{true, true}, {false, true}, {true, false}}) {
      scripted_peer const peer{
          {{support::peer::read_request(),
            support::peer::choose([](support::peer_request const& request) -> support::peer_script {
              bool const sees_other = request.head.find("GET ") != 0;
              return {support::peer::send(sees_other
                                              ? "HTTP/1.1 303 See Other\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"
                                              : "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")};
            }),
            support::peer::again()}}};
      easy_handle const easy{peer, puts};
      curl_easy_setopt(easy.handle.get(), CURLOPT_FOLLOWLOCATION, 1L);
      curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPHEADER, nullptr);  // the GET has no chunks
      for (auto const size : {CURLOPT_INFILESIZE_LARGE, CURLOPT_POSTFIELDSIZE_LARGE}) {
        auto const bytes = is_sized ? static_cast<curl_off_t>(body_to_send().size()) : curl_off_t{-1};
        curl_easy_setopt(easy.handle.get(), size, bytes);
      }
      sources from;
      from.handle = easy.handle.get();
      from.reads_by_callback();
      way const how{"a read function, not told", [](sources&) { return std::optional<upload>{}; }, false};
      auto const end = by == bridge::multi ? over_multi(how, from) : over_easy(by, how, from);
      EXPECT_EQ(end.reason, stop_reason::not_replayable) << to_string(end.reason);
      EXPECT_EQ(end.last.http_status, by == bridge::easy_and_exceptions ? 0 : 503);
      EXPECT_EQ(peer.executed(), 2U);
    }
  }
}

// The handle was used for another call before, whose body the bridge gave it.
TEST(Upload, OfAnEarlierCallDoesNotEndOneThatSendsNothing) {
  scripted_peer const peer{{support::busy_then_well()}};
  easy_handle const easy{peer, true};
  anew::attempt const first{anew::attempt::parts{}};
  EXPECT_EQ(anew::curl::perform(easy.handle.get(), first, upload{"bytes"}, 20s).http_status, 503);
  curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPHEADER, nullptr);
  operation const once = [&](anew::attempt& attempt) -> transfer {
    if (!attempt.is_retry()) throw busy{{}};  // before anything is sent
    return anew::curl::perform(easy.handle.get(), attempt, anew::idempotent_call, 20s);
  };
  using either = anew::with<strategy, anew::any_of<anew::retry_on<busy>, anew::curl::classifier<>>>;
  EXPECT_TRUE(anew::retry(either{}, anew::idempotent(once)).has_value());
  EXPECT_EQ(peer.executed(), 3U);
}

TEST(Upload, BesideAnotherBodyOfTheHandleIsAnError) {
  for (bool const is_mime : {false, true}) {
    scripted_peer const peer{{support::busy_then_well()}};
    easy_handle const easy{peer, false};
    curl_easy_setopt(easy.handle.get(), CURLOPT_HTTPHEADER, nullptr);
    curl_mime* const form = curl_mime_init(easy.handle.get());
    curl_mime_data(curl_mime_addpart(form), "of the form", CURL_ZERO_TERMINATED);
    if (is_mime) curl_easy_setopt(easy.handle.get(), CURLOPT_MIMEPOST, form);
    if (!is_mime) curl_easy_setopt(easy.handle.get(), CURLOPT_POSTFIELDS, "of the fields");
    operation const once = [&](anew::attempt& attempt) {
      return anew::curl::perform(easy.handle.get(), attempt, upload{body_to_send()}, anew::idempotent_call, 20s);
    };
    auto const end = anew::retry_outcome(strategy{}, anew::idempotent(once));
    auto const sent = support::bodies_at(peer);
    EXPECT_EQ(sent.size(), 1U) << is_mime;
    if (!is_mime) {
      EXPECT_EQ(sent.at(0), "of the fields") << "and not what lies after them in memory";
    }
    EXPECT_EQ(end.result().code, CURLE_BAD_FUNCTION_ARGUMENT) << is_mime;
    EXPECT_EQ(end.attempts(), 1U) << is_mime;
    curl_easy_setopt(easy.handle.get(), CURLOPT_MIMEPOST, nullptr);
    curl_mime_free(form);
  }
}

TEST(Upload, OfAFileThatWasNotOpenedIsAnErrorAndNoCrash) {
  scripted_peer const peer{{support::busy_then_well()}};
  easy_handle const easy{peer, true};
  std::FILE* const missing = nullptr;
  operation const once = [&](anew::attempt& attempt) {
    return anew::curl::perform(easy.handle.get(), attempt, upload{missing}, anew::idempotent_call, 20s);
  };
  auto const end = anew::retry_outcome(strategy{}, anew::idempotent(once));
  EXPECT_EQ(end.result().code, CURLE_READ_ERROR);
  EXPECT_EQ(end.reason(), stop_reason::not_retryable);
  EXPECT_EQ(peer.executed(), 0U);
}

}  // namespace
}  // namespace curl_upload_test
