// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "anew/hint/server.hpp"

#include "rejection.hpp"

namespace hint_server_test {
namespace {

using namespace std::chrono_literals;
using anew::delay_origin;
using anew::duration;
using anew::long_hint;
using anew::planned_delay;
using anew::server_hint;
using seconds_double = std::chrono::duration<double>;

/// What is waited when 2 s were computed and the cap is 10 s, and where it came from.
template <class Hint>
std::optional<std::pair<duration, delay_origin>> ask(Hint const& hint, duration asked, duration computed = 2s) {
  auto const planned = hint.resolve(computed, asked, 10s);
  if (!planned) return std::nullopt;
  return std::pair{planned->delay, planned->origin};
}
auto from(delay_origin origin, duration delay) { return std::optional{std::pair{delay, origin}}; }
constexpr auto refused = std::nullopt;

TEST(ServerHint, IsAFloor) {
  for (long_hint const then : {long_hint::stop, long_hint::clamp, long_hint::ignore}) {
    server_hint const hint{then};
    EXPECT_EQ(ask(hint, 0s), from(delay_origin::backoff, 2s));
    EXPECT_EQ(ask(hint, 1s), from(delay_origin::backoff, 2s));
    EXPECT_EQ(ask(hint, 2s), from(delay_origin::backoff, 2s));
    EXPECT_EQ(ask(hint, 2s + 1ns), from(delay_origin::hint, 2s + 1ns));
    EXPECT_EQ(ask(hint, 10s), from(delay_origin::hint, 10s));
  }
}

TEST(ServerHint, MayBeAMinuteWhateverTheCapIs) {
  for (auto const cap : {duration{0ns}, duration{50ms}, duration{10s}, duration{1h}, duration::max()}) {
    EXPECT_EQ(server_hint<>{}.resolve(0ns, 60s, cap)->delay, 60s);
    EXPECT_FALSE(server_hint<>{}.resolve(0ns, 60s + 1ns, cap));
  }
}

TEST(ServerHint, ThatIsTooLongEndsTheCallUnlessSaidOtherwise) {
  EXPECT_EQ(ask(server_hint<>{}, 60s + 1ns), refused);
  EXPECT_EQ(ask(server_hint<>{}, duration::max()), refused);
  EXPECT_EQ(ask(server_hint{long_hint::stop}, 60s + 1ns), refused);
  EXPECT_EQ(ask(server_hint<>{}, 90s, 100s), from(delay_origin::backoff, 100s)) << "it was waited for anyway";
}

TEST(ServerHint, ThatIsTooLongIsClamped) {
  EXPECT_EQ(ask(server_hint<long_hint::clamp>{}, 60s + 1ns), from(delay_origin::cap, 60s));
  EXPECT_EQ(ask(server_hint{long_hint::clamp}, duration::max()), from(delay_origin::cap, 60s));
  EXPECT_EQ(ask(server_hint{long_hint::clamp}, duration::max(), 70s), from(delay_origin::cap, 70s));
}

TEST(ServerHint, ThatIsTooLongIsIgnored) {
  EXPECT_EQ(ask(server_hint<long_hint::ignore>{}, 60s + 1ns), from(delay_origin::backoff, 2s));
  EXPECT_EQ(ask(server_hint{long_hint::ignore}, duration::max()), from(delay_origin::backoff, 2s));
}

TEST(ServerHint, HasTheLimitThatIsGiven) {
  EXPECT_EQ(ask(server_hint<long_hint::stop, 90s>{}, 90s), from(delay_origin::hint, 90s));
  EXPECT_EQ(ask(server_hint<long_hint::stop, 90s>{}, 90s + 1ns), refused);
  EXPECT_EQ(ask((server_hint{long_hint::clamp, 5s}), 6s), from(delay_origin::cap, 5s));
  EXPECT_EQ(ask((server_hint{long_hint::ignore, 5s}), 6s), from(delay_origin::backoff, 2s));
}

TEST(ServerHint, ALimitBelowTheComputedDelayShortensNothing) {
  EXPECT_EQ(ask(server_hint<long_hint::clamp, 1s>{}, 5s)->first, 2s);
  EXPECT_EQ(ask(server_hint<long_hint::ignore, 1s>{}, 5s)->first, 2s);
  EXPECT_EQ(ask(server_hint<long_hint::stop, 1s>{}, 1500ms), from(delay_origin::backoff, 2s));
  EXPECT_EQ(ask(server_hint<long_hint::stop, 1s>{}, 3s), refused);
}

TEST(ServerHint, ALimitOfANanosecondIsOne) {
  EXPECT_EQ(ask(server_hint<long_hint::stop, 1ns>{}, 2ns, 0ns), refused);
  EXPECT_EQ(ask((server_hint{long_hint::stop, 1ns}), 1ns, 0ns), from(delay_origin::hint, 1ns));
}

TEST(ServerHint, ALimitOfNothingHearsNoHints) {
  EXPECT_EQ(ask(server_hint<long_hint::stop, 0s>{}, 1ns, 0ns), refused);
  EXPECT_EQ(ask(server_hint<long_hint::stop, 0s>{}, 0ns, 0ns), from(delay_origin::backoff, 0ns));
}

TEST(ServerHint, IsSoundFromALimitOfZeroOn) {
  static_assert(server_hint<>::is_sound && server_hint<long_hint::clamp, 0ns>::is_sound);
  static_assert(!server_hint<long_hint::clamp, -2ns>::is_sound && !server_hint<long_hint::stop, -1s>::is_sound);
  static_assert(decltype(server_hint{long_hint::stop, 1s})::is_sound);
  EXPECT_EQ((server_hint{long_hint::clamp, 0ns}.resolve(0ns, 1ns, 10s)->delay), 0ns);
}

TEST(ServerHint, DescribesItself) {
  EXPECT_EQ(server_hint<>{}.describe(), "server_hint(stop)");
  EXPECT_EQ((server_hint<long_hint::clamp, 5s>{}.describe()), "server_hint(clamp,5s)");
  EXPECT_EQ((server_hint{long_hint::ignore, 90ms}.describe()), "server_hint(ignore,90ms)");
  EXPECT_EQ(server_hint{long_hint::clamp}.describe(), "server_hint(clamp)");
  EXPECT_EQ((server_hint{long_hint::clamp, 60s}.describe()), "server_hint(clamp)");
}

TEST(ServerHint, RefusesANegativeLimit) {
  EXPECT_REJECTED((server_hint{long_hint::stop, -1ns}), "anew::server_hint: longest must not be negative, but is -1ns");
  EXPECT_REJECTED((server_hint{long_hint::stop, -1s}), "anew::server_hint: longest must not be negative, but is -1s");
  EXPECT_REJECTED((server_hint{long_hint::clamp, seconds_double{std::numeric_limits<double>::quiet_NaN()}}),
                  "anew::server_hint: longest must not be negative, but is -9223372036854775808ns");
}

TEST(DelayOrigin, Words) {
  EXPECT_STREQ(to_string(delay_origin::backoff), "backoff");
  EXPECT_STREQ(to_string(delay_origin::hint), "hint");
  EXPECT_STREQ(to_string(delay_origin::cap), "cap");
  EXPECT_STREQ(to_string(delay_origin::deadline), "deadline");
  EXPECT_STREQ(to_string(static_cast<delay_origin>(99)), "unknown");
}

}  // namespace
}  // namespace hint_server_test
