// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_RETRYING_HPP
#define ANEW_LOAD_RETRYING_HPP

#include <utility>

#include "anew/asio.hpp"
#include "anew/bridges/curl/transfer.hpp"

#include "client.hpp"
#include "connection.hpp"

namespace anew_load {

// [client]
/// The client as it is, and a strategy around it.
template <class Strategy>
class retrying_client final : public client {
 public:
  retrying_client(connections& over, Strategy const& strategy, settings const& s, limit_function by_strategy = {})
      : over_{over},
        strategy_{strategy},
        limit_{s.attempt_timeout.value_or(anew::duration::max())},
        by_strategy_{std::move(by_strategy)},
        is_idempotent_{s.idempotent} {}

  void call(caller& who) override {
    auto once = [this, what = who.what()](anew::attempt& attempt, auto&& token) {
      auto const limit = by_strategy_ ? by_strategy_(attempt.remaining()) : limit_;
      return async_fetch(over_, what, attempt.connection(), attempt.limit(limit), std::forward<decltype(token)>(token));
    };
    on_reply done{who, over_.io().get_executor()};
    if (is_idempotent_) {
      anew::async_retry(strategy_, anew::idempotent(once), std::move(done));
    } else {
      anew::async_retry(strategy_, once, std::move(done));
    }
  }

 private:
  connections& over_;
  Strategy const& strategy_;
  anew::duration limit_;
  limit_function by_strategy_;
  bool is_idempotent_;
};
// [/client]

}  // namespace anew_load

#endif
