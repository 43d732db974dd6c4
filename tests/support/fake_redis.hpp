// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_FAKE_REDIS_HPP
#define ANEW_TESTS_SUPPORT_FAKE_REDIS_HPP

#include <hiredis/hiredis.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/bridges/redis/internal/fleet_bucket.hpp"
#include "anew/bridges/redis/internal/link.hpp"
#include "anew/bridges/redis/redis_settings.hpp"

/// A Redis that has one bucket, in a test's time, which a wire of a `redis_link` talks to; and a process that uses the bucket.
namespace support {

struct fake_redis {
  anew::time_point now{anew::duration{1'000'000'000}};

  // The bucket, as the script keeps it.
  bool exists = false;
  std::uint64_t balance = 0, epoch = 0, lives = 1'000;
  std::string numbers{};

  // How it behaves.
  bool is_down = false;                    ///< connections are refused
  bool is_stopped = false;                 ///< connections are made by the kernel, and nobody answers
  std::string error{};                     ///< the answer to each question
  std::string auth_error{};                ///< the answer to AUTH
  std::string surplus{};                   ///< sent after each answer
  std::string raw{};                       ///< the bytes that answer every command
  anew::duration handshake{};              ///< from a connection's start to its being made
  anew::duration latency{};                ///< from a command to its reply
  std::size_t most_at_a_time = 1'000'000;  ///< bytes that a wire takes and gives at a time

  // What it saw.
  std::vector<anew::time_point> connections{};
  std::vector<std::vector<std::string>> commands{};
  std::uint64_t granted = 0, earned = 0, returned = 0;

  void restart_empty() { exists = false; }
  [[nodiscard]] std::size_t questions() const {
    return static_cast<std::size_t>(
        std::count_if(commands.begin(), commands.end(), [](auto const& c) { return c.front() == "EVAL"; }));
  }

  std::string reply_to(std::vector<std::string> const& command) {
    commands.push_back(command);
    if (!raw.empty()) return raw;
    if (command.front() == "AUTH" && !auth_error.empty()) return "-" + auth_error + "\r\n";
    if (command.front() != "EVAL") return "+OK\r\n";
    if (!error.empty()) return "-" + error + "\r\n";
    auto const number = [&command](std::size_t at) { return static_cast<std::uint64_t>(std::stoull(command[at])); };
    if (!exists) {
      exists = true;
      epoch = ++lives;
      balance = number(10);
    } else if (!numbers.empty() && numbers != command[11]) {
      return "-ANEWNUMBERS " + numbers + "\r\n";
    }
    numbers = command[11];
    if (epoch == number(8)) {
      balance += number(7);
      returned += number(7);
    }
    earned += number(5);
    balance = std::min(number(4), balance + number(5));
    auto const given = std::min(number(6), balance);
    balance -= given;
    granted += given;
    auto const life = std::to_string(epoch);
    return "*3\r\n:" + std::to_string(given) + "\r\n:" + std::to_string(balance) + "\r\n$" +
           std::to_string(life.size()) + "\r\n" + life + "\r\n" + surplus;
  }
};

/// A connection to it.
struct fake_wire {
  explicit fake_wire(fake_redis& to) : to_{&to} {}

  [[nodiscard]] fake_wire leave() {
    close();
    return fake_wire{*to_};
  }
  [[nodiscard]] static std::string error() { return {}; }
  [[nodiscard]] bool connect() {
    in_.reset(::redisReaderCreate());
    out_.clear();
    to_->connections.push_back(to_->now);
    return !to_->is_down;
  }
  [[nodiscard]] anew::detail::connecting progress(bool /*has_time*/) const {
    if (to_->is_down) return anew::detail::connecting::failed;
    bool const is_made = to_->now >= to_->connections.back() + to_->handshake;
    return is_made ? anew::detail::connecting::done : anew::detail::connecting::pending;
  }
  [[nodiscard]] std::ptrdiff_t send(char const* bytes, std::size_t size) {
    if (to_->is_down) return -1;
    size = std::min(size, to_->most_at_a_time);
    ::redisReaderFeed(in_.get(), bytes, size);
    serve();
    return static_cast<std::ptrdiff_t>(size);
  }
  [[nodiscard]] std::ptrdiff_t receive(char* bytes, std::size_t size) {
    if (to_->is_down) return -1;
    serve();
    if (out_.empty() || out_.front().first > to_->now) return 0;
    auto& text = out_.front().second;
    auto const some = std::min({size, text.size(), to_->most_at_a_time});
    std::memcpy(bytes, text.data(), some);
    text.erase(0, some);
    if (text.empty()) out_.pop_front();
    return static_cast<std::ptrdiff_t>(some);
  }
  /// What it was sent and has not read, a stopped server reads later.
  void close() {
    if (in_) serve();
    if (in_ && to_->is_stopped) gone_.push_back(std::move(in_));
    in_.reset();
    out_.clear();
  }

 private:
  struct free_reader {
    void operator()(redisReader* reader) const { ::redisReaderFree(reader); }
  };
  void serve() {
    if (to_->is_stopped) return;
    if (!gone_.empty()) {
      auto gone = std::move(gone_);
      gone_.clear();
      auto const out = out_;
      for (auto& one : gone) {
        in_.swap(one);
        serve();
        in_.swap(one);
      }
      out_ = out;
    }
    for (;;) {
      void* read = nullptr;
      if (::redisReaderGetReply(in_.get(), &read) != REDIS_OK || read == nullptr) return;
      auto* const command = static_cast<redisReply*>(read);
      std::vector<std::string> words;
      for (std::size_t i = 0; i != command->elements; ++i)
        words.emplace_back(command->element[i]->str, command->element[i]->len);
      ::freeReplyObject(command);
      out_.emplace_back(to_->now + to_->latency, to_->reply_to(words));
    }
  }

  fake_redis* to_;
  std::unique_ptr<redisReader, free_reader> in_{};
  std::deque<std::pair<anew::time_point, std::string>> out_{};
  std::vector<std::unique_ptr<redisReader, free_reader>> gone_{};
};

using fake_bucket = anew::detail::fleet_bucket<fake_wire>;

/// A process's bucket on it, and what a driver does with it.
struct bucket_rig {
  fake_redis redis{};
  std::optional<fake_bucket> quota{};

  explicit bucket_rig(anew::redis_settings by = {}) { make(std::move(by)); }
  void make(anew::redis_settings by) {
    by.name = "b";
    quota.emplace(by, fake_wire{redis});
  }
  [[nodiscard]] auto ask() { return quota->try_acquire(anew::failure{}, redis.now); }
  void pass(anew::duration by) { redis.now += by; }
  /// What a driver does: asks again until there is an answer.
  [[nodiscard]] std::optional<anew::detail::redis_permit> settle(anew::detail::redis_permit held) {
    for (;;) {
      auto const answer = quota->settle(held, redis.now);
      if (answer.pass) return answer.pass;
      if (answer.wait <= anew::duration::zero()) {
        quota->release(held);
        return std::nullopt;
      }
      pass(answer.wait);
    }
  }
  /// A retry with that backoff: true if it was made, and failed.
  bool retry(anew::duration backoff = std::chrono::milliseconds{1}) {
    auto const permit = ask();
    if (!permit) return false;
    pass(backoff);
    return settle(*permit).has_value();
  }
  /// A whole call whose first attempt fails: true if its retry was made.
  bool call(anew::duration backoff = std::chrono::milliseconds{1}) {
    if (quota->needs_time()) quota->hand_over(redis.now);
    return retry(backoff);
  }
  void succeed(int times) {
    for (int i = 0; i < times; ++i) {
      if (quota->has_a_batch()) quota->hand_over(redis.now);
      quota->on_success({});
      pass(std::chrono::milliseconds{1});
    }
  }
};

}  // namespace support

#endif
