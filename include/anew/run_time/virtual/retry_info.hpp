// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_RETRY_INFO_HPP
#define ANEW_RUN_TIME_VIRTUAL_RETRY_INFO_HPP

#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A base for exceptions that state whose fault they are, whatever else they derive from: Smithy's `ErrorInfo`, for
/// exceptions whose type is known only at run time. `struct not_found : std::runtime_error, anew::error_info { ... };`
///
/// A server's fault alone is not a reason to retry: `anew::retry_info` says whether a retry is safe. A classifier with
/// a clause for `error_info` may decide otherwise.
class ANEW_VISIBLE error_info {
 public:
  error_info() = default;
  error_info(error_info const&) = default;
  error_info& operator=(error_info const&) = default;
  virtual ~error_info() = default;

  [[nodiscard]] virtual error_fault fault() const = 0;
};

/// The facts that an error states besides its type: `anew::retry_info`, `anew::error_info`, both or neither.
struct told_info {
  retry_info const* retry = nullptr;
  error_info const* fault = nullptr;

  [[nodiscard]] explicit operator bool() const noexcept { return retry != nullptr || fault != nullptr; }
};

#if defined(__cpp_rtti)
/// Finds both by cross casts, whatever the static type is: a `std::exception const&` will do. Cost: two
/// `dynamic_cast`s. Not available without RTTI: there a catch clause for `anew::retry_info` finds it.
template <class E>
  requires std::is_polymorphic_v<E>
[[nodiscard]] told_info info_of(E const& error) noexcept {
  auto const* const whole = __builtin_addressof(error);
  return {dynamic_cast<retry_info const*>(whole), dynamic_cast<error_info const*>(whole)};
}
#endif

/// The failure if no classifier is asked: `retry_info` is believed, and `error_info` adds whose fault it was. An error
/// that does not say whether a retry is safe is final, even if the fault was the server's.
[[nodiscard]] inline directive directive_of(told_info const& told) {
  if (told.retry == nullptr) return directive::fail();
  auto what = read_failure(*told.retry);
  if (what.safety == retry_safety::no) return directive::fail();
  if (told.fault != nullptr && what.kind == error_kind::transient) {
    auto const fault = told.fault->fault();
    if (fault == error_fault::server) what.kind = error_kind::server;
    if (fault == error_fault::client) what.kind = error_kind::client;
  }
  return directive::retry(what);
}

namespace detail {

/// For an error that is seen through its base `retry_info`.
[[nodiscard]] inline directive directive_of_base(retry_info const& info) {
#if defined(__cpp_rtti)
  return directive_of(info_of(info));
#else
  return directive_of({&info, nullptr});
#endif
}

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
