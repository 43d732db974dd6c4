// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_HISTORY_HISTORY_HPP
#define ANEW_POLICIES_HISTORY_HISTORY_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/history.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class E>
inline constexpr bool error_is_kept = std::is_object_v<E> && std::is_copy_constructible_v<E> &&
                                      !std::is_same_v<E, no_error_value> && !std::is_same_v<E, std::nullopt_t>;

template <class E, bool IsKept = error_is_kept<E>>
struct kept_error {
  std::optional<E> error{};  ///< empty when the attempt threw
  template <class... Given>
  constexpr void set(Given const&... given) {
    error.reset();
    (error.emplace(given), ...);
  }
  constexpr void take(kept_error& from) {
    error.reset();
    if (from.error) error.emplace(std::move(*from.error));
  }
};
template <class E>
struct kept_error<E, false> {
  template <class... Given>
  static constexpr void set(Given const&... /*given*/) noexcept {}
  static constexpr void take(kept_error& /*from*/) noexcept {}
};

template <std::int64_t N>
inline constexpr bool at_least_one_failure_is_kept = N >= 1 && N <= 65536;

}  // namespace detail

/// One failed attempt of a call: `attempt`, `what`, `error` where the errors can be copied, and `exception`.
template <class E>
struct failed_attempt : detail::kept_error<E> {
  std::uint32_t attempt = 0;  ///< its number, from 1
  failure what{};             ///< what the strategy decided by
#if ANEW_EXCEPTIONS
  std::exception_ptr exception{};  ///< null when the attempt returned
#endif
};

/// The last `N` failures of a call, in its outcome: `retry_outcome(strategy, operation).history()`.
///
/// An entry has the number of the attempt, the failure as the strategy saw it, a copy of the error value where it can
/// be copied, and the exception where the attempt threw. Errors are kept by their own type, in the outcome itself.
///
/// Models: History      Requires: 1 <= N <= 65536      Formula: none
/// Cost: nothing for `retry()`; `retry_outcome()` has room for N entries in its result, and copies each error into it. A
/// failure beyond N moves the others up. No allocation but what copying an error makes
/// Choose it where the last error does not tell the story: the first cause, then follow-ups. Not for logs: an observer.
/// Source: urllib3 `history`, retry-go's list of errors.
template <std::int64_t N>
class history {
 public:
  using role = roles::history;

  template <class E>
  class log {
   public:
    using value_type = failed_attempt<E>;

    void add(std::uint32_t attempt, failure const& what) {
      [[maybe_unused]] auto& entry = next(attempt, what);
#if ANEW_EXCEPTIONS
      entry.exception = std::current_exception();
#endif
    }
    void add(std::uint32_t attempt, failure const& what, E const& error) { next(attempt, what).set(error); }

    /// How many are kept, at most N.
    [[nodiscard]] std::size_t size() const noexcept {
      return added_ < capacity ? static_cast<std::size_t>(added_) : capacity;
    }
    [[nodiscard]] bool empty() const noexcept { return added_ == 0; }
    /// How many were forgotten, because newer ones took their place.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return added_ - size(); }
    /// The oldest that is kept is the first. Requires `index < size()`.
    [[nodiscard]] value_type const& operator[](std::size_t index) const noexcept { return entries_[index]; }
    [[nodiscard]] value_type const& front() const noexcept { return (*this)[0]; }
    [[nodiscard]] value_type const& back() const noexcept { return (*this)[size() - 1]; }

    using iterator = value_type const*;
    [[nodiscard]] iterator begin() const noexcept { return entries_; }
    [[nodiscard]] iterator end() const noexcept { return entries_ + size(); }

   private:
    static constexpr std::size_t capacity = N < 1 ? 1 : static_cast<std::size_t>(N);

    /// The entry for one more failure. When all are taken, the oldest goes and the others move up.
    value_type& next(std::uint32_t attempt, failure const& what) {
      for (std::size_t i = 1; added_ >= capacity && i < capacity; ++i) {
        entries_[i - 1].take(entries_[i]);
        entries_[i - 1].attempt = entries_[i].attempt;
        entries_[i - 1].what = entries_[i].what;
#if ANEW_EXCEPTIONS
        entries_[i - 1].exception = std::move(entries_[i].exception);
#endif
      }
      ++added_;
      auto& entry = entries_[size() - 1];
      entry.set();
      entry.attempt = attempt;
      entry.what = what;
#if ANEW_EXCEPTIONS
      entry.exception = nullptr;
#endif
      return entry;
    }

    value_type entries_[capacity]{};
    std::uint64_t added_ = 0;
  };

  [[nodiscard]] static std::string describe() { return std::string{"history("}.append(std::to_string(N)).append(")"); }

  static constexpr bool is_sound = detail::at_least_one_failure_is_kept<N>;
  static consteval void explain() {
    static_assert(detail::at_least_one_failure_is_kept<N>,
                  "anew::history<N> requires 1 <= N <= 65536; N failures are kept in place, without allocation. Omit "
                  "the policy to keep no failures");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
