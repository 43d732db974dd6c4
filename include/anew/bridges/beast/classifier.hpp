// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BEAST_CLASSIFIER_HPP
#define ANEW_BRIDGES_BEAST_CLASSIFIER_HPP

#include "anew/base/platform/compiler.hpp"

#if !ANEW_EXCEPTIONS
#error "anew/bridges/beast/connection.hpp requires exceptions, because Boost.Beast does"
#endif
#ifdef ANEW_STANDALONE_ASIO
#error \
    "anew/bridges/beast/connection.hpp requires Boost.Asio, which Boost.Beast is made for; ANEW_STANDALONE_ASIO is defined"
#endif

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/bridges/boost_system/classifier.hpp"
#include "anew/bridges/http/retry_after_field.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

/// Connects anew to Boost.Beast: makes an exchange of a request for a response that a classifier reads. The connection
/// for it: anew/bridges/beast/connection.hpp.
namespace anew::inline ANEW_ABI::beast {

/// How an exchange ended. A success is a status from 100 to 399 without an error code.
struct transfer {
  ::boost::system::error_code code{};
  int http_status = 0;        ///< 0: no whole head came
  bool sent = true;           ///< false: no byte of the request left, so nothing can have been executed
  asked_delay retry_after{};  ///< what the server asked for
  bool replayable = true;     ///< false: the request's body is used up

  [[nodiscard]] bool has_value() const noexcept { return !code && http_status >= 100 && http_status < 400; }
  [[nodiscard]] transfer const& error() const noexcept { return *this; }
  /// False ends the call with `stop_reason::not_replayable`, unless the operation is `anew::rewinding`.
  [[nodiscard]] bool is_replayable() const noexcept { return replayable; }
};

/// The same with the response: the completion of `connection::async_request`.
template <class Response>
struct exchange : transfer {
  Response response{};
};

/// The delay that the fields of a response ask for, in milliseconds, seconds or as a date, which is measured with `Date`.
[[nodiscard]] asked_delay retry_after_of(auto const& fields) {
  return anew::detail::asked_by_fields([&](anew::detail::field_name name) -> std::optional<std::string_view> {
    auto const field = fields.find(::boost::beast::string_view{name.lower.data(), name.lower.size()});
    if (field == fields.end()) return std::nullopt;
    auto const value = field->value();
    return std::string_view{value.data(), value.size()};
  });
}

/// A response as a transfer, for a program that reads it itself.
template <class Body, class Fields>
[[nodiscard]] transfer transfer_of(::boost::beast::http::response<Body, Fields> const& response,
                                   ::boost::system::error_code code = {}) {
  return {code, static_cast<int>(response.result_int()), true, beast::retry_after_of(response), true};
}

/// Reads transfers: an answer by its HTTP status, a connection that failed by its code. Reads bare codes too, and
/// catches `boost::system::system_error`.
///
/// | code                                                   | kind      | may have been executed          |
/// |--------------------------------------------------------|-----------|---------------------------------|
/// | what `error_code_classifier` knows                     | as there  | as there                        |
/// | end of stream, a part of a message, a truncated TLS stream | transient | yes                         |
/// | a chunk of a body that does not parse                  | transient | yes                             |
/// | a name that is not resolved                            | transient | no: there was no address to send to |
/// | `beast::error::timeout`                                | timeout   | yes                             |
/// | `operation_aborted`, a head that does not parse, what exceeds a limit, anything else | final | |
///
/// A name that does not exist is retried like one that no name server answers for: containers and services that are just
/// starting see both, and libcurl cannot tell them apart. A mistyped host therefore costs all attempts.
///
/// Nothing has been executed where no byte of the request had left, whatever the code: `transfer::sent`.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: HttpClassifier reads HTTP statuses
/// Cost: a few compares; after an error code those of error_code_classifier
/// Choose it for HTTP with Boost.Beast. Not for other protocols over Asio: boost_system::classifier.
/// Source: Boost.Asio's and Boost.Beast's error enumerations; RFC 9110 9.2.2 of what may be repeated
template <class HttpClassifier = http_status_classifier<>>
class classifier {
 public:
  using role = roles::classifier;
  using catches = catch_list<::boost::system::system_error>;
  using reads = catch_list<transfer, ::boost::system::error_code>;

