// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_LINK_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_LINK_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/bridges/redis/internal/protocol.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The state of the exchange under way.
enum class exchange : std::uint8_t { none, answered, lost };

/// The connection to Redis: it connects, greets, exchanges one question at a time, and connects again after a failure.
/// It waits for nothing: each step does what can be done at its time. A `Wire` is a non-blocking socket, or a test's
/// script.
template <class Wire>
class redis_link {
 public:
  redis_link(redis_settings const& by, Wire wire)
      : wire_{std::move(wire)},
        numbers_{"capacity=" + std::to_string(by.capacity) + "," + by.costs.describe()},
        greeting_{greeting_of(by)},
        by_{by} {}

  [[nodiscard]] bool is_ready() const noexcept { return state_ == state::ready; }
  [[nodiscard]] bool is_busy() const noexcept { return state_ == state::busy; }
  /// True while it connects, greets or waits for an answer.
  [[nodiscard]] bool is_under_way() const noexcept { return state_ != state::idle && state_ != state::ready; }
  /// Failures since a question was answered well. Zero also if no connection was tried yet.
  [[nodiscard]] std::uint32_t failures() const noexcept { return failures_; }
  [[nodiscard]] std::string const& last_error() const noexcept { return error_; }

  /// One step: at most one connection begun, one write, and reads until nothing is there or the answer is whole.
  [[nodiscard]] exchange step(time_point now, redis_answer& answer) {
    if (std::exchange(is_lost_, false)) return exchange::lost;
    if (state_ == state::idle && now >= next_try_) {
      since_ = now;
      reader_.reset();
      if (!wire_.connect()) return fail_to("cannot connect", now);
      state_ = state::connecting;
    }
    while (state_ == state::connecting) {
      bool const has_time = saturating_subtract(now, since_) < by_.limit / 2;
      auto const found = wire_.progress(has_time);
      if (found == connecting::done) break;
      if (found == connecting::failed) return fail_to("cannot connect", now);
      if (found == connecting::pending) return is_late(now) ? fail("no connection in time", now) : exchange::none;
      // Such a call was late itself, because all that is there is read first: the next part has the limit again.
      if (is_late(now)) since_ = now;
    }
    if (state_ == state::connecting) {
      state_ = state::greeting;
      replies_ = greeting_.second;
      write(greeting_.first, now);
    }
    if (state_ == state::idle || state_ == state::ready) return exchange::none;
    bool const is_written = flush(now);  // a server that does not read on may have said why
    for (int i = 0; i != most_reads; ++i) {
      std::array<char, 4096> bytes;
      auto const size = wire_.receive(bytes.data(), bytes.size());
      if (size < 0) return fail_to("the connection was closed", now);
      if (size == 0) break;
      reader_.feed(bytes.data(), static_cast<std::size_t>(size));
      auto const came = read(now, answer);
      if (came != exchange::none || state_ == state::ready || state_ == state::idle) return came;
    }
    if (!is_written) return fail_to("cannot write", now);
    return is_late(now) ? fail("no answer in time", now) : exchange::none;
  }

  /// Sends a question; later steps return its answer. Requires `is_ready()`.
  void ask(redis_question const& what, time_point now) {
    constexpr auto text = [](auto number) { return std::to_string(number); };
    state_ = state::busy;
    write(command_of({"EVAL", redis_script, "1", "{" + by_.name + "}", text(by_.capacity), text(what.earned),
                      text(what.wanted), text(what.returned), text(what.epoch),
                      text(by_.time_to_live.count() / 1'000'000), text(by_.first), numbers_}),
          now);
    if (!flush(now)) is_lost_ = fail_to("cannot write", now) == exchange::lost;
  }

  /// For a forked child, whose connection is the parent's: closes the child's copy of it, and returns a new wire.
  [[nodiscard]] Wire leave() { return wire_.leave(); }

 private:
  enum class state : std::uint8_t { idle, connecting, greeting, ready, busy };

  /// The commands before the first question, and the number of their replies. A server that was stopped does not answer
  /// PING, and so is asked for no tokens.
  static std::pair<std::string, int> greeting_of(redis_settings const& by) {
    std::pair<std::string, int> greeting{{}, 0};
    auto const add = [&greeting](std::initializer_list<std::string_view> words) {
      greeting.first.append(command_of(words));
      ++greeting.second;
    };
    if (!by.user.empty()) {
      add({"AUTH", by.user, by.password});
    } else if (!by.password.empty()) {
      add({"AUTH", by.password});
    }
    if (by.database != 0) add({"SELECT", std::to_string(by.database)});
    add({"PING"});
    return greeting;
  }

