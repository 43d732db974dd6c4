// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_READ_FORM_HPP
#define ANEW_BASE_INTERNAL_READ_FORM_HPP

#include <type_traits>
#include <utility>

#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The form of a policy that a text is read into: a policy of numbers alone has them as values, any other is itself.
template <class P>
struct read_form : std::type_identity<P> {};
template <class P>
  requires(std::is_empty_v<P> && DeclaresRunTimeForm<P>)
struct read_form<P> : std::type_identity<decltype(std::declval<P const&>().run_time_form())> {};

}  // namespace anew::inline ANEW_ABI::detail

#endif
