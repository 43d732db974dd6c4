// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_BACKOFF_NESTED_HPP
#define ANEW_POLICIES_BACKOFF_NESTED_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/constant.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/backoff/fibonacci.hpp"
#include "anew/policies/backoff/immediate_first.hpp"
#include "anew/policies/backoff/linear.hpp"
#include "anew/policies/backoff/no_backoff.hpp"
#include "anew/policies/backoff/raised_cap.hpp"
#include "anew/policies/backoff/sequence.hpp"
#include "anew/policies/backoff/sum.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class P, class Variant>
inline constexpr bool is_alternative = false;
template <class P, class... Ps>
inline constexpr bool is_alternative<P, std::variant<Ps...>> = (std::is_same_v<P, Ps> || ...);

}  // namespace detail

/// Nests backoffs as a text says at run time: `sum(at_least(linear(1s,9s),2s),constant(50ms))` of a text.
///
/// It decides and describes itself as the nested templates do. Its parts lie in one array.
///
/// Models: Backoff
/// Formula: those of sum_backoff, at_least_backoff, raised_cap_backoff, immediate_first, phased_backoff, by_kind_backoff and
/// counted_by_kind_backoff
/// Requires: at most 16 backoffs; a backoff that distinguishes kinds of errors is the outermost; throws
/// std::invalid_argument
/// Cost: about 1 KiB; a call per part for each delay; allocates only for a `sequence`
/// Choose it where a text or a setting says how backoffs are nested. Not where the program knows: nest the templates.
/// Source: none
class nested_backoff {
 public:
  using role = roles::backoff;
  static constexpr std::size_t most_parts = 16;
  using leaf = std::variant<
      no_backoff, constant_backoff<run_time>, exponential_backoff<run_time, run_time, at_run_time<rational>>,
      linear_backoff<run_time, run_time, run_time>, fibonacci_backoff<run_time, run_time>, sequence_backoff<run_time>>;

  template <class B>
    requires detail::is_alternative<B, leaf>
  nested_backoff(B policy) {  // NOLINT(*-explicit-*): a backoff converts to a nesting of one part
    size_ = 1;
    parts_[0].policy.template emplace<B>(std::move(policy));
  }
  [[nodiscard]] static nested_backoff immediate_first(nested_backoff const& inner) {
    return {shape::immediate_first, {&inner}};
  }
  [[nodiscard]] static nested_backoff sum(nested_backoff const& first, nested_backoff const& second) {
    return {shape::sum, {&first, &second}};
  }
  [[nodiscard]] static nested_backoff at_least(nested_backoff const& inner, duration least) {
    static_cast<void>(at_least_backoff{no_backoff{}, least});  // checks
    nested_backoff made{shape::floor, {&inner}};
    made.parts_[0].least = least;
    return made;
  }
  [[nodiscard]] static nested_backoff raised_cap(nested_backoff const& inner, rational room) {
    static_cast<void>(raised_cap_backoff{no_backoff{}, room});  // checks
    nested_backoff made{shape::raised_cap, {&inner}};
    made.parts_[0].room = room;
    return made;
  }

  /// Phases and kinds are added one by one, each before those already added: the last one has its backoff from the
  /// constructor.
  [[nodiscard]] static nested_backoff phased(nested_backoff const& last) { return {shape::phased, {&last}}; }
  [[nodiscard]] static nested_backoff by_kind(nested_backoff const& others) { return {shape::by_kind, {&others}}; }
  [[nodiscard]] static nested_backoff counted_by_kind(nested_backoff const& others) {
    return {shape::counted_by_kind, {&others}};
  }
  /// The backoff for the first `retries` retries, of a `phased`.
  void begin_with(std::uint32_t retries, nested_backoff const& phase) {
    detail::require(retries != 0, "for_first", "retries must be between 1 and 4294967295", "0");
    add_first(phase, retries);
  }
  /// The backoff for one kind of error, of a `by_kind` or `counted_by_kind`.
  void add_for(error_kind kind, nested_backoff const& policy) {
    detail::require(!names(kind), "nested_backoff", "each kind must be named at most once", to_string(kind));
    add_first(policy, label_of(kind));
  }
  /// Whether it distinguishes kinds of errors, and so cannot be a part of another backoff.
  [[nodiscard]] bool tells_kinds() const noexcept {
    return parts_[0].form == shape::by_kind || parts_[0].form == shape::counted_by_kind;
  }

  [[nodiscard]] duration delay(std::uint32_t retry) const { return part{this, 0}.delay(retry); }
  [[nodiscard]] duration delay(call_progress const& progress) const {
    if (!tells_kinds()) return delay(progress.attempts);
    bool const is_named = names(progress.kind);
    std::uint32_t retry = progress.attempts;
    if (parts_[0].form == shape::counted_by_kind) {
      retry = is_named ? progress.counts.of(progress.kind)
                       : progress.counts.of_others([this](error_kind kind) { return names(kind); });
    }
    auto at = parts_[0].child;
    while (parts_[at].next != 0 && !(is_named && parts_[at].label == label_of(progress.kind))) at = parts_[at].next;
    return part{this, at}.delay(retry);
  }
  [[nodiscard]] duration cap() const { return part{this, 0}.cap(); }
  [[nodiscard]] std::string describe() const { return part{this, 0}.describe(); }

