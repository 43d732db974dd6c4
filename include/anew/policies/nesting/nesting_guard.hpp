// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_NESTING_NESTING_GUARD_HPP
#define ANEW_POLICIES_NESTING_NESTING_GUARD_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/intrinsics.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The behaviour of a guarded call inside an attempt of another guarded call, on the same thread.
enum class when_nested : std::uint8_t {
  collapse,     ///< it makes one attempt: the outer call does the retrying
  share_quota,  ///< it retries, and the outer call's quota pays
};

namespace detail {

/// The layers of a program may be built differently, so they exchange only numbers and pointers.
using lent_quota = anew_process::lent_quota_1;

inline anew_process::failure_1 as_told(failure const& what) noexcept {
  return {what.hint ? what.hint->count() : 0, static_cast<std::uint8_t>(what.kind),
          static_cast<std::uint8_t>(what.safety), what.hint.has_value()};
}
inline failure as_heard(anew_process::failure_1 const& what) noexcept {
  failure heard{static_cast<error_kind>(what.kind), static_cast<retry_safety>(what.safety), std::nullopt};
  if (what.has_hint) heard.hint = duration{what.hint};
  return heard;
}

template <class Q>
struct permit_fits_in_8_bytes {
  using permit = typename Q::permit_type;
  static constexpr bool value = sizeof(permit) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<permit> &&
                                std::is_default_constructible_v<permit>;
};
/// Nothing between two layers carries the time, or asks again before a nested retry.
template <class Q>
inline constexpr bool quota_is_asked_without_the_time = AcquiresWithoutTime<Q> && !SettlesPermits<Q>;

enum : int { settled_by_success, settled_by_failure, settled_by_release };

template <class Q>
lent_quota lend(Q const& quota) noexcept {
  using permit_type = typename Q::permit_type;
  return {&quota,
          [](void const* of, anew_process::failure_1 const& what, std::uint64_t& bits) {
            auto const permit = static_cast<Q const*>(of)->try_acquire(as_heard(what));
            if (permit)
              detail::copy_bytes(&bits, static_cast<void const*>(__builtin_addressof(*permit)), sizeof(permit_type));
            return permit.has_value();
          },
          [](void const* of, std::uint64_t bits, int how) {
            auto const& q = *static_cast<Q const*>(of);
            permit_type permit{};
            detail::copy_bytes(static_cast<void*>(__builtin_addressof(permit)), &bits, sizeof(permit_type));
            if (how == settled_by_success) {
              q.on_success(permit);
            } else if (how == settled_by_release) {
              q.release(permit);
            } else if constexpr (requires { q.on_failure(permit); }) {
              q.on_failure(permit);
            }
          }};
}

/// The scope of an attempt of a guarded call. A nested scope keeps the quota of the outermost call, which pays for all
/// retries.
class nesting_scope {
 public:
  explicit nesting_scope(lent_quota const& own) noexcept
      : told_{innermost(), innermost() != nullptr ? innermost()->pays : own} {
    anew_process::innermost_scope_1 = &told_;
  }
  nesting_scope(nesting_scope const&) = delete;
  nesting_scope& operator=(nesting_scope const&) = delete;
  ~nesting_scope() { anew_process::innermost_scope_1 = told_.outer; }

  [[nodiscard]] static anew_process::nesting_scope_1 const* innermost() noexcept {
    return anew_process::innermost_scope_1;
  }

 private:
  anew_process::nesting_scope_1 told_;
};

}  // namespace detail

