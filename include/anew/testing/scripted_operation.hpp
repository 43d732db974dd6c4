// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_SCRIPTED_OPERATION_HPP
#define ANEW_TESTING_SCRIPTED_OPERATION_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/testing/manual_clock.hpp"

namespace anew::inline ANEW_ABI::testing {

/// In the place of a number of calls: the step is the last one, and is repeated as often as it is called.
inline constexpr std::uint32_t forever = ~std::uint32_t{0};

/// Thrown by a scripted operation that is called more often than its script says.
struct ANEW_VISIBLE script_ended : std::logic_error {
  using std::logic_error::logic_error;
};

/// An operation that plays a script, and counts its calls.
///
///     scripted_operation<answer> op;
///     op.returns(busy{}, 2).taking(clock, 3s).throws(broken_pipe{}).returns(answer{42});
///
/// A call after the end of the script throws `script_ended`, a `std::logic_error`, which no shipped classifier retries
/// unless it is named. A strategy that does, and calls once more, ends the program with the same words; so does the first
/// such call where there are no exceptions.
/// Copies share the script and the count, so that `idempotent(op)` is the same operation.
///
/// Models: Operation (safe from many threads)
/// Choose it where the test is about a call's reaction to outcomes. Not where the operation must look at its attempt: a
/// lambda that takes `anew::attempt&`.
template <class R>
class scripted_operation {
 public:
  /// The next `times` calls return `value`: a success or an error, as its type says. A value that cannot be copied is
  /// returned once.
  template <class Value = R>
    requires(std::constructible_from<R, Value> && !std::is_void_v<R>)
  scripted_operation& returns(Value&& value) {
    if constexpr (std::copy_constructible<R>) {
      return returns(std::forward<Value>(value), 1);
    } else {
      auto kept = std::make_shared<R>(std::forward<Value>(value));
      return runs([kept]() -> R { return std::move(*kept); });
    }
  }
  template <class Value = R>
    requires(std::constructible_from<R, Value> && std::copy_constructible<R>)
  scripted_operation& returns(Value&& value, std::uint32_t times) {
    return runs([value = R(std::forward<Value>(value))]() -> R { return value; }, times);
  }
  scripted_operation& returns()
    requires std::is_void_v<R>
  {
    return runs([] {});
  }

#if ANEW_EXCEPTIONS
  scripted_operation& throws(auto exception, std::uint32_t times = 1) {
    return runs([exception = std::move(exception)]() -> R { throw exception; }, times);
  }
#endif

  /// For anything else: the step calls `make()`, which returns the result.
  template <std::copy_constructible Make>
    requires(std::is_invocable_r_v<R, Make&>)
  scripted_operation& runs(Make make, std::uint32_t times = 1) {
    anew::detail::platform::lock_guard const lock{script_->mutex};
    script_->steps.push_back({std::move(make), std::nullopt, {}, times});
    return *this;
  }

  /// Each call of the previous step takes that long: it advances the clock, and then returns or throws.
  scripted_operation& taking(manual_clock const& clock, duration time) {
    anew::detail::platform::lock_guard const lock{script_->mutex};
    if (script_->steps.empty())
      give_up("taking() applies to the previous step, and the script has no steps yet", false);
    script_->steps.back().clock = clock;
    script_->steps.back().time = time;
    return *this;
  }

  R operator()() const {
    auto const now = script_->next();
    if (now.clock) now.clock->advance(now.time);
    return now.make();
  }

  [[nodiscard]] std::uint64_t calls() const {
    anew::detail::platform::lock_guard const lock{script_->mutex};
    return script_->calls;
  }
  /// True when every step was played; a step for ever is played at its first call.
  [[nodiscard]] bool is_finished() const {
    anew::detail::platform::lock_guard const lock{script_->mutex};
    for (auto const& one : script_->steps) {
      if (one.left != 0 && !(one.left == forever && one.was_played)) return false;
    }
    return true;
  }

 private:
  struct step {
    std::function<R()> make;
    std::optional<manual_clock> clock;
    duration time;
    std::uint32_t left;
    bool was_played = false;
  };

  struct script {
    anew::detail::platform::mutex mutex;
    std::vector<step> steps;
    std::size_t at = 0;
    std::uint64_t calls = 0;
    bool ended = false;

    step next() {
      anew::detail::platform::lock_guard const lock{mutex};
      ++calls;
      while (at < steps.size() && steps[at].left == 0) ++at;
      if (at == steps.size()) {
        bool const for_the_first_time = !std::exchange(ended, true);
        give_up(std::string{"call "}.append(std::to_string(calls)).append(", and the script has no more"),
                for_the_first_time);
      }
      steps[at].was_played = true;
      if (steps[at].left != forever) --steps[at].left;
      return steps[at];
    }
  };

  [[noreturn]] static void give_up(std::string const& why, [[maybe_unused]] bool may_throw) {
    auto const message = std::string{"anew::testing::scripted_operation: "}.append(why);
#if ANEW_EXCEPTIONS
    if (may_throw) throw script_ended{message};
#endif
    std::fprintf(stderr, "%s\n", message.c_str());
    std::abort();
  }

  std::shared_ptr<script> script_ = std::make_shared<script>();
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
