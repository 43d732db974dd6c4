// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_INTERNAL_ERROR_MEMBERS_HPP
#define ANEW_ROLES_INTERNAL_ERROR_MEMBERS_HPP

#include <concepts>
#include <type_traits>

#include "anew/base/asked_delay.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/roles/classifier.hpp"

/// Whether a type declares a name in any form: as an overload set, a template, private, or constrained away. The name
/// of the class itself, or of a base, does not count.
namespace anew::inline ANEW_ABI::detail {

// The declarations of a class hide those of its bases, but two bases that declare one name do not hide each other:
// `&beside<T, Names>::name` names the member of `Names`, and is ambiguous exactly where T declares the name too.
template <class T, class Names>
struct beside : T, Names {};

/// True where the name of a class, or of a base, is found as a type: inside the class itself it names the constructor.
template <class T>
struct heir : T {};

/// The fallback for a class that cannot be derived from: an argument that converts to whatever a function template
/// takes. An overload set or a private member of such a class stays undetected.
struct any_argument {
  template <class T>
  operator T&() const;  // NOLINT(*-explicit-*)
  template <class T>
  operator T&&() const;  // NOLINT(*-explicit-*)
};

/// The optional functions of an error that says itself whether to retry. A function that is declared, but not callable,
/// would silently be ignored.
struct error_names {
  int is_throttle, is_timeout, retry_after, fault;
};

// NOLINTBEGIN(*-macro-*): a template cannot take a member's name as its argument
#define ANEW_DECLARES(T, NAME)                                                  \
  ((                                                                            \
       is_usual_base<T> && !requires { &beside<T, error_names>::NAME; } &&      \
       !requires { requires std::is_base_of_v<typename heir<T>::NAME, T>; }) || \
   (!is_usual_base<T> && requires { &T::NAME; }))
#define ANEW_SAYS(NAME, Answer)                                                  \
  template <class E>                                                             \
  concept Calls_##NAME = requires(E const& e) {                                  \
    { e.NAME() } -> Answer;                                                      \
  };                                                                             \
  template <class E>                                                             \
  concept Calls_traits_##NAME = requires(E const& e) {                           \
    { retry_traits<E>::NAME(e) } -> Answer;                                      \
  };                                                                             \
  template <class E>                                                             \
  inline constexpr bool NAME##_is_callable = true;                               \
  template <RetryInfo E>                                                         \
    requires(!TraitedRetryInfo<E> && !Calls_##NAME<E> && ANEW_DECLARES(E, NAME)) \
  inline constexpr bool NAME##_is_callable<E> = false;                           \
  template <TraitedRetryInfo E>                                                  \
    requires(!Calls_traits_##NAME<E> && ANEW_DECLARES(retry_traits<E>, NAME))    \
  inline constexpr bool NAME##_is_callable<E> = false;
ANEW_SAYS(is_throttle, std::convertible_to<bool>)
ANEW_SAYS(is_timeout, std::convertible_to<bool>)
ANEW_SAYS(retry_after, std::convertible_to<asked_delay>)
ANEW_SAYS(fault, Exactly<error_fault>)
#undef ANEW_SAYS
#undef ANEW_DECLARES
// NOLINTEND(*-macro-*)

/// Names that are nearly those above. In `retry_traits` a function has no other reader.
template <class Traits>
concept HasANearName =
    requires { &Traits::is_throttling; } || requires { &Traits::is_throttled; } || requires { &Traits::throttle; } ||
    requires { &Traits::is_timed_out; } || requires { &Traits::is_time_out; } || requires { &Traits::timeout; } ||
    requires { &Traits::retry_delay; } || requires { &Traits::is_retryable; };
template <class E>
inline constexpr bool traits_have_known_names = true;
template <TraitedRetryInfo E>
inline constexpr bool traits_have_known_names<E> = !HasANearName<retry_traits<E>>;

/// True when every optional function that an error declares is callable.
template <class E>
inline constexpr bool error_functions_are_callable =
    is_throttle_is_callable<E> && is_timeout_is_callable<E> && retry_after_is_callable<E> && fault_is_callable<E> &&
    traits_have_known_names<E>;

template <class E>
consteval bool explain_error() {
  if constexpr (!traits_have_known_names<E>) {
    static_assert(traits_have_known_names<E>,
                  "anew::retry_traits<E> requires the names 'is_retry_safe', 'is_throttle', 'is_timeout' and "
                  "'retry_after'; it has a function with nearly one of these names, which would be ignored. Rename it");
  } else {
    static_assert(
        is_throttle_is_callable<E> && is_timeout_is_callable<E> && fault_is_callable<E> && retry_after_is_callable<E>,
        "anew requires an error's functions to be 'bool is_throttle() const', 'bool is_timeout() const', "
        "'anew::error_fault fault() const' and 'std::optional<std::chrono::seconds> retry_after() const', with any "
        "duration; this error has one that cannot be called like that. In anew::retry_traits<E>, which is asked "
        "instead, they are static and take the error");
  }
  return error_functions_are_callable<E>;
}

template <class Catches>
inline constexpr bool caught_errors_are_callable = true;
template <class... Es>
inline constexpr bool caught_errors_are_callable<catch_list<Es...>> = (error_functions_are_callable<Es> && ...);

/// The first function that is not callable, to call `explain_error` directly: each nested call adds three lines to
/// clang's output.
template <class Catches>
struct first_unheard;
template <class E, class... Es>
struct first_unheard<catch_list<E, Es...>> : first_unheard<catch_list<Es...>> {};
template <class E, class... Es>
  requires(!error_functions_are_callable<E>)
struct first_unheard<catch_list<E, Es...>> : std::type_identity<E> {};

template <class R>
inline constexpr bool error_of_result_is_callable = true;
template <class R>
  requires carries_error<R>
inline constexpr bool error_of_result_is_callable<R> = error_functions_are_callable<error_type<R>>;

}  // namespace anew::inline ANEW_ABI::detail

#endif
