// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SHARED_QUOTA_HPP
#define ANEW_GET_SHARED_QUOTA_HPP

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "anew/anew.hpp"
#include "anew/process.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/text/words/quota.hpp"
#ifdef ANEW_GET_HAS_REDIS
#include "anew/policies/sharing/shared.hpp"
#include "anew/redis.hpp"
#endif

namespace anew_get {

// [quota]
/// A bucket of all processes of this host, or of a fleet that shares it on Redis: a handle that can be copied.
using shared_quota = std::variant<anew::process::token_bucket
#ifdef ANEW_GET_HAS_REDIS
                                  ,
                                  anew::shared<anew::redis_bucket>
#endif
                                  >;
/// One of these, or the bucket of a process that shares it with no other.
template <class... Handles>
anew::choice<anew::roles::quota, anew::words::token_bucket::policy_type, Handles...> choice_of(
    std::variant<Handles...> const& /*handles*/);
using retry_quota = decltype(choice_of(std::declval<shared_quota>()));
// [/quota]

/// The quota of a strategy that names none.
[[nodiscard]] retry_quota quota_for(std::optional<shared_quota> const& handle);

/// A mistake in the value of `--quota`, or a bucket that cannot be opened. what() holds no user and no password.
struct quota_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether the text names a bucket outside this process: `shm:NAME` or a URL.
[[nodiscard]] bool is_shared_quota(std::string_view text);

/// Opens the bucket that `shm:NAME?capacity=N` or `redis://HOST/DB?name=NAME&capacity=N` names, and makes it where it
/// does not exist. Throws quota_error.
[[nodiscard]] shared_quota open_shared_quota(std::string const& text);

}  // namespace anew_get

#endif
