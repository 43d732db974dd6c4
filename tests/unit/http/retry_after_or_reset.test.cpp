// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/http/classifier.hpp"
#include "anew/bridges/http/retry_after_or_reset.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/jittered.hpp"
#include "anew/run_time/choice.hpp"

#include "names.hpp"

namespace http_retry_after_or_reset_test {
namespace {

using anew::asked_delay;
using fields = std::map<std::string, std::string>;

struct answer {
  int status = 429;
  fields headers;
};
/// As clients have it that compare names as they like.
struct asked_by_name {
  int status = 429;
  fields all;
  [[nodiscard]] std::string get_header_value(char const* name) const {
    auto const found = all.find(name);
    return found == all.end() ? std::string{} : found->second;
  }
};

constexpr char const* date = "Sun, 06 Nov 1994 08:49:37 GMT";  // 784'111'777
asked_delay const unread = asked_delay::not_understood();

TEST(RetryAfterOrReset, ReadsWhatServersSend) {
  struct row {
    fields sent;
    asked_delay by_classifier;
    asked_delay with_reset;
  };
  std::vector<row> const rows{
      {{}, {}, {}},
      {{{"Retry-After", "3"}, {"X-RateLimit-Reset", "9"}}, 3s, 3s},
      {{{"Retry-After-Ms", "1500"}, {"Retry-After", "9"}}, 1500ms, 1500ms},
      {{{"Retry-After-Ms", "1500.001"}}, 1501ms, 1501ms},
      {{{"Retry-After-Ms", "soon"}, {"Retry-After", "9"}}, 9s, 9s},
      {{{"Retry-After-Ms", "soon"}, {"X-RateLimit-Reset", "9"}}, unread, unread},
      {{{"RateLimit-Reset", "50"}}, {}, 50s},
      {{{"RateLimit-Reset", "50"}, {"RateLimit-Remaining", "0"}}, {}, 50s},
      {{{"RateLimit-Reset", "50"}, {"RateLimit-Remaining", "3"}}, {}, {}},
      {{{"X-RateLimit-Reset", "50.5"}, {"X-RateLimit-Remaining", " 0 "}}, {}, 51s},
      {{{"X-RateLimit-Reset", "50"}, {"X-RateLimit-Remaining", "some"}}, {}, {}},
      {{{"RateLimit-Reset", "4"}, {"X-RateLimit-Reset", "1700000000"}}, {}, 4s},
      {{{"X-RateLimit-Reset", "999999999"}}, {}, 999'999'999s},
      {{{"X-RateLimit-Reset", "1000000000"}, {"Date", date}}, {}, 215'888'223s},
      {{{"X-RateLimit-Reset", "1000000000"}}, {}, 0s},
      {{{"X-RateLimit-Reset", "5000000000"}, {"Date", date}}, {}, 4'215'888'223s},
      {{{"X-RateLimit-Reset", "5000000001"}}, {}, unread},
      {{{"X-RateLimit-Reset", "1700000000000"}}, {}, unread},
      {{{"X-RateLimit-Reset", "2026-01-01T00:00:00Z"}}, {}, unread},
      {{{"RateLimit", R"("default";r=0;t=30)"}}, {}, 30s},
      {{{"RateLimit", R"("default";r=50;t=30)"}}, {}, {}},
      {{{"RateLimit", R"("a";r=0;t=30, "b";r=1;t=99)"}}, {}, 30s},
      {{{"RateLimit", R"("a";r=0;t=30,"b" ; t=40 ; r=0)"}}, {}, 40s},
      {{{"RateLimit", R"("a";r=0;t=40,"b";r=0;t=30)"}}, {}, 40s},
      {{{"RateLimit", R"("a";r=0, "b";t=99)"}}, {}, {}},
      {{{"RateLimit", R"("a;r=0;t=7,x=1";r=0;t=30)"}}, {}, 30s},
      {{{"RateLimit", R"("r=0;t=7)"}}, {}, {}},
      {{{"RateLimit", R"(burst;r=0;t=30)"}}, {}, 30s},
      {{{"RateLimit", "limit=100, remaining=0, reset=25"}}, {}, 25s},
      {{{"RateLimit", "limit=100, remaining=1, reset=25"}}, {}, {}},
      {{{"RateLimit", R"("a";r=0;t=-3)"}, {"X-RateLimit-Reset", "8"}}, {}, 8s},
      {{{"RateLimit", ",;=,;\"="}}, {}, {}},
  };
  for (auto const& [sent, by_classifier, with_reset] : rows) {
    std::string text;
    for (auto const& [name, value] : sent) text.append(name).append(": ").append(value).append("\r\n");
    SCOPED_TRACE(text);
    EXPECT_EQ(anew::http::retry_after_or_reset(sent), with_reset);
    EXPECT_EQ(anew::http::retry_after_or_reset(text), with_reset) << "lines";
    EXPECT_EQ(anew::http::retry_after_or_reset(answer{429, sent}), with_reset) << "headers";
    EXPECT_EQ(anew::http::retry_after_or_reset(std::optional{asked_by_name{429, sent}}), with_reset) << "by name";
    EXPECT_EQ(anew::http::classifier<>{}.classify(answer{429, sent}).what().hint, by_classifier);
    EXPECT_EQ(anew::http::classifier<>{}.classify(asked_by_name{429, sent}).what().hint, by_classifier);
  }
  static_assert(!anew::detail::KeepsFields<int> && !anew::detail::KeepsFields<std::optional<int>>);
}

/// Waits the cap where it is not known what the server asked for.
struct careful_hint {
  using role = anew::roles::hint;
  static std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                                    anew::duration /*cap*/) {
    return anew::planned_delay{std::max(computed, asked), anew::delay_origin::hint};
  }
  static anew::planned_delay not_understood(anew::duration /*computed*/, anew::duration cap) {
    return {cap, anew::delay_origin::cap};
  }
};

template <class Hint>
anew::duration delay_after(Hint hint, asked_delay asked) {
  auto const strategy = anew::compose(anew::exponential_backoff<1s, 9s>{}, anew::no_jitter{}, anew::unbounded{}, hint);
  return (*strategy.refresh_retry_token(strategy.acquire_initial_token(), anew::failure{.hint = asked})).delay();
}

TEST(NotUnderstood, IsToldToTheHintWithinAnother) {
  EXPECT_EQ(delay_after(careful_hint{}, unread), 9s);
  EXPECT_EQ(delay_after(anew::jittered_hint<anew::rational{1, 2}, careful_hint>{}, unread), 9s);
  EXPECT_EQ(delay_after(anew::jittered_hint<anew::rational{1, 2}>{}, unread), 1s);
  using either = anew::choice<anew::roles::hint, careful_hint, anew::server_hint<>>;
  EXPECT_EQ(delay_after(either{careful_hint{}}, unread), 9s);
  EXPECT_EQ(delay_after(either{anew::server_hint<>{}}, unread), 1s);
  EXPECT_EQ(delay_after(either{careful_hint{}}, 2s), 2s);
  static_assert(
      !anew::detail::PlansForUnread<anew::choice<anew::roles::hint, anew::server_hint<>, anew::clamped_hint<1s>>>);
}

/// Not called: it returns no planned_delay.
struct misspelt : careful_hint {
  static anew::duration not_understood(anew::duration computed, anew::duration /*cap*/) { return computed; }
};
static_assert(!anew::detail::members_are_callable<misspelt> && anew::detail::members_are_callable<careful_hint>);

}  // namespace
}  // namespace http_retry_after_or_reset_test
