// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_CHAOS_HPP
#define ANEW_TESTING_CHAOS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/base/rational.hpp"
#include "anew/roles/operation.hpp"
#include "anew/testing/manual_clock.hpp"
#include "anew/testing/scripted_random.hpp"

namespace anew::inline ANEW_ABI::testing {

/// Lets faults happen to an operation, at random and the same in every run: results and exceptions instead of it, delays, and
/// answers that are lost after it took effect.
///
///     auto op = chaos{idempotent(fetch), 7}.delays(0.2, clock, 3s).returns(0.1, busy{}).loses(0.05, [] { return lost{}; });
///
/// The second argument chooses the draws. The faults have numbers from 1 on, in the order in which you add them. Each call
/// draws for every fault, in this order, until one answers instead of the operation. Copies share the draws, the script and
/// the counts. Wherever the operation may stand, this may: in every driver, and inside or outside of `idempotent()` and the
/// other declarations. An operation that returns a task, a future or a sender has its faults in `runs` and `loses`, which
/// make one; `loses` gives the operation's own to a `make` that takes it, to be awaited. Not for an operation that takes a
/// completion token.
///
/// Models: Operation, with the declarations of `Op` (safe from many threads if `Op` is)
/// Requires: shares between 0 and 1, and a script of faults that there are
/// Throws: std::invalid_argument otherwise
/// Cost: a lock, and a random number for each fault
/// Choose it to see how the whole behaves when a tenth of the calls fails. Not where a test is about one story:
/// scripted_operation. Not in production.
/// Source: Polly's chaos strategies (Simmy): fault, outcome, latency, behavior
template <class Op>
class chaos {
  template <class O>
  static decltype(auto) call(O& operation, attempt* a) {
    if constexpr (TakesAttempt<O>) {
      return operation(*a);
    } else {
      return operation();
    }
  }

 public:
  using declared = Op;
  static constexpr bool is_called_itself = true;  // by drivers that call an operation without its declarations
  using result_type = decltype(call(std::declval<Op&>(), nullptr));
  Op operation;

  explicit chaos(Op of, std::uint64_t seed = 1) : operation{std::move(of)}, state_{std::make_shared<state>(seed)} {}

  /// In a `share` of the calls `make()` is called instead of the operation: it returns a result, or throws.
  template <class Make>
    requires std::is_invocable_r_v<result_type, Make&>
  [[nodiscard]] chaos runs(rational share, Make make) && {
    return std::move(*this).with({share, {}, std::move(make), {}});
  }
  template <class Value>
    requires std::constructible_from<result_type, Value const&>
  [[nodiscard]] chaos returns(rational share, Value value) && {
    return std::move(*this).runs(share, [value] { return result_type(value); });
  }
#if ANEW_EXCEPTIONS
  [[nodiscard]] chaos throws(rational share, auto exception) && {
    return std::move(*this).runs(share, [exception]() -> result_type { throw exception; });
  }
#endif
  /// The operation is called and takes effect, and then its answer is lost: `make()` or `make(answer)` is called. An
  /// exception of the operation stays.
  template <class Make>
    requires std::is_invocable_r_v<result_type, Make&> || std::is_invocable_r_v<result_type, Make&, result_type>
  [[nodiscard]] chaos loses(rational share, Make make) && {
    return std::move(*this).with({share, {}, {}, [make = std::move(make)](auto const& answer) mutable -> result_type {
                                    if constexpr (std::is_invocable_r_v<result_type, Make&, result_type>) {
                                      return make(answer());
                                    } else {
                                      static_cast<void>(answer());
                                      return make();
                                    }
                                  }});
  }
  /// `first()` is called, and then the operation, or a later fault.
  [[nodiscard]] chaos does(rational share, std::function<void()> first) && {
    return std::move(*this).with({share, std::move(first), {}, {}});
  }
  /// The call takes that much longer.
  [[nodiscard]] chaos delays(rational share, manual_clock const& clock, duration by) && {
    return std::move(*this).does(share, [clock, by] { clock.advance(by); });
  }
  /// Gives each of the first calls the fault with this number, or no fault for 0. Later calls draw.
  /// Call it after the functions that add faults.
  [[nodiscard]] chaos plays(std::initializer_list<std::size_t> script) && {
    for (auto const number : script) {
      if (number > state_->faults.size())
        anew::detail::invalid_argument("testing::chaos", "the numbers of plays() must be those of faults",
                                       std::to_string(number));
    }
    state_->script.assign(script);
    return std::move(*this);
  }

