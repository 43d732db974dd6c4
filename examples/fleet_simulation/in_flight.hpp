// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_IN_FLIGHT_HPP
#define FLEET_SIMULATION_IN_FLIGHT_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "fate.hpp"
#include "instant.hpp"
#include "lane.hpp"

namespace fleet_simulation {

/// Of a call, in one word: a call is moved often, and compilers move bit-fields one by one.
class position {
 public:
  static constexpr std::uint32_t no_parent = (1U << 25U) - 1;
  constexpr position(std::uint32_t parent, std::uint32_t layer) noexcept : bits_{parent << 7U | layer << 4U} {}

  /// The place of the attempt that the call is made for.
  [[nodiscard]] std::uint32_t parent() const noexcept { return bits_ >> 7U; }
  [[nodiscard]] std::uint32_t layer() const noexcept { return bits_ >> 4U & 7U; }
  [[nodiscard]] ending how() const noexcept { return static_cast<ending>(bits_ & 15U); }
  void set(ending how) noexcept { bits_ = (bits_ & ~15U) | static_cast<std::uint32_t>(how); }

 private:
  std::uint32_t bits_;
};

template <class Machine>
struct call_of {
  instant began;
  std::uint32_t client;
  position at;
  Machine machine;
};

template <class Call>
struct attempt_of {
  instant ends;
  Call one;
};

/// Attempts that end in the order in which they were added.
template <class Call>
class attempts_in_order : public lane<attempt_of<Call>> {
  using base = lane<attempt_of<Call>>;

 public:
  [[nodiscard]] instant first() const noexcept { return this->empty() ? never : this->front().ends; }
  [[nodiscard]] bool is_last(instant ends) const noexcept { return ends >= last_; }
  /// Requires: `is_last(ends)`
  void push(instant ends, Call& one) {
    last_ = ends;
    base::push(ends, std::move(one));
  }
  template <class If>
  void take_if(If const& goes, std::vector<Call>& to) {
    for (auto left = this->size(); left != 0; --left) {
      auto of = std::move(this->front());
      this->pop();
      if (goes(of.one)) {
        to.push_back(std::move(of.one));
      } else {
        base::push(of.ends, std::move(of.one));
      }
    }
  }

 private:
  instant last_ = 0;
};

/// Calls that an event refers to by their place. A place may be empty when its event comes.
template <class Call>
class places_of {
 public:
  [[nodiscard]] std::optional<Call> const& operator[](std::uint32_t place) const { return all_[place]; }

  [[nodiscard]] std::uint32_t keep(Call& one) {
    if (free_.empty()) {
      all_.emplace_back(std::move(one));
      return static_cast<std::uint32_t>(all_.size() - 1);
    }
    auto const place = free_.back();
    free_.pop_back();
    all_[place].emplace(std::move(one));
    return place;
  }
  /// Leaves the place empty until it is released.
  [[nodiscard]] Call take(std::uint32_t place) {
    auto one = std::move(*all_[place]);
    all_[place].reset();
    one.at.set(ending::waits);
    return one;
  }
  template <class If>
  void take_if(If const& goes, std::vector<Call>& to) {
    for (std::uint32_t i = 0; i != all_.size(); ++i) {
      if (all_[i] && goes(*all_[i])) to.push_back(take(i));
    }
  }
  /// The place is free when it was released twice.
  void hold_twice(std::uint32_t place) {
    is_held_twice_.resize(all_.size());
    is_held_twice_[place] = true;
  }
  void release(std::uint32_t place) {
    if (place < is_held_twice_.size() && is_held_twice_[place]) {
      is_held_twice_[place] = false;
    } else {
      free_.push_back(place);
    }
  }

 private:
  std::deque<std::optional<Call>> all_;
  std::vector<std::uint32_t> free_;
  std::vector<bool> is_held_twice_;
};

}  // namespace fleet_simulation

#endif
