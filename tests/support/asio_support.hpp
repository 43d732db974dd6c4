// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ASIO_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_ASIO_SUPPORT_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace support {

/// What went through a `counting_allocator`.
struct memory_books {
  std::atomic<std::uint64_t> allocations{0};
  std::atomic<std::uint64_t> deallocations{0};
  std::atomic<std::int64_t> bytes{0};
  [[nodiscard]] bool is_balanced() const { return allocations == deallocations && bytes == 0; }
};

/// A handler's allocator that counts.
template <class T>
struct counting_allocator {
  using value_type = T;
  explicit counting_allocator(memory_books& in) noexcept : books_{&in} {}
  template <class U>
  counting_allocator(counting_allocator<U> const& other) noexcept : books_{other.books()} {}

  [[nodiscard]] T* allocate(std::size_t n) {
    ++books_->allocations;
    books_->bytes += static_cast<std::int64_t>(n * sizeof(T));
    return std::allocator<T>{}.allocate(n);
  }
  void deallocate(T* p, std::size_t n) noexcept {
    ++books_->deallocations;
    books_->bytes -= static_cast<std::int64_t>(n * sizeof(T));
    std::allocator<T>{}.deallocate(p, n);
  }
  [[nodiscard]] memory_books* books() const noexcept { return books_; }
  template <class U>
  friend bool operator==(counting_allocator const& a, counting_allocator<U> const& b) noexcept {
    return a.books() == b.books();
  }

 private:
  memory_books* books_;
};

/// Numbers that look random and are the same in every run.
struct numbers {
  explicit numbers(std::uint64_t seed) noexcept : state_{seed * 0x9E3779B97F4A7C15U + 0x1234567U} {}
  std::uint64_t next() noexcept {
    auto z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// From 0 to `end` - 1.
  std::uint64_t below(std::uint64_t end) noexcept { return next() % end; }
  bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }
  bool percent(std::uint64_t p) noexcept { return below(100) < p; }

 private:
  std::uint64_t state_;
};

/// A quota that knows what is out, and refuses when it is told to.
struct quota_state {
  std::int64_t out = 0;
  bool refuses = false;
};
struct counted_quota {
  using role = anew::roles::quota;
  using permit_type = std::uint32_t;
  explicit counted_quota(quota_state& in) : state_{&in} {}
  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& /*what*/) const {
    if (state_->refuses) return std::nullopt;
    ++state_->out;
    return 1;
  }
  void on_success(permit_type held) const { release(held); }
  void on_failure(permit_type held) const { release(held); }
  void release(permit_type held) const { state_->out -= held; }

 private:
  quota_state* state_;
};

/// A gate that knows what is out, and answers as it is told.
enum class gate_answer : std::uint8_t { admit, refuse, ask_again };
struct gate_state {
  std::int64_t out = 0;
  gate_answer answer = gate_answer::admit;
  std::uint64_t refusals = 0;
};
struct counted_gate {
  using role = anew::roles::gate;
  using pass_type = std::uint32_t;
  explicit counted_gate(gate_state& in) : state_{&in} {}
  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point /*now*/) const {
    switch (state_->answer) {
      case gate_answer::refuse: ++state_->refusals; return anew::admission<pass_type>::refuse();
      case gate_answer::ask_again: return anew::admission<pass_type>::ask_again_in(anew::duration{1'000'000});
      case gate_answer::admit: break;
    }
    ++state_->out;
    return anew::admission<pass_type>::admit(1);
  }
  void on_success(pass_type pass, anew::time_point /*now*/) const { release(pass); }
  void on_failure(pass_type pass, anew::failure const& /*what*/, anew::time_point /*now*/) const { release(pass); }
  void release(pass_type pass) const { state_->out -= pass; }

 private:
  gate_state* state_;
};

}  // namespace support

#endif
