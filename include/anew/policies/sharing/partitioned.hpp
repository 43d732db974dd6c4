// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_PARTITIONED_HPP
#define ANEW_POLICIES_SHARING_PARTITIONED_HPP

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/internal/immovable.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/policies/sharing/internal/registry.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// False for a view, which would dangle in the registry, and for a pointer to text, which compares by its address.
template <class Key>
inline constexpr bool key_owns_its_text = [] {
  using pointee = std::remove_cv_t<std::remove_pointer_t<Key>>;
  constexpr bool is_view = requires(Key& key) { key.remove_prefix(1U); } || requires(Key& key) { key.subspan(0U); };
  return !is_view && !(std::is_pointer_v<Key> && OneOf<pointee, char, wchar_t, char8_t, char16_t, char32_t>);
}();

template <class Policy>
struct make_default {
  Policy operator()() const { return Policy{}; }
};

template <class K, class Key, class Hash, class Equal>
concept LooksUp = !std::is_same_v<K, Key> && std::constructible_from<Key, K const&> &&
                  requires(Hash const& hash, Equal const& equal, Key const& key, K const& k) {
                    typename Hash::is_transparent;
                    typename Equal::is_transparent;
                    requires Hashes<Hash, K>;
                    { equal(key, k) } -> std::convertible_to<bool>;
                  };

}  // namespace detail

/// One partition of a `partitioned`: a quota, a gate or a pacer to compose. Copies are leases of the same partition, which lives
/// as long as one of them, whatever becomes of the registry.
///
/// Models: Quota, Gate or Pacer, as `Policy` does (16 bytes)
/// Formula: none
/// Requires: Policy is a quota, a gate or a pacer; a permit is settled while a lease lives, as that of a strategy does
/// Cost: that of Policy
/// Choose it by asking `partitioned::at`. Otherwise: shared.
/// Source: none
template <class Policy>
class leased : public sharing::handle_of<Policy, leased<Policy>> {
 public:
  static constexpr char const* word = "partitioned";
  leased(leased const&) noexcept = default;  // and so no move: never without a partition
  leased& operator=(leased const&) noexcept = default;
  ~leased() = default;

  [[nodiscard]] Policy const& policy() const noexcept { return *policy_; }

 private:
  template <class, class, class, class, class>
  friend class partitioned;

  explicit leased(std::shared_ptr<Policy const> policy) noexcept : policy_{std::move(policy)} {}

  std::shared_ptr<Policy const> policy_;
};

/// Keeps a quota, a gate or a pacer for each key: for each host, operation or tenant. Keys do not affect each other.
///
/// `partitioned<std::string, token_bucket<500>> hosts{1000}` has at most 1000 partitions;
/// `compose(backoff, hosts.at("example.org"))` is a strategy with that host's bucket.
/// `partitioned_by<std::string>(1000, make)` makes the policies by calling `make()`. Compose a strategy once for a key
/// and keep it: `at` takes a lock.
///
/// A new key beyond the bound replaces a key without leases that was requested long ago; that key starts afresh
/// when it is requested again. Partitions that decide as new ones would go first: full quotas, gates that let attempts in,
/// pacers that do not pace. An open breaker, and a bucket that is not full, stay while such a one is found. Up to 128 keys
/// it is the least recently requested one; in a larger registry the least recently requested of some. If every key it
/// looks at is in use, the new key gets the overflow partition, which all such keys share, until there is room:
/// `overflowed()` counts how often that happened.
///
/// Keys may come from outside. The registry has a secret seed of its own, so texts and numbers cannot be chosen that share a
/// place in its table. Keys that your own `std::hash` or `Hash` maps to one number do: at most 64 of them are kept.
///
/// `partitioned<Key, Policy, Make, Hash, Equal>` takes your own hash and equality; where both are transparent, `at`
/// takes every type that they do. A `std::string` may be asked for by a `std::string_view` without making a string.
///
/// Models: none; `at` returns a Quota, a Gate or a Pacer
/// Formula: none
/// Requires: at least one partition; a key that `Hash` takes and that owns its text: std::string, not std::string_view
/// Cost: `at`: one of up to 64 locks and a look into a hash table; for a new key an allocation and a call of `make`,
/// and at the bound a look at some 32 partitions; a key that gets the overflow pays for all of that each time. Beyond
/// its key and its policy a partition occupies 52 to 56 bytes, and 8 to 16 bytes of the table. A forked child of a
/// process whose other threads were changing the registry begins without the keys that they were changing
/// Choose it for a client of several hosts, so that a host that is down does not use up the retries of the others. Not
/// for an unbounded set of keys, such as addresses of clients: beyond the bound they evict each other.
/// Source: AWS SDKs keep a quota by service and region; hashicorp/aws-sdk-go-base#915 is what happens without. Eviction by
/// samples: Redis, "Key eviction"; parts with a lock each: java.util.concurrent.ConcurrentHashMap.
template <class Key, class Policy, class Make = detail::make_default<Policy>, class Hash = detail::key_hash<Key>,
          class Equal = std::equal_to<>>
