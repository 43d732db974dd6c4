// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_HTTP_ANSWER_HPP
#define ANEW_POLICIES_CLASSIFIER_HTTP_ANSWER_HPP

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"

namespace anew::inline ANEW_ABI {

/// Says how to read the HTTP status of a type that `http_status_classifier` cannot read by itself, or reads wrongly; it wins
/// over the type's own members. Specialise with
///
///     template <> struct anew::http_traits<their_response> {
///       static int status(their_response const& r);                                    // 0: there was no response
///       static std::optional<anew::duration> retry_after(their_response const& r);     // optional
///     };
///
/// A type that knows more than a status, such as the transfers of anew's own bridges, has
/// `template <class Statuses> static directive classify(E const&, Statuses const& statuses)` too, where
/// `statuses.classify(status)` classifies a status as an int.
template <class E>
struct http_traits {};

/// Reads the response types of HTTP clients by their expressions, so that cpr, cpp-httplib and Boost.Beast are read
/// without being included.
namespace detail {

/// The traits of a bridge's transfer, which the bridge's own `Classifier` reads.
template <class Transfer, template <class> class Classifier>
struct http_traits_of_transfer {
  static int status(Transfer const& t) noexcept { return t.http_status; }
  static asked_delay retry_after(Transfer const& t) noexcept { return t.retry_after; }
  template <class Statuses>
  static constexpr directive classify(Transfer const& t, Statuses const& statuses) {
    return Classifier<Statuses>{statuses}.classify(t);
  }
};

template <class E>
concept TraitedHttp = requires(E const& e) {
  { http_traits<E>::status(e) } -> std::convertible_to<int>;
};

template <class E, class Statuses>
concept ClassifiedByHttpTraits = requires(E const& e, Statuses const& statuses) {
  { http_traits<E>::classify(e, statuses) } -> std::same_as<directive>;
};

/// An integer, or an enumeration that is no error code.
template <class T>
  requires(std::integral<T> && !std::same_as<T, bool>) || (std::is_enum_v<T> && !ErrorEnum<T>)
constexpr int status_number(T const& value) noexcept {
  auto const number = static_cast<long long>(value);
  return number < 0 || number > 999 ? -1 : static_cast<int>(number);
}
/// Under the name `code` an enumeration of C may be a library's own error code; those of HTTP are scoped.
template <class T>
  requires(!std::is_enum_v<T> || !std::convertible_to<T, int>)
constexpr auto code_number(T const& value) noexcept -> decltype(detail::status_number(value)) {
  return detail::status_number(value);
}

/// The object that `r` points to, if `r` converts to bool: std::optional, httplib::Result, pointers.
template <class R>
concept PointsToAnswer = !std::is_arithmetic_v<R> && requires(R const& r) {
  static_cast<bool>(r);
  *r;
  requires std::is_class_v<std::remove_cvref_t<decltype(*r)>>;
};

/// The status that a type has by itself; `void` if it has none.
template <class E>
constexpr auto own_status_of([[maybe_unused]] E const& e) {
  if constexpr (TraitedHttp<E>) return static_cast<int>(http_traits<E>::status(e));
  if constexpr (std::integral<E> && !std::same_as<E, bool>) return detail::status_number(e);
  if constexpr (requires { detail::status_number(e.result_int()); }) return detail::status_number(e.result_int());
  if constexpr (requires { detail::status_number(e.status()); }) return detail::status_number(e.status());
  if constexpr (requires { detail::status_number(e.status); }) return detail::status_number(e.status);
  if constexpr (requires { detail::status_number(e.status_code()); }) return detail::status_number(e.status_code());
  if constexpr (requires { detail::status_number(e.status_code); }) return detail::status_number(e.status_code);
  if constexpr (requires { detail::status_number(e.statusCode()); }) return detail::status_number(e.statusCode());
  if constexpr (requires { detail::status_number(e.statusCode); }) return detail::status_number(e.statusCode);
  if constexpr (requires { detail::status_number(e.http_status()); }) return detail::status_number(e.http_status());
  if constexpr (requires { detail::status_number(e.http_status); }) return detail::status_number(e.http_status);
  if constexpr (requires { detail::code_number(e.code()); }) return detail::code_number(e.code());
  if constexpr (requires { detail::code_number(e.code); }) return detail::code_number(e.code);
}

template <class E>
concept HasHttpStatus = requires(E const& e) {
  { detail::own_status_of(e) } -> std::same_as<int>;
};
template <class R>
concept PointsToHttpAnswer = !HasHttpStatus<R> && !ExpectedLike<R> && PointsToAnswer<R> &&
                             HasHttpStatus<std::remove_cvref_t<decltype(*std::declval<R const&>())>>;

template <class E>
concept HttpStatus = HasHttpStatus<E> || PointsToHttpAnswer<E>;

/// 0: there was no response.
template <HttpStatus E>
constexpr int status_of(E const& e) {
  if constexpr (HasHttpStatus<E>) {
    return detail::own_status_of(e);
  } else {
    return static_cast<bool>(e) ? detail::own_status_of(*e) : 0;
  }
}

/// The response itself: `R`, or the object that it points to.
template <class R>
struct http_answer : std::type_identity<R> {};
template <PointsToHttpAnswer R>
struct http_answer<R> : std::remove_cvref<decltype(*std::declval<R const&>())> {};

/// Has a member `retry_after` of any type, const or not.
template <class E>
concept NamesRetryAfter = requires(E& e) { e.retry_after(); } || requires(E& e) { e.retry_after; };
template <class E>
concept NamesDelay = requires(E const& e) { http_traits<E>::retry_after(e); } || requires(E const& e) {
  asked_delay{e.retry_after()};
} || requires(E const& e) { asked_delay{e.retry_after}; };

/// False for a number without a unit, and for a text, which is another classifier's.
template <class R, class Answer = typename http_answer<R>::type>
inline constexpr bool answer_asks_for_a_duration = !NamesRetryAfter<Answer> || NamesDelay<Answer>;

/// The delay that a server asked for; `http::classifier` reads the text of a header field.
template <class E>
constexpr asked_delay retry_after_of(E const& e) {
  if constexpr (requires { http_traits<E>::retry_after(e); }) return http_traits<E>::retry_after(e);
  if constexpr (requires { asked_delay{e.retry_after()}; }) return e.retry_after();
  if constexpr (requires { asked_delay{e.retry_after}; }) return e.retry_after;
  if constexpr (PointsToHttpAnswer<E>) return static_cast<bool>(e) ? detail::retry_after_of(*e) : asked_delay{};
  return {};
}

// The names of errors in cpp-httplib (`Connection`), and in new and old cpr (`COULDNT_CONNECT`, `CONNECTION_FAILURE`).

template <class C>
constexpr bool nothing_was_sent(C code) noexcept {
  bool is = false;
  if constexpr (requires { C::Connection; }) is = is || code == C::Connection;
  if constexpr (requires { C::ConnectionTimeout; }) is = is || code == C::ConnectionTimeout;
  if constexpr (requires { C::ProxyConnection; }) is = is || code == C::ProxyConnection;
  if constexpr (requires { C::BindIPAddress; }) is = is || code == C::BindIPAddress;
  if constexpr (requires { C::COULDNT_CONNECT; }) is = is || code == C::COULDNT_CONNECT;
  if constexpr (requires { C::COULDNT_RESOLVE_HOST; }) is = is || code == C::COULDNT_RESOLVE_HOST;
  if constexpr (requires { C::COULDNT_RESOLVE_PROXY; }) is = is || code == C::COULDNT_RESOLVE_PROXY;
  if constexpr (requires { C::CONNECTION_FAILURE; }) is = is || code == C::CONNECTION_FAILURE;
  if constexpr (requires { C::HOST_RESOLUTION_FAILURE; }) is = is || code == C::HOST_RESOLUTION_FAILURE;
  if constexpr (requires { C::PROXY_RESOLUTION_FAILURE; }) is = is || code == C::PROXY_RESOLUTION_FAILURE;
  return is;
}

template <class C>
constexpr bool comes_again(C code) noexcept {
  bool is = false;
  if constexpr (requires { C::Canceled; }) is = is || code == C::Canceled;
  if constexpr (requires { C::SSLServerVerification; }) is = is || code == C::SSLServerVerification;
  if constexpr (requires { C::SSLServerHostnameVerification; }) is = is || code == C::SSLServerHostnameVerification;
  if constexpr (requires { C::SSLLoadingCerts; }) is = is || code == C::SSLLoadingCerts;
  if constexpr (requires { C::ExceedRedirectCount; }) is = is || code == C::ExceedRedirectCount;
  if constexpr (requires { C::ABORTED_BY_CALLBACK; }) is = is || code == C::ABORTED_BY_CALLBACK;
  if constexpr (requires { C::REQUEST_CANCELLED; }) is = is || code == C::REQUEST_CANCELLED;
  if constexpr (requires { C::PEER_FAILED_VERIFICATION; }) is = is || code == C::PEER_FAILED_VERIFICATION;
  if constexpr (requires { C::SSL_REMOTE_CERTIFICATE_ERROR; }) is = is || code == C::SSL_REMOTE_CERTIFICATE_ERROR;
  if constexpr (requires { C::TOO_MANY_REDIRECTS; }) is = is || code == C::TOO_MANY_REDIRECTS;
  if constexpr (requires { C::UNSUPPORTED_PROTOCOL; }) is = is || code == C::UNSUPPORTED_PROTOCOL;
  if constexpr (requires { C::URL_MALFORMAT; }) is = is || code == C::URL_MALFORMAT;
  if constexpr (requires { C::INVALID_URL_FORMAT; }) is = is || code == C::INVALID_URL_FORMAT;
  return is;
}

template <class C>
constexpr error_kind kind_of_transport(C code) noexcept {
  bool is = false;
  if constexpr (requires { C::ConnectionTimeout; }) is = is || code == C::ConnectionTimeout;
  if constexpr (requires { C::OPERATION_TIMEDOUT; }) is = is || code == C::OPERATION_TIMEDOUT;
  return is ? error_kind::timeout : error_kind::transient;
}

/// The verdict of the library's own error on a transfer: `succeed` without an error.
template <class T>
  requires(std::is_enum_v<T> && !ErrorEnum<T>)
constexpr directive read_transport(T const& code) {
  if (code == T{}) return directive::succeed();
  if (detail::comes_again(code)) return directive::fail();
  auto const safety = detail::nothing_was_sent(code) ? retry_safety::yes : retry_safety::maybe;
  return directive::retry({detail::kind_of_transport(code), safety, {}});
}
template <class T>
  requires std::is_class_v<T>
constexpr auto read_transport(T const& error) -> decltype(detail::read_transport(error.code)) {
  return detail::read_transport(error.code);
}

/// A server that answered, with a redirection or half a response, may have executed the request.
constexpr directive after_an_answer(directive const& transport, int status) noexcept {
  if (status <= 0 || !transport.is_retry()) return transport;
  return directive::retry({transport.what().kind, retry_safety::maybe, transport.what().hint});
}

template <class E>
constexpr directive transport_of([[maybe_unused]] E const& e) {
  if constexpr (TraitedHttp<E>) return directive::succeed();
  if constexpr (requires { detail::read_transport(e.error()); }) return detail::read_transport(e.error());
  if constexpr (requires { detail::read_transport(e.error); }) return detail::read_transport(e.error);
  if constexpr (PointsToHttpAnswer<E>) return static_cast<bool>(e) ? detail::transport_of(*e) : directive::succeed();
  return directive::succeed();
}

}  // namespace detail

}  // namespace anew::inline ANEW_ABI

#endif
