// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CALL_INTERNAL_EXPLAIN_ERROR_HPP
#define ANEW_CALL_INTERNAL_EXPLAIN_ERROR_HPP

#include <concepts>
#include <type_traits>
#include <utility>

#include "anew/base/asked_delay.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/roles/classifier.hpp"

/// Explains an error whose members cannot be read, before it is read.
namespace anew::inline ANEW_ABI::detail {

template <class Said>
inline constexpr bool is_a_delay = std::convertible_to<Said, asked_delay>;

template <class E>
inline constexpr bool retry_after_is_a_duration = true;
template <TraitedRetryInfo E>
  requires requires(E const& e) { retry_traits<E>::retry_after(e); }
inline constexpr bool retry_after_is_a_duration<E> =
    is_a_delay<decltype(retry_traits<E>::retry_after(std::declval<E const&>()))>;
template <RetryInfo E>
  requires(!TraitedRetryInfo<E>) && requires(E const& e) { e.retry_after(); }
inline constexpr bool retry_after_is_a_duration<E> = is_a_delay<decltype(std::declval<E const&>().retry_after())>;

template <class Errors>
inline constexpr bool every_retry_after_is_a_duration = true;
template <class... Es>
inline constexpr bool every_retry_after_is_a_duration<catch_list<Es...>> = (retry_after_is_a_duration<Es> && ...);

/// The errors that a classifier reads: those of the result `R`, or those that it catches.
template <class C, class R>
struct errors_read : std::type_identity<typename catches_of<C>::type> {};
template <class C, class R>
  requires carries_error<R>
struct errors_read<C, R> : std::type_identity<catch_list<error_type<R>>> {};

/// True when the errors that the classifier reads can be read.
template <class C, class R>
consteval bool explain_errors() {
  using errors = typename errors_read<C, R>::type;
  static_assert(every_retry_after_is_a_duration<errors>,
                "anew::retry(strategy, operation) requires an error whose retry_after() returns a duration or a "
                "std::optional of one; this function returns another type. Return std::chrono::seconds{...}");
  return every_retry_after_is_a_duration<errors>;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
