// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_OUTCOME_HPP
#define ANEW_DRIVERS_OUTCOME_HPP

#include <optional>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/ending.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class R, class Log>
struct full_report;

/// The empty log of an outcome whose strategy has no history.
using no_log = absent<roles::history>;

template <class S, class R>
struct log_of : std::type_identity<no_log> {};
template <KeepsHistory S, class R>
struct log_of<S, R> : std::type_identity<typename S::history_type::template log<no_error_value>> {};
template <KeepsHistory S, class R>
  requires carries_error<R>
struct log_of<S, R> : std::type_identity<typename S::history_type::template log<error_type<R>>> {};

}  // namespace detail

/// How a call ended: its last result, the reason, the number of attempts and the time that it took; with `history<N>`
/// composed, its last failures too.
template <class R, class Log = detail::no_log>
class [[nodiscard]] outcome : public endings::ending<R> {
 public:
  /// The last delay that a server asked for, obeyed or not; nothing when none did.
  [[nodiscard]] std::optional<duration> last_hint() const noexcept { return last_hint_; }

  /// The failures that the composed history kept, the oldest first.
  [[nodiscard]] Log const& history() const noexcept
    requires(!std::is_same_v<Log, detail::no_log>)
  {
    return log_;
  }

 private:
  template <class, class>
  friend struct detail::full_report;
  outcome() = default;

  ANEW_NO_UNIQUE_ADDRESS Log log_;
  std::optional<duration> last_hint_;
};

}  // namespace anew::inline ANEW_ABI

#endif
