// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SENDER_INTERNAL_RETRY_OPERATION_HPP
#define ANEW_BRIDGES_SENDER_INTERNAL_RETRY_OPERATION_HPP

#include <atomic>
#include <exception>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/call_engine.hpp"
#include "anew/drivers/next_step.hpp"

/// The library of senders in use: NVIDIA's stdexec, or the namespace that ANEW_SENDERS names, declared before this header
/// is included, with the names of the standard (sender, connect, set_value_t, completion_signatures_of_t,
/// inplace_stop_source, ...) and schedule_after.
#ifdef ANEW_SENDERS
namespace anew::inline ANEW_ABI::detail::ex {
using namespace ::ANEW_SENDERS;
}
#elif __has_include(<stdexec/execution.hpp>)
#include <exec/timed_scheduler.hpp>
#include <stdexec/execution.hpp>
namespace anew::inline ANEW_ABI::detail::ex {
using namespace ::stdexec;
using ::exec::schedule_after;
}  // namespace anew::inline ANEW_ABI::detail::ex
#else
#error "anew/sender.hpp requires stdexec, or ANEW_SENDERS, the namespace of another library of senders"
#endif

/// The completions of an attempt's sender, and of the call: the same, and `exception_ptr`.
namespace anew::inline ANEW_ABI::detail {

/// The environment of an attempt: that of the call's receiver, with a stop token that ends the attempt at its limit too.
template <class Env>
struct attempt_environment {
  ex::inplace_stop_token token;
  Env outer;

  [[nodiscard]] ex::inplace_stop_token query(ex::get_stop_token_t /*query*/) const noexcept { return token; }
  template <class Query, class... Args>
    requires(!std::is_same_v<Query, ex::get_stop_token_t> &&
             requires(Env const& env, Query query, Args&&... args) { env.query(query, std::forward<Args>(args)...); })
  [[nodiscard]] decltype(auto) query(Query query, Args&&... args) const noexcept {
    return outer.query(query, std::forward<Args>(args)...);
  }
};

/// Reads the signatures one by one: how many lists of values there are, the last of them, and the types of errors.
template <int Lists, class Values, class... Errors>
struct completions;
template <int Lists, class... Vs, class... Errors>
struct completions<Lists, std::tuple<Vs...>, Errors...> {
  static constexpr int value_lists = Lists;
  static constexpr bool has_codes = (std::is_same_v<Errors, std::error_code> || ...);
  using values = std::tuple<Vs...>;
  using signatures = ex::completion_signatures<ex::set_value_t(Vs...), ex::set_error_t(Errors)..., ex::set_stopped_t()>;
  /// The last result of the call.
  using kept = std::variant<std::monostate, values, Errors...>;

  template <class... Us>
  static completions<Lists + 1, std::tuple<std::decay_t<Us>...>, Errors...> with(ex::set_value_t (*)(Us...));
  template <class E, class Plain = std::decay_t<E>>
  static std::conditional_t<(std::is_same_v<Errors, Plain> || ...), completions,
                            completions<Lists, values, Errors..., Plain>>
      with(ex::set_error_t (*)(E));
  static completions with(ex::set_stopped_t (*)());
};
template <class So, class... Signatures>
struct completions_in {
  using type = So;
};
template <class So, class First, class... Rest>
struct completions_in<So, First, Rest...> : completions_in<decltype(So::with(static_cast<First*>(nullptr))), Rest...> {
};
template <class So, class... Signatures>
struct completions_in<So, ex::completion_signatures<Signatures...>> : completions_in<So, Signatures...> {};
template <class Sender, class... Env>
using completions_of =
    typename completions_in<completions<0, std::tuple<>, std::exception_ptr>,
                            ex::completion_signatures_of_t<Sender, attempt_environment<Env>...>>::type;

namespace by_name_or_argument {
using ex::schedule_after;
auto wait_sender(auto& on, duration delay) -> decltype(schedule_after(on, delay)) { return schedule_after(on, delay); }
}  // namespace by_name_or_argument
using by_name_or_argument::wait_sender;
template <class Scheduler>
concept WaitsFor = requires(Scheduler& on, duration delay) {
  { detail::wait_sender(on, delay) } -> ex::sender;
};

/// An operation state, which cannot be moved, is made where it stands.
template <class Make>
struct made_by : Make {
  operator decltype(std::declval<Make const&>()())() const { return (*this)(); }  // NOLINT(*-explicit-*)
};
template <class Make>
made_by(Make) -> made_by<Make>;

/// The operation state of a call. An attempt and its limit, or a wait, are its children, under a stop source of its own for
/// each step: one that has ended a late attempt must not end the wait after it.
template <class S, class Scheduler, class Op, class Receiver>
class retry_operation {
  using engine = call_engine<S, Op>;
  using attempt_sender = typename engine::result_type;
  using receivers_environment = std::remove_cvref_t<decltype(ex::get_env(std::declval<Receiver const&>()))>;
  using completions = completions_of<attempt_sender, receivers_environment>;
  using values = typename completions::values;

