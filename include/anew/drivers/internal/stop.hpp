// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_STOP_HPP
#define ANEW_DRIVERS_INTERNAL_STOP_HPP

#include <version>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include <type_traits>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/sleeper.hpp"

namespace anew::inline ANEW_ABI::detail {

#if defined(__cpp_lib_jthread)
template <class T>
inline constexpr bool is_std_stop_token = std::is_same_v<T, std::stop_token>;

template <class Dependent>
auto stop_token_of(void const* token, bool is_standard) {
  return token != nullptr && is_standard ? *static_cast<std::stop_token const*>(token) : std::stop_token{};
}
#else
template <class T>
inline constexpr bool is_std_stop_token = false;

template <class Dependent>
auto stop_token_of(void const* /*token*/, bool /*is_standard*/) {
  static_assert(
      !std::is_void_v<Dependent>,
      "anew::attempt::stop_token() requires a standard library with std::stop_token; yours does not have it (libc++ "
      "before 20 needs -fexperimental-library). Use attempt::stop_requested(), which works without it");
}
#endif

template <class Stop>
stop_view view_of(Stop const& stop) noexcept {
  if constexpr (std::is_same_v<Stop, never_stop>) return {};
  if constexpr (std::is_base_of_v<stop_view, Stop>) return stop;
  return {&stop, [](void const* token) { return static_cast<Stop const*>(token)->stop_requested(); },
          is_std_stop_token<Stop>};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
