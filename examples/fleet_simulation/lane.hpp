// SPDX-License-Identifier: BSL-1.0
#ifndef FLEET_SIMULATION_LANE_HPP
#define FLEET_SIMULATION_LANE_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace fleet_simulation {

/// A first-in, first-out queue in blocks: its elements stay where they are, and are read in the order of their addresses.
/// `std::deque` has the same form, with seven elements of 72 bytes to a block.
template <class T>
class lane {
  static constexpr std::size_t per_block = 1024;
  struct block {
    alignas(T) std::byte room[per_block][sizeof(T)];
  };

 public:
  lane() = default;
  lane(lane const&) = delete;
  lane& operator=(lane const&) = delete;
  ~lane() {
    while (!empty()) pop();
  }

  [[nodiscard]] bool empty() const noexcept { return first_ == last_; }
  [[nodiscard]] std::size_t size() const noexcept { return last_ - first_; }
  [[nodiscard]] T& front() noexcept { return *at(first_); }
  [[nodiscard]] T const& front() const noexcept { return *at(first_); }
  /// The element that comes `n` after the first; nullptr where there are not so many.
  [[nodiscard]] T const* after_front(std::size_t n) const noexcept { return n < size() ? at(first_ + n) : nullptr; }

  template <class... Args>
  void push(Args&&... args) {
    if (last_ == blocks_.size() * per_block) blocks_.push_back(another());
    ::new (static_cast<void*>(room(last_))) T{std::forward<Args>(args)...};
    ++last_;
  }
  void pop() noexcept {
    at(first_)->~T();
    ++first_;
    if (first_ % per_block == 0) drop_first_blocks();
  }

 private:
  [[nodiscard]] std::byte* room(std::size_t n) const noexcept { return blocks_[n / per_block]->room[n % per_block]; }
  [[nodiscard]] T* at(std::size_t n) const noexcept { return std::launder(reinterpret_cast<T*>(room(n))); }

  std::unique_ptr<block> another() {
    // Not value-initialized: the blocks of a million calls would be written twice.
    return spare_ ? std::move(spare_) : std::unique_ptr<block>{new block};
  }
  /// The block that was read to its end is the next to be written; the pointers to those before it are dropped when they
  /// are a half of all.
  void drop_first_blocks() noexcept {
    auto const done = first_ / per_block;
    spare_ = std::move(blocks_[done - 1]);
    if (2 * done < blocks_.size()) return;
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(done));
    first_ -= done * per_block;
    last_ -= done * per_block;
  }

  std::vector<std::unique_ptr<block>> blocks_;
  std::unique_ptr<block> spare_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
};

}  // namespace fleet_simulation

#endif
