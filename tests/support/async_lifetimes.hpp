// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ASYNC_LIFETIMES_HPP
#define ANEW_TESTS_SUPPORT_ASYNC_LIFETIMES_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

#include "asio_support.hpp"
#include "manual_timers.hpp"
#include "pinned.hpp"

/// Asynchronous calls whose attempts go away in every way that a program knows.
namespace support::lifetimes {

namespace net = anew::net;
using error_code = anew::net_error_code;

inline error_code const fatal = net::error::access_denied;
inline error_code const transient = net::error::connection_refused;
inline error_code const poison = net::error::host_not_found;  // the classifier throws
inline error_code const aborted = net::error::operation_aborted;

/// What initiating functions and classifiers throw.
struct gone {};

/// What a schedule is of: printed with its seed.
struct shape {
  bool is_hedged = false;
  bool is_foreign = false;  // a callback API, by `initiates()`
  bool has_limit = false;
};

/// How often what happens in schedules has happened.
struct counts {
  std::uint64_t thrown = 0, dropped = 0, dropped_in_initiation = 0, dropped_in_cancellation = 0, lost_contexts = 0,
                stopped_in_initiation = 0, stopped_waits = 0, late_copies = 0, refused = 0, passed_limits = 0,
                side_by_side = 0, completed = 0, abandoned = 0;
};

/// One call and everything around it: its loop, another context in which attempts may live, time, and what happened.
struct world : public support::pinned {
  world(std::uint64_t seed, shape const& of, counts& all) : draw{seed}, what{of}, seen{all} {}

  numbers draw;
  shape what;
  counts& seen;
  std::unique_ptr<net::io_context> loop = std::make_unique<net::io_context>();
  std::unique_ptr<net::io_context> other = std::make_unique<net::io_context>();
  manual_time time{loop->get_executor()};
  std::optional<net::cancellation_signal> signal{std::in_place};  // may go before the call
  memory_books memory;
  quota_state quota;
  gate_state gate;
  anew::duration delay{draw.one_in(4) ? 0 : 5'000'000};  // of a retry
  std::string story;
  std::string wrong;
  std::uint32_t attempts = 0;
  std::uint32_t completions = 0;
  std::int32_t handlers = 0;      // of the caller's, that are alive
  bool is_leaving = false;        // an attempt went away, and its call has not heard of it yet
  bool is_abandoned = false;      // the documented end: the handler is destroyed, and never called
  bool may_be_abandoned = false;  // whether it was decided before is not known here
  bool may_be_decided = false, is_stopped = false, is_inside_initiation = false;
  bool is_inside_a_function = false;  // of the library's or the signal's, in which nothing may complete
  bool is_between_attempts = true;    // of a call without hedges
  bool is_stopped_between = false;
  error_code last = poison;  // what the last attempt completed with
  void const* operation = nullptr;

  [[nodiscard]] bool is_over() const { return completions != 0 || is_abandoned; }
  [[nodiscard]] std::size_t in_flight() const { return attempts_.size(); }

  /// An attempt begins. `own` is the operation, which lives in the call.
  template <class Handler, class Op>
  void initiate(Handler handler, std::uint32_t number, Op& own) {
    ++attempts;
    is_between_attempts = false;
    if (std::exchange(operation, &own) != &own && attempts != 1) wrong += "the operation has moved; ";
    if (is_abandoned) wrong += "attempt " + std::to_string(number) + " of a call that is over; ";
    if (is_stopped) wrong += "attempt " + std::to_string(number) + " after the stop; ";
    auto const how = draw.below(24);
    tell("begin", number, how);
    bool const outer = std::exchange(is_inside_initiation, true);
    struct at_end {
      bool& flag;
      bool value;
      ~at_end() { flag = value; }
    } const leave{is_inside_initiation, outer};
    if (how == 0) {
      ++seen.thrown;
      note_gone(false);
      throw gone{};
    }
    if (how == 1) {
      ++seen.dropped_in_initiation;
      note_gone(false);
      {
        [[maybe_unused]] auto const nobody = std::move(handler);
      }
      return own.touch();
    }
    if (how == 2) stop_inside();
    auto slot = net::get_associated_cancellation_slot(handler);
    auto one = std::make_unique<attempt_of<Handler>>(*this, std::move(handler), number);
    if (how == 3) {
      tell("inside", number);
      finish_in_loop(std::move(one), draw_error());
      return own.touch();
    }
    auto* const raw = one.get();
    attempts_[number] = std::move(one);
    if (in_flight() > 1) ++seen.side_by_side;
    // As those of Asio's operations: it refers to the operation, and stays in the slot when that is over.
    if (slot.is_connected()) slot.assign([raw](net::cancellation_type_t) { raw->on_cancel(); });
    if (how == 4) stop_inside();
    if (how == 5) {
      ++seen.thrown;
      if (what.is_hedged) note_gone(false);
      throw gone{};
    }
    own.touch();
  }

