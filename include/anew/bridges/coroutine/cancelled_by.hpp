// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_COROUTINE_CANCELLED_BY_HPP
#define ANEW_BRIDGES_COROUTINE_CANCELLED_BY_HPP

#include <concepts>
#include <exception>
#include <system_error>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/portable_code.hpp"
#include "anew/roles/classifier.hpp"

namespace anew::inline ANEW_ABI {

/// The exceptions, in addition to `std::system_error`, whose `code()` reports a cancellation in a task's library. Those
/// that the strategy's classifier names are checked anyway. Specialise it for a library with its own error type:
///
///     template <class T>
///     struct anew::cancelled_by<their::task<T>> { using type = anew::catch_list<their::system_error>; };
template <class Task>
struct cancelled_by : std::type_identity<catch_list<>> {};

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

/// A deliberate cancellation is not an error to retry. `Named` is the list that the classifier catches.
template <class Task, class Named>
ANEW_COLD bool is_cancellation(Named named, std::exception_ptr const& thrown) {
  return detail::is_cancelled_as<std::system_error>(thrown) || detail::is_cancelled_as_any(named, thrown) ||
         detail::is_cancelled_as_any(typename cancelled_by<Task>::type{}, thrown);
}

}  // namespace detail
#endif

}  // namespace anew::inline ANEW_ABI

#endif
