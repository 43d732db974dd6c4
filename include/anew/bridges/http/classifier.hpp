// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_HTTP_CLASSIFIER_HPP
#define ANEW_BRIDGES_HTTP_CLASSIFIER_HPP

#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/bridges/http/retry_after_field.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/internal/combine.hpp"
#include "anew/policies/classifier/retry_on.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/roles.hpp"

/// Classifies the failures of every supported HTTP client.
namespace anew::inline ANEW_ABI::http {

namespace detail {

using namespace anew::detail;  // NOLINT(google-build-using-namespace): the names of the core's own details

/// The error of a transfer as a code of `<system_error>`, beside a status.
template <class E>
concept HasErrorCodeMember = requires(E const& e) {
  requires CarriesErrorCode<std::remove_cvref_t<decltype(e.error())>>;
} || requires(E const& e) { requires CarriesErrorCode<std::remove_cvref_t<decltype(e.error)>>; };

auto error_code_beside(HasErrorCodeMember auto const& e) {
  if constexpr (requires { requires CarriesErrorCode<std::remove_cvref_t<decltype(e.error())>>; }) {
    return anew::detail::code_of(e.error());
  } else {
    return anew::detail::code_of(e.error);
  }
}

template <class C>
inline constexpr bool reads_statuses = ClassifierOf<C, int>;

/// Something like an expected, whose value is an answer of HTTP and whose error `C` reads.
template <class R, class C>
concept ExpectedAnswer = ExpectedLike<R> && requires(R const& r) {
  *r;
  requires HttpStatus<std::remove_cvref_t<decltype(*r)>>;
  requires ClassifierOf<C, std::remove_cvref_t<decltype(r.error())>>;
};

/// False for a number, which may count seconds or milliseconds.
template <class R, class Answer = typename http_answer<R>::type>
inline constexpr bool retry_after_can_be_read =
    !NamesRetryAfter<Answer> || NamesDelay<Answer> || NamesRetryAfterText<Answer>;

/// Boost's exceptions derive from none that is caught here; beast::classifier reads Beast's responses and exceptions.
template <class R>
inline constexpr bool exceptions_of_beast_are_caught = !requires(R const& r) {
  r.result_int();
  r.base();
  r.body();
};

/// Nothing can be seen of a failure that is neither in the result nor an exception that was named.
template <class R, class... Exceptions>
inline constexpr bool result_has_a_status = carries_error<R> || HttpStatus<R> || sizeof...(Exceptions) > 0;

}  // namespace detail

/// Reads what HTTP clients fail by: the status of a response, its `Retry-After`, the transport's error, and exceptions.
///
/// | outcome                                          | read as                                                         |
/// |--------------------------------------------------|-----------------------------------------------------------------|
/// | a type with an HTTP status, a status as a number | `Statuses` says: `http_status_classifier` has the table         |
/// | a status of 0 beside an error code               | `error_code_classifier` says; other errors as `Statuses` has it |
/// | an expected of such a type                       | the value by its status, the error as here                      |
/// | `std::error_code`, `std::errc`, `std::system_error` | `error_code_classifier` says: a refused connection is safe to repeat, one that broke may have had an effect |
/// | `curl::transfer`, `beast::transfer` and `exchange` | `curl::classifier` and `beast::classifier` say                |
/// | an exception named in `Exceptions`, if it has a status or an error code, or says whether it may be retried | by that |
/// | any other one of them                            | transient, and may have had an effect                           |
/// | any other exception                              | final                                                           |
///
/// `Retry-After` is read from `retry_after` (a delay, or the text of the field), from `get_header_value("Retry-After")`, and
/// from `headers` or `header`: a map or a list of pairs, Beast's fields, or the lines as they came. Names may have any case.
/// Where there is a `retry-after-ms`, its milliseconds count: http::retry_after_or_reset reads rate limits, too.
/// Each may be a public member or a function. A date counts from the response's own `Date`, or from `system_clock` if the
/// response has no `Date`. A field that is neither a number nor a date is an `asked_delay::not_understood()`.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: Statuses reads an int; at most seven exceptions, derived ones before their bases
/// Cost: a few compares, the search for one header, and after an error code those of error_code_classifier
/// Choose it for HTTP clients of any library; `http::standard` has it. To add your own exceptions: statuses_and. For
/// Asio and Beast when they throw: beast::classifier.
/// Source: http_status_classifier, error_code_classifier; RFC 9110 10.2.3 (Retry-After)
template <class Statuses = http_status_classifier<>, class... Exceptions>
class classifier {
 public:
  using role = roles::classifier;
  using catches = typename detail::merge_catches<typename detail::catches_of_retry_on<Exceptions...>::type,
                                                 catch_list<std::system_error>>::type;
  static constexpr bool has_an_opinion = detail::always_has_an_opinion<Statuses>;

  constexpr classifier() = default;
  constexpr explicit classifier(Statuses statuses) : statuses_{statuses} {}

  template <detail::HttpStatus E>
  [[nodiscard]] constexpr directive classify(E const& error) const {
    if constexpr (detail::ClassifiedByHttpTraits<E, Statuses>) {
      return http_traits<E>::classify(error, statuses_.get());
    } else {
      if constexpr (detail::HasErrorCodeMember<E>) {
        auto const code = detail::error_code_beside(error);
        auto const status = detail::status_of(error);
        if (code && status < 400) return detail::after_an_answer(error_code_classifier::classify(code), status);
      }
      auto const verdict = statuses_.get().classify(error);
      if (!verdict.is_retry()) return verdict;
      auto what = verdict.what();
      if (auto const asked = detail::asked_by(error); asked != asked_delay{}) what.hint = asked;
      return directive::retry(what);
    }
  }

