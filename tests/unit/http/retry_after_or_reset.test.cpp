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

using namespace anew;
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

static_assert(most_head_bytes == 65'536, "the page of limits says so");

TEST(RetryAfterOrReset, ReadsWhatServersSend) {
  struct row {
    fields sent;
    asked_delay by_classifier;
    asked_delay with_reset;
  };
  std::vector<row> const rows{
      row{{}, {}, {}}, row{{{"Retry-After", "3"}, {"X-RateLimit-Reset", "9"}}, 3s, 3s},
      row{{{"Retry-After-Ms", "1500"}, {"Retry-After", "9"}}, 1500ms, 1500ms},
      row{{{"Retry-After-Ms", "1500.001"}}, 1501ms, 1501ms},
      row{{{"Retry-After-Ms", "soon"}, {"Retry-After", "9"}}, 9s, 9s},
      row{{{"Retry-After-Ms", "soon"}, {"X-RateLimit-Reset", "9"}}, unread, unread},
      row{{{"RateLimit-Reset", "50"}}, {}, 50s},
      row{{{"RateLimit-Reset", "50"}, {"RateLimit-Remaining", "0"}}, {}, 50s},
      row{{{"RateLimit-Reset", "50"}, {"RateLimit-Remaining", "3"}}, {}, {}},
      row{{{"X-RateLimit-Reset", "50.5"}, {"X-RateLimit-Remaining", " 0 "}}, {}, 51s},
      row{{{"X-RateLimit-Reset", "50"}, {"X-RateLimit-Remaining", "some"}}, {}, {}},
      row{{{"RateLimit-Reset", "4"}, {"X-RateLimit-Reset", "1700000000"}}, {}, 4s},
      row{{{"X-RateLimit-Reset", "999999999"}}, {}, 999'999'999s},
      row{{{"X-RateLimit-Reset", "1000000000"}, {"Date", date}}, {}, 215'888'223s},
      row{{{"X-RateLimit-Reset", "1000000000"}}, {}, 0s},
      row{{{"X-RateLimit-Reset", "5000000000"}, {"Date", date}}, {}, 4'215'888'223s},
      row{{{"X-RateLimit-Reset", "5000000001"}}, {}, unread}, row{{{"X-RateLimit-Reset", "1700000000000"}}, {}, unread},
      row{{{"X-RateLimit-Reset", "2026-01-01T00:00:00Z"}}, {}, unread},
      // A list of policies with what remains and the time; the longest of those that are spent.
      row{{{"RateLimit", R"("default";r=0;t=30)"}}, {}, 30s}, row{{{"RateLimit", R"("default";r=50;t=30)"}}, {}, {}},
      row{{{"RateLimit", R"("a";r=0;t=30, "b";r=1;t=99, "c";r=0;t=9)"}}, {}, 30s},
      row{{{"RateLimit", R"("a";r=0;t=30,"b" ; t=40 ; r=0)"}}, {}, 40s},
      row{{{"RateLimit", R"("a";r=0;t=40,"b";r=0;t=30)"}}, {}, 40s},
      row{{{"RateLimit", R"("a";r=0, "b";t=99)"}}, {}, {}},
      row{{{"RateLimit", R"("a;r=0;t=7,x=1";r=0;t=30)"}}, {}, 30s}, row{{{"RateLimit", R"("r=0;t=7)"}}, {}, {}},
      row{{{"RateLimit", R"(burst;r=0;t=30)"}}, {}, 30s},
      row{{{"RateLimit", "limit=100, remaining=0, reset=25"}}, {}, 25s},
      row{{{"RateLimit", "limit=100, remaining=1, reset=25"}}, {}, {}},
      row{{{"RateLimit", R"("a";r=0;t=-3)"}, {"X-RateLimit-Reset", "8"}}, {}, 8s},
      row{{{"RateLimit", ",;=,;\"="}}, {}, {}}};
  for (auto const& [sent, by_classifier, with_reset] : rows) {
    std::string text;
    for (auto const& [name, value] : sent) text.append(name).append(": ").append(value).append("\r\n");
    SCOPED_TRACE(text);
    EXPECT_EQ(http::retry_after_or_reset(sent), with_reset);
    EXPECT_EQ(http::retry_after_or_reset(text), with_reset) << "lines";
    EXPECT_EQ(http::retry_after_or_reset(answer{429, sent}), with_reset) << "headers";
    EXPECT_EQ(http::retry_after_or_reset(std::optional{asked_by_name{429, sent}}), with_reset) << "by name";
    EXPECT_EQ(http::classifier<>{}.classify(answer{429, sent}).what().hint, by_classifier);
    EXPECT_EQ(http::classifier<>{}.classify(asked_by_name{429, sent}).what().hint, by_classifier);
  }
  static_assert(!detail::KeepsFields<int> && !detail::KeepsFields<std::optional<int>>);
}

/// Waits the cap where it is not known what the server asked for.
struct careful_hint {
  using role = roles::hint;
  static std::optional<planned_delay> resolve(duration computed, duration asked, duration /*cap*/) {
    return planned_delay{std::max(computed, asked), delay_origin::hint};
  }
  static planned_delay not_understood(duration /*computed*/, duration cap) { return {cap, delay_origin::cap}; }
};

duration delay_after(auto hint, asked_delay asked) {
  auto const strategy = compose(exponential_backoff<1s, 9s>{}, no_jitter{}, unbounded{}, hint);
  return (*strategy.refresh_retry_token(strategy.acquire_initial_token(), failure{.hint = asked})).delay();
}

TEST(NotUnderstood, IsToldToTheHintWithinAnother) {
  EXPECT_EQ(delay_after(careful_hint{}, unread), 9s);
  EXPECT_EQ(delay_after(jittered_hint<rational{1, 2}, careful_hint>{}, unread), 9s);
  EXPECT_EQ(delay_after(jittered_hint<rational{1, 2}>{}, unread), 1s);
  using either = choice<roles::hint, careful_hint, server_hint<>>;
  EXPECT_EQ(delay_after(either{careful_hint{}}, unread), 9s);
  EXPECT_EQ(delay_after(either{server_hint<>{}}, unread), 1s);
  EXPECT_EQ(delay_after(either{careful_hint{}}, 2s), 2s);
  static_assert(!detail::PlansForUnread<choice<roles::hint, server_hint<>, clamped_hint<1s>>>);
}

/// Not called: it returns no planned_delay.
struct misspelt : careful_hint {
  static duration not_understood(duration computed, duration /*cap*/) { return computed; }
};
static_assert(!detail::members_are_callable<misspelt> && detail::members_are_callable<careful_hint>);

}  // namespace
}  // namespace http_retry_after_or_reset_test