 private:
  enum class shape : std::uint8_t { leaf, immediate_first, sum, floor, raised_cap, phased, by_kind, counted_by_kind };
  struct node {
    shape form = shape::leaf;
    std::uint8_t child = 0;   // the first part; 0: none
    std::uint8_t next = 0;    // the next part of the same whole; 0: none
    std::uint32_t label = 0;  // the retries of a phase, or the kind of an error
    duration least{};
    rational room{0};
    leaf policy{};
  };

  /// A part as a backoff, from which the templates are made for the duration of a question.
  struct part {
    using role = roles::backoff;
    nested_backoff const* of;
    std::uint8_t at;

    [[nodiscard]] node const& self() const noexcept { return of->parts_[at]; }
    [[nodiscard]] part sibling() const noexcept { return {of, self().next}; }
    template <class OfPolicy, class OfParts>
    auto ask(OfPolicy const& of_policy, OfParts const& of_parts) const {
      part const first{of, self().child};
      switch (self().form) {
        case shape::leaf: break;
        case shape::immediate_first: return of_policy(anew::immediate_first<part>{first});
        case shape::sum: return of_policy(sum_backoff<part, part>{first, first.sibling()});
        case shape::floor: return of_policy(at_least_backoff<part, run_time>{first, self().least});
        case shape::raised_cap: return of_policy(raised_cap_backoff<part, at_run_time<rational>>{first, self().room});
        case shape::phased:
        case shape::by_kind:
        case shape::counted_by_kind: return of_parts(first);
      }
      return std::visit(of_policy, self().policy);
    }

    [[nodiscard]] duration delay(std::uint32_t retry) const {
      return ask([retry](auto const& policy) { return policy.delay(retry); },
                 [&](part phase) {
                   for (; phase.self().next != 0 && phase.self().label != 0; phase = phase.sibling()) {
                     if (of->parts_[at].form == shape::phased) {
                       if (retry <= phase.self().label) break;
                       retry -= phase.self().label;
                     }
                   }
                   return phase.delay(retry);
                 });
    }
    [[nodiscard]] duration cap() const {
      return ask([](auto const& policy) { return policy.cap(); },
                 [](part phase) {
                   auto most = phase.cap();
                   while (phase.self().next != 0) {
                     phase = phase.sibling();
                     most = detail::larger(most, phase.cap());
                   }
                   return most;
                 });
    }
    [[nodiscard]] std::string describe() const {
      return ask(
          [](auto const& policy) { return policy.describe(); },
          [&](part phase) {
            bool const is_phased = self().form == shape::phased;
            std::string text{is_phased ? "phased(" : self().form == shape::by_kind ? "by_kind(" : "counted_by_kind("};
            for (; phase.self().next != 0; phase = phase.sibling()) {
              if (is_phased) {
                text.append("for_first(").append(std::to_string(phase.self().label)).append(",");
                text.append(phase.describe()).append("),");
              } else {
                text.append(to_string(static_cast<error_kind>(phase.self().label - 1))).append("=");
                text.append(phase.describe()).append(",");
              }
            }
            return text.append(phase.describe()).append(")");
          });
    }
  };

  nested_backoff(shape form, std::initializer_list<nested_backoff const*> parts) {
    parts_[0].form = form;
    size_ = 1;
    std::uint8_t last = 0;
    for (auto const* const inner : parts) {
      auto const at = append(*inner);
      (last == 0 ? parts_[0].child : parts_[last].next) = at;
      last = at;
    }
  }
  static constexpr std::uint32_t label_of(error_kind kind) noexcept { return static_cast<std::uint32_t>(kind) + 1; }
  [[nodiscard]] bool names(error_kind kind) const noexcept {
    for (auto at = parts_[0].child; parts_[at].next != 0; at = parts_[at].next) {
      if (parts_[at].label == label_of(kind)) return true;
    }
    return false;
  }
  void add_first(nested_backoff const& policy, std::uint32_t label) {
    auto const at = append(policy);
    parts_[at].label = label;
    parts_[at].next = parts_[0].child;
    parts_[0].child = at;
  }
  std::uint8_t append(nested_backoff const& inner) {
    detail::require(!inner.tells_kinds(), "nested_backoff",
                    "a backoff that tells kinds of errors apart must stand outside", inner);
    detail::require(size_ + inner.size_ <= most_parts, "nested_backoff", "there must be at most 16 backoffs in one",
                    size_ + inner.size_);
    auto const begin = size_;
    for (std::uint8_t i = 0; i != inner.size_; ++i) {
      auto& copy = parts_[size_++] = inner.parts_[i];
      if (copy.child != 0) copy.child = static_cast<std::uint8_t>(copy.child + begin);
      if (copy.next != 0) copy.next = static_cast<std::uint8_t>(copy.next + begin);
    }
    return begin;
  }

  node parts_[most_parts];
  std::uint8_t size_ = 0;
};

}  // namespace anew::inline ANEW_ABI

#endif
