// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_RETRY_INFO_HPP
#define ANEW_RUN_TIME_VIRTUAL_RETRY_INFO_HPP

#include <concepts>
#include <exception>
#include <optional>
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

/// The failure that a strategy decides by, made from whatever its caller has.
constexpr failure failure_of(directive const& verdict) noexcept {
  return verdict.is_retry() ? verdict.what() : failure{error_kind::client, retry_safety::no, std::nullopt};
}

/// An error with a fault but no retry safety, as an exception that a classifier may have a clause for.
template <ErrorInfo E>
class ANEW_VISIBLE fault_as_exception final : public std::exception, public error_info {
 public:
  explicit fault_as_exception(E const& error) noexcept : error_{error} {}
  fault_as_exception(fault_as_exception const&) = delete;
  fault_as_exception& operator=(fault_as_exception const&) = delete;
  ~fault_as_exception() override = default;
  [[nodiscard]] error_fault fault() const override { return error_.fault(); }

 private:
  E const& error_;
};

#if defined(__cpp_rtti)
/// The complete object behind one of its base types, if that is an exception.
template <class E>
std::exception const* as_exception([[maybe_unused]] E const& error) noexcept {
  if constexpr (std::derived_from<E, std::exception>) return __builtin_addressof(error);
  if constexpr (std::derived_from<E, retry_info> || std::derived_from<E, error_info>)
    return dynamic_cast<std::exception const*>(__builtin_addressof(error));
  return nullptr;
}
#endif

template <class E>
inline constexpr bool error_reports_its_retry_safety =
    std::derived_from<E, std::exception> || std::same_as<E, std::exception_ptr> || std::same_as<E, directive> ||
    std::same_as<E, failure> || SaysWhetherToRetry<E> || ErrorInfo<E>;

/// An exception is read by its dynamic type. If the strategy does not read that, and for an error that is not an
/// exception, the static type (a base, a function, a trait) is believed.
template <class Strategy, class E>
directive read_as_verdict(Strategy const& strategy, E const& error) {
  if constexpr (!error_reports_its_retry_safety<E>) {
    static_assert(error_reports_its_retry_safety<E>,
                  "anew::retry_strategy::refresh_retry_token(token, error) requires an anew::failure, an exception, or "
                  "an error that says whether to retry; this type does not. Specialise anew::retry_traits<E> with "
                  "'static anew::retry_safety is_retry_safe(E const&)', or pass an anew::failure");
    return directive::fail();
  } else if constexpr (std::same_as<E, directive>) {
    return error;
  } else if constexpr (std::same_as<E, failure>) {
    return directive::retry(error);
  } else if constexpr (std::same_as<E, std::exception_ptr>) {
    return strategy.classify(error).value_or(directive::unclassified());
  } else {
#if defined(__cpp_rtti)
    if (auto const* whole = as_exception(error)) {
      if (auto const known = strategy.classify(*whole)) return *known;
    }
#endif
    if constexpr (std::derived_from<E, retry_info> && !TraitedRetryInfo<E>) return directive_of_base(error);
    if constexpr (SaysWhetherToRetry<E>) return directive::retry(read_failure(error));
    if constexpr (ErrorInfo<E> && !std::derived_from<E, std::exception>)
      return strategy.classify(fault_as_exception<E>{error}).value_or(directive::unclassified());
    return directive::unclassified();
  }
}

}  // namespace detail

}  // namespace anew::inline ANEW_ABI

#endif
