// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_CLIENT_HPP
#define ANEW_LOAD_CLIENT_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include "anew/anew.hpp"

#include "options.hpp"
#include "quota_state.hpp"
#include "record.hpp"
#include "reply.hpp"
#include "target.hpp"

namespace anew_load {

class connections;

/// How long an attempt may take, by what remains of the call's deadline.
using limit_function = std::function<anew::duration(anew::duration)>;

/// Who makes one call after the other.
class caller {
 public:
  caller() = default;
  caller(caller const&) = delete;
  caller& operator=(caller const&) = delete;
  virtual ~caller() = default;

  /// The call is over; another may begin inside.
  virtual void ended(reply const& last) = 0;

  [[nodiscard]] errand const& what() const noexcept { return what_; }
  [[nodiscard]] boost::asio::cancellation_slot slot() noexcept { return stop_.slot(); }
  void cancel() { stop_.emit(boost::asio::cancellation_type::terminal); }

 protected:
  void set_out(errand what) noexcept { what_ = what; }

 private:
  errand what_;
  boost::asio::cancellation_signal stop_;
};

/// The completion of a call: a handler of Asio with all that it may be asked for.
class on_reply {
 public:
  using executor_type = boost::asio::io_context::executor_type;
  using cancellation_slot_type = boost::asio::cancellation_slot;

  on_reply(caller& to, executor_type on) noexcept : to_{&to}, on_{on} {}
  [[nodiscard]] executor_type get_executor() const noexcept { return on_; }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return to_->slot(); }
  void operator()(reply const& last) const { to_->ended(last); }

 private:
  caller* to_;
  executor_type on_;
};

/// The outcomes of second requests.
struct hedge_counts {
  std::uint64_t made = 0;
  std::uint64_t refused = 0;  // by the quota
  std::uint64_t won = 0;

  friend hedge_counts operator+(hedge_counts a, hedge_counts b) {
    return {a.made + b.made, a.refused + b.refused, a.won + b.won};
  }
  friend hedge_counts operator-(hedge_counts a, hedge_counts b) {
    return {a.made - b.made, a.refused - b.refused, a.won - b.won};
  }
};

/// Makes calls in one thread.
class client {
 public:
  client() = default;
  client(client const&) = delete;
  client& operator=(client const&) = delete;
  virtual ~client() = default;
  virtual void call(caller& who) = 0;
  [[nodiscard]] virtual hedge_counts hedges() const { return {}; }
};

/// Why calls ended that did not succeed. All threads count here.
class endings final : public anew_get::hearer {
 public:
  static constexpr std::size_t number = static_cast<std::size_t>(anew::stop_reason::cancelled) + 1;
  using counts = std::array<std::uint64_t, number>;

  void judged(anew::attempt_event const& /*event*/) override {}
  void waits(anew::retry_event const& /*event*/) override {}
  void ends(anew::end_event const& event) override {
    if (event.reason != anew::stop_reason::succeeded) {
      by_reason_[static_cast<std::size_t>(event.reason)].fetch_add(1, std::memory_order_relaxed);
    }
  }
  [[nodiscard]] counts now() const noexcept {
    counts all{};
    for (std::size_t i = 0; i != number; ++i) all[i] = by_reason_[i].load(std::memory_order_relaxed);
    return all;
  }

 private:
  std::array<std::atomic<std::uint64_t>, number> by_reason_{};
};

/// How calls are made: the strategy, which all threads share, and clients that use it.
class calling {
 public:
  calling() = default;
  calling(calling const&) = delete;
  calling& operator=(calling const&) = delete;
  virtual ~calling() = default;
  [[nodiscard]] virtual std::unique_ptr<client> client_over(connections& over) = 0;
  [[nodiscard]] virtual std::string describe() const = 0;
  [[nodiscard]] virtual anew_get::quota_state quota() const { return {}; }
  /// Whether it sends second requests.
  [[nodiscard]] virtual bool hedges() const { return false; }
  /// The counts of the observers, in some words.
  [[nodiscard]] virtual std::string status() const { return {}; }
  /// All calls have ended.
  virtual void finish() {}
};

/// One request for each call.
[[nodiscard]] std::unique_ptr<calling> make_bare(settings const& s);
/// The usual strategy, which is composed by the compiler.
[[nodiscard]] std::unique_ptr<calling> make_usual(settings const& s, endings& into);
/// A strategy by its name or as text, behind anew's virtual interface.
[[nodiscard]] std::unique_ptr<calling> make_by_text(settings const& s, endings& into);
/// The usual strategy and a breaker, with observers that write into a folder.
[[nodiscard]] std::unique_ptr<calling> make_observed(settings const& s, endings& into);
/// A strategy as text, and second requests.
[[nodiscard]] std::unique_ptr<calling> make_hedged(settings const& s, endings& into);

}  // namespace anew_load

#endif
