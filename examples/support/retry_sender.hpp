// SPDX-License-Identifier: BSL-1.0
#ifndef EXAMPLES_SUPPORT_RETRY_SENDER_HPP
#define EXAMPLES_SUPPORT_RETRY_SENDER_HPP

#include <atomic>
#include <exception>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "anew/base/refused_result.hpp"
#include "anew/machine.hpp"

/// A retry of senders. Your library of senders is the namespace `ex`, which you declare before you include this header.
namespace senders {

template <class Make>
struct made_by : Make {  // what cannot be moved is made where it stands
  operator decltype(std::declval<Make const&>()())() const { return (*this)(); }  // NOLINT(*-explicit-*)
};
template <class S, class Scheduler, class Op, class Receiver>
class retry_operation {
  using engine = anew::call_engine<S, Op>;
  using value = ex::value_of<typename engine::result_type>;

 public:
  retry_operation(S const& strategy, Scheduler on, Op operation, Receiver receiver)
      : engine_{strategy, std::move(operation)}, scheduler_{std::move(on)}, receiver_{std::move(receiver)} {}
  void start() & noexcept {
    go_on([this] { return is_stopped() ? engine_.request_stop() : engine_.begin(); });
  }

 private:
  struct environment {  // with a stop token that ends the attempt at its limit too; forward other queries here
    ex::inplace_stop_token token;
    [[nodiscard]] auto query(ex::get_stop_token_t /*query*/) const noexcept { return token; }
  };
  struct child_receiver {
    using receiver_concept = ex::receiver_tag;
    retry_operation* call;
    [[nodiscard]] environment get_env() const noexcept { return {call->token_}; }
    void set_stopped() && noexcept { call->on_child(); }
    void operator()() const noexcept { call->cut_short(); }  // as a stop callback
  };
  struct attempt_receiver : child_receiver {
    void set_value(auto&& result) && noexcept {
      this->call->on_child(this->call->last_.template emplace<1>(std::forward<decltype(result)>(result)));
    }
    void set_error(auto&& error) && noexcept { this->call->on_child(this->call->last_ = std::move(error)); }
  };
  struct timer_receiver : child_receiver {
    void set_value() && noexcept { this->call->on_child(this->call->is_time_ = true); }
    void set_error(auto&& /*error*/) && noexcept { this->call->on_child(); }
  };
  using stop_token = decltype(ex::get_stop_token(ex::get_env(std::declval<Receiver const&>())));
  using attempt_state = ex::connect_result_t<typename engine::result_type, attempt_receiver>;
  using timer_state =
      ex::connect_result_t<decltype(ex::schedule_after(std::declval<Scheduler&>(), anew::duration{})), timer_receiver>;
  [[nodiscard]] bool is_stopped() const noexcept { return ex::get_stop_token(ex::get_env(receiver_)).stop_requested(); }
  void go_on(auto const& tell) noexcept {
    auto step = anew::next_step::finished;
    try {
      step = tell();
    } catch (...) {
      return ex::set_error(std::move(receiver_), std::current_exception());
    }
    if (step == anew::next_step::finished) return deliver();
    step == anew::next_step::attempt ? begin_attempt() : begin_wait();
  }
  void begin_attempt() noexcept {
    bool const is_limited = engine_.attempt_timeout() < anew::duration::max();
    last_.template emplace<0>();
    await(is_limited ? 2 : 1);
    try {
      child_.template emplace<1>(made_by{[&] { return ex::connect(engine_.start(token_), attempt_receiver{{this}}); }});
    } catch (...) {
      on_stop_.reset();
      last_ = std::current_exception();
      return go_on([this] { return judge(); });
    }
    if (is_limited) limit_.emplace(timer_after(engine_.attempt_timeout()));
    ex::start(std::get<1>(child_));  // may end the call, and this object with it, unless a limit is to come
    if (is_limited) ex::start(*limit_);
  }
  void begin_wait() noexcept {
    await(1);
    ex::start(child_.template emplace<2>(timer_after(engine_.wait())));
  }
  auto timer_after(anew::duration delay) noexcept {
    return made_by{[=, this] { return ex::connect(ex::schedule_after(scheduler_, delay), timer_receiver{{this}}); }};
  }
  void await(int children) {
    is_time_ = false;
    source_.emplace();  // anew for each step: an attempt that was cut must not cut the wait after it
    token_ = source_->get_token();
    under_way_ = children;
    on_stop_.emplace(ex::get_stop_token(ex::get_env(receiver_)), child_receiver{this});
  }
  void cut_short() noexcept {  // on any thread; while it runs, it counts as a child
    for (int n = under_way_; n != 0;) {
      if (under_way_.compare_exchange_weak(n, n + 1)) return on_child();
    }
  }
  // An attempt that is over ends its timer, a timer its attempt; the last of them goes on.
  void on_child(auto const&... /*kept*/) noexcept {
    source_->request_stop();
    if (under_way_.fetch_sub(1) != 1) return;
    on_stop_.reset();
    go_on([this] { return child_.index() == 1 ? judge() : after_wait(); });
  }
  anew::next_step after_wait() { return is_time_ && !is_stopped() ? engine_.on_wait_over() : engine_.request_stop(); }
  anew::next_step judge() {
    if (is_stopped()) static_cast<void>(engine_.request_stop());
    if (last_.index() == 0 && !is_stopped() && is_time_) {
      last_ = std::make_error_code(std::errc::timed_out);
      return engine_.on_attempt_timeout();
    }
    if (last_.index() == 2) return engine_.on_error(std::get<2>(last_));
    if (last_.index() == 3) return engine_.on_exception(std::get<3>(last_));
    if (last_.index() == 0) return engine_.on_cancelled();
    return engine_.on_outcome(std::get<1>(last_));
  }
  void deliver() noexcept {
    auto to = std::move(receiver_);  // what completes may destroy this object
    auto last = std::move(last_);
    if (engine_.attempts() == 0 && engine_.reason() != anew::stop_reason::cancelled) {
      if constexpr (anew::makes_refused_result<value>)
        return ex::set_value(std::move(to), anew::refused_result<value>::make(engine_.reason()));
      return ex::set_error(std::move(to), std::make_exception_ptr(anew::call_refused{engine_.reason()}));
    }
    if (last.index() == 0) return ex::set_stopped(std::move(to));
    if (last.index() == 2) return ex::set_error(std::move(to), std::get<2>(last));
    if (last.index() == 3) return ex::set_error(std::move(to), std::get<3>(std::move(last)));
    ex::set_value(std::move(to), std::get<1>(std::move(last)));
  }
  engine engine_;
  Scheduler scheduler_;
  Receiver receiver_;
  std::variant<std::monostate, value, std::error_code, std::exception_ptr> last_;
  std::optional<ex::inplace_stop_source> source_;
  ex::inplace_stop_token token_;
  std::optional<ex::stop_callback_for_t<stop_token, child_receiver>> on_stop_;
  std::variant<std::monostate, attempt_state, timer_state> child_;  // never alive together
  std::optional<timer_state> limit_;
  std::atomic<int> under_way_ = 0;
  std::atomic<bool> is_time_ = false;
};

/// `operation(anew::attempt&)` or `operation()` returns the sender of one attempt, which completes with one value, an
/// error code, an exception, or stopped. The strategy outlives the call.
template <class S, class Scheduler, class Op>
struct retry {
  using sender_concept = ex::sender_tag;
  S const& strategy;
  Scheduler scheduler;
  Op operation;
  template <class Self, class... Env>
  static consteval auto get_completion_signatures() {
    return ex::completion_signatures<ex::set_value_t(ex::value_of<typename anew::call_engine<S, Op>::result_type>),
                                     ex::set_error_t(std::error_code), ex::set_error_t(std::exception_ptr),
                                     ex::set_stopped_t()>{};
  }
  auto connect(auto receiver) const {
    return retry_operation<S, Scheduler, Op, decltype(receiver)>{strategy, scheduler, operation, std::move(receiver)};
  }
};
}  // namespace senders

#endif