 public:
  retry_operation(S const& strategy, Scheduler on, Op operation, Receiver receiver)
      : engine_{strategy, std::move(operation)}, scheduler_{std::move(on)}, receiver_{std::move(receiver)} {}
  retry_operation(retry_operation const&) = delete;
  retry_operation& operator=(retry_operation const&) = delete;
  ~retry_operation() = default;

  void start() & noexcept {
    go_on([this] { return is_stopped() ? engine_.request_stop() : engine_.begin(); });
  }

 private:
  struct child_receiver {
    using receiver_concept = ex::receiver_tag;
    retry_operation* call;
    [[nodiscard]] attempt_environment<receivers_environment> get_env() const noexcept {
      return {call->token_, ex::get_env(call->receiver_)};
    }
    void set_stopped() && noexcept { call->on_child(); }
    void operator()() const noexcept { call->cut_short(); }  // as a stop callback
  };
  struct attempt_receiver : child_receiver {
    template <class... Vs>
    void set_value(Vs&&... with) && noexcept {
      this->call->template keep<values>(std::forward<Vs>(with)...);
    }
    template <class E>
    void set_error(E&& with) && noexcept {
      this->call->template keep<std::decay_t<E>>(std::forward<E>(with));
    }
    void set_stopped() && noexcept { this->call->on_attempt(); }
  };
  struct timer_receiver : child_receiver {
    void set_value() && noexcept {
      this->call->is_time_ = true;
      this->call->on_child();
    }
    void set_error(auto&& /*error*/) && noexcept { this->call->on_child(); }
  };
  using stop_token = decltype(ex::get_stop_token(ex::get_env(std::declval<Receiver const&>())));
  using attempt_state = ex::connect_result_t<attempt_sender, attempt_receiver>;
  using timer_state =
      ex::connect_result_t<decltype(detail::wait_sender(std::declval<Scheduler&>(), duration{})), timer_receiver>;

  [[nodiscard]] bool is_stopped() const noexcept { return ex::get_stop_token(ex::get_env(receiver_)).stop_requested(); }

