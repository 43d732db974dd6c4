// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SENDER_INTERNAL_COMPLETIONS_HPP
#define ANEW_BRIDGES_SENDER_INTERNAL_COMPLETIONS_HPP

#include <exception>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/sender/internal/ex.hpp"

/// The completions of an attempt's sender, and of the call: the same, and `exception_ptr`.
namespace anew::inline ANEW_ABI::detail {

/// The environment of an attempt: that of the call's receiver, with a stop token that ends the attempt at its limit too.
template <class Env>
struct attempt_environment {
  ex::inplace_stop_token token;
  Env outer;

  [[nodiscard]] ex::inplace_stop_token query(ex::get_stop_token_t /*query*/) const noexcept { return token; }
  template <class Query, class... Args>
    requires(!std::is_same_v<Query, ex::get_stop_token_t> &&
             requires(Env const& env, Query query, Args&&... args) { env.query(query, std::forward<Args>(args)...); })
  [[nodiscard]] decltype(auto) query(Query query, Args&&... args) const noexcept {
    return outer.query(query, std::forward<Args>(args)...);
  }
};

/// Reads the signatures one by one: how many lists of values there are, the last of them, and the types of errors.
template <int Lists, class Values, class... Errors>
struct completions;
template <int Lists, class... Vs, class... Errors>
struct completions<Lists, std::tuple<Vs...>, Errors...> {
  static constexpr int value_lists = Lists;
  static constexpr bool has_codes = (std::is_same_v<Errors, std::error_code> || ...);
  using values = std::tuple<Vs...>;
  using signatures = ex::completion_signatures<ex::set_value_t(Vs...), ex::set_error_t(Errors)..., ex::set_stopped_t()>;
  /// The last result of the call.
  using kept = std::variant<std::monostate, values, Errors...>;

  template <class... Us>
  static completions<Lists + 1, std::tuple<std::decay_t<Us>...>, Errors...> with(ex::set_value_t (*)(Us...));
  template <class E, class Plain = std::decay_t<E>>
  static std::conditional_t<(std::is_same_v<Errors, Plain> || ...), completions,
                            completions<Lists, values, Errors..., Plain>>
      with(ex::set_error_t (*)(E));
  static completions with(ex::set_stopped_t (*)());
};
template <class So, class... Signatures>
struct completions_in {
  using type = So;
};
template <class So, class First, class... Rest>
struct completions_in<So, First, Rest...> : completions_in<decltype(So::with(static_cast<First*>(nullptr))), Rest...> {
};
template <class So, class... Signatures>
struct completions_in<So, ex::completion_signatures<Signatures...>> : completions_in<So, Signatures...> {};
template <class Sender, class... Env>
using completions_of =
    typename completions_in<completions<0, std::tuple<>, std::exception_ptr>,
                            ex::completion_signatures_of_t<Sender, attempt_environment<Env>...>>::type;

namespace by_name_or_argument {
using ex::schedule_after;
template <class Scheduler>
auto wait_sender(Scheduler& on, duration delay) -> decltype(schedule_after(on, delay)) {
  return schedule_after(on, delay);
}
}  // namespace by_name_or_argument
using by_name_or_argument::wait_sender;
template <class Scheduler>
concept WaitsFor = requires(Scheduler& on, duration delay) {
  { detail::wait_sender(on, delay) } -> ex::sender;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