/// Keeps retries inside retries from multiplying: three attempts inside three are nine requests, with a guard in both
/// strategies three, or as many more as the outer one's quota pays for.
///
/// A call is nested when it is made inside an attempt of another call on the same thread, and both strategies have a
/// guard; the types of the strategies may differ. At any depth the quota of the outermost call pays. `collapse`: the
/// nested call makes one attempt and ends with `stop_reason::nested`. `share_quota`: a retry of the nested call is
/// charged to the quota of the outermost one, instead of its own, and ends with `stop_reason::quota` when that
/// refuses; so the outermost strategy needs a quota that limits retries, and must outlive the tokens of the nested
/// calls. A success without a retry is reported to the nested call's own quota.
///
/// The layers may be in shared libraries, of different builds and versions of anew; a program that loads a layer by
/// `dlopen()` exports its symbols (`-rdynamic`; CMake: ENABLE_EXPORTS).
/// The guard detects only calls on its own thread. A call that an attempt makes on another thread is not nested, nor is
/// a call that an asynchronous operation makes after it has returned: give such calls a strategy that retries less.
///
/// Models: Nesting      Formula: none
/// Requires: of `share_quota` a quota whose permits are trivially copyable and of at most 8 bytes, and which is asked
/// without the time
/// Cost: two writes to thread-local memory per attempt; with `share_quota` 40 bytes in the token and calls by pointer
/// Choose it in strategies of layers that do not know each other. Not across threads.
/// Source: nothing similar known in C++; YDB's "retry below me" flag comes nearest.
template <when_nested What = when_nested::collapse>
class nesting_guard {
  static constexpr bool collapses = What == when_nested::collapse;
  struct lend_chosen {
    detail::lent_quota operator()(auto const& quota) const noexcept { return lent_by(quota); }
  };
  struct lent_permit {
    detail::lent_quota from{};
    std::uint64_t permit = 0;
    friend bool operator==(lent_permit const& a, lent_permit const& b) noexcept {
      return a.from.quota == b.from.quota && a.from.settle == b.from.settle && a.permit == b.permit;
    }
  };

 public:
  using role = roles::nesting;
  using permit_type = std::conditional_t<collapses, no_permit, lent_permit>;
  static constexpr stop_reason refusal = collapses ? stop_reason::nested : stop_reason::quota;

  /// Explains a quota that cannot be lent, where the call is explained: compilers name no line of the caller for what they
  /// instantiate late.
  template <class Q>
  static consteval bool explain_quota() {
    constexpr bool fits = collapses || detail::permit_fits_in_8_bytes<Q>::value;
    constexpr bool timeless = collapses || detail::quota_is_asked_without_the_time<Q>;
    if constexpr (!fits) {
      static_assert(detail::permit_fits_in_8_bytes<Q>::value,
                    "anew::nesting_guard<when_nested::share_quota> requires a quota whose 'permit_type' is trivially "
                    "copyable and at most 8 bytes long; this quota's 'permit_type' is not. Use when_nested::collapse");
    } else if constexpr (!timeless) {
      static_assert(detail::quota_is_asked_without_the_time<Q>,
                    "anew::nesting_guard<when_nested::share_quota> requires a quota with 'try_acquire(anew::failure "
                    "const&)' and without 'settle'; this quota also needs the time, or settles its permits. Use "
                    "anew::token_bucket<>, or when_nested::collapse");
    }
    return fits && timeless;
  }
  [[nodiscard]] detail::nesting_scope enter(auto const& quota) const noexcept {
    return detail::nesting_scope{lent_by(quota)};
  }
  /// The functions of the quota that pays for nested calls; empty if the quota cannot be lent, so that a nested call's
  /// retry is refused.
  template <class Q>
  [[nodiscard]] static detail::lent_quota lent_by(Q const& quota) noexcept {
    if constexpr (requires { quota.visit(lend_chosen{}); }) {
      return quota.visit(lend_chosen{});
    } else if constexpr (detail::permit_fits_in_8_bytes<Q>::value && detail::quota_is_asked_without_the_time<Q>) {
      return detail::lend(quota);
    } else {
      return {};
    }
  }

  [[nodiscard]] static bool is_nested() noexcept { return detail::nesting_scope::innermost() != nullptr; }

  [[nodiscard]] static std::optional<permit_type> try_acquire([[maybe_unused]] failure const& what) {
    if constexpr (collapses) {
      return std::nullopt;
    } else {
      auto const* const scope = detail::nesting_scope::innermost();
      if (scope == nullptr || scope->pays.quota == nullptr) return std::nullopt;
      permit_type permit{scope->pays, 0};
      auto const told = detail::as_told(what);
      if (!permit.from.try_acquire(permit.from.quota, told, permit.permit)) return std::nullopt;
      return permit;
    }
  }
  static void on_success(permit_type const& permit) { settle(permit, detail::settled_by_success); }
  static void on_failure(permit_type const& permit) { settle(permit, detail::settled_by_failure); }
  static void release(permit_type const& permit) { settle(permit, detail::settled_by_release); }

  [[nodiscard]] static std::string describe() {
    return collapses ? std::string{"nesting_guard(collapse)"} : std::string{"nesting_guard(share_quota)"};
  }

 private:
  static void settle([[maybe_unused]] permit_type const& permit, [[maybe_unused]] int how) {
    if constexpr (!collapses) {
      if (permit.from.quota != nullptr) permit.from.settle(permit.from.quota, permit.permit, how);
    }
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
