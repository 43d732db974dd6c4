// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_SUPPORT_MINIMAL_SENDER_HPP
#define EXAMPLES_SUPPORT_MINIMAL_SENDER_HPP

#include <map>
#include <optional>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/testing/manual_clock.hpp"

/// The least of P2300 that retry_sender() needs, under the names of the standard, for one thread and a clock that is set
/// by hand: ANEW_SENDERS may name this namespace. A program uses a library of senders instead: docs/how_to/drive_senders.md.
namespace minimal {

struct sender_tag {};
struct receiver_tag {};
template <class... Signatures>
struct completion_signatures {};

inline constexpr struct set_value_t {
  template <class R, class... Vs>
  void operator()(R&& receiver, Vs&&... values) const noexcept {
    std::forward<R>(receiver).set_value(std::forward<Vs>(values)...);
  }
} set_value{};
inline constexpr struct set_error_t {
  template <class R, class E>
  void operator()(R&& receiver, E&& error) const noexcept {
    std::forward<R>(receiver).set_error(std::forward<E>(error));
  }
} set_error{};
inline constexpr struct set_stopped_t {
  template <class R>
  void operator()(R&& receiver) const noexcept {
    std::forward<R>(receiver).set_stopped();
  }
} set_stopped{};
inline constexpr auto connect = [](auto&& sender, auto receiver) {
  return std::forward<decltype(sender)>(sender).connect(std::move(receiver));
};
template <class Sender, class Receiver>
using connect_result_t = decltype(std::declval<Sender>().connect(std::declval<Receiver>()));
inline constexpr auto start = [](auto& operation) noexcept { operation.start(); };
inline constexpr auto get_env = [](auto const& receiver) noexcept { return receiver.get_env(); };
inline constexpr struct get_stop_token_t {
  template <class Env>
  auto operator()(Env const& env) const noexcept {
    return env.query(*this);
  }
} get_stop_token{};
template <class T>
concept sender = requires { typename T::sender_concept; };
template <class Sender, class... Env>
using completion_signatures_of_t = typename Sender::completion_signatures;

class inplace_stop_source;
class stop_callback_base {
 public:
  explicit stop_callback_base(inplace_stop_source* of) noexcept : source_{of} {}
  stop_callback_base(stop_callback_base const&) = delete;
  stop_callback_base& operator=(stop_callback_base const&) = delete;
  virtual void run() noexcept = 0;

 protected:
  ~stop_callback_base();
  friend inplace_stop_source;
  inplace_stop_source* source_;
  stop_callback_base* next_ = nullptr;
};

class inplace_stop_token {
 public:
  inplace_stop_token() = default;
  explicit inplace_stop_token(inplace_stop_source* of) noexcept : source_{of} {}
  [[nodiscard]] bool stop_requested() const noexcept;
  [[nodiscard]] bool stop_possible() const noexcept { return source_ != nullptr; }
  [[nodiscard]] inplace_stop_source* source() const noexcept { return source_; }

 private:
  inplace_stop_source* source_ = nullptr;
};

class inplace_stop_source {
 public:
  [[nodiscard]] inplace_stop_token get_token() noexcept { return inplace_stop_token{this}; }
  [[nodiscard]] bool stop_requested() const noexcept { return requested_; }
  /// Must outlive the callbacks, as the standard's.
  void request_stop() noexcept {
    if (std::exchange(requested_, true)) return;
    while (auto* const one = first_) {
      remove(*one);
      one->run();
    }
  }
  void add(stop_callback_base& one) noexcept { one.next_ = std::exchange(first_, &one); }
  void remove(stop_callback_base& gone) noexcept {
    for (auto** at = &first_; *at != nullptr; at = &(*at)->next_) {
      if (*at != &gone) continue;
      *at = gone.next_;
      break;
    }
    gone.source_ = nullptr;
  }

