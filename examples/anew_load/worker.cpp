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
  hedges = hedges + other.hedges;
  for (auto const& [how, n] : other.last_failures) last_failures[how] += n;
  took.add(other.took);
  by_target.resize(std::max(by_target.size(), other.by_target.size()));
  for (std::size_t i = 0; i != other.by_target.size(); ++i) {
    by_target[i].good += other.by_target[i].good;
    by_target[i].failed += other.by_target[i].failed;
    by_target[i].took.add(other.by_target[i].took);
  }
  in_time += other.in_time;
  last_end = std::max(last_end, other.last_end);
  return *this;
}

class worker::one_caller final : public caller {
 public:
  explicit one_caller(worker& of) : of_{of} {}
  void begin(clock::time_point intended, turn now) {
    intended_ = intended;
    turn_ = now;
    is_busy_ = true;
    set_out({&of_.plan_.targets[now.target], intended >= of_.when_.measure});
    of_.lanes_[now.lane].by->call(*this);
  }
  void ended(reply const& last) override {
    is_busy_ = false;
    of_.ended(*this, last);
  }
  [[nodiscard]] clock::time_point intended() const noexcept { return intended_; }
  [[nodiscard]] turn which() const noexcept { return turn_; }
  void end_now() {
    if (is_busy_) cancel();
  }

 private:
  worker& of_;
  clock::time_point intended_;
  turn turn_{};
  bool is_busy_ = false;
};

worker::worker(plan const& p, schedule& when, std::uint32_t callers, std::uint32_t first, std::uint32_t step)
    : plan_{p}, when_{when}, first_{first}, step_{step}, shows_{!p.options->quiet && !p.options->json} {
  for (auto* const how : p.lanes) {
    auto& made = lanes_.emplace_back(io_, p, *how);
    made.over.in_time() = series{when.measure, p.part};
    if (p.targets.size() > 1) made.so_far.by_target.resize(p.targets.size());
  }
  for (std::uint32_t i = 0; i != callers; ++i) idle_.push_back(&callers_.emplace_back(*this));
}

worker::~worker() {
  if (thread_.joinable()) {
    io_.stop();
    thread_.join();
  }
}

void worker::start(std::function<void()> when_over) {
  thread_ = std::thread{[this, when_over = std::move(when_over)] {
    run();
    is_done_ = true;
    when_over();
  }};
}

void worker::run() {
  if (!plan_.options->requests) {
    end_.expires_at(when_.end);
    end_.async_wait([this](error_code error) {
      if (!error) stop_beginning();
    });
  }
  if (plan_.rate) {
    arrive();
  } else {
    auto const all = std::exchange(idle_, {});
    for (auto* const one : all) begin_next(*one, clock::now());
  }
  io_.run();
  for (auto& one : lanes_) {
    one.so_far.attempts = one.over.counts();
    one.so_far.hedges = one.by->hedges() - one.hedges_before;
    one.over.in_time().close();
    one.so_far.in_time = std::move(one.over.in_time());
  }
  processor_ = processor_time() - processor_;
}

void worker::interrupt() {
  boost::asio::post(io_, [this] {
    stop_beginning();
    end_all();
  });
}

void worker::end_stalled() {
  boost::asio::post(io_, [this] {
    for (auto& one : lanes_) one.over.end_stalled(clock::now());
  });
}

std::vector<measured> worker::finish() {
  thread_.join();
  std::vector<measured> all;
  for (auto& one : lanes_) all.push_back(std::move(one.so_far));
  return all;
}

clock::time_point worker::arrival(std::uint64_t n) const {
  return when_.begin + plan_.rate->time_of(static_cast<double>(first_ + n * step_));
}

