// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_NESTED_HPP
#define ANEW_POLICIES_BACKOFF_NESTED_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/sum.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A backoff without its type: a function, and what else is asked of it.
struct held_backoff {
  duration cap;
  std::string text;
  std::size_t parts;
  bool tells_kinds;
  std::function<duration(std::uint32_t, call_progress const*)> delay;  // without the progress: of a part
};

/// A part of a nesting, which counts retries alone. Copies share it.
struct nested_part {
  using role = roles::backoff;

  [[nodiscard]] duration delay(std::uint32_t retry) const { return held->delay(retry, nullptr); }
  [[nodiscard]] duration cap() const { return held->cap; }
  [[nodiscard]] std::string describe() const { return held->text; }

  std::shared_ptr<held_backoff const> held;
};

}  // namespace detail

/// Nests backoffs as a text says at run time: `sum(at_least(linear(1s,9s),2s),constant(50ms))` of a text.
///
/// It decides and describes itself as the nested templates do, of which it is made.
///
/// Models: Backoff
/// Formula: those of sum_backoff, at_least_backoff, raised_cap_backoff, immediate_first, phased_backoff, by_kind_backoff and
/// counted_by_kind_backoff
/// Requires: at most 16 backoffs; a backoff that distinguishes kinds of errors is the outermost; throws
/// std::invalid_argument
/// Cost: some allocations for each part, none for a copy; an indirect call per part for each delay
/// Choose it where a text or a setting says how backoffs are nested. Not where the program knows: nest the templates.
/// Source: none
class nested_backoff {
 public:
  using role = roles::backoff;

  /// `for_first(N,...)` of each phase, and the backoff of each kind that is named.
  using phases = std::vector<std::pair<std::uint32_t, nested_backoff>>;
  using kinds = std::vector<std::pair<error_kind, nested_backoff>>;

  /// A nesting of one part.
  template <class B>
    requires(Backoff<B> && !detail::DelaysByKind<B> && detail::DescribesItself<B>)
  nested_backoff(B const& policy) : nested_backoff{policy, 1} {}  // NOLINT(*-explicit-*)

  static detail::value_fault fault_of(nested_backoff const& inner) { return fault_of_parts(1, {&inner}); }
  static detail::value_fault fault_of(nested_backoff const& first, nested_backoff const& second) {
    return fault_of_parts(1, {&first, &second});
  }
  static detail::value_fault fault_of(nested_backoff const& inner, duration least) {
    auto fault = fault_of(inner);
    return fault ? std::move(fault) : decltype(at_least_backoff{inner.whole_, least})::fault_of(inner.whole_, least);
  }
  static detail::value_fault fault_of(nested_backoff const& inner, rational room) {
    auto fault = fault_of(inner);
    return fault ? std::move(fault) : decltype(raised_cap_backoff{inner.whole_, room})::fault_of(inner.whole_, room);
  }
  template <class Rule>
  static detail::value_fault fault_of(std::vector<std::pair<Rule, nested_backoff>> const& rules,
                                      nested_backoff const& last) {
    std::vector<nested_backoff const*> parts{&last};
    for (auto left = rules.size(); left != 0; --left) parts.push_back(&rules[left - 1].second);
    return fault_of_parts(1, parts);
  }

  [[nodiscard]] static nested_backoff immediate_first(nested_backoff const& inner) {
    detail::require_none(fault_of(inner));
    return {anew::immediate_first{inner.whole_}, 1 + inner.parts()};
  }
  [[nodiscard]] static nested_backoff sum(nested_backoff const& first, nested_backoff const& second) {
    detail::require_none(fault_of(first, second));
    return {sum_backoff{first.whole_, second.whole_}, 1 + first.parts() + second.parts()};
  }
  [[nodiscard]] static nested_backoff at_least(nested_backoff const& inner, duration least) {
    detail::require_none(fault_of(inner, least));
    return {at_least_backoff{inner.whole_, least}, 1 + inner.parts()};
  }
  [[nodiscard]] static nested_backoff raised_cap(nested_backoff const& inner, rational room) {
    detail::require_none(fault_of(inner, room));
    return {raised_cap_backoff{inner.whole_, room}, 1 + inner.parts()};
  }