  result_type operator()(attempt& a)
    requires TakesAttempt<Op>
  {
    return suffer(operation, &a);
  }
  result_type operator()()
    requires(!TakesAttempt<Op>)
  {
    return suffer(operation, nullptr);
  }
  result_type operator()(attempt& a) const
    requires TakesAttempt<Op const>
  {
    return suffer(operation, &a);
  }
  result_type operator()() const
    requires(!TakesAttempt<Op const> && anew::detail::TakesNothing<Op const>)
  {
    return suffer(operation, nullptr);
  }

  /// How many calls there were, and how many had this fault. `loses` does not count if
  /// another fault answered the call, or if the operation threw.
  [[nodiscard]] std::uint64_t calls() const { return count(0); }
  [[nodiscard]] std::uint64_t faults(std::size_t number) const { return count(number); }

 private:
  struct fault {
    rational share;
    std::function<void()> before;
    std::function<result_type()> instead;
    std::function<result_type(std::function<result_type()> const&)> after;
  };
  struct state {
    explicit state(std::uint64_t seed) : random{seed} {}
    anew::detail::platform::mutex mutex;
    seeded_random random;
    std::vector<fault> faults;
    std::vector<std::size_t> script;
    std::vector<std::uint64_t> happened{0};  // all calls, and by the number of the fault
  };

  chaos with(fault one) && {
    if (one.share.num > one.share.den)
      anew::detail::invalid_argument("testing::chaos", "the share of a fault must be at most 1",
                                     std::to_string(one.share.num) + "/" + std::to_string(one.share.den));
    state_->faults.push_back(std::move(one));
    state_->happened.push_back(0);
    return std::move(*this);
  }
  [[nodiscard]] std::uint64_t count(std::size_t number) const {
    anew::detail::platform::lock_guard const lock{state_->mutex};
    return state_->happened.at(number);
  }
  void note(std::size_t number) const {
    anew::detail::platform::lock_guard const lock{state_->mutex};
    ++state_->happened[number];
  }
  /// The numbers of the faults of the next call.
  [[nodiscard]] std::vector<std::size_t> next() const {
    anew::detail::platform::lock_guard const lock{state_->mutex};
    auto& s = *state_;
    auto const at = s.happened[0]++;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 1; i <= s.faults.size(); ++i) {
      auto const& one = s.faults[i - 1];
      bool const draws = (s.random() >> 32U) * one.share.den < std::uint64_t{one.share.num} << 32U;
      if (at < s.script.size() ? s.script[at] != i : !draws) continue;
      chosen.push_back(i);
      if (one.instead) break;
    }
    return chosen;
  }
  result_type suffer(auto& of, attempt* a) const {
    auto const numbers = next();
    for (auto const number : numbers) {
      auto const& one = state_->faults[number - 1];
      if (one.before || one.instead) note(number);
      if (one.before) one.before();
      if (one.instead) return one.instead();
    }
    for (auto const number : numbers) {
      if (auto const& one = state_->faults[number - 1]; one.after) {
        return one.after([&]() -> result_type {
          if constexpr (std::is_void_v<result_type>) {
            call(of, a);
            note(number);
          } else {
            decltype(auto) answer = call(of, a);
            note(number);
            return std::forward<result_type>(answer);
          }
        });
      }
    }
    return call(of, a);
  }

  std::shared_ptr<state> state_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
