// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_MODEL_EXPLORER_HPP
#define ANEW_TESTS_MODEL_EXPLORER_HPP

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

/// Runs a few threads in every order that their atomic operations may take, one order after the other, from the
/// beginning each time. The threads are fibers of one thread, so that an order is a list of choices, and is the same
/// whenever it is run.
namespace model {

class explorer {
 public:
  /// What one order is run with: a body for each thread, and what must hold after every step of any of them.
  struct scenario {
    std::vector<std::function<void()>> threads;
    std::function<void()> after_each_step;
    std::function<void()> at_the_end;
  };

  /// `spurious`: how many compare-exchanges may fail for no reason in one order; each that might is a choice.
  explicit explorer(unsigned spurious) : spurious_{spurious} {}

  /// `make` is called for each order, and makes everything afresh. How many orders there were.
  template <class Make>
  std::uint64_t explore(Make const& make, std::function<bool()> const& enough = [] { return false; }) {
    std::uint64_t orders = 0;
    choices_.clear();
    do {
      run(make());
      ++orders;
    } while (!enough() && next_order());
    return orders;
  }

  static explorer*& current() {
    static explorer* one = nullptr;
    return one;
  }

  void step() {
    if (running_ != nullptr) swapcontext(&running_->context, &scheduler_);
  }
  bool fails_for_no_reason() {
    if (running_ == nullptr || failed_ == spurious_) return false;
    bool const fails = choose(2) == 1;
    failed_ += fails ? 1U : 0U;
    return fails;
  }

 private:
  struct fiber {
    ucontext_t context{};
    std::unique_ptr<char[]> stack;
    std::function<void()> body;
    bool is_done = false;
  };
  struct choice {
    unsigned taken;
    unsigned of;
  };

  static constexpr std::size_t stack_size = 256U * 1024U;

  void run(scenario const& what) {
    depth_ = 0;
    failed_ = 0;
    fibers_.resize(what.threads.size());
    for (std::size_t i = 0; i != fibers_.size(); ++i) start(fibers_[i], what.threads[i]);
    current() = this;
    for (;;) {
      std::vector<fiber*> ready;
      for (auto& f : fibers_) {
        if (!f.is_done) ready.push_back(&f);
      }
      if (ready.empty()) break;
      running_ = ready[choose(static_cast<unsigned>(ready.size()))];
      swapcontext(&scheduler_, &running_->context);
      running_ = nullptr;
      if (what.after_each_step) what.after_each_step();
    }
    current() = nullptr;
    if (what.at_the_end) what.at_the_end();
  }

  void start(fiber& f, std::function<void()> body) {
    if (f.stack == nullptr) f.stack = std::make_unique<char[]>(stack_size);
    f.body = std::move(body);
    f.is_done = false;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_size;
    f.context.uc_link = &scheduler_;
    makecontext(&f.context, &explorer::enter, 0);
  }
  static void enter() {
    auto& self = *current();
    fiber& mine = *self.running_;
    mine.body();
    mine.is_done = true;
  }

  unsigned choose(unsigned of) {
    if (of == 1) return 0;
    if (depth_ == choices_.size()) choices_.push_back({0, of});
    return choices_[depth_++].taken;
  }

  bool next_order() {
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of) choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  unsigned spurious_;
  unsigned failed_ = 0;
  std::size_t depth_ = 0;
  std::vector<choice> choices_;
  std::vector<fiber> fibers_;
  fiber* running_ = nullptr;
  ucontext_t scheduler_{};
};

/// Before an atomic operation. Outside of an exploration, nothing.
inline void step() {
  if (explorer::current() != nullptr) explorer::current()->step();
}
inline bool fails_for_no_reason() {
  return explorer::current() != nullptr && explorer::current()->fails_for_no_reason();
}

}  // namespace model

#endif
