// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_ACCEPTOR_HPP
#define ANEW_DRIVERS_POLL_ACCEPTOR_HPP

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/several.hpp"

/// How `poll()` judges results and errors: each is a success, a failure, or a reason to poll again.
///
/// An acceptor is any type with at least one of these functions; you can write your own:
///
/// | expression, `a` const   | returns                    | meaning                                             |
/// |-------------------------|----------------------------|-----------------------------------------------------|
/// | `a.on_result(result)`   | `std::optional<directive>` | what this result means; nothing: no opinion         |
/// | `a.on_error(error)`     | `std::optional<directive>` | the same for an error, by value or thrown           |
/// | `typename A::catches`   | `catch_list`               | the types of exceptions that `on_error` takes       |
/// | `a.can_succeed`         | `bool`                     | false: it never says `succeed`; true when absent    |
///
/// `a.on_error(unknown_exception{})` is asked about exceptions of all other types. A result for which an acceptor says
/// `not_ready`, or `directive::retry` of its kind and with a hint, is no failure; one for which it says `directive::retry`
/// of another kind counts as a failed attempt.
namespace anew::inline ANEW_ABI {

/// Not yet: poll again. It is not a failure, so it is reported to no quota and no gate.
inline constexpr directive not_ready = directive::retry(error_kind::server);

namespace detail {

using opinion = std::optional<directive>;

/// When polling, a bool and an optional are answers, and so is a type for which anew cannot tell whether it failed.
template <class R>
consteval bool is_polled_by_error() {
  constexpr auto how = shape_of<R>();
  return how == shape::traited || how == shape::expected || how == shape::error_code || how == shape::error_enum;
}
template <class R>
concept PolledByError = is_polled_by_error<R>();

template <class R>
concept HoldsValue = (shape_of<R>() == shape::expected || shape_of<R>() == shape::optional) && requires(R const& r) {
  { *r };
};

template <class P, class... Args>
concept Answers = requires(P const& predicate, Args const&... args) {
  { predicate(args...) } -> std::convertible_to<bool>;
};
template <class P, class R>
concept AnswersOnValue = HoldsValue<R> && requires(P const& predicate, R const& r) {
  { predicate(*r) } -> std::convertible_to<bool>;
};
template <class P, class R>
concept AnswersOnResult = Answers<P, R> || AnswersOnValue<P, R> || (Answers<P> && std::same_as<R, void_result>);

/// A class that the predicate takes by value or by a const reference.
template <class P, class E>
concept AsksAboutClass = std::is_class_v<E> && Answers<P, E>;
/// The type of exception that a predicate names by its parameter.
template <class P>
struct asks_about : std::type_identity<catch_list<>> {};
template <class P>
  requires AsksAboutClass<P, typename parameter_of<decltype(&P::operator())>::type>
struct asks_about<P> : std::type_identity<catch_list<typename parameter_of<decltype(&P::operator())>::type>> {};
template <class P>
  requires AsksAboutClass<P, typename parameter_of<P>::type>
struct asks_about<P> : std::type_identity<catch_list<typename parameter_of<P>::type>> {};

/// Stands for a predicate that is always true.
struct always {};

/// Stands for a predicate that is true of errors of these types; of all types if none is named.
template <class... Errors>
struct one_of_types {
  template <class E>
    requires(sizeof...(Errors) == 0 || (std::derived_from<E, Errors> || ...) || (std::same_as<E, Errors> || ...))
  constexpr bool operator()(E const& /*error*/) const noexcept {
    return true;
  }
};
template <class... Errors>
struct asks_about<one_of_types<Errors...>> : std::type_identity<catch_list<Errors...>> {};
/// A predicate that takes anything is not asked about an exception of unknown type.
template <class P, class E>
inline constexpr bool is_asked_about = !std::same_as<E, unknown_exception>;
template <class... Errors, class E>
inline constexpr bool is_asked_about<one_of_types<Errors...>, E> = true;

template <bool CanSucceed, class Predicate>
class result_acceptor {
 public:
  static constexpr bool can_succeed = CanSucceed;
  constexpr result_acceptor(Predicate predicate, directive then) : predicate_{std::move(predicate)}, then_{then} {}

