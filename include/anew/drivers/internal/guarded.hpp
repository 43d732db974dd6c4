// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_GUARDED_HPP
#define ANEW_DRIVERS_INTERNAL_GUARDED_HPP

#include <cstddef>
#include <exception>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/classifier.hpp"

/// One attempt between catch clauses. A list of types cannot be expanded into clauses, and nested try blocks would let
/// the handler of one clause throw into the next; so there are eight clauses in one block, and those that a classifier
/// does not use name a type that is never thrown.
namespace anew::inline ANEW_ABI::detail {

template <std::size_t Index>
struct never_thrown {};

template <std::size_t Index, class... Es>
struct exception_at : std::type_identity<never_thrown<Index>> {};
template <class E, class... Es>
struct exception_at<0, E, Es...> : std::type_identity<E> {};
template <std::size_t Index, class E, class... Es>
  requires(Index > 0)
struct exception_at<Index, E, Es...> : exception_at<Index - 1, Es...> {};

template <class Catches, std::size_t Index>
struct clause;
template <class... Es, std::size_t Index>
struct clause<catch_list<Es...>, Index> : exception_at<Index, Es...> {};

/// Runs `attempt`. When it throws, asks `failed(exception)`: false lets the exception propagate unchanged; true
/// swallows it and returns `after()`. An exception of `failed` or `after` is not mistaken for the operation's.
#if ANEW_EXCEPTIONS
/// The cancellation of a thread unwinds by an exception that is not a C++ exception. It is not an error, and must not
/// be caught here.
ANEW_COLD inline bool is_foreign() noexcept { return std::current_exception() == nullptr; }

#define ANEW_CLAUSE(index)                                     \
  catch (typename clause<Catches, index>::type const& error) { \
    if constexpr ((index) < Catches::size) {                   \
      if (!failed(error)) throw;                               \
    } else {                                                   \
      throw;                                                   \
    }                                                          \
  }
#define ANEW_LAST_CLAUSE                                     \
  catch (...) {                                              \
    if (is_foreign() || !failed(unknown_exception{})) throw; \
  }

template <class Catches, class Attempt, class Failed, class After>
ANEW_INLINE auto guarded(Attempt&& attempt, Failed&& failed, After&& after) -> decltype(attempt()) {
  // The common lists have their own block, because every clause costs code.
  if constexpr (Catches::size == 0) {
    try {
      return attempt();
    }
    ANEW_LAST_CLAUSE
  } else if constexpr (Catches::size == 1) {
    try {
      return attempt();
    }
    ANEW_CLAUSE(0)
    ANEW_LAST_CLAUSE
  } else {
    try {
      return attempt();
    }
    ANEW_CLAUSE(0)
    ANEW_CLAUSE(1)
    ANEW_CLAUSE(2)
    ANEW_CLAUSE(3)
    ANEW_CLAUSE(4)
    ANEW_CLAUSE(5)
    ANEW_CLAUSE(6)
    ANEW_CLAUSE(7)
    ANEW_LAST_CLAUSE
  }
  return after();
}

#undef ANEW_LAST_CLAUSE
#undef ANEW_CLAUSE
#else
template <class Catches, class Attempt, class Failed, class After>
ANEW_INLINE auto guarded(Attempt&& attempt, Failed&& /*failed*/, After&& /*after*/) -> decltype(attempt()) {
  return attempt();
}
#endif

}  // namespace anew::inline ANEW_ABI::detail

#endif
