// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SHARING_PARTITIONED_HPP
#define ANEW_SHARING_PARTITIONED_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/atomic.hpp"
#include "anew/platform/internal/fork_safe_mutex.hpp"
#include "anew/platform/internal/invalid_argument.hpp"
#include "anew/sharing/internal/forwarded.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A policy, and the number of its leases, permits and calls under way. Only the registry raises the number from 0, so
/// a thread that reads 0 under the registry's lock may forget the policy.
template <class Policy>
class partition {
 public:
  template <class Make>
  explicit partition(Make const& make) : policy(make()) {}

  void lend() const noexcept { uses_.fetch_add(1); }
  void take_back() const noexcept { uses_.fetch_add(~std::uint64_t{0}); }
  [[nodiscard]] bool is_used() const noexcept { return uses_.load() != 0; }

  Policy const policy;

 private:
  mutable atomic_cell<std::uint64_t> uses_{0};
};

template <class T, class... Ts>
inline constexpr bool is_one_of = (std::is_same_v<T, Ts> || ...);

/// False for a view, which would dangle in the registry, and for a pointer to text, which compares by its address.
template <class Key>
struct key_owns_its_text {
  static constexpr bool value = [] {
    using pointee = std::remove_cv_t<std::remove_pointer_t<Key>>;
    constexpr bool is_view = requires(Key& key) { key.remove_prefix(1U); } || requires(Key& key) { key.subspan(0U); };
    return !is_view && !(std::is_pointer_v<Key> && is_one_of<pointee, char, wchar_t, char8_t, char16_t, char32_t>);
  }();
};

template <class Policy>
struct make_default {
  Policy operator()() const { return Policy{}; }
};

}  // namespace detail

/// One partition of a `partitioned`: a quota, a gate or a pacer to compose. Copies are leases of the same partition, which lives
/// as long as one of them, whatever becomes of the registry.
///
/// Models: Quota, Gate or Pacer, as `Policy` does (16 bytes)
/// Formula: none
/// Requires: Policy is a quota, a gate or a pacer      Cost: a counter more than Policy for each permit
/// Choose it by asking `partitioned::at`. Not otherwise: shared.
/// Source: none
template <class Policy>
class leased : public sharing::forwarded<Policy, leased<Policy>> {
 public:
  leased(leased const& other) noexcept : partition_{other.partition_} { lend(); }  // and so no move: never without
  leased& operator=(leased const& other) noexcept {  // NOLINT(bugprone-unhandled-self-assignment): copied, then swapped
    leased copy{other};
    partition_.swap(copy.partition_);
    return *this;
  }
  ~leased() { take_back(); }

  [[nodiscard]] Policy const& policy() const noexcept { return partition_->policy; }

  [[nodiscard]] std::string describe() const
    requires detail::DescribesItself<Policy>
  {
    return this->describe_as("partitioned");
  }

 private:
  friend class sharing::handle_of<Policy, leased>;
  friend class sharing::forwarded<Policy, leased>;
  template <class, class, class>
  friend class partitioned;
  static constexpr bool counts = true;

  explicit leased(std::shared_ptr<detail::partition<Policy> const> of) noexcept : partition_{std::move(of)} { lend(); }
  void lend() const noexcept { partition_->lend(); }
  void take_back() const noexcept { partition_->take_back(); }

  std::shared_ptr<detail::partition<Policy> const> partition_;
};

/// Keeps a quota, a gate or a pacer for each key: for each host, operation or tenant. Keys do not affect each other.
///
/// `partitioned<std::string, token_bucket<500>> hosts{1000}` has at most 1000 partitions;
/// `compose(backoff, hosts.at("example.org"))` is a strategy with that host's bucket.
/// `partitioned_by<std::string>(1000, make)` makes the policies by calling `make()`. Compose a strategy once for a key
/// and keep it: `at` takes a lock.
///
/// A new key beyond the bound replaces the least recently requested key without leases and permits; that key starts
/// afresh when it is requested again. If every key is in use, the new key gets the overflow partition, which all such
/// keys share, until there is room: `overflowed()` counts how often that happened.
///
/// Models: none; `at` returns a Quota, a Gate or a Pacer
/// Formula: none
/// Requires: at least one partition; a key that std::hash takes and that owns its text: std::string, not std::string_view
/// Cost: `at`: a lock and a look into a hash table; for a new key allocations, and a walk over the partitions in use. A
/// forked child of a process whose other threads were changing the registry begins with an empty one
/// Choose it for a client of several hosts, so that a host that is down does not use up the retries of the others. Not
/// for an unbounded set of keys, such as addresses of clients: all but the first share the overflow.
/// Source: AWS SDKs keep a quota by service and region; hashicorp/aws-sdk-go-base#915 is what happens without.
template <class Key, class Policy, class Make = detail::make_default<Policy>>
class partitioned {
 public:
  using key_type = Key;
  using policy_type = Policy;
  using lease = leased<Policy>;

  template <std::integral Int>
    requires std::default_initializable<Make>
  explicit partitioned(Int most) : partitioned{most, Make{}} {}
  template <std::integral Int>
  partitioned(Int most, Make make)
      : most_{checked(most)}, make_{std::move(make)}, overflow_{std::make_shared<partition const>(make_)} {}
  partitioned(partitioned const&) = delete;
  partitioned& operator=(partitioned const&) = delete;
  ~partitioned() = default;

