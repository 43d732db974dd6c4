// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_GATE_HPP
#define ANEW_ROLES_GATE_HPP

#include <concepts>
#include <optional>
#include <type_traits>

#include "anew/base/breaker_state.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A gate's answer to an attempt that is about to begin: a pass, a refusal, or a wait before the driver asks again.
template <class Pass>
struct admission {
  std::optional<Pass> pass;
  duration wait{};       ///< without a pass: how long to wait before asking again; zero: refused
  gate_change change{};  ///< what the question changed, for the observer

  [[nodiscard]] static constexpr admission admit(Pass pass) { return {pass, {}}; }
  [[nodiscard]] static constexpr admission ask_again_in(duration wait) { return {std::nullopt, wait}; }
  [[nodiscard]] static constexpr admission refuse() { return {std::nullopt, {}}; }
};

namespace detail {
template <class T>
inline constexpr bool is_nothing_or_change = std::is_void_v<T> || std::is_same_v<T, gate_change>;
}  // namespace detail

/// Decides whether an attempt may begin at all, the first included, from the outcomes of all calls.
///
/// | expression, `g` const             | returns                | meaning                                              |
/// |-----------------------------------|------------------------|------------------------------------------------------|
/// | `typename G::role`                |                        | `roles::gate`                                        |
/// | `typename G::pass_type`           |                        | what an attempt holds while it runs; `{}` means nothing |
/// | `g.try_enter(now)`                | `admission<pass_type>` | asked when an attempt is about to begin              |
/// | `g.on_success(pass, now)`         |                        | the attempt succeeded                                |
/// | `g.on_failure(pass, failure, now)` |                       | it failed                                            |
/// | `g.release(pass)`                 |                        | it was not made, or its end is not known             |
/// | `g.would_refuse(time)`            | `bool`                 | whether the gate will refuse at that time, as things stand; then the call ends instead of sleeping. Absent: no |
/// | `g.try_enter(now, since, random)` | `admission<pass_type>` | the same question, asked instead if declared: in `since`, a `time_point`, the gate keeps the time when a waiting attempt first asked, initially `time_point::min()`; `random` is the strategy's RandomSource, for a gate that draws |
/// | `g.on_failure(pass, failure, now, random)` |               | the same report, made instead if declared, with the strategy's RandomSource, for a gate that draws |
///
/// `on_success` and `on_failure` may return a `gate_change`, which the strategy tells its observer; so is that of an admission.
/// They return nothing else, and `release` nothing.
///
/// The clock is read when `now` becomes a `time_point`. Write `try_enter(auto&& now)` and `on_success(pass, auto&& now)`,
/// and convert `now` where you need it: then a call that needs no time does not read the clock.
///
/// After a final failure (the classifier said that another attempt cannot help, and named no kind) `failure::kind` is
/// `client`: the caller's fault.
/// Laws: exact under contention; each pass comes back through exactly one of the three; none of these functions throws or
/// blocks.
template <class G>
concept Gate = detail::PlaysRole<G, roles::gate> && std::regular<typename G::pass_type> &&
               requires(G const& g, failure const& f, typename G::pass_type pass, time_point now) {
                 { g.try_enter(now) } -> detail::Exactly<admission<typename G::pass_type>>;
                 requires detail::is_nothing_or_change<decltype(g.on_success(pass, now))>;
                 requires detail::is_nothing_or_change<decltype(g.on_failure(pass, f, now))>;
                 requires std::is_void_v<decltype(g.release(pass))>;
               } && !requires(G const& g, failure const& f, typename G::pass_type pass, time_point now) {
                 requires !detail::is_nothing_or_change<decltype(g.on_failure(pass, f, now, thread_random{}))>;
               };

namespace detail {

/// A gate that keeps the time when an attempt first asked, or draws whether it may begin.
template <class G>
concept IsAskedWithMore = Gate<G> && requires(G const& g, time_point now, time_point& since) {
  { g.try_enter(now, since, thread_random{}) } -> Exactly<admission<typename G::pass_type>>;
};

template <>
struct row<roles::gate> {
  template <class P>
  static constexpr bool models = is_absent<P> || Gate<P>;
  template <class P>
  static consteval void explain() {
    static_assert(Gate<P>,
                  "anew::strategy<Policies...> requires a Gate policy to have all of 'pass_type', "
                  "'anew::admission<pass_type> try_enter(anew::time_point now) const', 'on_success(pass_type, now) "
                  "const', 'on_failure(pass_type, anew::failure const&, now) const', which return nothing or an "
                  "anew::gate_change, and 'release(pass_type) const'. Check the names, the types and const");
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
