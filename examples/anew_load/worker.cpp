// SPDX-License-Identifier: BSL-1.0
#include <time.h>

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "worker.hpp"

namespace anew_load {

namespace {

/// The time that calls under way at the end get.
constexpr auto patience = std::chrono::seconds{1};

/// Of this thread.
anew::duration processor_time() {
  ::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

}  // namespace

measured& measured::operator+=(measured const& other) {
  good += other.good;
  failed += other.failed;
  unfinished += other.unfinished;
  not_begun += other.not_begun;
  attempts += other.attempts;
  requests += other.requests;
  hedges = hedges + other.hedges;
  connections += other.connections;
  missing_descriptors += other.missing_descriptors;
  for (auto const& [words, n] : other.last_failures) last_failures[words] += n;
  took.add(other.took);
  last_end = std::max(last_end, other.last_end);
  processor += other.processor;
  return *this;
}

class worker::one_caller final : public caller {
 public:
  explicit one_caller(worker& of) : of_{of} {}
  void begin(clock::time_point intended) {
    intended_ = intended;
    is_busy_ = true;
    of_.client_->call(*this);
  }
  void ended(reply const& last) override {
    is_busy_ = false;
    of_.ended(*this, last);
  }
  [[nodiscard]] clock::time_point intended() const noexcept { return intended_; }
  void end_now() {
    if (is_busy_) cancel();
  }

 private:
  worker& of_;
  clock::time_point intended_;
  bool is_busy_ = false;
};

worker::worker(settings const& s, target const& to, calling& how, schedule& when, std::uint32_t callers,
               std::uint32_t first, std::uint32_t step)
    : settings_{s},
      when_{when},
      first_{first},
      step_{step},
      over_{io_, to},
      client_{how.client_over(over_)},
      shows_{!s.quiet && !s.json} {
  for (std::uint32_t i = 0; i != callers; ++i) idle_.push_back(&callers_.emplace_back(*this));
}

worker::~worker() {
  if (thread_.joinable()) {
    io_.stop();
    thread_.join();
  }
}

void worker::start() {
  thread_ = std::thread{[this] { run(); }};
}

void worker::run() {
  if (!settings_.requests) {
    end_.expires_at(when_.end);
    end_.async_wait([this](error_code error) {
      if (!error) stop_beginning();
    });
  }
  if (settings_.rate) {
    arrive();
  } else {
    auto const all = std::exchange(idle_, {});
    for (auto* const one : all) begin_next(*one);
  }
  io_.run();
  so_far_.attempts = over_.attempts() - before_.attempts;
  so_far_.requests = over_.requests() - before_.requests;
  so_far_.hedges = client_->hedges() - before_.hedges;
  so_far_.connections = over_.made();
  so_far_.missing_descriptors = over_.missing_descriptors();
  so_far_.processor = processor_time() - before_.processor;
  is_done_ = true;
}

void worker::interrupt() {
  boost::asio::post(io_, [this] {
    stop_beginning();
    end_all();
  });
}

measured worker::finish() {
  thread_.join();
  return std::move(so_far_);
}

clock::time_point worker::arrival(std::uint64_t n) const {
  std::chrono::duration<double> const after{static_cast<double>(first_ + n * step_) / *settings_.rate};
  return when_.begin + std::chrono::duration_cast<clock::duration>(after);
}

/// With a rate: the call that waits longest. Without: now.
bool worker::begin_next(one_caller& who) {
  auto intended = clock::now();
  bool const may_begin = beginning_ && (!settings_.rate || arrival(arrived_) <= intended) &&
                         (!settings_.requests || when_.left.fetch_sub(1, std::memory_order_relaxed) > 0);
  if (!may_begin) {
    idle_.push_back(&who);
    return false;
  }
  if (settings_.rate) intended = arrival(arrived_++);
  ++busy_;
  if (!is_warm_ && intended >= when_.measure) {
    is_warm_ = true;
    before_ = {over_.attempts(), over_.requests(), client_->hedges(), processor_time()};
  }
  who.begin(intended);
  return true;
}

/// The next free worker takes the call that has arrived.
void worker::arrive() {
  while (!idle_.empty()) {
    auto* const who = idle_.back();
    idle_.pop_back();
    if (begin_next(*who)) continue;
    if (settings_.requests && when_.left.load(std::memory_order_relaxed) <= 0) stop_beginning();
    break;
  }
  if (beginning_ && !idle_.empty()) wait_for_arrival();
}

void worker::wait_for_arrival() {
  arrivals_.expires_at(arrival(arrived_));
  arrivals_.async_wait([this](error_code error) {
    if (!error && beginning_) arrive();
  });
}

void worker::ended(one_caller& who, reply const& last) {
  auto const now = clock::now();
  --busy_;
  bool const is_good = last.is_good();
  if (who.intended() >= when_.measure) {
    if (!is_good && interrupted_) {
      ++so_far_.unfinished;
    } else {
      auto const took = now - who.intended();
      so_far_.took.add(took);
      so_far_.last_end = now;
      ++(is_good ? so_far_.good : so_far_.failed);
      if (!is_good) ++so_far_.last_failures[words_of(last)];
      if (shows_) {
        std::lock_guard const lock{mutex_};
        recent_.took.add(took);
        ++(is_good ? recent_.good : recent_.failed);
      }
    }
  }
  bool const was_idle = idle_.empty();
  bool const goes_on = begin_next(who);
  if (goes_on) return;
  if (!beginning_ || (settings_.requests && when_.left.load(std::memory_order_relaxed) <= 0)) {
    stop_beginning();
    if (busy_ == 0) grace_.cancel();
  } else if (settings_.rate && was_idle) {
    wait_for_arrival();
  }
}

void worker::stop_beginning() {
  if (!std::exchange(beginning_, false)) return;
  arrivals_.cancel();
  if (settings_.rate && !settings_.requests) {
    // Arrivals that found no free worker were never begun; they are reported too.
    for (auto const now = std::min(clock::now(), when_.end); arrival(arrived_) < now; ++arrived_) {
      if (arrival(arrived_) >= when_.measure) ++so_far_.not_begun;
    }
  }
  end_.cancel();
  // A number of calls is a promise; a time is one too.
  if (settings_.requests || busy_ == 0) return;
  grace_.expires_after(patience);
  grace_.async_wait([this](error_code error) {
    if (!error) end_all();
  });
}

void worker::end_all() {
  interrupted_ = true;
  grace_.cancel();
  for (auto& one : callers_) one.end_now();
}

void worker::add_recent_to(recent& all) {
  std::lock_guard const lock{mutex_};
  all.good += recent_.good;
  all.failed += recent_.failed;
  all.took.add(recent_.took);
  recent_.good = recent_.failed = 0;
  recent_.took.clear();
}

}  // namespace anew_load