  [[nodiscard]] error_code draw_error() {
    auto const which = draw.below(16);
    may_be_decided = may_be_decided || which <= 4;
    return which < 4 ? error_code{} : which == 4 ? fatal : which == 5 ? poison : transient;
  }

  [[nodiscard]] gate_answer draw_gate() {
    auto const which = draw.below(8);
    return which == 0 ? gate_answer::refuse : which < 3 ? gate_answer::ask_again : gate_answer::admit;
  }

  void stop() {
    if (!signal) return;
    tell("stop");
    bool const ends_now = is_between_attempts && !what.is_hedged && !is_over();
    if (!std::exchange(is_stopped, true)) is_stopped_between = ends_now;
    auto const which = draw.below(3);
    emit(which == 0   ? net::cancellation_type::terminal
         : which == 1 ? net::cancellation_type::partial
                      : net::cancellation_type::total);
    if (!ends_now || what.is_foreign) return;
    turn();
    if (!is_over()) wrong += "a stopped wait did not end in its turn of the loop; ";
  }
  void emit(net::cancellation_type_t type) {
    bool const outer = std::exchange(is_inside_a_function, true);
    signal->emit(type);
    is_inside_a_function = outer;
  }
  void turn() {
    tell("turn");
    do {
      run([this] { loop->poll(); });
    } while (has_thrown_);
  }
  void turn_other() {
    tell("turn-other");
    run([this] { other->poll(); });
  }

  /// Something happens.
  void happen() {
    switch (draw.below(17)) {
      case 0:
        if (draw.one_in(3)) {
          stop();
        } else if (signal && draw.one_in(4)) {
          draw.one_in(2) ? signal.reset() : emit(net::cancellation_type::none);
        }
        break;
      case 1: quota.refuses = draw.one_in(3); break;
      case 13: gate.answer = draw_gate(); break;
      case 2:
      case 3:
      case 4: {
        auto const by = draw.below(12);
        tell("advance", by);
        time.advance(std::chrono::milliseconds{by});
        break;
      }
      case 5:
      case 6: complete(any()); break;
      case 7: drop(any()); break;
      case 8: move_to_the_other(any()); break;
      case 9:
        ++seen.lost_contexts;
        tell("lose-other");
        other = std::make_unique<net::io_context>();
        break;
      case 10: turn_other(); break;
      case 11: call_late(); break;
      case 12: turn(); break;
      default: tell("step"); run([this] { loop->poll_one(); });
    }
  }

