// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_CHECKED_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_CHECKED_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/bridges/redis/redis_settings.hpp"
#include "anew/bridges/redis/when_redis_is_away.hpp"

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

#endif
