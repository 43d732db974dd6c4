// SPDX-License-Identifier: BSL-1.0
#include <algorithm>

#include "client.hpp"
#include "connection.hpp"

namespace anew_load {

namespace {

// [bare]
class bare_client final : public client {
 public:
  bare_client(connections& over, anew::duration limit) : over_{over}, limit_{limit} {}

  void call(caller& who) override {
    async_fetch(over_, who.what(), anew::connection_hint::reuse, limit_, on_reply{who, over_.io().get_executor()});
  }

 private:
  connections& over_;
  anew::duration limit_;
};
// [/bare]

class bare final : public calling {
 public:
  explicit bare(anew::duration limit) : limit_{limit} {}
  std::unique_ptr<client> client_over(connections& over) override {
    return std::make_unique<bare_client>(over, limit_);
  }
  [[nodiscard]] std::string describe() const override { return "no retry"; }

 private:
  anew::duration limit_;
};

}  // namespace

std::unique_ptr<calling> make_bare(settings const& s) {
  constexpr auto none = anew::duration::max();
  return std::make_unique<bare>(std::min(s.attempt_timeout.value_or(none), s.deadline.value_or(none)));
}

}  // namespace anew_load