class partitioned : pinned::immovable<partitioned<Key, Policy, Make, Hash, Equal>> {
  static_assert(detail::key_owns_its_text<Key>,
                "anew::partitioned<Key, Policy> requires a key that owns its value; a view dangles when its text is "
                "gone, and a pointer to text is compared by address. Did you mean std::string?");

 public:
  using key_type = Key;
  using policy_type = Policy;
  using lease = leased<Policy>;

  template <std::integral Int>
    requires std::default_initializable<Make>
  explicit partitioned(Int most) : partitioned{most, Make{}} {}
  template <std::integral Int>
  partitioned(Int most, Make make, Hash hash = Hash{}, Equal equal = Equal{})
      : most_{checked(most)},
        make_{std::move(make)},
        hash_{std::move(hash)},
        equal_{std::move(equal)},
        overflow_{new Policy(make_())},
        shards_(std::bit_ceil(std::clamp(most_ / keys_of_a_shard, std::size_t{1}, most_shards))) {
    auto const buckets = std::bit_ceil(std::min(most_, most_buckets) / shards_.size());
    for (auto& each : shards_) each.resize(buckets, most_ / shards_.size());
  }

  /// Returns the key's partition, and makes it if it is missing. Safe from many threads. A `std::string` may be asked for
  /// by any text, and another key by what a transparent `Hash` and `Equal` take.
  [[nodiscard]] lease at(Key const& key) { return partition_of(key); }
  template <class K>
    requires detail::LooksUp<K, Key, Hash, Equal>
  [[nodiscard]] lease at(K const& key) {
    return partition_of(key);
  }

  /// The number of partitions, without the overflow.
  [[nodiscard]] std::size_t size() const {
    for (auto const& each : shards_) static_cast<void>(each.lock(size_));  // a forked child may have to empty it
    return size_.load();
  }
  [[nodiscard]] constexpr std::size_t max_size() const noexcept { return most_; }

  /// How often a key was given the overflow partition.
  [[nodiscard]] std::uint64_t overflowed() const noexcept { return overflowed_.load(); }
  [[nodiscard]] Policy const& overflow() const noexcept { return *overflow_; }

  /// Calls `visit(key, policy)` for each partition, in no particular order: for gauges. It visits every partition that
  /// exists throughout once; a partition that is made or replaced meanwhile, once or not at all. `visit` runs without a lock
  /// and may do anything, `at` included; a lock is held for 32 places of the table at a time, and no key is copied. A
  /// partition that is visited may be replaced like any other; `key` and `policy` live until `visit` returns.
  void for_each(auto&& visit) const {
    detail::visit<node> some{size_};
    std::size_t next = 0;
    for (std::size_t bucket = 0; bucket < shards_.front().buckets(); bucket = next) {
      // From shard to shard: a thread that waits for the lock of one has it long before the visit ends.
      for (auto const& each : shards_) {
        next = some.go_on(each, bucket);
        for (auto const& one : some) visit(one->key, one->policy);
      }
    }
  }

