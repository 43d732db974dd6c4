// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_GATE_HPP
#define ANEW_CONCEPT_GATE_HPP

#include <concepts>
#include <optional>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

/// A gate's answer to an attempt that wants to begin: it may, and holds a pass; it may not; or it asks again later.
template <class Pass>
struct admission {
  std::optional<Pass> pass;
  duration wait{};  ///< without a pass: how long to wait before asking again; zero: refused

  [[nodiscard]] static constexpr admission admit(Pass pass) { return {pass, {}}; }
  [[nodiscard]] static constexpr admission ask_again_in(duration wait) { return {std::nullopt, wait}; }
  [[nodiscard]] static constexpr admission refuse() { return {std::nullopt, {}}; }
};

/// Whether an attempt may begin at all, the first one too: what calls share of what they learned about the far side.
///
/// | expression, `g` const             | returns                | meaning                                              |
/// |-----------------------------------|------------------------|------------------------------------------------------|
/// | `typename G::role`                |                        | `roles::gate`                                        |
/// | `typename G::pass_type`           |                        | what an attempt holds while it runs; `{}` means nothing |
/// | `g.try_enter(now)`                | `admission<pass_type>` | asked when an attempt is about to begin              |
/// | `g.on_success(pass, now)`         |                        | the attempt succeeded                                |
/// | `g.on_failure(pass, failure, now)` |                       | it failed                                            |
/// | `g.release(pass)`                 |                        | it was not made, or its end is not known             |
/// | `g.would_refuse(time)`            | `bool`                 | will it refuse at that time, as things stand? Then the call ends rather than sleep. Absent: no |
/// | `g.try_enter(now, since)`         | `admission<pass_type>` | the same question, asked instead where it is there: in `since`, a `time_point`, the gate remembers for an attempt that waits when it asked first. Before that it is `time_point::min()` |
/// | `g.on_failure(pass, failure, now, random)` |               | it failed. Told instead where it is there: the strategy's RandomSource, for a gate that draws |
///
/// An attempt that failed finally (the classifier said that another one cannot help, and named no kind) is the caller's
/// fault: `failure::kind` is `client`.
/// Laws: exact under contention; each pass comes back through exactly one of the three; none of these functions throws
/// or blocks.
/// Models: circuit_breaker, rate_breaker, cool_down, shared<Gate>, and what partitioned<Key, Gate> lends.
template <class G>
concept Gate = detail::PlaysRole<G, roles::gate> && std::regular<typename G::pass_type> &&
               requires(G const& g, failure const& f, typename G::pass_type pass, time_point now) {
                 { g.try_enter(now) } -> detail::Exactly<admission<typename G::pass_type>>;
                 g.on_success(pass, now);
                 g.on_failure(pass, f, now);
                 g.release(pass);
               };

namespace detail {

/// A gate that lets attempts wait in the order in which they asked first.
template <class G>
concept KeepsOrder = Gate<G> && requires(G const& g, time_point now, time_point& since) {
  { g.try_enter(now, since) } -> Exactly<admission<typename G::pass_type>>;
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
                  "const', 'on_failure(pass_type, anew::failure const&, now) const' and 'release(pass_type) const'. "
                  "Check the names, the types and const");
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
