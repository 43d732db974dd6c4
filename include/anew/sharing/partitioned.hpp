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

/// A policy, and how many leases, permits and calls under way there are of it. From 0 only the registry brings it up,
/// so that whoever reads 0 under the registry's lock may forget it.
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

/// False for a view, which the registry would keep longer than what it refers to, and for a pointer to text, which is
/// equal to another one by its address.
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
    return std::string{"partitioned("}.append(policy().describe()).append(")");
  }

  static constexpr bool is_sound = detail::is_sound_to_share<Policy>;
  template <class Self>
  static consteval void explain() {
    detail::explain_sharing<Policy>();
  }

 private:
  template <class, class, class>
  friend class sharing::forwarded;
  template <class, class, class>
  friend class partitioned;
  static constexpr bool counts = true;

  explicit leased(std::shared_ptr<detail::partition<Policy> const> of) noexcept : partition_{std::move(of)} { lend(); }
  void lend() const noexcept { partition_->lend(); }
  void take_back() const noexcept { partition_->take_back(); }

  std::shared_ptr<detail::partition<Policy> const> partition_;
};

/// A quota, a gate or a pacer for each key: for each host, operation, tenant. What one of them spends, others keep.
///
/// `partitioned<std::string, token_bucket<500>> hosts{1000}` has at most 1000 partitions;
/// `compose(backoff, hosts.at("example.org"))` is a strategy with that host's. `partitioned_by<std::string>(1000, make)`
/// makes the policies by calling `make()`. Compose a strategy once for a key and keep it: `at` takes a lock.
///
/// A new key beyond the bound takes the place of the one that was asked for longest ago, of those that nobody leases
/// and whose permits are all back; asked for again, that one begins anew. Where there is none, the new key gets the
/// overflow partition, which all such keys share, until there is room: `overflowed()` counts how often that happened.
///
/// Models: none; what `at` returns is a Quota, a Gate or a Pacer
/// Formula: none
/// Requires: at least one partition; a key that std::hash takes and that owns its text: std::string, not std::string_view
/// Cost: `at`: a lock and a look into a hash table; for a new key allocations, and a walk over the partitions in use. A
/// forked child of a process whose other threads were changing the registry begins with an empty one
/// Choose it for a client of several hosts, so that one that is down does not use up the retries of the others. Not
/// for keys without bound, such as addresses of clients: all but the first share the overflow.
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

  /// The key's partition, which is made where there is none. Safe from many threads.
  [[nodiscard]] lease at(Key const& key) {
    std::shared_ptr<node const> forgotten;  // what goes with it may take its time: without the lock
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
    index_.emplace(key, recent.begin());  // the last one that may throw: until then nothing has changed
    recent_.splice(recent_.begin(), recent);
    made_.merge(made);
    ++numbers_given_;
    return lease{std::move(one)};
  }

  /// How many partitions there are, the overflow not counted.
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
  /// partition that is there throughout once, and none that is made meanwhile. `visit` runs without the lock and may do
  /// anything, `at` included; the lock is held for 32 partitions at a time, whose keys are not copied.
  template <class Visit>
  void for_each(Visit&& visit) const {
    std::vector<std::shared_ptr<node const>> batch;
    batch.reserve(32);
    auto const end = numbers_given();
    for (std::uint64_t next = 0;; next = batch.back()->number + 1) {
      batch.clear();  // without the lock: whoever lets go of a forgotten partition last destroys it
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

  /// For a forked child in whose parent another thread was changing the registry: what that thread left behind can
  /// neither be used nor destroyed.
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
  mutable std::list<std::shared_ptr<node const>> recent_;  // the one that was asked for last comes first
  mutable std::map<std::uint64_t, std::shared_ptr<node const>> made_;
  mutable std::unordered_map<Key, typename std::list<std::shared_ptr<node const>>::iterator> index_;
  std::uint64_t numbers_given_ = 0;
  std::uint64_t overflowed_ = 0;
};

/// What a key that owns nothing makes of it, so that the explanation stays the only error.
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

/// A registry whose policies `make()` makes: `partitioned_by<std::string>(1000, [] { return token_bucket{500}; })`.
template <class Key, std::integral Int, class Make>
[[nodiscard]] auto partitioned_by(Int most, Make make) {
  return partitioned<Key, std::invoke_result_t<Make const&>, Make>{most, std::move(make)};
}

}  // namespace anew::inline ANEW_ABI

#endif
