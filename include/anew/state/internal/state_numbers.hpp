// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_INTERNAL_STATE_NUMBERS_HPP
#define ANEW_STATE_INTERNAL_STATE_NUMBERS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"

/// The numbers of a policy's state. Times are relative: a clock's epoch is another one after a restart.
namespace anew::inline ANEW_ABI::detail {

constexpr bool is_count(std::int64_t number, std::uint64_t most) noexcept {
  return number >= 0 && static_cast<std::uint64_t>(number) <= most;
}

/// `time_point::min()` means no time, and is not changed.
constexpr std::int64_t relative(time_point time, time_point now) noexcept {
  if (time == time_point::min()) return duration::min().count();
  return larger(saturating_subtract(time, now), duration::min() + duration{1}).count();
}

/// Goes through the numbers of a policy's state, in one order whatever it is for: it writes them down, asks whether a policy
/// may have those that were written down, or gives them to the policy. Each function takes what the policy holds, and
/// returns what counts: that, or what was written down.
class state_walk {
 public:
  state_walk(std::vector<std::int64_t>& to, time_point now) noexcept : to_{&to}, now_{now} {}
  explicit state_walk(std::span<std::int64_t const> from) noexcept : from_{from} {}
  state_walk(std::span<std::int64_t const> from, time_point now) noexcept : from_{from}, takes_{true}, now_{now} {}

  [[nodiscard]] time_point now() const noexcept { return now_; }
  [[nodiscard]] bool writes() const noexcept { return to_ != nullptr; }
  /// The policy is to store what it is given.
  [[nodiscard]] bool takes() const noexcept { return takes_; }
  [[nodiscard]] bool is_good() const noexcept { return is_good_ && at_ == from_.size(); }
  void require(bool holds) noexcept { is_good_ = is_good_ && holds; }

  std::int64_t number(std::int64_t held) {
    if (writes()) to_->push_back(held);
    if (!writes()) require(at_ < from_.size());
    return writes() ? held : at_ < from_.size() ? from_[at_++] : 0;
  }
  template <class Count>
  std::int64_t counted(Count held, std::uint64_t most) {
    auto const count = number(static_cast<std::int64_t>(held));
    require(is_count(count, most));
    return count;
  }
  template <class Cell>
  void count(Cell& cell, std::uint64_t most) {
    auto const count = counted(cell.load(), most);
    if (takes_) cell.store_release(static_cast<decltype(cell.load())>(count));
  }
  /// The bits of a floating-point number, which are the same after a restart to the last one.
  double amount(double& held) {
    auto const amount = std::bit_cast<double>(number(std::bit_cast<std::int64_t>(held)));
    require(amount >= 0 && amount <= 1e300);
    if (takes_) held = amount;
    return amount;
  }
  /// A time that is ahead of now by at most that.
  time_point time(time_point held, duration latest) {
    auto const time = number(smaller(relative(held, now_), std::int64_t{latest.count()}));
    require(time <= latest.count());
    if (time == duration::min().count()) return time_point::min();
    return larger(saturating_add(now_, duration{time}), time_point::min() + duration{1});
  }

 private:
  std::vector<std::int64_t>* to_ = nullptr;
  std::span<std::int64_t const> from_{};
  std::size_t at_ = 0;
  bool takes_ = false;
  bool is_good_ = true;
  time_point now_{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
