// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_IN_TRANSACTION_HPP
#define ANEW_DRIVERS_IN_TRANSACTION_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Part>
constexpr decltype(auto) call_part(Part& part, [[maybe_unused]] attempt& a) {
  if constexpr (TakesAttempt<Part>) {
    return part(a);
  } else {
    return part();
  }
}

template <class Body, class Commit>
using transaction_result =
    std::remove_cvref_t<std::conditional_t<std::is_void_v<result_of<Body>>, result_of<Commit>, result_of<Body>>>;

/// A result that says by its shape whether it failed, or never does.
template <class Part, class R = std::remove_cvref_t<result_of<Part>>>
inline constexpr bool part_tells_whether_it_failed = ThrowsOnly<Part> || (is_there<R> && !is_mute<R>);
template <class Part>
inline constexpr bool part_tells_whether_it_failed<Part, void> = true;
template <class Part, class R>
inline constexpr bool failure_is_a_result_of_the_call = std::convertible_to<result_of<Part>, R>;
template <class Part, class R>
  requires std::is_void_v<result_of<Part>>
inline constexpr bool failure_is_a_result_of_the_call<Part, R> = true;

/// Explains the first mistake.
template <class Begin, class Body, class Commit>
consteval bool explain_transaction() {
  constexpr bool tells =
      part_tells_whether_it_failed<Begin> && part_tells_whether_it_failed<Body> && part_tells_whether_it_failed<Commit>;
  static_assert(tells,
                "anew::in_transaction(begin, body, commit, rollback) requires parts whose results tell whether they "
                "failed, before it commits; one of these returns a number, an enumeration, a pointer or something to "
                "wait for. Return a result such as std::expected or anew::sqlite::result, return void and throw, or "
                "write anew::throws_only(body), with a begin and a commit that throw");
  if constexpr (tells) {
    using R = transaction_result<Body, Commit>;
    constexpr bool reads_each =
        !ThrowsOnly<Body> || (std::is_void_v<result_of<Begin>> && std::is_void_v<result_of<Commit>>);
    constexpr bool converts = failure_is_a_result_of_the_call<Begin, R> && failure_is_a_result_of_the_call<Commit, R>;
    if constexpr (!reads_each) {
      static_assert(
          reads_each,
          "anew::in_transaction(begin, body, commit, rollback) requires a begin and a commit that return void and "
          "throw where the body is anew::throws_only(...): every result of the call is a success then, that of a "
          "failed begin too. Let begin and commit throw, or let the body return a result such as std::expected or "
          "anew::sqlite::result");
    } else {
      static_assert(
          converts,
          "anew::in_transaction(begin, body, commit, rollback) requires results of begin and commit that "
          "convert to the body's, because the call returns the one that failed; these do not. Let all three "
          "return one type, with anew::sqlite and anew::postgres their result, or let begin and commit throw");
    }
    return reads_each && converts;
  }
  return tells;
}

/// A failed rollback is ignored: the call reports the error that led to it.
template <class Rollback>
void roll_back(Rollback& rollback, attempt& self) {
#if ANEW_EXCEPTIONS
  try {
#endif
    static_cast<void>(detail::call_part(rollback, self));
#if ANEW_EXCEPTIONS
  } catch (...) {  // NOLINT(bugprone-empty-catch): see above
  }
#endif
}

}  // namespace detail

/// An operation that is a whole transaction. See `in_transaction()`.
template <class Begin, class Body, class Commit, class Rollback>
class in_transaction_operation : public detail::declared_operation<Body> {
 public:
  using result_type = detail::transaction_result<Body, Commit>;

  constexpr in_transaction_operation(Begin begin, Body body, Commit commit, Rollback rollback)
      : detail::declared_operation<Body>{std::move(body)},
        begin_{std::move(begin)},
        commit_{std::move(commit)},
        rollback_{std::move(rollback)} {}

