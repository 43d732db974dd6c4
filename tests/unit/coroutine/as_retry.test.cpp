// SPDX-License-Identifier: BSL-1.0
// An awaited call and a blocking one, with the same strategy and the same story: results, delays, events, quota and gate
// are the same to the last entry, for thousands of random stories.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/attempt_timeout/attempt_timeout.hpp"
#include "anew/coroutine.hpp"
#include "anew/quota/long_poll.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/recording_sleeper.hpp"

#include "coroutine_support.hpp"
#include "driver_support.hpp"

namespace coroutine_as_retry_test {
namespace {

using namespace std::chrono_literals;
using anew::testing::manual_clock;
using support::audited_quota;
using support::eager;
using support::flag_stop;
using support::manual_loop;
using support::recorder;

struct error {
  int code;
};
/// An outcome of an attempt: a value, an error by value, or one that is thrown.
struct answer {
  int value = 0;
  std::optional<int> failed;
  [[nodiscard]] bool has_value() const noexcept { return !failed; }
  [[nodiscard]] int error() const noexcept { return *failed; }
};

/// Odd errors are final, the tens say for how long the server asks to wait.
struct reader {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<error>;
  anew::directive classify(int code) const {
    if (code % 2 == 1) return anew::directive::fail();
    auto const safety = code % 3 == 0 ? anew::retry_safety::maybe : anew::retry_safety::yes;
    std::optional<anew::duration> hint;
    if (code >= 10) hint = 1ms * (code / 10);
    return anew::directive::retry(anew::failure{anew::error_kind::throttling, safety, hint});
  }
  anew::directive classify(error const& thrown) const { return classify(thrown.code); }
};

/// Waits and refuses by a script, and writes down what it is told.
class scripted_gate {
 public:
  using role = anew::roles::gate;
  using pass_type = std::uint32_t;
  struct books {
    std::vector<anew::duration> waits;
    std::size_t asked = 0;
    pass_type last = 0;
    std::vector<std::string> told;
  };
  explicit scripted_gate(books& in) : books_{&in} {}
  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point /*now*/) const {
    auto const wait = books_->asked < books_->waits.size() ? books_->waits[books_->asked] : 0ms;
    ++books_->asked;
    if (wait > 0s) return anew::admission<pass_type>::ask_again_in(wait);
    if (wait < 0s) return anew::admission<pass_type>::refuse();
    return anew::admission<pass_type>::admit(++books_->last);
  }
  void on_success(pass_type pass, anew::time_point /*now*/) const { tell("success", pass); }
  void on_failure(pass_type pass, anew::failure const& /*what*/, anew::time_point /*now*/) const {
    tell("failure", pass);
  }
  void release(pass_type pass) const { tell("release", pass); }

 private:
  void tell(std::string what, pass_type pass) const {
    books_->told.push_back(what.append(" ").append(std::to_string(pass)));
  }
  books* books_;
};

/// What happens in a call, and what came of it.
struct script {
  std::vector<int> outcomes;  ///< 0: success; above: an error by value; below: thrown
  std::vector<anew::duration> gate_waits;
  std::vector<anew::duration> took;
  std::size_t stop_after = 0;  ///< so many things done: attempts and sleeps
  bool stop_is_possible = true;
  bool idempotent = false;
};
struct record {
  std::string result;
  std::vector<std::string> story;
  std::vector<std::string> quota;
  std::vector<std::string> gate;
  std::vector<anew::duration> delays;
  std::vector<std::string> attempts;
  anew::time_point ended;
  bool operator==(record const&) const = default;
};

template <class... Extra>
struct world {
  script const& what;
  manual_clock clock{};
  audited_quota::books quota{};
  scripted_gate::books gate{};
  recorder heard{};
  flag_stop::state stop{};
  record seen{};
  std::size_t done = 0;

  explicit world(script const& s) : what{s} {
    gate.waits = s.gate_waits;
    stop.possible = s.stop_is_possible;
    if (s.stop_after == 0) stop.requested = true;
  }
  world(world const&) = delete;
  world& operator=(world const&) = delete;
  ~world() = default;

  template <class... More>
  auto strategy(More... more) {
    return anew::compose(reader{}, anew::exponential_backoff<1ms, 20ms>{}, anew::no_jitter{}, anew::max_attempts<5>{},
                         audited_quota{quota}, recorder{heard}, clock, anew::deadline<60ms>{}, Extra{}..., more...);
  }
  auto strategy_with_gate() { return strategy(scripted_gate{gate}); }

  void did() {
    if (++done == what.stop_after) stop.requested = true;
  }
  answer attempt(anew::attempt& self) {
    auto const index = self.number() - 1;
    auto note = std::to_string(self.number());
    note.append(" ").append(std::to_string(self.remaining().count()));
    note.append(" ").append(std::to_string(self.limit().count()));
    note.append(" ").append(std::to_string(static_cast<int>(self.previous_error().value_or(anew::error_kind{}))));
    note.append(self.stop_requested() ? " stopped" : "");
    seen.attempts.push_back(std::move(note));
    clock.advance(what.took[index]);
    did();
    auto const outcome = what.outcomes[index];
    if (outcome < 0) throw error{-outcome};
    if (outcome > 0) return {static_cast<int>(index), outcome};
    return {static_cast<int>(index), std::nullopt};
  }
  template <class Get>
  record finish(Get const& get) {
    try {
      auto const got = get();
      seen.result = got.failed ? "error " : "value ";
      seen.result.append(std::to_string(got.failed.value_or(got.value)));
    } catch (error const& e) {
      seen.result = "thrown ";
      seen.result.append(std::to_string(e.code));
    } catch (anew::call_refused const& e) {
      seen.result = e.what();
    }
    seen.story = heard.story();
    seen.quota = quota.entries();
    seen.gate = gate.told;
    seen.ended = clock.peek();
    EXPECT_EQ(quota.outstanding(), 0U);
    return seen;
  }