  constexpr classifier() = default;
  constexpr explicit classifier(HttpClassifier statuses) : statuses_{statuses} {}

  [[nodiscard]] directive classify(transfer const& t) const {
    if (t.code) {  // a code that is final, such as that of a limit, would come again whatever the status
      auto const by_code = classify_code(t.code, t.sent, t.retry_after);
      if (t.http_status < 400 || !by_code.is_retry()) return by_code;
    }
    auto const verdict = statuses_.get().classify(t.http_status);
    return verdict.is_retry() ? with_hint(verdict.what(), t.retry_after) : verdict;
  }
  [[nodiscard]] static directive classify(::boost::system::error_code const& code) { return classify_code(code, true); }
  [[nodiscard]] static directive classify(::boost::system::system_error const& error) { return classify(error.code()); }

  /// For a response that is returned as it is: 100 to 399 is a success.
  template <class Body, class Fields>
  [[nodiscard]] directive classify_result(::boost::beast::http::response<Body, Fields> const& response) const {
    auto const read = beast::transfer_of(response);
    return read.has_value() ? directive::succeed() : classify(read);
  }

  /// A success, unless the statuses name its own.
  [[nodiscard]] directive classify_result(transfer const& t) const {
    bool const is_success = t.has_value() && !anew::detail::names_a_success(statuses_.get(), t.http_status);
    return is_success ? directive::succeed() : classify(t);
  }
  template <class R>
  static constexpr bool reads_whole = std::derived_from<R, transfer>;

  /// The same for a program with its own record of an exchange.
  [[nodiscard]] static directive classify_code(::boost::system::error_code const& code, bool sent,
                                               asked_delay hint = {}) {
    auto const verdict = read(code);
    if (!verdict.is_retry()) return verdict;
    auto what = verdict.what();
    if (!sent) what.safety = retry_safety::yes;
    return with_hint(what, hint);
  }

  [[nodiscard]] std::string describe() const { return anew::detail::written("beast", statuses_.get()); }

 private:
  static directive with_hint(failure what, asked_delay hint) {
    if (hint != asked_delay{}) what.hint = hint;
    return directive::retry(what);
  }
  static directive read(::boost::system::error_code const& code) {
    namespace http = ::boost::beast::http;
    if (code == http::error::end_of_stream || code == http::error::partial_message || code == http::error::bad_chunk ||
        code == http::error::bad_chunk_extension) {
      return directive::retry({error_kind::transient, retry_safety::maybe, std::nullopt});
    }
    if (code == ::boost::asio::error::host_not_found || code == ::boost::asio::error::no_data ||
        code == ::boost::asio::error::no_recovery) {
      return directive::retry(error_kind::transient);
    }
    if (code == ::boost::beast::error::timeout) {
      return directive::retry({error_kind::timeout, retry_safety::maybe, std::nullopt});
    }
    return boost_system::classifier<asio_classifier>{}.classify(code);
  }

  ANEW_NO_UNIQUE_ADDRESS anew::detail::inner<HttpClassifier, classifier> statuses_;
};

}  // namespace anew::inline ANEW_ABI::beast

namespace anew::inline ANEW_ABI {

/// A transfer, as `http::classifier` and other readers of HTTP statuses see it: like `beast::classifier`.
template <>
struct http_traits<beast::transfer> : detail::http_traits_of_transfer<beast::transfer, beast::classifier> {};
template <class Response>
struct http_traits<beast::exchange<Response>> : http_traits<beast::transfer> {};

/// An exchange that its attempt timeout ended has the code `timed_out`; one that the caller stopped, `operation_aborted`.
template <class Response>
struct timed_out_result<beast::exchange<Response>> {
  static beast::exchange<Response> make(beast::exchange<Response>&& cancelled) {
    cancelled.code = ::boost::asio::error::timed_out;
    return std::move(cancelled);
  }
};

/// A response of Beast.
template <class Body, class Fields>
struct http_traits<::boost::beast::http::message<false, Body, Fields>> {
  using response = ::boost::beast::http::message<false, Body, Fields>;
  static int status(response const& r) { return static_cast<int>(r.result_int()); }
  static asked_delay retry_after(response const& r) { return beast::retry_after_of(r); }
};

}  // namespace anew::inline ANEW_ABI

#endif
