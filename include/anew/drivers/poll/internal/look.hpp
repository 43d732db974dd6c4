// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_INTERNAL_LOOK_HPP
#define ANEW_DRIVERS_POLL_INTERNAL_LOOK_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/drive.hpp"
#include "anew/drivers/internal/ending.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/result_slot.hpp"
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/policies/operation/call_declaration.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"
#include "anew/policies/operation/throws_only.hpp"
#include "anew/roles/operation.hpp"
#include "anew/roles/sleeper.hpp"

/// One look of a polling call.
namespace anew::inline ANEW_ABI::detail {

#if ANEW_EXCEPTIONS
/// Asks one acceptor about the exception that is being handled, by the types it names and in their order. Each acceptor
/// has its own try blocks, because the order of the acceptors comes before that of the types.
template <class A>
opinion ask_about_exception(A const& acceptor, catch_list<> /*none left*/) {
  if constexpr (requires { acceptor.on_error(unknown_exception{}); }) return acceptor.on_error(unknown_exception{});
  return std::nullopt;
}
template <class A, class E, class... Es>
opinion ask_about_exception(A const& acceptor, catch_list<E, Es...> /*types*/) {
  try {
    throw;
  } catch (E const& error) {
    return acceptor.on_error(error);
  } catch (...) {
    return detail::ask_about_exception(acceptor, catch_list<Es...>{});
  }
}
#endif

/// The operation as the loop calls it: stores the result, and returns the acceptors' verdict.
template <class Op, class R, class As, class BeforeFirst>
struct watched_operation {
  using declared = Op;  // what it declares of itself still holds
  Op& operation;
  As const& acceptors;
  BeforeFirst const& before_first;
  watch& last;
  result_slot<R>& result;
#if ANEW_EXCEPTIONS
  std::exception_ptr& exception;
#endif

  seen operator()(attempt& self) {
    last.deadline = self.deadline().value_or(time_point::max());
    if (!self.is_retry() && !before_first(self)) return {&last};
    result.reset();
    last.looks = self.number();
    last.told = false;
#if ANEW_EXCEPTIONS
    exception = nullptr;
    try {
      look(self);
    } catch (...) {
      if (is_foreign()) throw;
      exception = std::current_exception();
      last.failed = true;
      last.verdict =
          acceptors.first_of([](auto const& a) { return detail::ask_about_exception(a, catches_of_acceptor(a)); })
              .value_or(directive::unclassified());
      return {&last};
    }
#else
    look(self);
#endif
    read(*result);
    return {&last};
  }

 private:
  template <class A>
  static constexpr auto catches_of_acceptor(A const& /*acceptor*/) {
    return typename catches_of<A>::type{};
  }

  void look([[maybe_unused]] attempt& self) {
    result.emplace_from([&]() -> R {
      if constexpr (TakesAttempt<Op>) {
        return detail::call_operation(operation, self);
      } else {
        return detail::call_operation(operation);
      }
    });
  }

  void read(std::remove_reference_t<R> const& came) {
    if constexpr (PolledByError<std::remove_cvref_t<R>> && !ThrowsOnly<Op>) {
      if (!is_success(came)) {
        last.failed = true;
        last.verdict = acceptors
                           .first_of([&](auto const& a) -> opinion {
                             if constexpr (requires { a.on_error(error_of(came)); }) return a.on_error(error_of(came));
                             return std::nullopt;
                           })
                           .value_or(directive::fail());
        return;
      }
    }
    last.verdict = acceptors
                       .first_of([&](auto const& a) -> opinion {
                         if constexpr (requires { a.on_result(came); }) return a.on_result(came);
                         return std::nullopt;
                       })
                       .value_or(not_ready);
    last.failed = last.verdict.is_retry() && last.verdict.what().kind != not_ready.what().kind;
  }
};

/// Declarations about the operation's own result do not apply to the loop's result.
template <class Op, class R, class As, class BeforeFirst>
inline constexpr bool is_declared<throws_only_operation, watched_operation<Op, R, As, BeforeFirst>> = false;

/// Tells the listeners before the first wait after a look.
template <class Sleep, class Tell>
struct telling_sleeper {
  Sleep& sleep;
  Tell const& tell;

  void operator()(duration delay)
    requires Sleeper<Sleep>
  {
    tell(delay);
    sleep(delay);
  }
  template <class Stop>
    requires requires(Sleep& s, duration delay, Stop const& stop) { s(delay, stop); }
  void operator()(duration delay, Stop const& stop) {
    tell(delay);
    sleep(delay, stop);
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
