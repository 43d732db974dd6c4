// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_BRIDGES_VERDICT_HPP
#define ANEW_TESTS_CONFORMANCE_BRIDGES_VERDICT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/deadline.hpp"
#include "anew/testing/recorder.hpp"

/// One call over each of the bridges to an HTTP client, and what it came to, in the same words.
namespace bridges {

struct call {
  std::uint16_t port = 0;
  std::string host = "127.0.0.1", target = "/", method = "GET";
  bool is_idempotent = false;
  anew::duration limit = anew::duration::max();     ///< of an attempt
  anew::duration deadline = anew::duration::max();  ///< of the call
  std::size_t payload = 5;                          ///< of a POST, in bytes
  bool is_over_tls = false;                         ///< libcurl alone
  bool drops_the_body = false;                      ///< whatever comes of it, it is not limited
};

/// What a call over a bridge came to. `detail` is the client library's own word, which is shown and not compared.
struct verdict {
  std::string reason;  ///< why the call ended
  std::size_t attempts = 0;
  int status = 0;
  std::string
      reading{};  ///< of the last attempt: "succeeded", "final", or the kind of failure and whether it may have run
  std::optional<anew::duration> hint{};
  std::string body{};  ///< of a success
  std::string detail{};
  anew::duration took{};  ///< by the call alone, and not compared either

  [[nodiscard]] std::string text() const {
    auto all = std::to_string(status).append(" ").append(reading);
    if (hint) all.append(", hint ").append(std::to_string(*hint / std::chrono::seconds{1})).append(" s");
    if (reading == "succeeded") all.append(", ").append(std::to_string(body.size())).append(" bytes");
    return all.append("; ").append(reason).append(" after ").append(std::to_string(attempts));
  }
  friend bool operator==(verdict const& a, verdict const& b) { return a.text() == b.text() && a.body == b.body; }
};

/// Two attempts at once, and none after a server asked for a pause: so that what was understood shows, and no test waits.
template <class Classifier>
using strategy =
    anew::strategy<Classifier, anew::no_backoff, anew::no_jitter, anew::max_attempts<2>, anew::unlimited_quota,
                   anew::server_hint<anew::long_hint::stop, std::chrono::milliseconds{1}>,
                   anew::attempt_timeout<anew::run_time>, decltype(anew::deadline{std::chrono::seconds{1}}),
                   anew::testing::recorder>;

template <class Classifier>
strategy<Classifier> strategy_for(call const& c, anew::testing::recorder::heard& heard) {
  return strategy<Classifier>{anew::attempt_timeout{c.limit}, anew::deadline{c.deadline},
                              anew::testing::recorder{heard}};
}

/// Measures a call.
struct watch {
  [[nodiscard]] anew::duration elapsed() const { return std::chrono::steady_clock::now() - start_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What the library itself made of the last attempt.
inline verdict read(anew::testing::recorder::heard const& heard, int status) {
  verdict v{heard.ends.empty() ? "not ended" : to_string(heard.ends.back().reason), heard.attempts.size(), status};
  if (heard.attempts.empty()) return v;
  auto const last = heard.attempts.back().verdict;
  v.reading = last.is_success() ? "succeeded" : "final";
  if (!last.is_retry()) return v;
  auto const what = last.what();
  v.hint = what.hint;
  v.reading = std::string{to_string(what.kind)}.append(what.safety == anew::retry_safety::yes ? "" : ", may have run");
  return v;
}

verdict over_curl_easy(call const& c);
verdict over_curl_multi(call const& c);
verdict over_beast(call const& c);

}  // namespace bridges

#endif
