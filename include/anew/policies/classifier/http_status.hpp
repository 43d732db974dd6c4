// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_HTTP_STATUS_HPP
#define ANEW_POLICIES_CLASSIFIER_HTTP_STATUS_HPP

#include <string>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/http_answer.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Classes of statuses, which you name as you name a status: `http_status_classifier<429, http::any_5xx>`.
namespace http {

inline constexpr int any_4xx = -4;  ///< every client error, 400 to 499
inline constexpr int any_5xx = -5;  ///< every server error, 500 to 599

}  // namespace http

namespace detail {

template <int... Statuses>
inline constexpr bool statuses_are_valid =
    ((Statuses == http::any_4xx || Statuses == http::any_5xx || (Statuses >= 100 && Statuses <= 599)) && ...);

constexpr error_kind kind_of_status(int status) noexcept {
  if (status == 429) return error_kind::throttling;
  if (status == 408 || status == 504) return error_kind::timeout;
  return status == 500 ? error_kind::server : error_kind::transient;
}
constexpr retry_safety safety_of_status(int status) noexcept {
  return status == 408 || status == 429 || status == 503 ? retry_safety::yes : retry_safety::maybe;
}

/// `statuses.contains(status)` says which statuses are retried.
template <class E, class Statuses>
constexpr directive read_http_status(E const& error, Statuses const& statuses) {
  if constexpr (ClassifiedByHttpTraits<E, Statuses>) {
    return http_traits<E>::classify(error, statuses);
  } else {
    int const status = detail::status_of(error);
    if (status >= 0 && status < 400 && !statuses.contains(status)) {
      auto const transport = detail::transport_of(error);
      if (!transport.is_success()) return detail::after_an_answer(transport, status);
    }
    if (status == 0) return directive::retry({error_kind::transient, retry_safety::maybe, {}});
    if (!statuses.contains(status)) return directive::fail();
    return directive::retry(
        failure{detail::kind_of_status(status), detail::safety_of_status(status), detail::retry_after_of(error)});
  }
}
/// Whether a status is named that means a success otherwise, such as 202.
template <class Statuses>
constexpr bool names_a_success([[maybe_unused]] Statuses const& statuses, int status) {
  if constexpr (ReadsResult<Statuses, int>) {
    return status >= 100 && status < 400 && statuses.classify_result(status).is_retry();
  }
  return false;
}
/// The result of a bridge, which says whether it failed, and whose status may be named nevertheless.
template <class R, class Statuses>
concept IsATransfer = carries_error<R> && ClassifiedByHttpTraits<R, Statuses>;

template <class R, class Statuses>
  requires IsATransfer<R, Statuses>
constexpr directive read_http_answer(R const& transfer, Statuses const& statuses) {
  bool const is_success =
      detail::is_success(transfer) && !detail::names_a_success(statuses, detail::status_of(transfer));
  return is_success ? directive::succeed() : statuses.classify(transfer);
}
constexpr directive read_http_answer(auto const& response, auto const& statuses) {
  int const status = detail::status_of(response);
  bool const is_whole = detail::transport_of(response).is_success();
  bool const is_success = status >= 100 && status < 400 && is_whole && !statuses.contains(status);
  return is_success ? directive::succeed() : statuses.classify(response);
}

/// "http_status(429,5xx)", in ascending order.
std::string describe_http_statuses(auto const& statuses) {
  std::string text{"http_status"};
  char between = '(';
  for (int status = 100; status < 600; ++status) {
    if (!statuses.contains(status)) continue;
    bool is_class = status == 400 || status == 500;
    for (int other = status; is_class && other < status + 100; ++other) is_class = statuses.contains(other);
    text.append(1, between).append(std::to_string(is_class ? status / 100 : status));
    if (is_class) {
      text.append("xx");
      status += 99;
    }
    between = ',';
  }
  return text.append(")");
}

/// False for a result without a readable HTTP status, if nothing else says whether it failed.
template <class R>
inline constexpr bool result_has_an_http_status = carries_error<R> || HttpStatus<R>;

}  // namespace detail