  template <class S>
  record block(S const& strategy) {
    auto const sleep = [this](anew::duration delay) {
      seen.delays.push_back(delay);
      clock.advance(delay);
      did();
    };
    return finish([&] {
      auto const operation = [this](anew::attempt& self) { return attempt(self); };
      if (what.idempotent) return anew::retry(strategy, anew::idempotent(operation), sleep, flag_stop{stop});
      return anew::retry(strategy, operation, sleep, flag_stop{stop});
    });
  }
  template <class S>
  record await(S const& strategy) {
    manual_loop loop{clock};
    auto const sleep = [&](anew::duration delay) -> eager<> {
      seen.delays.push_back(delay);
      co_await loop.after(delay);
      did();
    };
    return finish([&] {
      auto const operation = [this](anew::attempt& self) -> eager<answer> { co_return attempt(self); };
      auto const awaited = [&](auto call) {
        loop.run();
        return call.get();
      };
      if (what.idempotent) return awaited(anew::retry(strategy, anew::idempotent(operation), sleep, flag_stop{stop}));
      return awaited(anew::retry(strategy, operation, sleep, flag_stop{stop}));
    });
  }
};

script random_script(std::uint32_t seed) {
  std::mt19937 random{seed};
  auto const below = [&](unsigned n) { return static_cast<int>(random() % n); };
  script s;
  for (int i = 0; i < 6; ++i) {
    int const kind = below(10);
    int const code = below(4) == 0 ? 2 * below(30) + 2 : below(12) == 0 ? 7 : 2;
    s.outcomes.push_back(kind < 2 ? 0 : kind < 6 ? code : -code);
    s.took.push_back(below(3) == 0 ? 1ms * below(30) : 0ms);
  }
  for (int i = below(8); i > 0; --i) {
    int const kind = below(8);
    s.gate_waits.push_back(kind == 0 ? -1ms : kind < 3 ? 1ms * below(25) : 0ms);
  }
  s.stop_after = below(3) == 0 ? static_cast<std::size_t>(below(9)) : 1'000;
  s.stop_is_possible = below(5) != 0;
  s.idempotent = below(4) != 0;
  return s;
}

TEST(CoroutineAsRetry, TheSameStory) {
  for (std::uint32_t seed = 1; seed <= 3'000; ++seed) {
    auto const s = random_script(seed);
    world<> blocking{s};
    world<> awaited{s};
    auto const expected = blocking.block(blocking.strategy());
    auto const got = awaited.await(awaited.strategy());
    ASSERT_EQ(got.result, expected.result) << seed;
    ASSERT_EQ(got.story, expected.story) << seed;
    ASSERT_EQ(got.quota, expected.quota) << seed;
    ASSERT_EQ(got.delays, expected.delays) << seed;
    ASSERT_EQ(got.attempts, expected.attempts) << seed;
    ASSERT_TRUE(got == expected) << seed;
  }
}

TEST(CoroutineAsRetry, TheSameStoryWithAGate) {
  std::set<std::string> endings;
  for (std::uint32_t seed = 1; seed <= 3'000; ++seed) {
    auto const s = random_script(seed);
    world<> blocking{s};
    world<> awaited{s};
    auto const expected = blocking.block(blocking.strategy_with_gate());
    auto const got = awaited.await(awaited.strategy_with_gate());
    ASSERT_EQ(got.result, expected.result) << seed;
    ASSERT_EQ(got.story, expected.story) << seed;
    ASSERT_EQ(got.gate, expected.gate) << seed;
    ASSERT_EQ(got.delays, expected.delays) << seed;
    ASSERT_TRUE(got == expected) << seed;
    endings.insert(got.story.back());
  }
  for (char const* one :
       {"end succeeded after 1", "end succeeded after 5", "end not_retryable after 3", "end not_idempotent after 2",
        "end attempts after 5", "end deadline after 2", "end gate_closed after 0", "end gate_closed after 2",
        "end cancelled after 0", "end cancelled after 1", "end cancelled after 4"}) {
    EXPECT_TRUE(endings.contains(one)) << one << " was in no story";
  }
}

TEST(CoroutineAsRetry, TheSameStoryWithALimitForEachAttempt) {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    auto const s = random_script(seed);
    world<anew::attempt_timeout<30ms>> blocking{s};
    world<anew::attempt_timeout<30ms>> awaited{s};
    ASSERT_TRUE(awaited.await(awaited.strategy()) == blocking.block(blocking.strategy())) << seed;
  }
}

TEST(CoroutineAsRetry, TheSameWaitBeforeTheEnd) {
  // A quota that is spent slows a caller down that would come again at once: the wait is the call's last.
  for (int const calls : {1, 2, 3, 4}) {
    manual_clock const clock;
    manual_loop loop{clock};
    auto const make = [] {
      return anew::compose(anew::retry_all{}, anew::constant_backoff<7ms>{}, anew::no_jitter{}, anew::max_attempts<3>{},
                           anew::long_poll<anew::token_bucket<30>>{});
    };
    auto const blocking = make();
    auto const awaited = make();
    anew::testing::recording_sleeper sleep;
    for (int i = 0; i < calls; ++i) {
      EXPECT_FALSE(anew::retry(blocking, [] { return false; }, sleep));
      auto call = anew::retry(awaited, []() -> eager<bool> { co_return false; }, loop.sleep());
      loop.run();
      EXPECT_FALSE(call.get());
    }
    EXPECT_EQ(loop.delays, sleep.delays);
    EXPECT_FALSE(sleep.delays.empty());
  }
}

}  // namespace
}  // namespace coroutine_as_retry_test
