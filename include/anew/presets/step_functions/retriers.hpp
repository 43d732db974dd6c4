// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_STEP_FUNCTIONS_RETRIERS_HPP
#define ANEW_PRESETS_STEP_FUNCTIONS_RETRIERS_HPP

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::step_functions {

enum class jitter_strategy : std::uint8_t {
  none,  ///< waits what was computed
  full,  ///< waits anything from nothing to that
};

/// One entry of a Retry field, with its defaults.
struct retrier_settings {
  std::vector<std::string> error_equals{};
  duration interval = std::chrono::seconds{1};
  std::uint32_t max_attempts = 3;  ///< retries, not attempts; zero means never
  rational backoff_rate = rational{2};
  std::optional<duration> max_delay{};
  jitter_strategy jitter = jitter_strategy::none;
};

/// Says the name of an error, where it has no `error_name()` and is no string: specialise with
/// `static std::string_view error_name(E const&)`.
template <class E>
struct error_traits {};

/// A failed task as an exception: the Error and the Cause.
class ANEW_VISIBLE task_error : public std::exception {
 public:
  explicit task_error(std::string error_name, std::string cause = {})
      : name_{std::move(error_name)}, cause_{std::move(cause)} {}
  [[nodiscard]] std::string_view error_name() const noexcept { return name_; }
  [[nodiscard]] std::string_view cause() const noexcept { return cause_; }
  [[nodiscard]] char const* what() const noexcept override { return name_.c_str(); }

 private:
  std::string name_;
  std::string cause_;
};

namespace detail {

template <class E>
concept TraitedName = requires(E const& e) {
  { error_traits<E>::error_name(e) } -> std::convertible_to<std::string_view>;
};
template <class E>
concept HasName = requires(E const& e) {
  { e.error_name() } -> std::convertible_to<std::string_view>;
};
template <class E>
concept Named = TraitedName<E> || HasName<E> || std::convertible_to<E const&, std::string_view>;

// By value where the error makes a name for the occasion: it must outlive the search.
template <Named E>
decltype(auto) name_of(E const& e) {
  if constexpr (TraitedName<E>) {
    return error_traits<E>::error_name(e);
  } else if constexpr (HasName<E>) {
    return e.error_name();
  } else {
    return std::string_view{e};
  }
}

/// Explains a mistake in a list of retriers, with the States Language's names.
struct fault {
  std::size_t index;
  char const* field;
  char const* requirement;
  std::string value;
};

inline constexpr std::size_t most_retriers = 1000;  ///< not a limit of the States Language; it bounds a search
inline constexpr std::int64_t most_of_all = 99'999'999;
inline constexpr std::chrono::seconds max_delay_is_below{31'622'400};

inline std::optional<fault> fault_of(std::size_t index, bool is_last, retrier_settings const& r) {
  auto const& names = r.error_equals;
  if (names.empty()) return fault{index, "ErrorEquals", "must name an error", "empty"};
  for (auto const& name : names) {
    if (name.empty()) return fault{index, "ErrorEquals", "must not name an error without a name", "\"\""};
    if (name != "States.ALL") continue;
    if (names.size() != 1) return fault{index, "ErrorEquals", "must have States.ALL alone", "one of several"};
    if (!is_last) return fault{index, "ErrorEquals", "must have States.ALL in the last retrier only", "not the last"};
  }
  if (r.interval <= duration::zero() || r.interval > std::chrono::seconds{most_of_all}) {
    return fault{index, "IntervalSeconds", "must be above zero and at most 99999999s",
                 anew::detail::to_text(r.interval)};
  }
  if (std::int64_t{r.max_attempts} > most_of_all) {
    return fault{index, "MaxAttempts", "must be at most 99999999", std::to_string(r.max_attempts)};
  }
  if (r.backoff_rate.den == 0 || r.backoff_rate.num < r.backoff_rate.den) {
    return fault{index, "BackoffRate", "must be at least 1", anew::detail::to_text(r.backoff_rate)};
  }
  if (r.max_delay) {
    if (*r.max_delay <= duration::zero() || *r.max_delay >= max_delay_is_below) {
      return fault{index, "MaxDelaySeconds", "must be above zero and below 31622400s",
                   anew::detail::to_text(*r.max_delay)};
    }
  }
  return std::nullopt;
}

inline std::optional<fault> fault_of(std::vector<retrier_settings> const& list) {
  if (list.size() > most_retriers) {
    return fault{most_retriers, "", "must have at most 1000 retriers", std::to_string(list.size())};
  }
  for (std::size_t i = 0; i != list.size(); ++i) {
    if (auto found = fault_of(i, i + 1 == list.size(), list[i])) return found;
  }
  return std::nullopt;
}

inline bool matches(std::string_view pattern, std::string_view name) noexcept {
  if (name == "States.Runtime") return false;  // no retrier ever sees one
  if (pattern == name) return true;
  if (name == "States.DataLimitExceeded") return false;  // no wildcard stands for it
  return pattern == "States.ALL" || (pattern == "States.TaskFailed" && name != "States.Timeout");
}

/// Which retrier matched, on its way from the classifier to the strategy: a failure has no place of its own for it.
inline failure with_index(failure what, std::size_t index) noexcept {
  what.hint = anew::detail::classifier_mark::of(index);
  return what;
}

/// The name of an error that has none.
constexpr std::string_view name_of_kind(error_kind kind) noexcept {
  return kind == error_kind::timeout ? "States.Timeout" : "States.TaskFailed";
}

}  // namespace detail

/// The retriers of a state, in their order, of which the first that matches an error's name decides.
///
/// Errors are strings, or have `error_name()` or `step_functions::error_traits`; exceptions of type `task_error` are
/// read, every other exception is final. States.ALL matches every name, States.TaskFailed every one but States.Timeout;
/// neither matches States.DataLimitExceeded, and nothing matches States.Runtime. An error that no retrier matches is
/// final.
///
/// Models: Classifier (for `step_functions::strategy`; elsewhere the numbers of a retrier have no effect)
/// Formula: none
/// Requires: names in every retrier, States.ALL alone and in the last one; an interval above zero, a rate of at least 1, a
/// maximum delay above zero, which may be below the interval; at most 1000 retriers
/// Cost: comparisons of names after a failure
/// Choose it to have a workflow's Retry field in a program. Not where the kinds of errors suffice: counted_by_kind_backoff.
/// Source: Amazon States Language, "Errors" and "Retrying after error"; Step Functions Developer Guide, "Handling errors"
/// (the wildcards, and what the largest values are)
class retriers {
 public:
  using role = roles::classifier;
  using catches = catch_list<task_error>;

  explicit retriers(std::vector<retrier_settings> list) : list_{std::move(list)} {
    if (auto const found = detail::fault_of(list_)) {
      std::string requirement;
      if (*found->field != '\0') {
        requirement.append("[").append(std::to_string(found->index)).append("].").append(found->field).append(" ");
      }
      requirement.append(found->requirement);
      anew::detail::invalid_argument("step_functions::retriers", requirement.c_str(), found->value);
    }
  }

  [[nodiscard]] directive classify(detail::Named auto const& error) const {
    auto const& name = detail::name_of(error);
    auto const index = find(name);
    if (!index) return directive::fail();
    auto const kind = std::string_view{name} == "States.Timeout" || std::string_view{name} == "States.HeartbeatTimeout"
                          ? error_kind::timeout
                          : error_kind::transient;
    return directive::retry(detail::with_index(failure{kind, retry_safety::yes, std::nullopt}, *index));
  }

  /// Which retrier matches this name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view error_name) const noexcept {
    for (std::size_t i = 0; i != list_.size(); ++i) {
      for (auto const& pattern : list_[i].error_equals) {
        if (detail::matches(pattern, error_name)) return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  [[nodiscard]] retrier_settings const& operator[](std::size_t index) const noexcept { return list_[index]; }

  [[nodiscard]] std::string describe() const { return anew::detail::written("step_functions", size()); }

 private:
  std::vector<retrier_settings> list_;
};

}  // namespace anew::inline ANEW_ABI::step_functions

#endif