/// Strategies that are compared take turns: of as many calls in a row as there are strategies, each makes one, in an
/// order that is drawn, and all of them call the same URL.
worker::turn worker::next_turn() const {
  auto const lanes = lanes_.size();
  auto const round = begun_ / lanes;
  auto drawn = (round * step_ + first_ + 1) * 0x9e37'79b9'7f4a'7c15U;  // the finalizer of SplitMix64
  drawn = (drawn ^ (drawn >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
  drawn = (drawn ^ (drawn >> 27U)) * 0x94d0'49bb'1331'11ebU;
  auto const chosen = (begun_ + (drawn >> 40U)) % lanes;
  return {static_cast<std::size_t>(chosen), plan_.rota[(round + first_) % plan_.rota.size()]};
}

/// With a rate: the call that waits longest. Without: now.
bool worker::begin_next(one_caller& who, clock::time_point now) {
  auto intended = now;
  bool const may_begin = beginning_ && (!plan_.rate || arrival(begun_) <= intended) &&
                         (!plan_.options->requests || when_.left.fetch_sub(1, std::memory_order_relaxed) > 0);
  if (!may_begin) {
    idle_.push_back(&who);
    return false;
  }
  if (plan_.rate) intended = arrival(begun_);
  auto const chosen = next_turn();
  ++begun_;
  ++busy_;
  if (!is_warm_ && intended >= when_.measure) {
    is_warm_ = true;
    processor_ = processor_time();
    for (auto& one : lanes_) one.hedges_before = one.by->hedges();
  }
  who.begin(intended, chosen);
  return true;
}

/// The next free worker takes the call that has arrived.
void worker::arrive() {
  while (!idle_.empty()) {
    auto* const who = idle_.back();
    idle_.pop_back();
    if (begin_next(*who, clock::now())) continue;
    if (plan_.options->requests && when_.left.load(std::memory_order_relaxed) <= 0) stop_beginning();
    break;
  }
  if (beginning_ && !idle_.empty()) wait_for_arrival();
}

void worker::wait_for_arrival() {
  arrivals_.expires_at(arrival(begun_));
  arrivals_.async_wait([this](error_code error) {
    if (!error && beginning_) arrive();
  });
}

void worker::ended(one_caller& who, reply const& last) {
  --busy_;
  auto const now = clock::now();
  if (who.what().is_measured) count(who, last, now);
  bool const was_idle = idle_.empty();
  bool const goes_on = begin_next(who, now);
  if (goes_on) return;
  if (!beginning_ || (plan_.options->requests && when_.left.load(std::memory_order_relaxed) <= 0)) {
    stop_beginning();
    if (busy_ == 0) grace_.cancel();
  } else if (plan_.rate && was_idle) {
    wait_for_arrival();
  }
}

void worker::count(one_caller const& who, reply const& last, clock::time_point now) {
  auto& into = lanes_[who.which().lane];
  bool const is_good = last.is_good();
  if (!is_good && interrupted_) {
    ++into.so_far.unfinished;
    return;
  }
  auto const took = now - who.intended();
  auto& so_far = into.so_far;
  so_far.took.add(took);
  so_far.last_end = now;
  ++(is_good ? so_far.good : so_far.failed);
  if (!is_good) ++so_far.last_failures[outcome_of(last)];
  into.over.in_time().call_ended(now, is_good, took);
  if (!so_far.by_target.empty()) {
    auto& one = so_far.by_target[who.which().target];
    ++(is_good ? one.good : one.failed);
    one.took.add(took);
  }
  if (shows_) {
    std::lock_guard const lock{mutex_};
    recent_.took.add(took);
    ++(is_good ? recent_.good : recent_.failed);
  }
}

void worker::stop_beginning() {
  if (!std::exchange(beginning_, false)) return;
  arrivals_.cancel();
  if (plan_.rate && !plan_.options->requests) {
    // Arrivals that found no free worker were never begun; they are reported too.
    for (auto const now = std::min(clock::now(), when_.end); arrival(begun_) < now; ++begun_) {
      if (arrival(begun_) >= when_.measure) ++lanes_[next_turn().lane].so_far.not_begun;
    }
  }
  end_.cancel();
  // A number of calls is a promise; a time is one too.
  if (plan_.options->requests || busy_ == 0) return;
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
