// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_EXT_CURL_CALL_HPP
#define ANEW_EXT_CURL_CALL_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "anew/attempt.hpp"
#include "anew/concept/operation.hpp"
#include "anew/config.hpp"
#include "anew/duration.hpp"
#include "anew/ext/curl.hpp"
#include "anew/retry_machine.hpp"
#include "anew/stop_reason.hpp"

/// One of many calls on a multi handle: what it is told and asked. Whoever drives them: anew/ext/curl_multi.hpp.
namespace anew::curl {

/// What a call's callback is told. `last` is the transfer of the last attempt; where `attempts` is 0 (a gate refused the
/// call, a stop came first) there was none.
struct ended_call {
  CURL* handle = nullptr;
  transfer last{};
  stop_reason reason = stop_reason::succeeded;
  std::uint32_t attempts = 0;
  std::exception_ptr thrown{};  ///< what the preparation, the classifier or the rewinding threw: it ended the call

  [[nodiscard]] bool has_value() const noexcept { return reason == stop_reason::succeeded; }
};

/// What is done before each attempt: `f(anew::attempt&)` or `f()`, which returns nothing or a `CURLcode`. It may carry the
/// words `idempotent()`, `one_shot()` and `rewinding()`. The transfer itself is libcurl's to make.
template <class F>
concept Preparation =
    Operation<F> && (std::is_void_v<anew::detail::result_of<F>> || std::same_as<anew::detail::result_of<F>, CURLcode>);

namespace detail {

/// A call without its types. It is in one of three states: in the queue, waiting for its time; at libcurl; or both,
/// when it was stopped.
class multi_call {
 public:
  static constexpr std::size_t not_queued = std::numeric_limits<std::size_t>::max();

  explicit multi_call(CURL* easy) noexcept : handle{easy} {}
  multi_call(multi_call const&) = delete;
  multi_call& operator=(multi_call const&) = delete;
  virtual ~multi_call() = default;

  virtual next_step resume() = 0;       // the first time and after a wait
  virtual CURLcode prepare() = 0;       // the handle, for the attempt that begins
  virtual next_step on_transfer() = 0;  // `last` says how the attempt went
  virtual void cancel() = 0;
  [[nodiscard]] virtual duration wait() const = 0;
  virtual void tell() = 0;  // the callback

  CURL* handle;
  time_point due{};
  std::uint64_t number = 0;  // who came first, of those that are due together
  std::size_t place = not_queued;
  transfer last{CURLE_ABORTED_BY_CALLBACK, 0, false, std::nullopt};
  std::exception_ptr thrown{};
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
        machine_{strategy_},
        prepare_{std::forward<P>(prepare)},
        done_{std::forward<D>(done)} {}

  next_step resume() override { return std::exchange(has_begun_, true) ? machine_.on_wait_over() : machine_.begin(); }

  CURLcode prepare() override {
    auto const parts = machine_.current();
    attempt self{parts};
    // Without a limit the handle keeps what its owner set.
    auto const code =
        limit_of(self, parts.limit) < duration::max()
            ? curl::prepare(handle, self, parts.limit)
            : curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, self.connection() == connection_hint::fresh ? 1L : 0L);
    if (code != CURLE_OK) return code;
    auto const run = [&]() -> decltype(auto) {
      if constexpr (anew::detail::TakesAttempt<Prepare>) {
        return prepare_(self);
      } else {
        return prepare_();
      }
    };
    if constexpr (std::is_void_v<decltype(run())>) {
      run();
      return CURLE_OK;
    } else {
      return run();
    }
  }

  next_step on_transfer() override {
    if (stopped) (void)machine_.request_stop();  // a success is one all the same
    return machine_.on_outcome(prepare_, last);
  }
  void cancel() override {
    if (machine_.request_stop() != next_step::finished) machine_.finish(stop_reason::cancelled);
  }
  [[nodiscard]] duration wait() const override { return machine_.wait(); }
  void tell() override {
    auto const reason = thrown ? stop_reason::not_retryable : machine_.reason();
    std::invoke(done_, std::as_const(*this).ended(reason));
  }

 private:
  [[nodiscard]] ended_call ended(stop_reason reason) const {
    return {handle, last, reason, machine_.attempts(), thrown};
  }

  Strategy strategy_;  // or a reference to it
  anew::detail::machine<std::remove_cvref_t<Strategy>> machine_;
  ANEW_NO_UNIQUE_ADDRESS Prepare prepare_;
  ANEW_NO_UNIQUE_ADDRESS Done done_;
  bool has_begun_ = false;
};

/// Those that wait, the next one first: a heap whose elements know their places, so that one can be taken out.
class due_queue {
 public:
  void reserve(std::size_t count) {
    if (count > heap_.capacity()) heap_.reserve(count * 2);
  }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  [[nodiscard]] multi_call* first() const noexcept { return heap_.empty() ? nullptr : heap_.front(); }

  void push(multi_call& call, time_point due) {
    call.due = due;
    call.number = ++last_number_;
    heap_.push_back(&call);
    rise(heap_.size() - 1);
  }
  void remove(multi_call& call) noexcept {
    auto const place = std::exchange(call.place, multi_call::not_queued);
    if (place == multi_call::not_queued) return;
    auto* const moved = heap_.back();
    heap_.pop_back();
    if (moved == &call) return;
    set(place, moved);
    rise(place);
    sink(moved->place);
  }

 private:
  static bool is_before(multi_call const* a, multi_call const* b) noexcept {
    return a->due != b->due ? a->due < b->due : a->number < b->number;
  }
  void set(std::size_t place, multi_call* call) noexcept {
    heap_[place] = call;
    call->place = place;
  }
  void rise(std::size_t place) noexcept {
    auto* const call = heap_[place];
    while (place > 0 && is_before(call, heap_[(place - 1) / 2])) {
      set(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    set(place, call);
  }
  void sink(std::size_t place) noexcept {
    auto* const call = heap_[place];
    while (2 * place + 1 < heap_.size()) {
      auto child = 2 * place + 1;
      if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
      if (!is_before(heap_[child], call)) break;
      set(place, heap_[child]);
      place = child;
    }
    set(place, call);
  }

  std::vector<multi_call*> heap_;
  std::uint64_t last_number_ = 0;
};

template <anew::detail::declared Declared>
auto preparation_of(call_declaration<Declared> /*declared*/) -> typename anew::detail::stands_for<Declared>::type {
  return {};
}
template <Preparation Prepare>
auto&& preparation_of(Prepare&& prepare) noexcept {
  return std::forward<Prepare>(prepare);
}

}  // namespace detail

}  // namespace anew::curl

#endif