  void complete(std::uint32_t number) {
    auto one = take(number);
    if (one == nullptr) return;
    // A callback API calls from wherever it is.
    auto const error = draw_error();
    tell("complete", number, static_cast<std::uint64_t>(error.value()));
    if (what.is_foreign && draw.one_in(2)) {
      run([&] { one->finish(error); });
      if (one->has_copies()) late_.push_back(std::move(one));
      return;
    }
    net::post(*loop, [this, error, held = std::move(one)]() mutable { finish_in_loop(std::move(held), error); });
  }
  void drop(std::uint32_t number) {
    auto const one = take(number);
    if (one == nullptr) return;
    tell("drop", number);
    ++seen.dropped;
    note_gone(one->is_told);
  }
  void call_late() {
    if (late_.empty()) return;
    tell("late");
    ++seen.late_copies;
    auto const one = std::move(late_.back());
    late_.pop_back();
    if (draw.one_in(2)) run([&] { one->finish(draw_error()); });
  }
  /// Every attempt goes away.
  void drop_all() {
    while (in_flight() != 0) drop(any());
  }
  [[nodiscard]] std::uint32_t any() {
    if (attempts_.empty()) return 0;
    return std::next(attempts_.begin(), static_cast<std::ptrdiff_t>(draw.below(attempts_.size())))->first;
  }
  /// After a stop whatever is under way has been told of it.
  void look_for_a_lost_stop() {
    if (!is_stopped || is_over()) return;
    for (auto const& [number, one] : attempts_) {
      if (!one->is_told) wrong += "attempt " + std::to_string(number) + " was not told of the stop; ";
    }
  }
  void note_gone(bool is_told) {
    if (is_over()) return;
    if (what.is_hedged && (is_told || may_be_decided)) {
      // One that has lost is waited for, and has come back; but what was told by a stop or a limit has not lost.
      may_be_abandoned = may_be_abandoned || what.has_limit || is_stopped || may_be_decided;
      return;
    }
    is_leaving = true;
    if (!what.is_foreign) see_off();
  }
  /// What a callback API drops is dropped where the call is at home, and that has happened now.
  void see_off() {
    if (std::exchange(is_leaving, false) && completions == 0) is_abandoned = true;
  }
  void tell(char const* event, std::uint64_t number = 0, std::uint64_t detail = 0) {
    story += event;
    if (number != 0) story += " " + std::to_string(number);
    if (detail != 0) story += "/" + std::to_string(detail);
    story += ", ";
  }
  /// Calls something of a loop, out of which comes what was thrown inside.
  void run(auto function) {
    loop->restart();
    other->restart();
    has_thrown_ = false;
    try {
      function();
    } catch (gone const&) {
      tell("threw");
      has_thrown_ = true;
    }
  }

 private:
  /// An attempt under way: whoever keeps the handler.
  struct under_way : support::pinned {
    under_way(world& of, std::uint32_t its_number) : in{of}, number{its_number}, manner{of.draw.below(6)} {}
    virtual ~under_way() = default;
    virtual void finish(error_code error) = 0;
    [[nodiscard]] virtual bool has_copies() const = 0;
    void on_cancel() {
      in.tell("cancel", number, manner);
      is_told = true;
      if (!in.is_stopped) ++in.seen.passed_limits;
      in.on_cancel(number, manner);  // and it may be gone
    }
    world& in;
    std::uint32_t number;
    std::uint64_t manner;
    bool is_told = false;
    bool is_finished = false;
  };
  /// Of Asio's form: one handler. Of a callback API: up to three copies, any of which may be called.
  template <class Handler>
  struct attempt_of final : under_way {
    attempt_of(world& of, Handler&& by, std::uint32_t its_number) : under_way{of, its_number} {
      if constexpr (std::is_copy_constructible_v<std::decay_t<Handler>>) {
        if (of.what.is_foreign) {
          std::function<void(error_code, int)> const first{by};
          copies.assign(1 + of.draw.below(3), first);
          [[maybe_unused]] auto const forgotten = std::move(by);
          return;
        }
      }
      handler = std::make_unique<Handler>(std::move(by));
    }
    void finish(error_code error) override {
      if (!std::exchange(this->is_finished, true)) {
        this->in.is_between_attempts = true;
        this->in.last = error;
      }
      if (handler != nullptr) {
        auto const own = std::move(handler);
        return std::move(*own)(error, static_cast<int>(this->number));
      }
      auto const own = std::move(copies.back());
      copies.pop_back();
      own(error, static_cast<int>(this->number));
    }
    [[nodiscard]] bool has_copies() const override { return !copies.empty(); }
    std::unique_ptr<Handler> handler;
    std::vector<std::function<void(error_code, int)>> copies;
  };

