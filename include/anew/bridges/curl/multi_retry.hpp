// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_MULTI_RETRY_HPP
#define ANEW_BRIDGES_CURL_MULTI_RETRY_HPP

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <curl/curl.h>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/platform/internal/on_exit.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bridges/curl/internal/call.hpp"
#include "anew/bridges/curl/transfer.hpp"
#include "anew/bridges/curl/upload.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/internal/stop.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/policies/sources/std_clock.hpp"
#include "anew/roles/clock.hpp"
#include "anew/roles/retry_strategy.hpp"

/// Many calls on one thread: libcurl's multi interface, with retries for each call.
namespace anew::inline ANEW_ABI::curl {

namespace detail {

template <class... How>
inline constexpr bool call_has_a_callback = (std::invocable<How, ended_call const&> || ...);

}  // namespace detail

/// Calls that share a libcurl multi handle, and so a thread and its connections. Each is retried by its own strategy.
///
///     anew::curl::multi_retry calls;
///     for (auto& page : pages) calls.add(page.easy, strategy, anew::idempotent_call, [&](ended_call const& end) { … });
///     calls.run();
///
/// The loop is `run()`, which uses `curl_multi_poll`, or your own: set `CURLMOPT_SOCKETFUNCTION` on `native_handle()`,
/// call `drive(socket, events)` when a socket is ready, and `drive()` after `next_timeout()`. Call `next_timeout()`
/// again after every other function. `CURLMOPT_TIMERFUNCTION` is taken.
///
/// `add()` and `stop()` take effect in the next turn of the loop, so any callback, libcurl's too, may call them. Each
/// callback is called once, from the loop, when its call has been removed, and may add the same handle again. An
/// exception of a callback leaves the loop's function; the other calls are unaffected, and the next turn continues. The
/// destructor drops the remaining calls without calling their callbacks.
///
/// One thread; only `wake()` is for others. The clock measures the waits between attempts.
/// Cost: three allocations for a call; the same time to find it among however many; log2(calls that wait) steps to queue it.
/// A connection for each attempt that is not declared idempotent, as `prepare()` says, unless you call `share_http2()`.
/// Choose it for many transfers at a time. Not for one: `curl_easy_perform` with `prepare()`, and `retry()`.
template <Clock ClockPolicy = std_clock<std::chrono::steady_clock>>
class multi_retry {
 public:
  // NOLINTNEXTLINE(performance-unnecessary-value-param): moved where that is more than a copy
  explicit multi_retry(ClockPolicy clock = {}) : multi_{curl_multi_init()}, clock_{std::move(clock)} {
    if (!multi_) anew::detail::out_of_memory();
    curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &multi_retry::on_timer);
    curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
  }
  multi_retry(multi_retry const&) = delete;
  multi_retry& operator=(multi_retry const&) = delete;
  ~multi_retry() {
    curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, nullptr);  // the loop that watches sockets may be gone
    for (auto const& [handle, call] : calls_) {
      if (!call->at_libcurl) continue;
      curl_multi_remove_handle(multi_.get(), handle);
      call->detach();
    }
  }

  /// For options and sockets. Handles that you add to it yourself have no callback here.
  [[nodiscard]] CURLM* native_handle() const noexcept { return multi_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }
  [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }

  /// Lets requests that are not declared idempotent use and share kept connections, for a server that speaks HTTP/2. An attempt
  /// is one request then, and a request whose stream the server refused is repeated whatever you declared; one whose connection
  /// died may have been executed. Replaces `CURLOPT_PREREQFUNCTION` of the calls, including a check of your own. Applies to
  /// attempts that begin later. Not for HTTP/1.1, where a server may close a kept connection while a request is on its way.
  void share_http2(bool shares = true) noexcept { shares_ = shares; }

  /// Begins a call, at the next turn of the loop. `how` is `anew::idempotent_call`, `anew::one_shot_call`, or a preparation,
  /// which runs before each attempt and may declare more:
  /// `anew::idempotent(anew::rewinding(prepare, [&] { body.clear(); }))`. A strategy that is an lvalue is referred to.
  /// `done` is called with an `ended_call`. The handle must stay, and must not be in another call.
  template <class S, class How, std::invocable<ended_call const&> Done>
    requires RetryStrategy<std::remove_cvref_t<S>> &&
             ClassifierOf<anew::detail::classifier_type_of<std::remove_cvref_t<S>>, transfer>
  void add(CURL* easy, S&& strategy, How&& how, Done&& done) {
    anew::detail::require(easy != nullptr, "curl::multi_retry", "the handle must be one", "null");
    anew::detail::require(!calls_.contains(easy), "curl::multi_retry", "the handle must not be in a call", "in one");
    using strategy_type =
        std::conditional_t<std::is_lvalue_reference_v<S>, std::remove_cvref_t<S> const&, std::remove_cvref_t<S>>;
    using prepare_type = std::remove_cvref_t<decltype(detail::preparation_of(std::forward<How>(how)))>;
    using call_type = detail::multi_call_of<strategy_type, prepare_type, std::decay_t<Done>>;
    auto call = std::make_unique<call_type>(easy, std::forward<S>(strategy),
                                            detail::preparation_of(std::forward<How>(how)), std::forward<Done>(done));
    auto const due = clock_.now();
    detail::multi_call::queue alone;
    call->node = alone.extract(alone.emplace(due, call.get()));
    queue(*calls_.emplace(easy, std::move(call)).first->second, due);
  }
  template <class S, std::invocable<ended_call const&> Done>
  void add(CURL* easy, S&& strategy, Done&& done) {
    add(easy, std::forward<S>(strategy), call_declaration<anew::declared::nothing>{}, std::forward<Done>(done));
  }
  // Without a callback the result would be lost: explains that.
  template <class S, class... How>
    requires RetryStrategy<std::remove_cvref_t<S>> && (sizeof...(How) <= 1) &&
             (!std::invocable<How, ended_call const&> && ...)
  void add(CURL* /*easy*/, S&& /*strategy*/, How&&... /*how*/) {
    static_assert(detail::call_has_a_callback<How...>,
                  "anew::curl::multi_retry::add(easy, strategy, how, done) requires a callback that takes an "
                  "anew::curl::ended_call const&; you passed no callback, so the result would be lost. Add "
                  "[](anew::curl::ended_call const& ended) { ... }");
  }

  /// Ends the call of this handle at the next turn of the loop: no further attempt starts, and the transfer in flight
  /// is aborted. It ends with `stop_reason::cancelled`, unless it has succeeded before that. False: there is no such
  /// call.
  bool stop(CURL* easy) {
    auto const found = calls_.find(easy);
    if (found != calls_.end()) stop(*found->second);
    return found != calls_.end();
  }
  void stop_all() {
    for (auto const& each : calls_) stop(*each.second);
  }

  /// Runs until no call is left. Returns the code of the multi handle, at once if that is an error.
  CURLMcode run() { return run(never_stop{}); }
  /// The same; when a stop is requested all calls are stopped. A `std::stop_token` wakes the loop; with any other type of
  /// token call `wake()` as well.
  CURLMcode run(auto const& stop) {
    [[maybe_unused]] auto const waker = wake_at(stop);
    while (!empty()) {
      if (stop.stop_requested()) stop_all();
      if (auto const code = poll(); code != CURLM_OK) return code;
    }
    return CURLM_OK;
  }
  /// One turn: waits for something to do, at most that long, and does it.
  CURLMcode poll(duration most = duration::max()) {
    if (is_driving_) return CURLM_RECURSIVE_API_CALL;
    auto const wait = anew::detail::smaller(most, time_to_next_call());
    auto const code = curl_multi_poll(multi_.get(), nullptr, 0, whole_milliseconds(wait), nullptr);
    if (code != CURLM_OK) return code;
    return turn([this] {
      int running = 0;
      return curl_multi_perform(multi_.get(), &running);
    });
  }
  /// Ends the wait of `poll()` and `run()`. Any thread may call it.
  void wake() const noexcept { curl_multi_wakeup(multi_.get()); }

  /// How long only sockets need attention; `duration::max()` if there is no limit.
  [[nodiscard]] duration next_timeout() const {
    auto const of_libcurl =
        timer_ == time_point::max() ? duration::max() : anew::detail::saturating_subtract(timer_, steady::now());
    return anew::detail::larger(duration::zero(), anew::detail::smaller(of_libcurl, time_to_next_call()));
  }
  /// Does the work that is due. Calling it early does no harm.
  CURLMcode drive() {
    return turn([this] {
      int running = 0;
      timer_ = time_point::max();  // it is set anew, where there is one
      return curl_multi_socket_action(multi_.get(), CURL_SOCKET_TIMEOUT, 0, &running);
    });
  }
  /// Handles a ready socket: `events` of `CURL_CSELECT_IN`, `_OUT` and `_ERR`.
  CURLMcode drive(curl_socket_t socket, int events) {
    return turn([&] {
      int running = 0;
      return curl_multi_socket_action(multi_.get(), socket, events, &running);
    });
  }

 private:
  using steady = std_clock<std::chrono::steady_clock>;  // libcurl's
  struct cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };

  static int on_timer(CURLM* /*multi*/, long milliseconds, void* self) noexcept {
    auto& timer = static_cast<multi_retry*>(self)->timer_;
    timer = milliseconds < 0 ? time_point::max()
                             : anew::detail::saturating_add(steady::now(), std::chrono::milliseconds{milliseconds});
    return 0;
  }
  static int whole_milliseconds(duration wait) noexcept {
    if (wait <= duration::zero()) return 0;
    auto const forever = wait == duration::max();
    return forever ? std::numeric_limits<std::int32_t>::max() : static_cast<int>(detail::milliseconds_of(wait));
  }
  template <class Stop>
  auto wake_at([[maybe_unused]] Stop const& stop) const {
#if defined(__cpp_lib_jthread)
    if constexpr (std::is_same_v<Stop, std::stop_token>) {
      auto const wakes = [this] { wake(); };
      return std::stop_callback<decltype(wakes)>{stop, wakes};
    } else
#endif
      return 0;
  }

  [[nodiscard]] duration time_to_next_call() const {
    if (has_unread_) return duration::zero();
    if (queue_.empty()) return duration::max();
    return anew::detail::larger(duration::zero(),
                                anew::detail::saturating_subtract(queue_.begin()->first, clock_.now()));
  }
  void stop(detail::multi_call& call) {
    if (std::exchange(call.stopped, true)) return;
    queue(call, time_point::min());
  }
  /// Puts the call behind those that are due at the same time.
  void queue(detail::multi_call& call, time_point due) noexcept {
    unqueue(call);
    call.node.key() = due;
    call.place = queue_.insert(std::move(call.node));
  }
  void unqueue(detail::multi_call& call) noexcept {
    if (call.node.empty()) call.node = queue_.extract(call.place);
  }

  /// A callback's exception may end a turn anywhere; the rest is left for the next turn.
  CURLMcode turn(auto action) {
    if (is_driving_) return CURLM_RECURSIVE_API_CALL;
    is_driving_ = true;
    anew::detail::on_exit const over{[this] { is_driving_ = false; }};
    auto const code = action();
    read_messages();
    begin_what_is_due();
    return code;
  }
  void read_messages() {
    int left = 0;
    has_unread_ = true;
    while (auto const* const message = curl_multi_info_read(multi_.get(), &left)) {
      auto const found = calls_.find(message->easy_handle);
      if (message->msg != CURLMSG_DONE || found == calls_.end()) continue;
      auto& call = *found->second;
      call.last = call.read(message->data.result);
      take_back(call);
      go_on(call, guarded(call, [&] { return call.on_transfer(); }));
    }
    has_unread_ = false;
  }
  void begin_what_is_due() {
    auto const now = clock_.now();
    for (auto most = queue_.size(); most > 0; --most) {  // what is added meanwhile may come in the next turn
      if (queue_.empty() || queue_.begin()->first > now) return;
      auto* const call = queue_.begin()->second;
      unqueue(*call);
      if (!call->stopped) {
        go_on(*call, guarded(*call, [&] { return call->resume(); }));
        continue;
      }
      if (call->at_libcurl) {
        call->last = call->read(CURLE_ABORTED_BY_CALLBACK);
        take_back(*call);
      }
      go_on(*call, guarded(*call, [&] { return call->cancel(), next_step::finished; }));
    }
  }
  void go_on(detail::multi_call& call, next_step step) {
    if (step == next_step::attempt) {
      auto code = CURLE_OK;
      auto const prepared = guarded(call, [&] { return code = call.prepare(shares_), next_step::attempt; });
      bool const goes = prepared == next_step::attempt && code == CURLE_OK && !call.stopped;
      if (goes && curl_multi_add_handle(multi_.get(), call.handle) == CURLM_OK) {
        call.at_libcurl = true;
        return;
      }
      call.detach();
      if (prepared == next_step::finished) return end(call);
      if (code == CURLE_OK && call.stopped) return;  // the preparation stopped it
      call.last = detail::not_prepared(code == CURLE_OK ? CURLE_FAILED_INIT : code);
      step = guarded(call, [&] { return call.on_transfer(); });
    }
    if (step == next_step::finished) return end(call);
    queue(call, call.stopped ? time_point::min() : anew::detail::saturating_add(clock_.now(), call.wait()));
  }
  void take_back(detail::multi_call& call) noexcept {
    curl_multi_remove_handle(multi_.get(), call.handle);
    call.at_libcurl = false;
  }
  void end(detail::multi_call& call) {
    unqueue(call);
    calls_.extract(call.handle).mapped()->tell();
  }
  static next_step guarded(detail::multi_call& call, auto step) {
#if ANEW_EXCEPTIONS
    try {
      return step();
    } catch (...) {
      if (anew::detail::is_foreign()) throw;
      call.thrown = std::current_exception();
      return next_step::finished;
    }
#else
    static_cast<void>(call);
    return step();
#endif
  }

  std::unique_ptr<CURLM, cleanup> multi_;
  detail::multi_call::queue queue_;  // by the time at which they are due
  std::unordered_map<CURL*, std::unique_ptr<detail::multi_call>> calls_;
  time_point timer_ = time_point::max();
  ANEW_NO_UNIQUE_ADDRESS ClockPolicy clock_;
  bool shares_ = false;
  bool has_unread_ = false;
  bool is_driving_ = false;
};

}  // namespace anew::inline ANEW_ABI::curl

#endif