  template <class E>
    requires(!detail::HttpStatus<E>) && (detail::CarriesErrorCode<E> || detail::is_listed<E, catches>)
  [[nodiscard]] static directive classify(E const& error) {
    constexpr bool is_named = detail::is_listed<E, catch_list<Exceptions...>>;
    if constexpr (is_named && SaysWhetherToRetry<E>) {
      return retry_on<Exceptions...>::classify(error);
    } else if constexpr (detail::CarriesErrorCode<E>) {
      auto const verdict = error_code_classifier::classify(error);
      auto const is_stop =
          detail::comparable(detail::code_of(error)) == std::make_error_condition(std::errc::operation_canceled);
      return !is_named || verdict.is_retry() || is_stop ? verdict : may_have_had_an_effect();
    } else if constexpr (is_named) {
      return may_have_had_an_effect();
    } else {
      return directive::fail();  // a programmer's error
    }
  }

  /// A response, or its status: 100 to 399 is a success, unless `Statuses` names it or half of the answer is missing.
  template <class R>
    requires detail::HttpStatus<R> || detail::ExpectedAnswer<R, classifier>
  [[nodiscard]] constexpr directive classify_result(R const& result) const {
    if constexpr (detail::ExpectedAnswer<R, classifier>) {
      return result.has_value() ? this->classify_result(*result) : classify(result.error());
    } else {
      directive const verdict = statuses_.get().classify_result(result);
      if constexpr (detail::HasErrorCodeMember<R> && !detail::IsATransfer<R, Statuses>) {
        if (verdict.is_success() && !detail::error_code_beside(result)) return verdict;
      } else {
        if (verdict.is_success()) return verdict;
      }
      return classify(result);
    }
  }
  /// Decides about these instead of their shape: one that is there may be an answer of 503.
  template <class R>
  static constexpr bool reads_whole =
      detail::PointsToHttpAnswer<R> || detail::IsATransfer<R, Statuses> || detail::ExpectedAnswer<R, classifier>;

  [[nodiscard]] std::string describe() const {
    auto const thrown = sizeof...(Exceptions);
    return detail::written("http", detail::describe_member(statuses_.get(), "classifier"),
                           detail::text_if(thrown != 0, detail::written("thrown", thrown)));
  }

  /// This classifier with one exception more, as a program writes it: why_not_retried() advises it. `own` is the name of
  /// this type.
  [[nodiscard]] static std::string reading_too(std::string own, std::string_view exception) {
    own.erase(own.find_last_not_of(' ', own.size() - 2) + 1);
    own.append(", ").append(exception).append(">");
    constexpr std::string_view usual = "anew::http::classifier<anew::http_status_classifier<>, ";
    if (own.starts_with(usual)) own.replace(0, usual.size(), "anew::http::statuses_and<");
    return own;
  }

  static constexpr bool is_sound =
      ClassifierOf<Statuses, int> && !detail::IsMarkedUnsound<Statuses> && detail::catch_at_most_eight_types<catches>;
  static consteval void explain() {
    if constexpr (!detail::reads_statuses<Statuses>) {
      static_assert(
          detail::reads_statuses<Statuses>,
          "anew::http::classifier<Statuses, Exceptions...> requires a classifier of HTTP statuses as its first "
          "argument; this type does not classify an int. Did you mean anew::http::statuses_and<Exceptions...>?");
    } else if constexpr (detail::catch_at_most_eight_types<catches>) {
      detail::explain_first_unsound<Statuses>();
    } else {
      static_assert(detail::catch_at_most_eight_types<catches>,
                    "anew::http::classifier<Statuses, Exceptions...> requires at most eight types of exception, "
                    "std::system_error included; these are more. Name a common base instead");
    }
  }

  template <class R>
  static constexpr bool accepts_result =
      detail::result_has_a_status<R, Exceptions...> && detail::exceptions_of_beast_are_caught<R> &&
      detail::retry_after_can_be_read<R>;
  template <class R>
  static consteval void explain_result() {
    static_assert(
        detail::exceptions_of_beast_are_caught<R>,
        "anew::http::classifier requires that it catches the exceptions of the operation; the result is a Boost.Beast "
        "response, and Beast throws boost::system::system_error. Include <anew/bridges/beast/classifier.hpp> and "
        "compose "
        "anew::with<anew::http::standard, anew::beast::classifier<>>");
    static_assert(detail::result_has_a_status<R, Exceptions...> || reads_whole<R>,
                  "anew::http::classifier requires a result with an HTTP status; this type has no public member or "
                  "function 'status', 'status_code' or 'code' that is a number or an enumeration. Specialise "
                  "anew::http_traits<R> with 'static int status(R const&)', or name the exceptions that report a "
                  "failure: anew::with<anew::http::standard, anew::http::statuses_and<E>>");
    static_assert(detail::retry_after_can_be_read<R>,
                  "anew::http::classifier requires a 'retry_after' that is a std::chrono duration, a std::optional of "
                  "one, or the text of the header field, and const if it is a function; this type's 'retry_after' is "
                  "something else. Return std::chrono::seconds{...}");
  }

 private:
  static constexpr directive may_have_had_an_effect() noexcept {
    return directive::retry({error_kind::transient, retry_safety::maybe, {}});
  }

  ANEW_NO_UNIQUE_ADDRESS detail::inner<Statuses, classifier> statuses_;
};

/// The same for an operation that throws exceptions of its own beside: `with<http::standard, http::statuses_and<lost>>`.
template <class... Exceptions>
using statuses_and = classifier<http_status_classifier<>, Exceptions...>;

}  // namespace anew::inline ANEW_ABI::http

#endif
