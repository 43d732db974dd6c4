// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COROUTINE_CANCELLED_BY_HPP
#define ANEW_COROUTINE_CANCELLED_BY_HPP

#include <concepts>
#include <exception>
#include <system_error>

#include "anew/concept/classifier.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/portable_code.hpp"

namespace anew::inline ANEW_ABI {

/// The exceptions, beside `std::system_error`, by whose `code()` a task's library says that an operation was cancelled.
/// Those that the strategy's classifier names are looked at anyway. Specialise it for a library with an error of its own:
///
///     template <class T>
///     struct anew::cancelled_by<their::task<T>> { using type = anew::catch_list<their::system_error>; };
template <class Task>
struct cancelled_by {
  using type = catch_list<>;
};

#if ANEW_EXCEPTIONS
namespace detail {

template <class E>
concept CarriesCode = requires(E const& error) {
  { error.code() } -> std::convertible_to<std::error_code>;
};

template <class E>
bool is_cancelled_as(std::exception_ptr const& thrown) {
  if constexpr (CarriesCode<E>) {
    try {
      std::rethrow_exception(thrown);
    } catch (E const& error) {
      return portable_code(static_cast<std::error_code>(error.code())) == std::errc::operation_canceled;
    } catch (...) {
      return false;
    }
  }
  return false;
}
template <class... Es>
bool is_cancelled_as_any(catch_list<Es...> /*types*/, std::exception_ptr const& thrown) {
  return (detail::is_cancelled_as<Es>(thrown) || ...);
}

/// Somebody ended the operation on purpose: that is no error to retry. `Named` is what the classifier catches.
template <class Task, class Named>
ANEW_COLD bool is_cancellation(Named named, std::exception_ptr const& thrown) {
  return detail::is_cancelled_as<std::system_error>(thrown) || detail::is_cancelled_as_any(named, thrown) ||
         detail::is_cancelled_as_any(typename cancelled_by<Task>::type{}, thrown);
}

}  // namespace detail
#endif

}  // namespace anew::inline ANEW_ABI

#endif