  std::unique_ptr<under_way> take(std::uint32_t number) {
    auto const at = attempts_.find(number);
    if (at == attempts_.end()) return nullptr;
    auto one = std::move(at->second);
    attempts_.erase(at);
    return one;
  }
  void finish_in_loop(std::unique_ptr<under_way> one, error_code error) {
    one->finish(error);
    if (one->has_copies()) late_.push_back(std::move(one));
  }
  void on_cancel(std::uint32_t number, std::uint64_t manner) {
    if (manner < 2 || loop == nullptr) return;  // deaf
    auto one = take(number);
    if (one == nullptr) return;  // on its way
    if (manner == 2) {
      ++seen.dropped_in_cancellation;
      note_gone(what.is_hedged);
      return;  // as a pool does that is asked to forget it
    }
    if (manner == 3) return finish_in_loop(std::move(one), aborted);  // inside, which Asio does not allow
    net::post(*loop, [this, held = std::move(one)]() mutable { finish_in_loop(std::move(held), aborted); });
  }
  /// It goes on in the other context, which may be destroyed.
  void move_to_the_other(std::uint32_t number) {
    auto one = take(number);
    if (one == nullptr) return;
    tell("move", number);
    struct elsewhere {
      world* in;
      std::unique_ptr<under_way> held;
      elsewhere(world* of, std::unique_ptr<under_way> what) : in{of}, held{std::move(what)} {}
      elsewhere(elsewhere&&) = default;
      ~elsewhere() {
        if (held != nullptr) in->note_gone(held->is_told);
      }
      void operator()() {
        auto* const of = in;
        if (of->what.is_foreign) return of->finish_in_loop(std::move(held), of->draw_error());
        net::post(*of->loop, [of, error = of->draw_error(), mine = std::move(held)]() mutable {
          of->finish_in_loop(std::move(mine), error);
        });
      }
    };
    net::post(*other, elsewhere{this, std::move(one)});
  }
  void stop_inside() {
    ++seen.stopped_in_initiation;
    stop();
  }

  std::map<std::uint32_t, std::unique_ptr<under_way>> attempts_;
  std::vector<std::unique_ptr<under_way>> late_;
  bool has_thrown_ = false;
};

/// The operation, in either form. It cannot be copied, and has something of its own to lose.
struct operation {
  explicit operation(world& of) : in{&of} {}
  world* in;
  std::unique_ptr<int> own = std::make_unique<int>(1);
  void touch() const { in->wrong += *own == 1 ? "" : "the operation has lost what it owns; "; }

  template <class Token>
  auto operator()(anew::attempt& self, Token&& token) {
    return net::async_initiate<Token, void(error_code, int)>(
        [](auto handler, operation* me, std::uint32_t number) { me->in->initiate(std::move(handler), number, *me); },
        token, this, self.number());
  }
};
struct callback_operation : operation {
  using operation::operation;
  void operator()(anew::attempt& self, auto handler) { in->initiate(std::move(handler), self.number(), *this); }
};

/// The caller's handler.
struct ending {
  explicit ending(world& of) : in{&of} { ++in->handlers; }
  ending(ending&& from) noexcept : in{std::exchange(from.in, nullptr)} {}
  ~ending() {
    if (in != nullptr) --in->handlers;
  }
  void operator()(error_code error, int value) const {
    ++in->completions;
    in->tell("completed");
    if (in->is_inside_initiation || in->is_inside_a_function) in->wrong += "completed inside a function; ";
    if (!in->what.is_hedged) look(error, value);
    if (in->is_abandoned) in->wrong += "completed although its attempt went away; ";
    if (in->in_flight() != 0) in->wrong += "a loser was left; ";
  }
  /// A call without hedges ends with what its last attempt completed with, unless it was stopped, refused or late.
  void look(error_code error, int value) const {
    if (value != static_cast<int>(in->attempts)) in->wrong += "completed with what is not of the last attempt; ";
    bool const is_ended = (error == aborted && in->is_stopped_between) ||
                          (error == net::error::try_again && in->attempts == 0) ||
                          (error == net::error::timed_out && in->what.has_limit && in->last == aborted);
    if (error != in->last && error == aborted && in->attempts != 0) ++in->seen.stopped_waits;
    if (error != in->last && !is_ended) in->wrong += "completed with " + error.message() + "; ";
  }
  world* in;
};

struct classifier {
  using role = anew::roles::classifier;
  explicit classifier(world& of) : in{&of} {}
  [[nodiscard]] anew::directive classify(error_code const& error) const {
    if (error == poison) {
      in->note_gone(false);
      throw gone{};
    }
    return error == fatal ? anew::directive::fail() : anew::directive::retry(anew::failure{});
  }
  world* in;
};

}  // namespace support::lifetimes

#endif