  template <class R>
    requires std::same_as<Predicate, always> || AnswersOnResult<Predicate, R>
  [[nodiscard]] constexpr opinion on_result(R const& result) const {
    return matches(result) ? opinion{then_} : std::nullopt;
  }

 private:
  template <class R>
  [[nodiscard]] constexpr bool matches([[maybe_unused]] R const& result) const {
    if constexpr (std::same_as<Predicate, always>) {
      return true;
    } else if constexpr (Answers<Predicate, R>) {
      return static_cast<bool>(predicate_(result));
    } else if constexpr (AnswersOnValue<Predicate, R>) {
      return result.has_value() && static_cast<bool>(predicate_(*result));
    } else {
      return static_cast<bool>(predicate_());
    }
  }

  ANEW_NO_UNIQUE_ADDRESS Predicate predicate_;
  directive then_;
};

/// The directive for an error: the acceptor's, and for another attempt completed with what the error says of itself.
struct answer_to_error {
  directive then;
  bool says_kind = true;

  template <class E>
  [[nodiscard]] constexpr directive about([[maybe_unused]] E const& error) const {
    if constexpr (SaysWhetherToRetry<E>) {
      if (then.is_retry()) {
        auto what = then.what();
        auto const told = read_failure(error);
        what.hint = told.hint;
        if (!says_kind) what.kind = told.kind;
        return directive::retry(what);
      }
    }
    return then;
  }
};

template <bool CanSucceed, class Predicate>
class error_acceptor {
 public:
  static constexpr bool can_succeed = CanSucceed;
  using catches = typename asks_about<Predicate>::type;
  constexpr error_acceptor(Predicate predicate, answer_to_error then) : predicate_{std::move(predicate)}, then_{then} {}

