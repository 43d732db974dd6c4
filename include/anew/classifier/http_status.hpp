// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CLASSIFIER_HTTP_STATUS_HPP
#define ANEW_CLASSIFIER_HTTP_STATUS_HPP

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

#include "anew/asked_delay.hpp"
#include "anew/config.hpp"
#include "anew/directive.hpp"
#include "anew/failure.hpp"
#include "anew/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Says how to read a type's HTTP status, when it has no `status()` and is no number: specialise with
/// `static int status(E const&)` and, where the response may carry one, `static std::optional<duration> retry_after(E const&)`.
template <class E>
struct http_traits {};

namespace detail {

template <class E>
concept TraitedHttp = requires(E const& e) {
  { http_traits<E>::status(e) } -> std::convertible_to<int>;
};

template <class E>
concept HasStatus = requires(E const& e) {
  { e.status() } -> std::convertible_to<int>;
};

template <class E>
concept HttpStatus = TraitedHttp<E> || HasStatus<E> || (std::integral<E> && !std::same_as<E, bool>);

template <HttpStatus E>
constexpr int status_of(E const& e) {
  if constexpr (TraitedHttp<E>) {
    return http_traits<E>::status(e);
  } else if constexpr (HasStatus<E>) {
    return e.status();
  } else {
    return static_cast<int>(e);
  }
}

template <class E>
constexpr asked_delay retry_after_of(E const& e) {
  if constexpr (requires { http_traits<E>::retry_after(e); }) {
    return http_traits<E>::retry_after(e);
  } else if constexpr (requires { e.retry_after(); }) {
    return e.retry_after();
  } else {
    return {};
  }
}

}  // namespace detail

/// Retries by HTTP status: 408, 429, 500, 502, 503 and 504 unless others are named; every other status is final.
///
/// | status        | kind       | may have taken effect | source                                              |
/// |---------------|------------|-----------------------|-----------------------------------------------------|
/// | 408           | timeout    | no                    | RFC 9110 15.5.9: the client may repeat the request  |
/// | 429           | throttling | no                    | RFC 6585 4                                          |
/// | 503           | transient  | no                    | RFC 9110 15.6.4; smithy-java retries it like 429    |
/// | 504           | timeout    | yes                   | the gateway gave up, the server may not have        |
/// | 500, 502, any other named one | server, transient, transient | yes |                                        |
///
/// What may have taken effect is retried for an operation that is declared `idempotent`, and only then.
/// `Retry-After` is heard where the error has `retry_after()` or `http_traits`; anew/ext/retry_after.hpp parses the field.
///
/// Models: Classifier (empty)      Cost: a few compares
/// Formula: none
/// Requires: nothing
/// Choose it for HTTP. For connection errors beside it: a classifier of your own over both.
/// Source: RFC 9110 15, RFC 6585 4; 500, 502, 503 and 504 are what the AWS SDKs call transient
template <int... Statuses>
struct http_status_classifier {
  using role = roles::classifier;

  template <detail::HttpStatus E>
  [[nodiscard]] static constexpr directive classify(E const& error) {
    int const status = detail::status_of(error);
    if (!is_named(status)) return directive::fail();
    return directive::retry(failure{kind_of(status), safety_of(status), detail::retry_after_of(error)});
  }

  /// For an operation that returns the response itself, or its status: 100 to 399 is a success.
  template <detail::HttpStatus R>
  [[nodiscard]] static constexpr directive classify_result(R const& response) {
    int const status = detail::status_of(response);
    return status >= 100 && status < 400 ? directive::succeed() : classify(response);
  }

  [[nodiscard]] static std::string describe() {
    if constexpr (sizeof...(Statuses) == 0) {
      return "http_status(408,429,500,502,503,504)";
    } else {
      std::string text{"http_status("};
      char const* between = "";
      ((text.append(between).append(std::to_string(Statuses)), between = ","), ...);
      return text.append(")");
    }
  }

 private:
  static constexpr bool is_named(int status) noexcept {
    if constexpr (sizeof...(Statuses) == 0) {
      return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
    } else {
      return ((status == Statuses) || ...);
    }
  }
  static constexpr error_kind kind_of(int status) noexcept {
    if (status == 429) return error_kind::throttling;
    if (status == 408 || status == 504) return error_kind::timeout;
    return status == 500 ? error_kind::server : error_kind::transient;
  }
  static constexpr retry_safety safety_of(int status) noexcept {
    return status == 408 || status == 429 || status == 503 ? retry_safety::yes : retry_safety::maybe;
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
