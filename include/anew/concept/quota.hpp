// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONCEPT_QUOTA_HPP
#define ANEW_CONCEPT_QUOTA_HPP

#include <concepts>
#include <optional>
#include <type_traits>

#include "anew/failure.hpp"
#include "anew/roles.hpp"

namespace anew {

/// What a quota that never refuses hands out: nothing to hold, nothing to give back.
struct no_permit {
  friend constexpr bool operator==(no_permit, no_permit) = default;
};

/// What all calls together may spend on retries. First attempts are never asked for.
///
/// | expression, `q` const       | returns                        | meaning                                              |
/// |-----------------------------|--------------------------------|------------------------------------------------------|
/// | `typename Q::role`          |                                | `roles::quota`                                       |
/// | `typename Q::permit_type`   |                                | what one retry holds; `{}` means nothing             |
/// | `q.try_acquire(failure)`    | `std::optional<permit_type>`   | charges for one retry, or refuses and charges nothing |
/// | `q.on_success(permit)`      |                                | the call succeeded; `{}` when it did so at once      |
/// | `q.on_failure(permit)`      |                                | the retry was made and failed. Absent: it is spent   |
/// | `q.release(permit)`         |                                | the retry was never made, or its end is not known    |
///
/// Laws: exact under contention (never more out than in); each permit comes back through exactly one of the last
/// three; none of these functions throws or blocks.
/// Models: unlimited_quota, token_bucket.
template <class Q>
concept Quota = detail::PlaysRole<Q, roles::quota> && std::regular<typename Q::permit_type> &&
                requires(Q const& q, failure const& f, typename Q::permit_type permit) {
                  { q.try_acquire(f) } -> detail::Exactly<std::optional<typename Q::permit_type>>;
                  q.on_success(permit);
                  q.release(permit);
                };

namespace detail {

/// A quota whose permits need no giving back: the token need not know it.
template <class Q>
inline constexpr bool is_unlimited = std::is_empty_v<typename Q::permit_type>;

}  // namespace detail
}  // namespace anew

#endif