  result_type operator()(attempt& a) {
    reached_ = phase::before_commit;
    if constexpr (std::is_void_v<detail::result_of<Begin>>) {
      detail::call_part(begin_, a);
    } else if (decltype(auto) begun = detail::call_part(begin_, a); !detail::is_success(begun)) {
      return std::forward<decltype(begun)>(begun);
    }
    detail::on_exit const unless_committed{[&] {
      if (reached_ != phase::committed) detail::roll_back(rollback_, a);
    }};
    if constexpr (std::is_void_v<detail::result_of<Body>>) {
      detail::call_part(this->operation, a);
      return end(a);
    } else {
      result_type answer = detail::call_part(this->operation, a);
      if (!detail::ThrowsOnly<Body> && !detail::is_success(answer)) return answer;
      if constexpr (std::is_void_v<detail::result_of<Commit>>) {
        end(a);
      } else if (decltype(auto) committed = end(a); reached_ != phase::committed) {
        return std::forward<decltype(committed)>(committed);
      }
      return answer;
    }
  }

  /// Before the commit nothing has taken effect; of a commit that failed the classifier knows more; after it, everything
  /// has.
  [[nodiscard]] constexpr retry_safety known_safety(retry_safety read) const noexcept {
    if (reached_ == phase::before_commit) return retry_safety::yes;
    return reached_ == phase::committing ? read : retry_safety::maybe;
  }

 private:
  enum class phase : unsigned char { before_commit, committing, committed };

  detail::result_of<Commit> end(attempt& a) {
    reached_ = phase::committing;
    if constexpr (std::is_void_v<detail::result_of<Commit>>) {
      detail::call_part(commit_, a);
      reached_ = phase::committed;
    } else {
      decltype(auto) committed = detail::call_part(commit_, a);
      if (detail::is_success(committed)) reached_ = phase::committed;
      return std::forward<decltype(committed)>(committed);
    }
  }

  ANEW_NO_UNIQUE_ADDRESS Begin begin_;
  ANEW_NO_UNIQUE_ADDRESS Commit commit_;
  ANEW_NO_UNIQUE_ADDRESS Rollback rollback_;
  phase reached_ = phase::before_commit;
};

/// Makes an operation of a transaction, so that a retry repeats all of it: `begin`, `body`, then `commit`, or `rollback`
/// where the body or the commit failed.
///
///     anew::retry(strategy, anew::in_transaction(begin, body, commit, rollback));
///
/// A failure before the commit has taken no effect and is safe to repeat, whatever its error. A commit whose answer was
/// lost may have taken effect: only `idempotent(in_transaction(...))` repeats it. A failed rollback does not hide the
/// error that led to it. A `begin` that failed is not rolled back: it cleans up itself.
///
/// Each part is called with the `attempt&` if it takes one. The call returns what the body returned, or the failed result of
/// `begin` or `commit`; with a body that returns void, what `commit` returned. The declarations of the body (`idempotent`,
/// `rewinding`, `throws_only`) hold for the whole.
///
/// Requires: parts that have ended when they return: no awaitable, no future. Results that tell a failure by their shape
/// (see anew/base/result_traits.hpp), or void; those of `begin` and `commit` convert to the call's. A body that neither
/// commits nor connects again, and has no effect outside of the transaction. A classifier that knows which failures of a
/// commit are safe: `retry_all` and `retry_on` say so of each, so put them into `idempotent_only`. One call at a time, and
/// no const object: it holds how far it came.
/// Cost: that of the parts, and a byte.
/// Choose it for several statements, and wherever a conflict (SQLSTATE 40001, SQLITE_BUSY_SNAPSHOT) undoes more than the
/// statement that reports it. Not for one statement that the database commits by itself.
/// Source: PostgreSQL's manual, "Serialization Failure Handling"
template <class Begin, class Body, class Commit, class Rollback>
[[nodiscard]] constexpr auto in_transaction(Begin&& begin, Body&& body, Commit&& commit, Rollback&& rollback) {
  if constexpr (detail::explain_transaction<std::decay_t<Begin>, std::decay_t<Body>, std::decay_t<Commit>>()) {
    return in_transaction_operation<std::decay_t<Begin>, std::decay_t<Body>, std::decay_t<Commit>,
                                    std::decay_t<Rollback>>{std::forward<Begin>(begin), std::forward<Body>(body),
                                                            std::forward<Commit>(commit),
                                                            std::forward<Rollback>(rollback)};
  } else {
    return [] {};
  }
}

}  // namespace anew::inline ANEW_ABI

#endif