/// Retries by HTTP status: 408, 429, 500, 502, 503 and 504 unless you name other statuses; every other status is final.
///
/// | status        | kind       | may have taken effect | source                                              |
/// |---------------|------------|-----------------------|-----------------------------------------------------|
/// | 408           | timeout    | no                    | RFC 9110 15.5.9: the client may repeat the request  |
/// | 429           | throttling | no                    | RFC 6585 4                                          |
/// | 503           | transient  | no                    | RFC 9110 15.6.4; smithy-java retries it like 429    |
/// | 504           | timeout    | yes                   | the gateway gave up, the server may not have        |
/// | 500, 502, any other named one | server, transient, transient | yes |                                        |
/// | 0: no response, whatever is named | transient | yes, unless the client's error says that it never connected | |
///
/// An operation that may have taken effect is retried only if it is declared `idempotent`.
///
/// It reads a number, and a type with a public member or function `status`, `status_code`, `statusCode`, `http_status`,
/// `code`, or Beast's `result_int()`; an enumeration counts as its number. It looks through what converts to bool and
/// points to such a type (`std::optional`, `httplib::Result`), and calls it status 0 when it is false. An enumeration
/// in the same object, `error` (httplib) or `error.code` (cpr), says how the transfer went: half an answer of 200 is a
/// failure. `http_traits<E>` says so for other types, and takes precedence. A `retry_after` that is a duration, or an
/// optional one, is read; `http::classifier` (anew/http.hpp) reads header fields, error codes and exceptions too.
///
/// Models: Classifier (empty)      Cost: a few compares
/// Formula: none
/// Requires: statuses from 100 to 599, http::any_4xx, http::any_5xx
/// Choose it where your operation returns nothing but a status. With headers and network errors: http::classifier.
/// Where a setting names the statuses: http_statuses.
/// Source: RFC 9110 15, RFC 6585 4; 500, 502, 503 and 504 are what the AWS SDKs call transient
template <int... Statuses>
struct http_status_classifier {
  using role = roles::classifier;
  static constexpr bool has_an_opinion = true;

  [[nodiscard]] static constexpr directive classify(detail::HttpStatus auto const& error) {
    return detail::read_http_status(error, http_status_classifier{});
  }

  /// For an operation that returns the response itself, or its status: 100 to 399 is a success unless it is named.
  [[nodiscard]] static constexpr directive classify_result(detail::HttpStatus auto const& response) {
    return detail::read_http_answer(response, http_status_classifier{});
  }
  /// Decides about these results instead of their shape: an optional with a value may hold a response of 503.
  template <class R>
  static constexpr bool reads_whole = detail::PointsToHttpAnswer<R> || detail::IsATransfer<R, http_status_classifier>;

  [[nodiscard]] static constexpr bool contains(int status) noexcept {
    if constexpr (sizeof...(Statuses) == 0)
      return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
    return ((Statuses < 0 ? status / 100 == -Statuses : status == Statuses) || ...);
  }

  [[nodiscard]] static std::string describe() { return detail::describe_http_statuses(http_status_classifier{}); }
  friend constexpr bool operator==(http_status_classifier, http_status_classifier) = default;

  static constexpr bool is_sound = detail::statuses_are_valid<Statuses...>;
  static consteval void explain() {
    static_assert(detail::statuses_are_valid<Statuses...>,
                  "anew::http_status_classifier<Statuses...> requires statuses from 100 to 599, or a class of them; "
                  "this argument is neither. Write a status, anew::http::any_4xx or anew::http::any_5xx");
  }

  template <class R>
  static constexpr bool accepts_result = detail::result_has_an_http_status<R> && detail::answer_asks_for_a_duration<R>;
  template <class R>
  static consteval void explain_result() {
    static_assert(detail::result_has_an_http_status<R>,
                  "anew::http_status_classifier requires a result with an HTTP status; this type has no public member "
                  "or function 'status', 'status_code' or 'code' that is a number or an enumeration. Specialise "
                  "anew::http_traits<R> with 'static int status(R const&)'");
    static_assert(detail::answer_asks_for_a_duration<R>,
                  "anew::http_status_classifier requires a 'retry_after' that is a std::chrono duration or a "
                  "std::optional of one, and const if it is a function; this type's 'retry_after' is something else. "
                  "For the header's text compose anew::http::classifier<>");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
