// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_INTERNAL_CALLS_HPP
#define ANEW_BRIDGES_CURL_INTERNAL_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/curl/internal/call.hpp"

/// The calls of a multi handle, by handle and by due time.
namespace anew::inline ANEW_ABI::curl::detail {

/// Owns calls and finds them by their handles: a hash table of chains, whose links are the calls'. At least as many places
/// as calls, so that a chain has two steps on average at most.
class call_table {
 public:
  call_table() = default;
  call_table(call_table const&) = delete;
  call_table& operator=(call_table const&) = delete;
  ~call_table() {
    for (auto* one : places_) {
      while (one != nullptr) std::unique_ptr<multi_call> const gone{std::exchange(one, one->next)};
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Room for so many, after which `insert()` cannot fail.
  void reserve(std::size_t count) {
    if (count <= places_.size()) return;
    std::size_t more = first_size;
    auto bits = first_bits;
    for (; more < count; more *= 2) ++bits;
    std::vector<multi_call*> old(more, nullptr);
    old.swap(places_);
    shift_ = 64 - bits;
    for (auto* one : old) {
      while (one != nullptr) {
        auto* const call = std::exchange(one, one->next);
        link(*call);
      }
    }
  }
  multi_call& insert(std::unique_ptr<multi_call> call) noexcept {
    auto& added = *call.release();
    link(added);
    ++size_;
    return added;
  }
  [[nodiscard]] multi_call* find(CURL const* handle) const noexcept {
    return places_.empty() ? nullptr : *seek(handle);
  }
  [[nodiscard]] std::unique_ptr<multi_call> take(CURL const* handle) noexcept {
    auto** const link = seek(handle);
    std::unique_ptr<multi_call> taken{*link};
    *link = taken->next;
    --size_;
    return taken;
  }
  template <class F>
  void for_each(F f) const {
    for (auto* one : places_) {
      for (; one != nullptr; one = one->next) f(*one);
    }
  }

 private:
  static constexpr std::size_t first_size = 16;
  static constexpr unsigned first_bits = 4;

  // Handles are as far apart as the allocator likes; the mixing (rrmxmx's multiplier, P. Evensen) makes the highest
  // bits depend on all input bits.
  [[nodiscard]] std::size_t place_of(CURL const* handle) const noexcept {
    constexpr std::uint64_t multiplier = 0x9FB21C651E98DF25U;
    auto mixed = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle)) * multiplier;
    mixed = (mixed ^ (mixed >> 28U)) * multiplier;
    return static_cast<std::size_t>(mixed >> shift_);
  }
  void link(multi_call& call) noexcept {
    auto*& first = places_[place_of(call.handle)];
    call.next = std::exchange(first, &call);
  }
  [[nodiscard]] multi_call** seek(CURL const* handle) const noexcept {
    auto** link = &places_[place_of(handle)];
    while (*link != nullptr && (*link)->handle != handle) link = &(*link)->next;
    return link;
  }

  mutable std::vector<multi_call*> places_;
  std::size_t size_ = 0;
  unsigned shift_ = 64;
};

/// The waiting calls, the next one first: a heap whose elements know their positions, so that any can be removed.
class due_queue {
 public:
  void reserve(std::size_t count) {
    if (count > heap_.capacity()) heap_.reserve(count * 2);
  }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  [[nodiscard]] multi_call* first() const noexcept { return heap_.empty() ? nullptr : heap_.front(); }

  void push(multi_call& call, time_point due) {
    call.due = due;
    call.number = ++last_number_;
    heap_.push_back(&call);
    rise(heap_.size() - 1);
  }
  void remove(multi_call& call) noexcept {
    auto const place = std::exchange(call.place, multi_call::not_queued);
    if (place == multi_call::not_queued) return;
    auto* const moved = heap_.back();
    heap_.pop_back();
    if (moved == &call) return;
    set(place, moved);
    rise(place);
    sink(moved->place);
  }

 private:
  static bool is_before(multi_call const* a, multi_call const* b) noexcept {
    return a->due != b->due ? a->due < b->due : a->number < b->number;
  }
  void set(std::size_t place, multi_call* call) noexcept {
    heap_[place] = call;
    call->place = place;
  }
  void rise(std::size_t place) noexcept {
    auto* const call = heap_[place];
    while (place > 0 && is_before(call, heap_[(place - 1) / 2])) {
      set(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    set(place, call);
  }
  void sink(std::size_t place) noexcept {
    auto* const call = heap_[place];
    while (2 * place + 1 < heap_.size()) {
      auto child = 2 * place + 1;
      if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
      if (!is_before(heap_[child], call)) break;
      set(place, heap_[child]);
      place = child;
    }
    set(place, call);
  }

  std::vector<multi_call*> heap_;
  std::uint64_t last_number_ = 0;
};

}  // namespace anew::inline ANEW_ABI::curl::detail

#endif