  static constexpr int most_reads = 8;
  static constexpr std::size_t most_shown_numbers = 160;

  /// The limit is on the time that the server takes, so it is asked only after all that is there has been read: a call
  /// may come long after an answer.
  [[nodiscard]] bool is_late(time_point now) const noexcept { return saturating_subtract(now, since_) >= by_.limit; }

  void write(std::string command, time_point now) {
    unsent_ = std::move(command);
    since_ = now;
  }
  [[nodiscard]] bool flush(time_point now) {
    if (unsent_.empty()) return true;
    auto const sent = wire_.send(unsent_.data(), unsent_.size());
    if (sent < 0) return false;
    if (sent > 0 && !is_busy()) since_ = now;
    unsent_.erase(0, static_cast<std::size_t>(sent));
    return true;
  }

  [[nodiscard]] exchange read(time_point now, redis_answer& answer) {
    for (;;) {
      bool is_broken = false;
      auto const reply = reader_.next(is_broken);
      if (is_broken) return fail("no reply of Redis", now);
      if (!reply) return exchange::none;
      if (reply->type == '-') return fail(error_of(reply->text), now);
      switch (state_) {
        case state::greeting:
          if (--replies_ != 0) continue;
          if (!reader_.is_empty()) return fail("a reply to no question", now);
          state_ = state::ready;
          return exchange::none;
        case state::busy: {
          auto const read = answer_of(*reply);
          if (!read) return fail("an answer that the bucket's script does not give", now);
          if (!reader_.is_empty()) return fail("a reply to no question", now);
          answer = *read;
          failures_ = 0;
          state_ = state::ready;
          return exchange::answered;
        }
        default: return fail("a reply to no question", now);
      }
    }
  }

  [[nodiscard]] std::string error_of(std::string_view text) const {
    if (is_busy() && text.starts_with(redis_script_error)) {
      return "the bucket has other numbers: " + shown(text.substr(sizeof redis_script_error - 1), most_shown_numbers) +
             " in Redis, and " + numbers_ + " here";
    }
    bool const is_of_auth = state_ == state::greeting && !by_.password.empty() && replies_ == greeting_.second;
    return error_text_of(text, is_of_auth, by_.user, by_.password);
  }

  static std::optional<redis_answer> answer_of(redis_reply const& reply) {
    if (reply.type != '*' || reply.elements.size() != 3) return std::nullopt;
    auto const granted = number_in<std::uint32_t>(reply.elements[0].text);
    auto const balance = number_in<std::uint32_t>(reply.elements[1].text);
    auto const epoch = number_in<std::uint64_t>(reply.elements[2].text);
    if (!granted || !balance || !epoch) return std::nullopt;
    return redis_answer{*granted, *balance, *epoch};
  }

  /// With what the wire has to say of it.
  ANEW_COLD exchange fail_to(std::string what, time_point now) {
    auto const why = wire_.error();
    return fail(why.empty() ? what : what.append(": ").append(why), now);
  }
  /// The next try comes after 50 ms, doubling to 2 s until a question is answered well, of which a random half is left
  /// out, so that a fleet does not come at once.
  ANEW_COLD exchange fail(std::string_view why, time_point now) {
    bool const was_asked = is_busy();
    wire_.close();
    error_.assign(why);
    state_ = state::idle;
    unsent_.clear();
    std::int64_t const most = failures_ < 6 ? std::int64_t{50'000'000} << failures_ : 2'000'000'000;
    ++failures_;
    auto const longest = static_cast<std::uint64_t>(most < 2'000'000'000 ? most : 2'000'000'000);
    auto const delay = longest / 2 + thread_random{}() % (longest / 2 + 1);
    next_try_ = saturating_add(now, duration{static_cast<std::int64_t>(delay)});
    return was_asked ? exchange::lost : exchange::none;
  }

  Wire wire_;
  std::string numbers_;
  std::pair<std::string, int> greeting_;
  redis_settings by_;

  state state_ = state::idle;
  reply_reader reader_{};
  std::string unsent_{};
  std::string error_{};
  time_point since_{};  ///< the start of the connection, the last write of the greeting, or the question
  time_point next_try_ = time_point::min();
  int replies_ = 0;
  std::uint32_t failures_ = 0;
  bool is_lost_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
