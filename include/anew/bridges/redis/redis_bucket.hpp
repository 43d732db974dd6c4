// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_REDIS_BUCKET_HPP
#define ANEW_BRIDGES_REDIS_REDIS_BUCKET_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/redis/internal/fleet_bucket.hpp"
#include "anew/bridges/redis/internal/socket.hpp"
#include "anew/bridges/redis/redis_settings.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The settings, if they are possible. No message holds the user or the password.
inline redis_settings checked(redis_settings const& s) {
  auto const require = [](bool holds, char const* requirement, std::string const& value) {
    if (!holds) detail::invalid_argument("redis_bucket", requirement, value);
  };
  require(!s.name.empty() && s.name.find_first_of("{}") == std::string::npos,
          "name must not be empty and must hold no braces", shown(s.name));
  require(!s.host.empty(), "host must not be empty", "\"\"");
  require(s.port != 0 || s.host.front() == '/', "port must be at least 1", "0");
  require(s.user.empty() || !s.password.empty(), "password must be set where user is", "empty");
  require(s.costs.dearest() != 0, "at least one cost must be above zero", "all 0");
  require(s.capacity >= s.costs.transient, "capacity must be at least the cost of one retry",
          std::to_string(s.capacity));
  require(s.first <= s.capacity, "first must be at most the capacity", std::to_string(s.first));
  require(s.lease >= s.costs.transient && s.lease <= s.capacity,
          "lease must be at least the cost of one retry and at most the capacity", std::to_string(s.lease));
  require(s.batch != 0, "batch must be at least 1", "0");
  require(s.processes != 0, "processes must be at least 1", "0");
  require(s.away != when_redis_is_away::share || s.capacity / s.processes >= s.costs.transient,
          "processes must leave each its share: the cost of one retry at least", std::to_string(s.processes));
  require(s.lease_for >= duration{1'000'000}, "lease_for must be at least 1 ms", to_text(s.lease_for));
  require(s.patience >= duration::zero(), "patience must not be below zero", to_text(s.patience));
  require(s.limit > duration::zero(), "limit must be above zero", to_text(s.limit));
  require(s.empty_for >= duration::zero(), "empty_for must not be below zero", to_text(s.empty_for));
  require(s.time_to_live >= duration{1'000'000'000}, "time_to_live must be at least 1 s", to_text(s.time_to_live));
  return s;
}

inline std::string text_of_settings(redis_settings const& s) {
  std::string text{"redis_bucket("};
  text.append(shown(s.name)).append(" at ").append(shown(s.host));
  if (s.host.front() != '/') text.append(":").append(std::to_string(s.port));
  text.append(", ").append(std::to_string(s.capacity)).append(", lease=").append(std::to_string(s.lease));
  return text.append(", batch=").append(std::to_string(s.batch)).append(")");
}

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI {

/// A token_bucket that all processes of a fleet share on Redis, or on Valkey.
///
/// `redis_bucket{{.name = "orders", .host = "redis.internal", .capacity = 500}}`. A retry pays out of a lease that the
/// process took in advance; without one it asks Redis, the answer arrives during its backoff, and `settle` reads it.
/// Nothing waits for Redis: each function makes at most one step of a non-blocking connection.
/// Two buckets in one process share nothing but Redis: keep one for each name, and give it to strategies by `shared`.
///
/// Models: Quota (safe from many threads; 8 bytes)
/// Formula: retries of the fleet, in tokens <= capacity + what successes give back + processes * (lease + batch), while
/// Redis keeps the key. A success gives back 1, or what the last retry of its call paid. An idle process keeps its lease until its next call or its end, and Redis counts it as spent
/// Requires: name not empty and without braces; capacity and lease at least the cost of one retry; batch and processes
/// at least 1; with when_redis_is_away::share, capacity / processes at least the cost of one retry; limit above zero,
/// lease_for at least 1 ms, time_to_live at least 1 s; one capacity and one set of costs in all processes; Redis 5 or
/// later. At most 256 retries of a process wait for an answer: more are refused. The constructor resolves the host, which
/// may block; later a thread looks it up, for which the destructor waits
/// Cost: a success one addition and a compare; a call the clock, while the process has a lease; a retry out of the lease
/// a short lock; every 32nd success, and a retry that asks, a few system calls that do not wait
/// Metastable above: as token_bucket, for the fleet as a whole
/// Choose it for a fleet whose instances call one service, where each alone sees too few calls to know that it is down.
/// Not for one process: token_bucket; not as the only protection: without Redis it is when_redis_is_away.
/// Source: leases: Gray and Cheriton, "Leases"; one script as one step: Redis, "Scripting with Lua"
class redis_bucket {
 public:
  using role = roles::quota;
  using permit_type = detail::redis_permit;
  static constexpr bool keeps_nothing = true;  // in a snapshot: Redis keeps it

  explicit redis_bucket(redis_settings const& settings) : of_{made_of(detail::checked(settings))} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& what, time_point now) const {
    return of_->try_acquire(what, now);
  }
  [[nodiscard]] admission<permit_type> settle(permit_type held, time_point now) const { return of_->settle(held, now); }
  void on_success(permit_type held) const { of_->on_success(held); }
  void release(permit_type held) const { of_->release(held); }
  /// The time is needed to hand a batch over, to return a lease that has ended, to read an answer, or to connect again.
  void on_call(detail::Time auto&& now) const {
    if (of_->needs_time()) of_->hand_over(now);
  }

  /// True from a failure to the next question that Redis answers well.
  [[nodiscard]] bool is_away() const noexcept { return of_->is_away(); }
  /// True from a retry whose patience ended before Redis answered to the next answer. Redis may only be slow: it is away
  /// once an exchange has taken `limit`.
  [[nodiscard]] bool is_late() const noexcept { return of_->is_late(); }
  /// The tokens that this process has in advance.
  [[nodiscard]] std::uint32_t leased() const noexcept { return of_->leased(); }
  /// How often it asked Redis, and how often there was no answer.
  [[nodiscard]] std::uint64_t exchanges() const noexcept { return of_->exchanges(); }
  [[nodiscard]] std::uint64_t lost_exchanges() const noexcept { return of_->lost(); }
  /// How many retries were refused because 256 others waited for an answer.
  [[nodiscard]] std::uint64_t overflows() const noexcept { return of_->overflows(); }
  /// Why the connection failed last, in Redis's words or in anew's, escaped, without the user and the password. Waits for a step
  /// that another thread makes.
  [[nodiscard]] std::string last_error() const { return of_->last_error(); }

  /// Without the user and the password.
  [[nodiscard]] std::string describe() const { return detail::text_of_settings(of_->settings()); }

 private:
  using bucket = detail::fleet_bucket<detail::redis_socket>;
  static std::unique_ptr<bucket> made_of(redis_settings const& s) {
    return std::make_unique<bucket>(s, detail::redis_socket{s});
  }
  std::unique_ptr<bucket> of_;
};

}  // namespace anew::inline ANEW_ABI

#endif