  [[nodiscard]] static nested_backoff phased(phases const& first, nested_backoff const& last) {
    detail::require_none(fault_of(first, last));
    for (auto const& [retries, policy] : first) {
      detail::require_none(decltype(anew::for_first{retries, policy.whole_})::fault_of(retries, policy.whole_));
    }
    return joined("phased", first, last, [first, last](std::uint32_t retry, call_progress const* /*progress*/) {
      for (auto const& [retries, policy] : first) {
        if (retry <= retries) return policy.delay(retry);
        retry -= retries;
      }
      return last.delay(retry);
    });
  }
  [[nodiscard]] static nested_backoff by_kind(kinds const& named, nested_backoff const& others) {
    return of_kinds("by_kind", named, others);
  }
  [[nodiscard]] static nested_backoff counted_by_kind(kinds const& named, nested_backoff const& others) {
    return of_kinds("counted_by_kind", named, others);
  }
  /// Whether it distinguishes kinds of errors, and so cannot be a part of another backoff.
  [[nodiscard]] bool tells_kinds() const noexcept { return whole_.held->tells_kinds; }

  [[nodiscard]] duration delay(std::uint32_t retry) const { return whole_.delay(retry); }
  [[nodiscard]] duration delay(call_progress const& progress) const {
    return whole_.held->delay(progress.attempts, &progress);
  }
  [[nodiscard]] duration cap() const { return whole_.cap(); }
  [[nodiscard]] std::string describe() const { return whole_.describe(); }

 private:
  nested_backoff(auto const& policy, std::size_t parts)
      : nested_backoff{detail::held_backoff{
            detail::cap_of(policy), policy.describe(), parts, false,
            [policy](std::uint32_t retry, call_progress const* /*progress*/) { return policy.delay(retry); }}} {}
  explicit nested_backoff(detail::held_backoff held)
      : whole_{std::make_shared<detail::held_backoff const>(std::move(held))} {}

  static nested_backoff of_kinds(std::string_view word, kinds const& named, nested_backoff const& others) {
    detail::require_none(fault_of(named, others));
    for (auto const& [kind, policy] : named) {
      detail::require(of_kind(named, kind) == &policy, "nested_backoff", "each kind must be named at most once",
                      to_string(kind));
    }
    bool const counts_kinds = word != "by_kind";
    return joined(word, named, others, [=](std::uint32_t retry, call_progress const* progress) {
      if (progress == nullptr) return others.delay(retry);
      auto const* const own = of_kind(named, progress->kind);
      auto const is_own = [&named](error_kind kind) { return of_kind(named, kind) != nullptr; };
      auto const count = own != nullptr ? progress->counts.of(progress->kind) : progress->counts.of_others(is_own);
      return (own != nullptr ? *own : others).delay(counts_kinds ? count : retry);
    });
  }
  static nested_backoff const* of_kind(kinds const& named, error_kind kind) noexcept {
    for (auto const& [each, policy] : named) {
      if (each == kind) return &policy;
    }
    return nullptr;
  }
  template <class Rule>
  static nested_backoff joined(std::string_view word, std::vector<std::pair<Rule, nested_backoff>> const& rules,
                               nested_backoff const& last, auto delay) {
    constexpr bool is_of_kinds = std::is_same_v<Rule, error_kind>;
    detail::held_backoff held{last.cap(), std::string{word}.append("("), 1 + last.parts(), is_of_kinds,
                              std::move(delay)};
    for (auto const& [rule, policy] : rules) {
      held.cap = detail::larger(held.cap, policy.cap());
      held.parts += policy.parts();
      if constexpr (is_of_kinds) {
        held.text.append(to_string(rule)).append("=").append(policy.describe()).append(",");
      } else {
        held.text.append(detail::written("for_first", rule, policy)).append(",");
      }
    }
    held.text.append(last.describe()).append(")");
    return nested_backoff{std::move(held)};
  }

  static detail::value_fault fault_of_parts(std::size_t count, std::vector<nested_backoff const*> const& parts) {
    constexpr std::size_t most_parts = 16;
    detail::value_fault fault{"nested_backoff"};
    for (auto const* const part : parts) {
      count += part->parts();
      fault.unless(!part->tells_kinds(), "a backoff that tells kinds of errors apart must stand outside", *part)
          .unless(count <= most_parts, "there must be at most 16 backoffs in one", count);
    }
    return fault;
  }
  [[nodiscard]] std::size_t parts() const noexcept { return whole_.held->parts; }

  detail::nested_part whole_;
};

}  // namespace anew::inline ANEW_ABI

#endif
