// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_INTERNAL_CALL_HPP
#define ANEW_BRIDGES_CURL_INTERNAL_CALL_HPP

#include <concepts>
#include <exception>
#include <functional>
#include <map>
#include <type_traits>
#include <utility>

#include <curl/curl.h>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bridges/curl/answer_head.hpp"
#include "anew/bridges/curl/transfer.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/roles/operation.hpp"

/// One of many calls on a multi handle. anew/bridges/curl/multi_retry.hpp drives them.
namespace anew::inline ANEW_ABI::curl::detail {

/// Watches a call's heads, and forwards the lines if the preparation says so.
answer_head head_of(auto const& prepare) noexcept {
  if constexpr (requires { prepare.header_function; }) return answer_head{prepare.header_function, prepare.header_data};
  if constexpr (requires { prepare.operation; }) return detail::head_of(prepare.operation);
  return {};
}

/// The body of a call's transfers, from its preparation; null if the bridge does not know it.
upload* body_of(auto& prepare) noexcept {
  if constexpr (requires { prepare.upload_body; }) {
    return &prepare.upload_body;
  } else if constexpr (requires { prepare.operation; }) {
    return detail::body_of(prepare.operation);
  } else {
    return nullptr;
  }
}

/// A call without its types. It is in one of three states: waiting in the queue; in a transfer; or both, if it was
/// stopped.
class multi_call : pinned::immovable<multi_call> {
 public:
  using queue = std::multimap<time_point, multi_call*>;

  explicit multi_call(CURL* easy) noexcept : handle{easy} {}
  virtual ~multi_call() = default;

  virtual next_step resume() = 0;                // the first time and after a wait
  virtual CURLcode prepare(bool may_share) = 0;  // the handle, for the attempt that begins
  virtual next_step on_transfer() = 0;           // `last` says how the attempt went
  virtual void cancel() = 0;
  [[nodiscard]] virtual duration wait() const = 0;
  virtual void detach() = 0;                 // the handle has nothing of the call any more
  virtual void tell() = 0;                   // the callback
  virtual transfer read(CURLcode code) = 0;  // how the transfer went that ended with this

  CURL* handle;
  queue::node_type node{};  // of the queue, kept here while the call is not in it: nothing allocates after `add`
  queue::iterator place{};  // in the queue, while the node is there
  transfer last{CURLE_ABORTED_BY_CALLBACK, 0, false, std::nullopt};
  std::exception_ptr thrown;
  bool at_libcurl = false;
  bool stopped = false;
};

template <class Strategy, class Prepare, class Done>
class multi_call_of final : public multi_call {
 public:
  template <class S, class P, class D>
  multi_call_of(CURL* easy, S&& strategy, P&& prepare, D&& done)
      : multi_call{easy},
        strategy_{std::forward<S>(strategy)},
        head_{detail::head_of(prepare)},
        engine_{strategy_, std::forward<P>(prepare)},
        done_{std::forward<D>(done)} {}

  next_step resume() override { return std::exchange(has_begun_, true) ? engine_.on_wait_over() : engine_.begin(); }

  CURLcode prepare(bool may_share) override {
    auto const parts = engine_.current();
    attempt self{parts};
    constexpr call_declaration<anew::detail::declaration_of<Prepare>> declared{};
    auto code = detail::prepare_body(handle, self, head_, detail::body_of(engine_.operation()));
    if (code == CURLE_OK)
      code = detail::prepare_connection(handle, self, head_, may_keep_connection<declared.value>, may_share);
    // Without a limit the handle keeps its owner's setting.
    if (auto const limit = self.limit(parts.limit); code == CURLE_OK && limit < duration::max())
      code = curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, detail::milliseconds_of(limit));
    if (code != CURLE_OK) return code;
    if constexpr (std::is_void_v<decltype(engine_.start(self))>) {
      engine_.start(self);
      return CURLE_OK;
    } else {
      return engine_.start(self);
    }
  }

  next_step on_transfer() override {
    if (stopped) (void)engine_.request_stop();  // a success is one all the same
    return engine_.on_outcome(last);
  }
  void cancel() override {
    if (engine_.request_stop() != next_step::finished) engine_.on_cancelled();
  }
  [[nodiscard]] duration wait() const override { return engine_.wait(); }
  transfer read(CURLcode code) override { return curl::transfer_of(handle, code, head_); }
  void detach() override {
    answer_head::detach(handle);
    head_.forget_requests(handle);
    if (auto const* const body = head_.body()) body->detach(handle);
  }
  void tell() override {
    auto const reason = thrown ? stop_reason::unclassified : engine_.reason();
    std::invoke(done_, std::as_const(*this).ended(reason));
  }

 private:
  [[nodiscard]] ended_call ended(stop_reason reason) const {
    return {handle, last, reason, engine_.attempts(), thrown};
  }

  Strategy strategy_;  // or a reference to it
  answer_head head_;
  call_engine<std::remove_cvref_t<Strategy>, Prepare> engine_;
  ANEW_NO_UNIQUE_ADDRESS Done done_;
  bool has_begun_ = false;
};

template <anew::declared Declared>
auto preparation_of(call_declaration<Declared> /*declared*/) ->
    typename anew::detail::operation_declared_as<Declared>::type {
  return {};
}
template <Preparation Prepare>
auto&& preparation_of(Prepare&& prepare) noexcept {
  return std::forward<Prepare>(prepare);
}

}  // namespace anew::inline ANEW_ABI::curl::detail

#endif