  template <class E>
    requires is_asked_about<Predicate, E> && Answers<Predicate, E>
  [[nodiscard]] constexpr opinion on_error(E const& error) const {
    return predicate_(error) ? opinion{then_.about(error)} : std::nullopt;
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS Predicate predicate_;
  answer_to_error then_;
};

/// Is called before each wait, and judges nothing.
template <class Tell>
struct progress_listener {
  Tell tell;
};

}  // namespace detail

/// A result for which the predicate is true ends the polling with success. The predicate takes the operation's result, or
/// the value in it; it is not called without a value. It is called as const, as a classifier's, and once for each result.
template <class Predicate>
[[nodiscard]] constexpr auto success_when(Predicate predicate) {
  return detail::result_acceptor<true, Predicate>{std::move(predicate), directive::succeed()};
}
/// A result for which the predicate is true ends the polling with failure. The predicate is called as in `success_when`.
template <class Predicate>
[[nodiscard]] constexpr auto failure_when(Predicate predicate) {
  return detail::result_acceptor<false, Predicate>{std::move(predicate), directive::fail()};
}
/// A result for which the predicate is true is not ready. The predicate is called as in `success_when`.
template <class Predicate>
[[nodiscard]] constexpr auto retry_when(Predicate predicate) {
  return detail::result_acceptor<false, Predicate>{std::move(predicate), not_ready};
}
/// A result for which the predicate is true reports a failed request, as a status `THROTTLED` does, and is reported to
/// quota, gate and pacer. Throws `std::invalid_argument` for the kind `server`, which is that of `not_ready`: a failed
/// request that the server may answer later is `transient`. The predicate is called as in `success_when`.
template <class Predicate>
[[nodiscard]] constexpr auto retry_when(Predicate predicate, error_kind kind) {
  auto const fault = detail::value_fault{"retry_when"}.unless(
      kind != not_ready.what().kind,
      "kind must be transient, throttling, timeout or client, because server means not ready", to_string(kind));
  return detail::result_acceptor<false, Predicate>{std::move(predicate),
                                                   directive::retry(detail::checked(kind, fault))};
}
/// Accepts any result as a success (Smithy's matcher `success: true`).
[[nodiscard]] constexpr auto success_on_result() {
  return detail::result_acceptor<true, detail::always>{{}, directive::succeed()};
}

/// An error for which the predicate is true ends the polling with success. The predicate takes the error in a result, or
/// the exception of its parameter's type, which must be a class.
template <class Predicate>
[[nodiscard]] constexpr auto success_on_error(Predicate predicate) {
  return detail::error_acceptor<true, Predicate>{std::move(predicate), {directive::succeed()}};
}
/// An error for which the predicate is true ends the polling with failure, as does an error that no acceptor judges. The
/// predicate is called as in `success_on_error`.
template <class Predicate>
[[nodiscard]] constexpr auto failure_on_error(Predicate predicate) {
  return detail::error_acceptor<false, Predicate>{std::move(predicate), {directive::fail()}};
}
/// After an error for which the predicate is true, `poll()` looks again. If the type that the predicate takes states its
/// kind and a hint (`RetryInfo`), it is believed; a base of that type does not state them. Any other error is transient, or
/// of the kind that you pass. The predicate is called as in `success_on_error`.
template <class Predicate>
[[nodiscard]] constexpr auto retry_on_error(Predicate predicate, std::optional<error_kind> kind = std::nullopt) {
  return detail::error_acceptor<false, Predicate>{
      std::move(predicate), {directive::retry(kind.value_or(error_kind::transient)), kind.has_value()}};
}

/// By type, as an error value or an exception: `success_on_error<not_found>()`. All errors if no type is named.
template <class... Errors>
[[nodiscard]] constexpr auto success_on_error() {
  return detail::error_acceptor<true, detail::one_of_types<Errors...>>{{}, {directive::succeed()}};
}
/// By type, as `success_on_error<Errors...>()`.
template <class... Errors>
[[nodiscard]] constexpr auto failure_on_error() {
  return detail::error_acceptor<false, detail::one_of_types<Errors...>>{{}, {directive::fail()}};
}
/// By type, as `success_on_error<Errors...>()`.
template <class... Errors>
[[nodiscard]] constexpr auto retry_on_error() {
  return detail::error_acceptor<false, detail::one_of_types<Errors...>>{
      {}, {directive::retry(error_kind::transient), false}};
}

/// A listener among the acceptors, called before each wait: `tell(poll_progress const&)`, or `tell(poll_progress const&,
/// R const* last)` with the last result, which is null if the operation threw.
template <class Tell>
[[nodiscard]] constexpr auto on_progress(Tell tell) {
  return detail::progress_listener<Tell>{std::move(tell)};
}

/// Acceptors in their order: the first that judges decides. If none does, a result means "not ready", and an error is a
/// failure that ends the polling.
template <class... As>
class acceptors {
 public:
  constexpr acceptors() = default;
  constexpr explicit(sizeof...(As) == 1) acceptors(As... each)
    requires(sizeof...(As) > 0)
      : members_{std::move(each)...} {}

  /// The answer of `look(acceptor)` for the first acceptor that judges.
  [[nodiscard]] constexpr detail::opinion first_of(auto const& look) const {
    detail::opinion said;
    members_.until([&](auto const& acceptor) {
      said = look(acceptor);
      return said.has_value();
    });
    return said;
  }
  constexpr void for_each(auto const& each) const { members_.each(each); }

 private:
  ANEW_NO_UNIQUE_ADDRESS detail::several<As...> members_;
};
template <class... As>
acceptors(As...) -> acceptors<As...>;

}  // namespace anew::inline ANEW_ABI

#endif
