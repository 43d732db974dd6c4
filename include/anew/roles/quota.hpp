// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ROLES_QUOTA_HPP
#define ANEW_ROLES_QUOTA_HPP

#include <concepts>
#include <optional>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The permit of a quota that never refuses: empty, with nothing to return.
struct no_permit {
  friend constexpr bool operator==(no_permit, no_permit) = default;
};

namespace detail {

struct quota_promise;  // the closed forms of what quotas promise: anew/bounds/internal/quota_promise.hpp

template <class Q>
concept AcquiresWithoutTime = requires(Q const& q, failure const& f) {
  { q.try_acquire(f) } -> Exactly<std::optional<typename Q::permit_type>>;
};
template <class Q>
concept AcquiresWithTime = requires(Q const& q, failure const& f, time_point now) {
  { q.try_acquire(f, now) } -> Exactly<std::optional<typename Q::permit_type>>;
};
/// An empty class has one value, `{}`, which means that nothing is held: it would never be released.
template <class Q>
inline constexpr bool permit_says_what_is_held = true;
template <class Q>
  requires requires { typename Q::permit_type; }
inline constexpr bool permit_says_what_is_held<Q> =
    !std::is_empty_v<typename Q::permit_type> || std::same_as<typename Q::permit_type, no_permit>;

template <class Q>
concept CountsCalls = requires(Q const& q, time_point now) { q.on_call(now); };
template <class Q>
concept WaitsBeforeRefusal = requires { requires Q::waits_before_refusal; };
template <class Q>
concept SettlesPermits = requires(Q const& q, typename Q::permit_type permit, time_point now) {
  { q.settle(permit, now) } -> Exactly<admission<typename Q::permit_type>>;
};
template <class Q>
concept CountsCallsUnderWay = CountsCalls<Q> && requires(Q const& q) { q.on_call_end(); };

}  // namespace detail

/// Limits the retries of all calls together. First attempts are free.
///
/// | expression, `q` const       | returns                        | meaning                                              |
/// |-----------------------------|--------------------------------|------------------------------------------------------|
/// | `typename Q::role`          |                                | `roles::quota`                                       |
/// | `typename Q::permit_type`   |                                | what one retry holds; `{}` means nothing             |
/// | `q.try_acquire(failure)`    | `std::optional<permit_type>`   | charges for one retry, or refuses and charges nothing |
/// | `q.on_success(permit)`      |                                | the call succeeded; `{}` when it did so at once      |
/// | `q.on_failure(permit)`      |                                | the retry was made and failed. Absent: the permit is spent   |
/// | `q.release(permit)`         |                                | the retry was never made, or its end is not known    |
///
/// Optional functions of a quota:
///
/// | expression, `q` const              | called                                                              |
/// |------------------------------------|---------------------------------------------------------------------|
/// | `q.try_acquire(failure, now)`      | instead of the one above, for a quota that time refills              |
/// | `q.wait(permit, now)`              | the least wait of a retry whose permit was lent; 0 when it is paid |
/// | `q.settle(permit, now)`            | an `admission<permit_type>`: when the retry is about to begin, for a quota that asks a remote service. A permit: it stands, and replaces the first; a wait: ask again after it; neither: the call ends as if the quota had refused, and the permit is released |
/// | `q.on_call(now)`                   | once for each call, before its first attempt; with `on_call(auto&& now)` the clock is read only where `now` becomes a `time_point` |
/// | `q.on_call_end()`                  | once for each call for which `on_call` was called, however it ends  |
/// | `Q::waits_before_refusal`, true    | a refused call waits as long as the retry would have waited, and ends |
/// | `q.on_attempt_failed(failure)`     | after each failed attempt, before anything is decided               |
///
/// Laws: exact under contention (never more out than in); each permit comes back through exactly one of `on_success`,
/// `on_failure` and `release`; a permit that `settle` has granted is granted again, unchanged; none of these functions
/// throws or blocks.
template <class Q>
concept Quota =
    detail::PlaysRole<Q, roles::quota> && std::regular<typename Q::permit_type> &&
    detail::permit_says_what_is_held<Q> && (detail::AcquiresWithoutTime<Q> || detail::AcquiresWithTime<Q>) &&
    requires(Q const& q, typename Q::permit_type permit) {
      q.on_success(permit);
      q.release(permit);
    };

namespace detail {

/// Works for quotas with and without the optional member.
template <WaitsBeforeRefusal Q>
constexpr bool waits_before_refusal([[maybe_unused]] Q const& quota) noexcept {
  if constexpr (requires { quota.waits_before_refusal_now(); }) return quota.waits_before_refusal_now();
  return true;
}

template <class Q>
constexpr auto try_acquire(Q const& quota, failure const& what, [[maybe_unused]] auto&& now) {
  if constexpr (AcquiresWithTime<Q>) {
    return quota.try_acquire(what, now);
  } else {
    return quota.try_acquire(what);
  }
}

template <>
struct row<roles::quota> {
  template <class P>
  static constexpr bool models = Quota<P>;
  template <class P>
  static consteval void explain() {
    if constexpr (!permit_says_what_is_held<P>) {
      static_assert(
          permit_says_what_is_held<P>,
          "anew::strategy<Policies...> requires a Quota policy whose permit_type says what a retry holds; an "
          "empty class has one value, {}, which means nothing, so release() would never be called. Use a bool "
          "or a number, or anew::no_permit for a quota that takes nothing back");
    } else {
      static_assert(Quota<P>,
                    "anew::strategy<Policies...> requires a Quota policy to have all of 'permit_type', "
                    "'std::optional<permit_type> try_acquire(anew::failure const&) const', 'on_success(permit_type) "
                    "const' and 'release(permit_type) const'. Check the names, the types and const");
    }
  }
};

}  // namespace detail
}  // namespace anew::inline ANEW_ABI

#endif