 private:
  using node = detail::registered<Key, Policy>;
  using shard = detail::shard<node>;

  static constexpr std::size_t keys_of_a_shard = 256;
  static constexpr std::size_t most_shards = 64;
  static constexpr std::size_t most_buckets = std::size_t{1} << 22U;

  [[nodiscard]] lease partition_of(auto const& key) {
    auto const hash = detail::keyed(hash_, key, seed_);
    auto const home = static_cast<std::size_t>(hash >> 32U);
    auto const& mine = shards_[home & (shards_.size() - 1)];
    {
      auto const lock = mine.lock(size_);
      if (auto const* const found = mine.find(key, hash, equal_)) return lease_of(found->own);
    }
    auto const made = std::make_shared<node const>(key, hash, make_);  // without the lock: `make` may do anything
    if (!takes_place(home)) return overflown();
    detail::on_exit reserved{
        [this] { size_.fetch_add(~std::size_t{0}); }};  // a place, unless a partition is linked in it
    typename shard::owner forgotten;                    // it goes without the lock
    auto const lock = mine.lock(size_);
    if (auto const* const found = mine.find(key, hash, equal_))
      return lease_of(found->own);  // made by another thread meanwhile
    if (mine.is_crowded(hash)) {
      forgotten = mine.forget_one_of(hash);
      if (forgotten == nullptr) return overflown();
      size_.fetch_add(~std::size_t{0});  // its place
    }
    mine.link(made);
    reserved.dismiss();
    return lease_of(made);
  }
  static lease lease_of(std::shared_ptr<node const> const& partition) {
    return lease{std::shared_ptr<Policy const>{partition, &partition->policy}};
  }

  [[nodiscard]] lease overflown() {
    overflowed_.fetch_add(1);
    return lease{overflow_};
  }
  /// Takes a free place, or that of an idle partition of the key's shard or of the next one.
  [[nodiscard]] bool takes_place(std::size_t home) {
    auto size = size_.load();
    while (size < most_) {
      if (size_.compare_exchange_weak(size, size + 1)) return true;
    }
    for (std::size_t n = 0; n < std::min(shards_.size(), std::size_t{2}); ++n) {
      // It goes here, without the lock, because that may take long.
      if (forget_one_of(shards_[(home + n) & (shards_.size() - 1)])) return true;
    }
    return false;
  }
  [[nodiscard]] typename shard::owner forget_one_of(shard const& of) {
    auto const lock = of.lock(size_);
    return of.forget_one();
  }

  static constexpr std::size_t checked(auto most) {
    if (most < 1) {
      detail::invalid_argument("partitioned", "the number of partitions must be at least 1", std::to_string(most));
    }
    return static_cast<std::size_t>(most);
  }

  std::size_t const most_;
  ANEW_NO_UNIQUE_ADDRESS Make const make_;
  ANEW_NO_UNIQUE_ADDRESS Hash const hash_;
  ANEW_NO_UNIQUE_ADDRESS Equal const equal_;
  detail::hash_seed const seed_{detail::ask_system_for_randomness<>(), detail::ask_system_for_randomness<>()};
  std::shared_ptr<Policy const> const overflow_;
  std::vector<shard> shards_;
  mutable detail::atomic_cell<std::size_t> size_{0};  // never above most_
  detail::atomic_cell<std::uint64_t> overflowed_{0};
};

/// Makes a registry whose policies `make()` creates:
/// `partitioned_by<std::string>(1000, [] { return token_bucket{500}; })`.
template <class Key, std::integral Int, class Make>
[[nodiscard]] auto partitioned_by(Int most, Make make) {
  return partitioned<Key, std::invoke_result_t<Make const&>, Make>{most, std::move(make)};
}

}  // namespace anew::inline ANEW_ABI

#endif
