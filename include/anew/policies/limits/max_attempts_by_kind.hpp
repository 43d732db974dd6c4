// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_LIMITS_MAX_ATTEMPTS_BY_KIND_HPP
#define ANEW_POLICIES_LIMITS_MAX_ATTEMPTS_BY_KIND_HPP

#include <cstdint>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// `max_attempts_by_kind` whose kinds are known at run time: a limit for each kind that is named, and one for all others.
///
/// Models: MaxAttempts
/// Formula: that of max_attempts_by_kind
/// Requires: each kind at most once; throws std::invalid_argument
/// Cost: 44 bytes; a compare per kind
/// Choose it where a text or a setting names the kinds. Not where the program knows them: max_attempts_by_kind.
/// Source: none
class max_attempts_by_kind_at_run_time {
 public:
  using role = roles::max_attempts;
  /// One of the two limits: `max_attempts`, or `unbounded`.
  class limit {
   public:
    using role = roles::max_attempts;
    limit() = default;
    limit(max_attempts<run_time_count> most) : most_{most.value()} {}  // NOLINT(*-explicit-*)
    limit(unbounded /*none*/) {}                                       // NOLINT(*-explicit-*)
    [[nodiscard]] bool permits_another(std::uint32_t made) const noexcept { return most_ == 0 || made < most_; }
    [[nodiscard]] std::string describe() const {
      return most_ == 0 ? unbounded::describe() : max_attempts{most_}.describe();
    }

   private:
    std::uint32_t most_ = 0;  // 0: unbounded
  };

  /// A pair of a kind and its limit for each kind that is named.
  max_attempts_by_kind_at_run_time(auto const& named, limit others) : others_{others} {
    for (auto const& [kind, of_kind] : named) {
      detail::require(find(kind) == nullptr, "max_attempts_by_kind_at_run_time", "each kind must be named at most once",
                      to_string(kind));
      rules_[size_++] = {kind, of_kind};
    }
  }

  [[nodiscard]] bool permits_another(call_progress const& progress) const noexcept {
    if (auto const* const named = find(progress.kind)) {
      return named->of_kind.permits_another(progress.counts.of(progress.kind));
    }
    return others_.permits_another(
        progress.counts.of_others([this](error_kind kind) { return find(kind) != nullptr; }));
  }
  [[nodiscard]] bool permits_another(std::uint32_t made) const noexcept { return others_.permits_another(made); }
  [[nodiscard]] bool tells_apart(error_kind kind) const noexcept { return find(kind) != nullptr; }
  [[nodiscard]] std::string describe() const {
    std::string text{"max_attempts_by_kind("};
    for (unsigned i = 0; i != size_; ++i) {
      text.append(to_string(rules_[i].kind)).append("=").append(rules_[i].of_kind.describe()).append(",");
    }
    return text.append(others_.describe()).append(")");
  }

 private:
  struct rule {
    error_kind kind{};
    limit of_kind{};
  };
  [[nodiscard]] rule const* find(error_kind kind) const noexcept {
    for (unsigned i = 0; i != size_; ++i) {
      if (rules_[i].kind == kind) return &rules_[i];
    }
    return nullptr;
  }

  rule rules_[5]{};
  unsigned size_ = 0;
  limit others_;
};

/// A limit for each kind of error that is named, and the last one for all others:
/// `max_attempts_by_kind<for_kind<error_kind::throttling, max_attempts<8>>, max_attempts<3>>`.
///
/// Each of them counts for itself: here the eighth throttling of a call ends it, and so does the third failure of all
/// other kinds together, whichever comes first. So the limits add up: at most 7 + 2 retries.
/// `max_attempts_by_kind{on_kind<error_kind::throttling>(max_attempts{n}), max_attempts{3}}` takes values known at run
/// time.
///
/// Models: MaxAttempts (by kind)
/// Formula: another attempt when M(kind) permits one after as many as the failures of the kinds that belong to M
/// Requires: MaxAttempts, the one for all others last; no kind twice
/// Cost: 20 bytes in the token, to count by
/// Choose it where some errors are worth more patience than others. Not to bound the call as a whole: a deadline.
/// Source: AWS Step Functions retriers, each with its own counter.
template <class... Rules>
class max_attempts_by_kind : public kinds::ruled<roles::max_attempts, Rules...> {
 public:
  using role = roles::max_attempts;
  using kinds::ruled<roles::max_attempts, Rules...>::ruled;

  [[nodiscard]] constexpr bool permits_another(call_progress const& progress) const {
    return this->ask_with_own_count(
        progress, [](auto const& rule, std::uint32_t failed) { return rule.permits_another(failed); });
  }
  /// As if no failure was of a kind that is named.
  [[nodiscard]] constexpr bool permits_another(std::uint32_t made) const {
    return this->rules_.fallback().permits_another(made);
  }

  [[nodiscard]] std::string describe() const { return this->describe_as("max_attempts_by_kind"); }
};

template <class... Rules>
max_attempts_by_kind(Rules...) -> max_attempts_by_kind<Rules...>;

}  // namespace anew::inline ANEW_ABI

#endif
