// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_BY_KIND_HPP
#define ANEW_POLICIES_BACKOFF_BY_KIND_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace kinds {

template <class... Rules>
class ruled_backoff : public ruled<roles::backoff, Rules...> {
 public:
  using ruled<roles::backoff, Rules...>::ruled;

  /// As if no failure was of a named kind.
  [[nodiscard]] constexpr duration delay(std::uint32_t retry) const { return this->rules_.fallback().delay(retry); }

  [[nodiscard]] constexpr duration cap() const noexcept {
    auto most = duration::zero();
    this->rules_.each([&most](auto, auto const& rule) { most = detail::larger(most, detail::cap_of(rule)); });
    return most;
  }
};

}  // namespace kinds

/// Selects a backoff by the kind of error, the last one for all other kinds:
/// `counted_by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>, exponential_backoff<50ms, 20s>>`.
///
/// Each backoff has its own count: the second throttling of a call waits its backoff's delay before retry 2, however
/// many other errors came between. All kinds that are not named share the last backoff's count.
/// `counted_by_kind_backoff{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}), constant_backoff{50ms}}` takes
/// values known at run time.
///
/// Models: Backoff (by kind)      Formula: delay = B(kind)(failures of the kinds that belong to B); cap = the largest
/// cap
/// Requires: Backoffs, the one for all others last; no kind twice
/// Cost: 20 bytes in the token, to count by
/// Choose it where throttling needs a longer wait than a broken connection. Not where the server says how long: a hint
/// does that by itself.
/// Source: AWS Step Functions retriers, each with its own counter.
template <class... Rules>
class counted_by_kind_backoff : public kinds::ruled_backoff<Rules...> {
 public:
  using role = roles::backoff;
  using kinds::ruled_backoff<Rules...>::ruled_backoff;

  using kinds::ruled_backoff<Rules...>::delay;
  [[nodiscard]] constexpr duration delay(call_progress const& progress) const {
    return this->ask_with_own_count(progress,
                                    [](auto const& rule, std::uint32_t failed) { return rule.delay(failed); });
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("counted_by_kind"); }
};

template <class... Rules>
counted_by_kind_backoff(Rules...) -> counted_by_kind_backoff<Rules...>;

/// Selects a backoff by the kind of error, the last one for all other kinds, with one count for all of them:
/// `by_kind_backoff<for_kind<error_kind::throttling, exponential_backoff<1s, 20s>>, exponential_backoff<50ms, 20s>>`.
///
/// The kind of the last failure selects the backoff, which is asked about the call's retry: a throttling after two
/// broken connections waits its backoff's delay before retry 3, 4 s here.
/// `by_kind_backoff{on_kind<error_kind::throttling>(exponential_backoff{1s, 20s}), constant_backoff{50ms}}` takes
/// values known at run time.
///
/// Models: Backoff (by kind)
/// Formula: delay = B(kind of the last failure)(failures of the call); cap = the largest cap
/// Requires: Backoffs, the one for all others last; no kind twice
/// Cost: that of the selected backoff; nothing in the token
/// Choose it where the base of the delay depends on the error, and its growth on all failures of the call. Not where
/// each kind of error has its own growth: counted_by_kind_backoff.
/// Source: AWS SDKs since 2026: base 50 ms, after throttling 1 s, the exponent counts all retries of the call
template <class... Rules>
class by_kind_backoff : public kinds::ruled_backoff<Rules...> {
 public:
  using role = roles::backoff;
  static constexpr bool needs_counts = false;
  using kinds::ruled_backoff<Rules...>::ruled_backoff;

  using kinds::ruled_backoff<Rules...>::delay;
  [[nodiscard]] constexpr duration delay(call_progress const& progress) const {
    return this->rules_.ask(progress.kind, progress.attempts, progress.attempts,
                            [](auto const& rule, std::uint32_t retry) { return rule.delay(retry); });
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("by_kind"); }
};

template <class... Rules>
by_kind_backoff(Rules...) -> by_kind_backoff<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