  /// Returns the key's partition, and makes it if it is missing. Safe from many threads.
  [[nodiscard]] lease at(Key const& key) {
    std::shared_ptr<node const> forgotten;  // destroyed without the lock, because that may take long
    detail::fork_safe_lock const lock{mutex_, begins_empty()};
    if (auto const found = index_.find(key); found != index_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return lease{*found->second};
    }
    if (index_.size() >= most_) {
      forgotten = forget_one();
      if (forgotten == nullptr) {
        ++overflowed_;
        return lease{overflow_};
      }
    }
    auto one = std::make_shared<node const>(key, numbers_given_, make_);
    std::list<std::shared_ptr<node const>> recent{one};
    std::map<std::uint64_t, std::shared_ptr<node const>> made{{numbers_given_, one}};
    index_.emplace(key, recent.begin());  // the last step that may throw: nothing has changed before
    recent_.splice(recent_.begin(), recent);
    made_.merge(made);
    ++numbers_given_;
    return lease{std::move(one)};
  }

  /// The number of partitions, without the overflow.
  [[nodiscard]] std::size_t size() const {
    detail::fork_safe_lock const lock{mutex_, begins_empty()};
    return index_.size();
  }
  [[nodiscard]] constexpr std::size_t max_size() const noexcept { return most_; }

  /// How often a key was given the overflow partition.
  [[nodiscard]] std::uint64_t overflowed() const {
    detail::fork_safe_lock const lock{mutex_, begins_empty()};
    return overflowed_;
  }
  [[nodiscard]] Policy const& overflow() const noexcept { return overflow_->policy; }

  /// Calls `visit(key, policy)` for each partition, in the order in which they were made: for gauges. It visits every
  /// partition that exists throughout once, and no partition that is made meanwhile. `visit` runs without the lock and
  /// may do anything, `at` included; the lock is held for 32 partitions at a time, whose keys are not copied.
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::vector<std::shared_ptr<node const>> batch;
    batch.reserve(32);
    auto const end = numbers_given();
    for (std::uint64_t next = 0;; next = batch.back()->number + 1) {
      batch.clear();  // without the lock, because the last owner of a forgotten partition destroys it
      copy_made(next, end, batch);
      if (batch.empty()) return;
      for (auto const& one : batch) visit(one->key, one->policy);
    }
  }

 private:
  using partition = detail::partition<Policy>;

  struct node : partition {
    node(Key k, std::uint64_t n, Make const& make) : partition{make}, key{std::move(k)}, number{n} {}

    Key const key;
    std::uint64_t const number;  // in the order in which they were made
  };

  [[nodiscard]] std::uint64_t numbers_given() const {
    detail::fork_safe_lock const lock{mutex_, begins_empty()};
    return numbers_given_;
  }
  /// Fills the batch with the partitions from `next` up to `end`.
  void copy_made(std::uint64_t next, std::uint64_t end, std::vector<std::shared_ptr<node const>>& batch) const {
    detail::fork_safe_lock const lock{mutex_, begins_empty()};
    for (auto at = made_.lower_bound(next); at != made_.end() && at->first < end; ++at) {
      if (batch.size() == batch.capacity()) return;
      batch.push_back(at->second);
    }
  }

  template <class Int>
  static constexpr std::size_t checked(Int most) {
    if (most < 1) {
      detail::invalid_argument("partitioned", "the number of partitions must be at least 1", std::to_string(most));
    }
    return static_cast<std::size_t>(most);
  }

  /// For a forked child whose parent had a thread that was changing the registry: the half-changed data can neither be
  /// used nor destroyed.
  [[nodiscard]] auto begins_empty() const noexcept {
    return [this] {
      std::construct_at(std::addressof(recent_));
      std::construct_at(std::addressof(made_));
      std::construct_at(std::addressof(index_));
    };
  }

  std::shared_ptr<node const> forget_one() {
    for (auto last = recent_.end(); last != recent_.begin();) {
      --last;
      if ((*last)->is_used()) continue;
      auto forgotten = std::move(*last);
      made_.erase(forgotten->number);
      index_.erase(forgotten->key);
      recent_.erase(last);
      return forgotten;
    }
    return nullptr;
  }

  std::size_t const most_;
  Make const make_;
  std::shared_ptr<partition const> const overflow_;
  mutable detail::fork_safe_mutex mutex_;
  mutable std::list<std::shared_ptr<node const>> recent_;  // the most recently requested partition comes first
  mutable std::map<std::uint64_t, std::shared_ptr<node const>> made_;
  mutable std::unordered_map<Key, typename std::list<std::shared_ptr<node const>>::iterator> index_;
  std::uint64_t numbers_given_ = 0;
  std::uint64_t overflowed_ = 0;
};

/// Replaces the registry of a key type that owns nothing, so that the explanation is the only error.
template <class Key, class Policy, class Make>
  requires(!detail::key_owns_its_text<Key>::value)
class partitioned<Key, Policy, Make> {
 public:
  static_assert(detail::key_owns_its_text<Key>::value,
                "anew::partitioned<Key, Policy> requires a key that owns its value; a view dangles when its text is "
                "gone, and a pointer to text is compared by address. Did you mean std::string?");
  using key_type = Key;
  using policy_type = Policy;
  using lease = leased<Policy>;
  template <class... Anything>
  explicit partitioned(Anything&&... /*ignored*/) {}
  lease at(Key const& key);
  [[nodiscard]] static std::size_t size() { return 0; }
  [[nodiscard]] static std::size_t max_size() { return 0; }
  [[nodiscard]] static std::uint64_t overflowed() { return 0; }
  Policy const& overflow() const;
  template <class Visit>
  void for_each(Visit&& visit) const;
};

/// Makes a registry whose policies `make()` creates:
/// `partitioned_by<std::string>(1000, [] { return token_bucket{500}; })`.
template <class Key, std::integral Int, class Make>
[[nodiscard]] auto partitioned_by(Int most, Make make) {
  return partitioned<Key, std::invoke_result_t<Make const&>, Make>{most, std::move(make)};
}

}  // namespace anew::inline ANEW_ABI

#endif
