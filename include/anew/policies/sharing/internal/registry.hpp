// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_REGISTRY_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_REGISTRY_HPP

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A secret of one registry. Keys come from outside: with a hash that is known, a caller finds thousands of keys that
/// share a place in the table.
struct hash_seed {
  std::uint64_t first;
  std::uint64_t second;
};

/// SipHash-1-3: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), with the rounds that Rust and Python use
/// for their tables. Reads words as the machine stores them.
class sip_hash {
 public:
  constexpr explicit sip_hash(hash_seed seed) noexcept
      : a_{seed.first ^ 0x736f6d6570736575U},
        b_{seed.second ^ 0x646f72616e646f6dU},
        c_{seed.first ^ 0x6c7967656e657261U},
        d_{seed.second ^ 0x7465646279746573U} {}

  [[nodiscard]] std::uint64_t of(char const* bytes, std::size_t size) noexcept {
    auto const last = std::uint64_t{size} << 56U;
    for (; size >= 8; bytes += 8, size -= 8) add(word_of(bytes, 8));
    return end(last | word_of(bytes, size));
  }
  [[nodiscard]] constexpr std::uint64_t of(std::uint64_t word) noexcept {
    add(word);
    return end(std::uint64_t{8} << 56U);
  }

 private:
  static std::uint64_t word_of(char const* bytes, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    return word;
  }
  constexpr void add(std::uint64_t word) noexcept {
    d_ ^= word;
    mix();
    a_ ^= word;
  }
  [[nodiscard]] constexpr std::uint64_t end(std::uint64_t word) noexcept {
    add(word);
    c_ ^= 0xffU;
    mix();
    mix();
    mix();
    return a_ ^ b_ ^ c_ ^ d_;
  }
  constexpr void mix() noexcept {
    a_ += b_;
    c_ += d_;
    b_ = std::rotl(b_, 13) ^ a_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ = std::rotl(a_, 32) + d_;
    c_ += b_;
    d_ = std::rotl(d_, 21) ^ a_;
    b_ = std::rotl(b_, 17) ^ c_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

/// Text is hashed with the registry's seed, every text without making a string of it. Of another key `std::hash` is taken,
/// which the registry spreads with its seed: keys that `std::hash` maps to one number share a place in every table.
template <class Key>
struct key_hash : std::hash<Key> {};
template <class Char, class Allocator>
struct key_hash<std::basic_string<Char, std::char_traits<Char>, Allocator>> {
  using is_transparent = void;
  [[nodiscard]] std::uint64_t operator()(std::basic_string_view<Char> text, hash_seed seed) const noexcept {
    return sip_hash{seed}.of(reinterpret_cast<char const*>(text.data()), text.size() * sizeof(Char));
  }
};

template <class Hash, class Key>
concept HashesWithSeed = requires(Hash const& hash, Key const& key, hash_seed seed) {
  { hash(key, seed) } -> std::same_as<std::uint64_t>;
};
template <class Hash, class Key>
concept Hashes = HashesWithSeed<Hash, Key> || requires(Hash const& hash, Key const& key) {
  { hash(key) } -> std::convertible_to<std::size_t>;
};

template <class Hash, class Key>
[[nodiscard]] std::uint64_t keyed(Hash const& hash, Key const& key, hash_seed seed) {
  if constexpr (HashesWithSeed<Hash, Key>) {
    return hash(key, seed);
  } else {
    return sip_hash{seed}.of(std::uint64_t{static_cast<std::size_t>(hash(key))});
  }
}

/// Whether a policy that is not in use decides as a new one would: one that is untouched, or where it cannot say that,
/// a quota whose `balance()` is its `capacity()`, a gate that would refuse at no time. Of a handle, the policy inside is
/// asked. True where the policy has no function that says so: nothing is known of it then.
template <class Policy>
[[nodiscard]] bool is_at_rest(Policy const& policy) {
  if constexpr (requires { policy.is_untouched(); }) {
    return policy.is_untouched();
  } else if constexpr (HoldsAnother<Policy>) {
    return detail::is_at_rest(policy.policy());
  } else if constexpr (PlaysRole<Policy, roles::quota> && requires { policy.balance() == policy.capacity(); }) {
    return policy.balance() == policy.capacity();
  } else if constexpr (requires { policy.would_refuse(time_point::min()); }) {
    return !policy.would_refuse(time_point::min());
  } else {
    return true;
  }
}

/// A partition in a shard's table. The shard's lock protects the mutable members.
template <class Key, class Policy>
struct registered : pinned::immovable<registered<Key, Policy>> {
  // NOLINTNEXTLINE(modernize-pass-by-value): K need not be Key
  registered(auto const& k, std::uint64_t h, auto const& make)
      : key(k), hash{static_cast<std::uint32_t>(h)}, policy(make()) {}

  /// Whether the table and visits are its only owners. No other thread can get one under the shard's lock then.
  [[nodiscard]] bool is_idle() const noexcept { return own.use_count() == 1 + static_cast<long>(visits); }

  Key const key;
  std::uint32_t const hash;             // its lower half: the upper one selects the shard
  mutable std::uint32_t requested = 0;  // the shard's request that found it last
  mutable std::uint32_t visits = 0;     // that own it
  Policy const policy;
  mutable std::shared_ptr<registered const> own;  // of the table; leases and visits have others
  mutable registered const* next = nullptr;
};

/// A part of a registry, with a lock and a table of its own. The table never grows: its size follows from the most
/// partitions that the registry may have, so that no request pays for a rehash, and a visitor keeps its place.
template <class Node>
class alignas(cache_line) shard {
 public:
  using owner = std::shared_ptr<Node const>;

  shard() = default;
  shard(shard const&) = delete;
  shard& operator=(shard const&) = delete;
  ~shard() {
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
      for (auto const* node = table_[bucket]; node != nullptr;) std::exchange(node, node->next)->own.reset();
    }
  }

  /// A power of two, for about so many keys. The pages of buckets without a partition stay untouched.
  void resize(std::size_t buckets, std::size_t keys) {
    table_.reset(static_cast<Node const**>(std::calloc(buckets, sizeof(Node const*))));  // NOLINT(*-no-malloc)
    if (table_ == nullptr) out_of_memory();
    mask_ = buckets - 1;
    most_in_a_bucket_ = crowd + 4 * (keys / buckets);
  }
  [[nodiscard]] std::size_t buckets() const noexcept { return mask_ + 1; }

  /// Locks the shard, and empties it in a forked child whose parent had a thread that was changing it: half-changed data
  /// can neither be used nor destroyed.
  [[nodiscard]] auto lock(atomic_cell<std::size_t>& size) const {
    return fork_safe_lock{mutex_, [this, &size] {
                            std::fill_n(table_.get(), buckets(), nullptr);
                            size.fetch_add(std::size_t{0} - std::exchange(count_, 0));
                          }};
  }

  [[nodiscard]] Node const* find(auto const& key, std::uint64_t hash, auto const& equal) const {
    ++requests_;
    for (auto const* node = table_[hash & mask_]; node != nullptr; node = node->next) {
      if (node->hash == static_cast<std::uint32_t>(hash) && equal(node->key, key)) {
        node->requested = requests_;
        return node;
      }
    }
    return nullptr;
  }

  void link(owner const& node) const noexcept {
    node->own = node;
    node->requested = requests_;
    node->next = std::exchange(table_[node->hash & mask_], node.get());
    ++count_;
  }

  /// Whether a bucket has as many partitions as a look-up may compare. Keys whose hash is a good one never fill it so.
  [[nodiscard]] bool is_crowded(std::uint64_t hash) const noexcept {
    std::size_t count = 0;
    for (auto const* node = table_[hash & mask_]; node != nullptr; node = node->next) ++count;
    return count >= most_in_a_bucket_;
  }
  /// Takes an idle partition out of that bucket, chosen as by `forget_one()`.
  [[nodiscard]] owner forget_one_of(std::uint64_t hash) const {
    choice best{*this};
    best.look_into(table_[hash & mask_]);
    return forget(best);
  }

  /// Takes one of some idle partitions out of the table: one at rest before others, of these the least recently requested;
  /// null if it finds no idle one. It looks at all partitions of a small table, else at some `most_looks` partitions and
  /// buckets from where it stopped before.
  [[nodiscard]] owner forget_one() const {
    choice best{*this};
    bool const is_small = buckets() <= small;
    for (std::size_t turn = 0; turn < buckets(); ++turn, ++hand_) {
      if (!is_small && (best.looks >= most_looks || best.at_rest >= enough)) break;
      best.look_into(table_[hand_ & mask_]);
    }
    return forget(best);
  }

  /// Lets a visit own the partitions of some buckets from `bucket` on. Returns the first bucket that it did not reach.
  std::size_t enter_some(std::size_t bucket, std::vector<owner>& visited) const {
    auto const end = std::min(bucket + 32, buckets());
    for (; bucket < end; ++bucket) {
      for (auto const* node = table_[bucket]; node != nullptr; node = node->next) {
        visited.push_back(node->own);
        ++node->visits;
      }
    }
    return bucket;
  }

 private:
  static constexpr std::size_t small = 128;
  static constexpr std::size_t most_looks = 32;
  static constexpr std::size_t enough = 8;  // idle partitions at rest, of which the oldest goes
  static constexpr std::size_t crowd = 64;

  /// The partition to forget, of those that it looked at.
  struct choice {
    explicit choice(shard const& shard) noexcept : of{&shard} {}
    void look_into(Node const*& bucket) {
      ++looks;
      for (auto** at = &bucket; *at != nullptr; at = &(*at)->next, ++looks) {
        auto const& node = **at;
        if (!node.is_idle()) continue;
        bool const rests = is_at_rest(node.policy);
        at_rest += rests ? 1 : 0;
        auto const node_age = of->requests_ - node.requested;
        if (found != nullptr && (rests != is_resting ? is_resting : node_age <= age)) continue;
        found = at;
        age = node_age;
        is_resting = rests;
      }
    }
    shard const* of;
    Node const** found = nullptr;
    std::size_t looks = 0;
    std::size_t at_rest = 0;
    std::uint32_t age = 0;
    bool is_resting = false;
  };
  [[nodiscard]] owner forget(choice const& of) const noexcept {
    if (of.found == nullptr) return nullptr;
    auto const* const node = *of.found;
    *of.found = node->next;
    --count_;
    return std::move(node->own);
  }

  struct freed {
    void operator()(Node const** table) const noexcept { std::free(static_cast<void*>(table)); }  // NOLINT(*-malloc)
  };

  mutable fork_safe_mutex mutex_;
  std::unique_ptr<Node const*[], freed> table_;
  std::size_t mask_ = 0;
  std::size_t most_in_a_bucket_ = 0;
  mutable std::size_t count_ = 0;
  mutable std::size_t hand_ = 0;
  mutable std::uint32_t requests_ = 0;
};

/// The partitions of some buckets, which a visitor reads without the lock. They live as long as the visit, but are not in
/// use by it: one that is idle may make room for a new key meanwhile.
template <class Node>
class visit {
 public:
  explicit visit(atomic_cell<std::size_t>& size) noexcept : size_{&size} {}
  visit(visit const&) = delete;
  visit& operator=(visit const&) = delete;
  ~visit() { leave(); }

  /// Returns the first bucket that it did not reach.
  std::size_t go_on(shard<Node> const& of, std::size_t bucket) {
    leave();
    of_ = &of;
    auto const lock = of.lock(*size_);
    return of.enter_some(bucket, visited_);
  }
  [[nodiscard]] auto begin() const noexcept { return visited_.begin(); }
  [[nodiscard]] auto end() const noexcept { return visited_.end(); }

 private:
  /// A partition that was forgotten goes without the lock. The others are let go under it, where the table still owns
  /// them, because a partition whose two counts do not agree looks used.
  void leave() noexcept {
    if (visited_.empty()) return;
    {
      auto const lock = of_->lock(*size_);
      for (auto& node : visited_) {
        --node->visits;
        if (node->own != nullptr) node.reset();
      }
    }
    visited_.clear();
  }

  atomic_cell<std::size_t>* size_;
  shard<Node> const* of_ = nullptr;
  std::vector<std::shared_ptr<Node const>> visited_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
