// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_NESTED_HPP
#define ANEW_POLICIES_BACKOFF_NESTED_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
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

/// A backoff that counts retries alone, without its type. Copies share it.
class any_backoff {
 public:
  using role = roles::backoff;

  template <class B>
  any_backoff(B const& policy, std::size_t parts)
      : held_{std::make_shared<held const>(cap_of(policy), policy.describe(), parts,
                                           [policy](std::uint32_t retry) { return policy.delay(retry); })} {}

  [[nodiscard]] duration delay(std::uint32_t retry) const { return held_->delay(retry); }
  [[nodiscard]] duration cap() const { return held_->cap; }
  [[nodiscard]] std::string describe() const { return held_->text; }
  [[nodiscard]] std::size_t parts() const noexcept { return held_->parts; }

 private:
  struct held {
    held(duration c, std::string t, std::size_t p, auto d)
        : cap{c}, text{std::move(t)}, parts{p}, delay{std::move(d)} {}
    duration cap;
    std::string text;
    std::size_t parts;
    std::function<duration(std::uint32_t)> delay;
  };
  std::shared_ptr<held const> held_;
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

  /// A nesting of one part.
  template <class B>
    requires(Backoff<B> && !detail::DelaysByKind<B> && detail::DescribesItself<B>)
  nested_backoff(B policy) : last_{std::move(policy), 1} {}  // NOLINT(*-explicit-*)

  /// Says why they cannot be the parts of one backoff; empty where they can.
  static detail::value_fault fault_of(nested_backoff const& inner) { return fault_of_parts(1, {&inner}); }
  static detail::value_fault fault_of(nested_backoff const& first, nested_backoff const& second) {
    return fault_of_parts(1, {&first, &second});
  }
  static detail::value_fault fault_of(nested_backoff const& inner, duration least) {
    auto fault = fault_of(inner);
    return fault ? std::move(fault) : decltype(at_least_backoff{inner.last_, least})::fault_of(inner.last_, least);
  }
  static detail::value_fault fault_of(nested_backoff const& inner, rational room) {
    auto fault = fault_of(inner);
    return fault ? std::move(fault) : decltype(raised_cap_backoff{inner.last_, room})::fault_of(inner.last_, room);
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
    return {anew::immediate_first{inner.whole()}, 1 + inner.parts()};
  }
  [[nodiscard]] static nested_backoff sum(nested_backoff const& first, nested_backoff const& second) {
    detail::require_none(fault_of(first, second));
    return {sum_backoff{first.whole(), second.whole()}, 1 + first.parts() + second.parts()};
  }
  [[nodiscard]] static nested_backoff at_least(nested_backoff const& inner, duration least) {
    detail::require_none(fault_of(inner, least));
    return {at_least_backoff{inner.whole(), least}, 1 + inner.parts()};
  }
  [[nodiscard]] static nested_backoff raised_cap(nested_backoff const& inner, rational room) {
    detail::require_none(fault_of(inner, room));
    return {raised_cap_backoff{inner.whole(), room}, 1 + inner.parts()};
  }

  /// Phases and kinds are added one by one, each before those already added: the last one has its backoff from the
  /// constructor.
  [[nodiscard]] static nested_backoff phased(nested_backoff const& last) { return {"phased", last}; }
  [[nodiscard]] static nested_backoff by_kind(nested_backoff const& others) { return {"by_kind", others}; }
  [[nodiscard]] static nested_backoff counted_by_kind(nested_backoff const& others) {
    return {"counted_by_kind", others};
  }
  /// The backoff for the first `retries` retries, of a `phased`.
  void begin_with(std::uint32_t retries, nested_backoff const& phase) {
    detail::require_none(decltype(anew::for_first{retries, last_})::fault_of(retries, last_));
    add_first(retries, error_kind{}, phase);
  }
  /// The backoff for one kind of error, of a `by_kind` or `counted_by_kind`.
  void add_for(error_kind kind, nested_backoff const& policy) {
    detail::require(of_kind(kind) == nullptr, "nested_backoff", "each kind must be named at most once",
                    to_string(kind));
    add_first(0, kind, policy);
  }
  /// Whether it distinguishes kinds of errors, and so cannot be a part of another backoff.
  [[nodiscard]] bool tells_kinds() const noexcept { return word_.ends_with("_kind"); }

  [[nodiscard]] duration delay(std::uint32_t retry) const {
    for (auto const& phase : rules_) {
      if (retry <= phase.retries) return phase.policy.delay(retry);
      retry -= phase.retries;  // 0 where it tells kinds
    }
    return last_.delay(retry);
  }
  [[nodiscard]] duration delay(call_progress const& progress) const {
    if (!tells_kinds()) return delay(progress.attempts);
    auto const* const own = of_kind(progress.kind);
    auto const is_own = [this](error_kind kind) { return of_kind(kind) != nullptr; };
    auto const retry = word_ == "by_kind" ? progress.attempts
                       : own != nullptr   ? progress.counts.of(progress.kind)
                                          : progress.counts.of_others(is_own);
    return (own != nullptr ? *own : last_).delay(retry);
  }
  [[nodiscard]] duration cap() const {
    auto most = last_.cap();
    for (auto const& each : rules_) most = detail::larger(most, each.policy.cap());
    return most;
  }
  [[nodiscard]] std::string describe() const {
    if (word_.empty()) return last_.describe();
    auto text = std::string{word_}.append("(");
    for (auto const& each : rules_) {
      text.append(each.retries != 0 ? detail::written("for_first", each.retries, each.policy)
                                    : std::string{to_string(each.kind)}.append("=").append(each.policy.describe()));
      text.append(",");
    }
    return text.append(last_.describe()).append(")");
  }

 private:
  /// The backoff of a phase, or of a kind of error.
  struct rule {
    std::uint32_t retries;  // 0: a kind's
    error_kind kind;
    detail::any_backoff policy;
  };

  nested_backoff(auto policy, std::size_t parts) : last_{std::move(policy), parts} {}
  nested_backoff(std::string_view word, nested_backoff const& last) : word_{word}, last_{last.whole()} {
    detail::require_none(fault_of(last));
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
  [[nodiscard]] detail::any_backoff whole() const {
    return word_.empty() ? last_ : detail::any_backoff{*this, parts()};
  }
  [[nodiscard]] std::size_t parts() const noexcept {
    auto sum = last_.parts() + (word_.empty() ? 0 : 1);
    for (auto const& each : rules_) sum += each.policy.parts();
    return sum;
  }
  [[nodiscard]] detail::any_backoff const* of_kind(error_kind kind) const noexcept {
    for (auto const& each : rules_) {
      if (each.retries == 0 && each.kind == kind) return &each.policy;
    }
    return nullptr;
  }
  void add_first(std::uint32_t retries, error_kind kind, nested_backoff const& policy) {
    detail::require_none(fault_of_parts(parts(), {&policy}));
    rules_.insert(rules_.begin(), {retries, kind, policy.whole()});
  }

  std::string_view word_;  // phased, by_kind or counted_by_kind; empty for a backoff of one part
  std::vector<rule> rules_;
  detail::any_backoff last_;
};

}  // namespace anew::inline ANEW_ABI

#endif
