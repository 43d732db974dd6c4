// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_KEPT_COMPLETION_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_KEPT_COMPLETION_HPP

#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/drivers/internal/keeps_outcome.hpp"
#include "anew/drivers/next_step.hpp"

/// The completions of a call whose strategy keeps the outcomes (anew/drivers/internal/keeps_outcome.hpp).
namespace anew::inline ANEW_ABI::detail {

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

/// Stores how an attempt completed and reports it to the machine, as read_completion() does for other strategies.
template <class Machine, class Which, class... Args>
next_step keep_completion(Machine& call, Which& which, [[maybe_unused]] bool is_late, Args&... args) {
  auto const& kept = call.strategy();
  constexpr auto shape = completion_shape_of<Args...>();
  if constexpr (shape == completion_shape::error_code || shape == completion_shape::exception) {
    auto const& error = std::get<0>(std::tie(args...));
    if (error && is_late) return kept.tell(call, call.on_attempt_timeout(which));
    if (error && detail::is_cancellation(error)) {
      hold_completion(kept, args...);
      return call.on_cancelled(which);
    }
  }
  if constexpr (shape == completion_shape::exception || shape == completion_shape::value) {
    auto const& value = std::get<sizeof...(Args) - 1>(std::tie(args...));
    if constexpr (carries_error<std::remove_cvref_t<decltype(value)>>) {  // an operation that fails by value
      if (is_late && !is_success(value)) return kept.tell(call, call.on_attempt_timeout(which));
    }
  }
  hold_completion(kept, args...);
  return kept.tell(call, call.on_verdict(which, kept.judge()));
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
