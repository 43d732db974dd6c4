// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_READ_COMPLETION_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_READ_COMPLETION_HPP

#include <exception>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/portable_code.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/coroutine/cancelled_by.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/machine.hpp"
#include "anew/drivers/internal/read_result.hpp"
#include "anew/roles/classifier.hpp"

/// Reads the outcome of an attempt from the arguments of its completion, and makes the arguments of a call that ends
/// without an attempt.
namespace anew::inline ANEW_ABI::detail {

template <class E>
inline constexpr bool is_error_code = std::is_same_v<E, net_error_code> || std::is_same_v<E, std::error_code>;

/// The first argument of a completion, or `void_result`.
template <class... Args>
struct first_argument : std::type_identity<void_result> {};
template <class A, class... Args>
struct first_argument<A, Args...> : std::type_identity<std::remove_cvref_t<A>> {};

enum class completion_shape : unsigned char { nothing, error_code, exception, value, values };

template <class... Args>
consteval completion_shape completion_shape_of() {
  using first = typename first_argument<Args...>::type;
  if constexpr (is_error_code<first>) {
    return completion_shape::error_code;
  } else if constexpr (std::is_same_v<first, std::exception_ptr>) {
    return completion_shape::exception;
  } else if constexpr (sizeof...(Args) == 0) {
    return completion_shape::nothing;
  } else {
    return sizeof...(Args) == 1 ? completion_shape::value : completion_shape::values;
  }
}

/// The arguments after the error, if they are one value.
template <class... Args>
struct value_after_error : std::type_identity<void_result> {};
template <class E, class V>
struct value_after_error<E, V> : std::type_identity<std::remove_cvref_t<V>> {};

/// Whether a code says that the operation was cancelled, in Asio's or in the standard's category.
template <class E>
bool is_cancellation(E const& code) noexcept {
  if constexpr (std::is_same_v<E, net_error_code>) {
    if (code == net::error::operation_aborted) return true;
    if (code.category() == net::error::get_system_category()) return false;  // which has no other code for it
  }
  return portable_code(static_cast<std::error_code>(code)) == std::errc::operation_canceled;
}
#if ANEW_EXCEPTIONS
/// The error code of an exception that has one, in Asio's category; no error for any other.
ANEW_COLD inline net_error_code code_in(std::exception_ptr const& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (net_system_error const& e) {
    return e.code();
  } catch (...) {
    return {};
  }
}
/// Whether an exception says that the operation was cancelled, in Asio's or in the standard's category.
inline bool is_cancellation(std::exception_ptr const& thrown) {
  return thrown && detail::is_cancelled_as_any(catch_list<net_system_error, std::system_error>{}, thrown);
}

/// A clause of the classifier catches Asio's exception itself.
template <class Catches>
inline constexpr bool has_a_clause_for_codes = false;
template <class... Es>
inline constexpr bool has_a_clause_for_codes<catch_list<Es...>> = (std::is_base_of_v<Es, net_system_error> || ...);

/// Boost's system_error does not derive from any standard exception that a classifier of codes could catch, so an
/// exception of a coroutine is read by its code, like a callback's error code.
template <class S>
concept ReadsCodesOfExceptions =
    !has_a_clause_for_codes<typename catches_of<classifier_type_of<S>>::type> &&
    (ClassifierOf<classifier_type_of<S>, net_error_code> || ClassifierOf<classifier_type_of<S>, std::error_code>);
#endif

/// A code as the classifier reads it: in its own type, else as std::error_code.
template <class Machine, class Which, class Code>
auto on_code(Machine& call, Which& which, Code const& code) {
  if constexpr (ClassifierOf<classifier_type_of<typename Machine::strategy_type>, Code>) {
    return call.on_error(which, code);
  } else {
    return call.on_error(which, static_cast<std::error_code>(code));
  }
}

/// The reader of a completion's value if there is no error: the machine, as `retry()` reads a function's result, the
/// classifier, or none.
enum class value_reader : unsigned char { none, machine, classifier };
template <class S, class Op, class... Args>
consteval value_reader value_reader_of() {
  constexpr auto shape = completion_shape_of<Args...>();
  constexpr bool is_alone = shape == completion_shape::value;
  using value = typename std::conditional_t<is_alone, first_argument<Args...>, value_after_error<Args...>>::type;
  constexpr bool is_classified = is_classified_by_value<classifier_type_of<S>, value>;
  if (ThrowsOnly<Op> || shape == completion_shape::values) return value_reader::none;
  if (is_alone ? is_classified || carries_error<value> : shape == completion_shape::exception && carries_error<value>) {
    return value_reader::machine;
  }
  return is_classified ? value_reader::classifier : value_reader::none;
}

/// Stores how an attempt completed, for a strategy that keeps it.
template <class S, class... Args>
void hold_completion(S const& kept, Args&... args) {
  using R = typename S::kept_type;
#if ANEW_EXCEPTIONS
  if constexpr (completion_shape_of<Args...>() == completion_shape::exception) {
    auto& thrown = std::get<0>(std::tie(args...));
    if (thrown) return kept.hold_exception(std::move(thrown));
  }
#endif
  kept.hold([&]() -> R {
    if constexpr (std::is_same_v<R, void_result>) {
      return {};
    } else if constexpr (completion_shape_of<Args...>() == completion_shape::exception) {
      return std::move(std::get<1>(std::tie(args...)));
    } else {
      return R(std::move(args)...);
    }
  });
}

/// Reports an attempt's completion to the machine, which knows it as `which`. `is_late`: the attempt was cancelled by its
/// timeout. If it failed late, it has failed because of that.
template <class Op, class Machine, class Which, class... Args>
ANEW_INLINE auto read_completion(Machine& call, Which& which, [[maybe_unused]] bool is_late, Args&... args) {
  using S = typename Machine::strategy_type;
  constexpr auto shape = completion_shape_of<Args...>();
  constexpr auto reader = value_reader_of<S, Op, Args...>();
  if constexpr (shape == completion_shape::error_code || shape == completion_shape::exception) {
    auto const& error = std::get<0>(std::tie(args...));
    if (error) [[unlikely]] {
      if (is_late) return call.on_attempt_timeout(which);
      if (detail::is_cancellation(error)) {
        if constexpr (KeepsOutcome<S>) hold_completion(call.strategy(), args...);
        return call.on_cancelled(which);
      }
      if constexpr (KeepsOutcome<S>) {
        // it asks the acceptors, or the policy, below
      } else if constexpr (shape == completion_shape::error_code) {
        return detail::on_code(call, which, error);
      } else {
#if ANEW_EXCEPTIONS
        if constexpr (ReadsCodesOfExceptions<S>) {
          if (auto const code = detail::code_in(error)) return detail::on_code(call, which, code);
        }
        return call.on_exception(which, error);
#else
        return call.on_cancelled(which);
#endif
      }
    }
  }
  if constexpr (KeepsOutcome<S>) {
    if constexpr (shape == completion_shape::exception || shape == completion_shape::value) {
      auto const& value = std::get<sizeof...(Args) - 1>(std::tie(args...));
      if constexpr (carries_error<std::remove_cvref_t<decltype(value)>>) {  // an operation that fails by value
        if (is_late && !is_success(value)) return call.on_attempt_timeout(which);
      }
    }
    hold_completion(call.strategy(), args...);
    return call.strategy().report(call, which);
  } else if constexpr (reader == value_reader::none) {
    return call.on_success(which);
  } else {
    auto const& value = std::get<sizeof...(Args) - 1>(std::tie(args...));
    if constexpr (reader == value_reader::machine) {
      return is_late ? call.template on_late_outcome<Op>(which, value) : call.on_outcome(which, value);
    } else {
      auto const verdict = detail::classify_result(classifier_of(call.strategy()), value);
      if (is_late && !verdict.is_success()) return call.on_attempt_timeout(which, value);
      return call.on_verdict(which, detail::unless_used_up(which, value, verdict), value);
    }
  }
}

/// The error code of a call that ended without an attempt of its own to report.
inline net_error_code code_of(stop_reason reason) noexcept {
  switch (reason) {
    case stop_reason::cancelled: return net::error::operation_aborted;
    case stop_reason::deadline: return net::error::timed_out;
    default: return net::error::try_again;
  }
}

/// Replaces the error by the reason why a call ended, if it was stopped or its last attempt timed out.
template <class First>
void write_error(First& first, net_error_code code) {
  if constexpr (is_error_code<First>) {
    first = code;
  } else if constexpr (std::is_same_v<First, std::exception_ptr>) {
#if ANEW_EXCEPTIONS
    first = std::make_exception_ptr(net_system_error{code});
#endif
  }
}

/// The same for a completion's arguments, if the first is an error.
template <class... Args>
void write_error_of_first([[maybe_unused]] std::tuple<Args...>& args, [[maybe_unused]] net_error_code code) {
  if constexpr (sizeof...(Args) > 0) detail::write_error(std::get<0>(args), code);
}

/// An attempt that was cancelled by its timeout reports a timeout.
template <class... Args>
void write_late([[maybe_unused]] stop_reason reason, [[maybe_unused]] Args&... args) {
  constexpr auto shape = completion_shape_of<Args...>();
  if constexpr (shape == completion_shape::value) {
    (detail::write_late_result(reason, args), ...);
  } else if constexpr (shape == completion_shape::error_code || shape == completion_shape::exception) {
    auto& first = std::get<0>(std::tie(args...));
    bool const is_cancelled = detail::is_cancellation(first);
    if (is_cancelled) detail::write_error(first, net::error::timed_out);
    if constexpr (shape == completion_shape::exception && sizeof...(Args) == 2) {
      auto& result = std::get<1>(std::tie(args...));
      if constexpr (MakesTimedOutResult<std::remove_cvref_t<decltype(result)>>) {  // an operation that fails by value
        if (is_cancelled) first = nullptr;
        if (first == nullptr) detail::write_late_result(reason, result);
      }
    }
  }
}

/// The arguments of a call that completes without having made an attempt.
template <class... Args>
std::tuple<std::decay_t<Args>...> refused_arguments([[maybe_unused]] stop_reason reason) {
  constexpr auto shape = completion_shape_of<Args...>();
  if constexpr (shape == completion_shape::value) {
    return std::tuple<std::decay_t<Args>...>{refused_result<std::decay_t<Args>>::make(reason)...};
  } else {
    std::tuple<std::decay_t<Args>...> result{};
    if constexpr (shape == completion_shape::error_code) {
      detail::write_error(std::get<0>(result), detail::code_of(reason));
    } else if constexpr (shape == completion_shape::exception) {
#if ANEW_EXCEPTIONS
      if (reason == stop_reason::cancelled) {
        detail::write_error(std::get<0>(result), net::error::operation_aborted);
      } else {
        std::get<0>(result) = std::make_exception_ptr(call_refused{reason});
      }
#endif
    }
    return result;
  }
}

template <class... Args>
inline constexpr bool makes_refused_arguments = [] {
  constexpr auto shape = completion_shape_of<Args...>();
  if constexpr (shape == completion_shape::error_code || shape == completion_shape::exception) {
    return (std::is_default_constructible_v<std::decay_t<Args>> && ...);
  } else if constexpr (shape == completion_shape::value) {
    return (MakesRefusedResult<std::decay_t<Args>> && ...);
  } else {
    return false;
  }
}();

/// The completions of a call whose strategy keeps the outcomes (anew/drivers/internal/read_result.hpp).
/// The type of a completion as one result: its value, or its code with the value after it.
template <class... Args>
struct result_of_completion : std::type_identity<std::tuple<std::decay_t<Args>...>> {};
template <>
struct result_of_completion<> : std::type_identity<void_result> {};
template <class V>
struct result_of_completion<V> : std::type_identity<std::decay_t<V>> {};
template <>
struct result_of_completion<std::exception_ptr> : std::type_identity<void_result> {};
template <class V>
struct result_of_completion<std::exception_ptr, V> : std::type_identity<std::decay_t<V>> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