 private:
  stop_callback_base* first_ = nullptr;
  bool requested_ = false;
};
inline bool inplace_stop_token::stop_requested() const noexcept {
  return source_ != nullptr && source_->stop_requested();
}
inline stop_callback_base::~stop_callback_base() {
  if (source_ != nullptr) source_->remove(*this);
}

template <class F>
class inplace_stop_callback final : stop_callback_base {
 public:
  inplace_stop_callback(inplace_stop_token token, F f) : stop_callback_base{token.source()}, f_{std::move(f)} {
    if (token.stop_requested()) {
      source_ = nullptr;
      f_();
    } else if (source_ != nullptr) {
      source_->add(*this);
    }
  }
  void run() noexcept override { f_(); }

 private:
  F f_;
};
template <class Token, class F>
using stop_callback_for_t = inplace_stop_callback<F>;

/// Timers, and a clock that jumps from one to the next.
class virtual_loop {
 public:
  struct timer {
    virtual void fire() noexcept = 0;

   protected:
    ~timer() = default;
  };
  anew::testing::manual_clock clock{anew::duration::zero()};

  void add(anew::duration delay, timer& one) { timers_.emplace(clock.peek() + delay, &one); }
  void remove(timer& gone) {
    for (auto at = timers_.begin(); at != timers_.end(); ++at) {
      if (at->second == &gone) return static_cast<void>(timers_.erase(at));
    }
  }
  [[nodiscard]] std::size_t waiting() const noexcept { return timers_.size(); }
  /// Fires all timers until `end`.
  void run(anew::time_point end = anew::time_point::max()) {
    while (!timers_.empty() && timers_.begin()->first <= end) {
      auto const next = timers_.extract(timers_.begin());
      if (next.key() > clock.peek()) clock.advance(next.key() - clock.peek());
      next.mapped()->fire();
    }
  }

 private:
  std::multimap<anew::time_point, timer*> timers_;
};

template <class Complete, class R>
class timed_operation final : virtual_loop::timer {
 public:
  timed_operation(virtual_loop& on, anew::duration delay, Complete complete, R receiver)
      : loop_{on}, delay_{delay}, complete_{std::move(complete)}, receiver_{std::move(receiver)} {}
  timed_operation(timed_operation const&) = delete;
  timed_operation& operator=(timed_operation const&) = delete;
  ~timed_operation() = default;

  void start() noexcept {
    auto const stop = get_stop_token(get_env(receiver_));
    if (stop.stop_requested()) return set_stopped(std::move(receiver_));
    loop_.add(delay_, *this);
    on_stop_.emplace(stop, stops{this});
  }

 private:
  struct stops {
    timed_operation* self;
    void operator()() const noexcept {
      self->loop_.remove(*self);
      set_stopped(std::move(self->receiver_));
    }
  };
  void fire() noexcept override {
    on_stop_.reset();
    complete_(std::move(receiver_));
  }

  virtual_loop& loop_;
  anew::duration delay_;
  Complete complete_;
  R receiver_;
  std::optional<inplace_stop_callback<stops>> on_stop_;
};

/// Completes after `delay` by `complete(receiver)`, and with `set_stopped` at once when it is stopped.
template <class Complete, class... Signatures>
struct timed_sender {
  using sender_concept = sender_tag;
  using completion_signatures = minimal::completion_signatures<Signatures..., set_stopped_t()>;
  virtual_loop* loop;
  anew::duration delay;
  Complete complete;

  template <class R>
  auto connect(R receiver) const {
    return timed_operation<Complete, R>{*loop, delay, complete, std::move(receiver)};
  }
};

struct scheduler {
  virtual_loop* loop;
};
inline auto schedule_after(scheduler on, anew::duration delay) {
  auto const complete = [](auto&& receiver) { set_value(std::forward<decltype(receiver)>(receiver)); };
  return timed_sender<decltype(complete), set_value_t()>{on.loop, delay, complete};
}

}  // namespace minimal

#endif