  void go_on(auto const& tell) noexcept {
    auto step = next_step::finished;
    try {
      step = tell();
    } catch (...) {
      return ex::set_error(std::move(receiver_), std::current_exception());
    }
    if (step == next_step::finished) return deliver();
    step == next_step::attempt ? begin_attempt() : begin_wait();
  }
  void begin_attempt() noexcept {
    bool const is_limited = engine_.attempt_timeout() < duration::max();
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
  auto timer_after(duration delay) noexcept {
    return made_by{[=, this] { return ex::connect(detail::wait_sender(scheduler_, delay), timer_receiver{{this}}); }};
  }
  void await(int children) {
    is_time_ = is_late_ = false;
    source_.emplace();
    token_ = source_->get_token();
    under_way_ = children;
    on_stop_.emplace(ex::get_stop_token(ex::get_env(receiver_)), child_receiver{this});
  }

  template <class Result, class... Parts>
  void keep(Parts&&... parts) noexcept {
    try {
      last_.template emplace<Result>(std::forward<Parts>(parts)...);
    } catch (...) {
      last_ = std::current_exception();
    }
    on_attempt();
  }
  void on_attempt() noexcept {
    is_late_ = is_time_;
    on_child();
  }
  /// On any thread; while it runs, it counts as a child, so that the stop source lives.
  void cut_short() noexcept {
    for (int n = under_way_; n != 0;) {
      if (under_way_.compare_exchange_weak(n, n + 1)) return on_child();
    }
  }
  /// An attempt that is over ends its timer, a timer its attempt; the last of them goes on.
  void on_child() noexcept {
    source_->request_stop();
    if (under_way_.fetch_sub(1) != 1) return;
    on_stop_.reset();
    go_on([this] { return child_.index() == 1 ? judge() : after_wait(); });
  }
  next_step after_wait() { return is_time_ && !is_stopped() ? engine_.on_wait_over() : engine_.request_stop(); }
  next_step judge() {
    if (is_stopped()) static_cast<void>(engine_.request_stop());
    bool const is_late = is_late_ && !engine_.is_stopped();
    if (is_late && !std::holds_alternative<values>(last_)) {  // its limit is why it failed
      auto const late = std::make_error_code(std::errc::timed_out);
      if constexpr (completions::has_codes) {
        last_ = late;
      } else {
        last_ = std::make_exception_ptr(std::system_error{late});
      }
      return engine_.on_attempt_timeout();
    }
    return std::visit(
        [this, is_late]<class T>(T& last) {
          if constexpr (std::is_same_v<T, std::monostate>) {
            return engine_.on_cancelled();
          } else if constexpr (std::is_same_v<T, std::exception_ptr>) {
            return engine_.on_exception(last);
          } else if constexpr (!std::is_same_v<T, values>) {
            return engine_.on_error(last);
          } else if constexpr (std::tuple_size_v<T> == 1) {
            auto& value = std::get<0>(last);
            if (!is_late) return engine_.on_outcome(value);
            auto const step = engine_.on_attempt_timeout(value);
            detail::write_late_result(engine_.reason(), value);
            return step;
          } else {
            return engine_.on_success();
          }
        },
        last_);
  }

  void deliver() noexcept {
    auto to = std::move(receiver_);  // what completes may destroy this object
    auto last = std::move(last_);
    if (engine_.attempts() == 0 && engine_.reason() != stop_reason::cancelled) {
      auto const why = engine_.reason();
      if constexpr (std::tuple_size_v<values> == 1) {
        using R = std::tuple_element_t<0, values>;
        if constexpr (makes_refused_result<R>) return ex::set_value(std::move(to), refused_result<R>::make(why));
      }
      return ex::set_error(std::move(to), std::make_exception_ptr(call_refused{why}));
    }
    std::visit(
        [&to]<class T>(T&& with) {
          if constexpr (std::is_same_v<T, std::monostate>) {
            ex::set_stopped(std::move(to));
          } else if constexpr (std::is_same_v<T, values>) {
            std::apply([&to]<class... Vs>(Vs&... each) { ex::set_value(std::move(to), std::move(each)...); }, with);
          } else {
            ex::set_error(std::move(to), std::forward<T>(with));
          }
        },
        std::move(last));
  }
  engine engine_;
  Scheduler scheduler_;
  Receiver receiver_;
  typename completions::kept last_;
  std::optional<ex::inplace_stop_source> source_;
  ex::inplace_stop_token token_;
  std::optional<ex::stop_callback_for_t<stop_token, child_receiver>> on_stop_;
  std::variant<std::monostate, attempt_state, timer_state> child_;  ///< never alive together
  std::optional<timer_state> limit_;
  std::atomic<int> under_way_ = 0;
  std::atomic<bool> is_time_ = false;
  bool is_late_ = false;  ///< the limit came before the attempt's end
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
