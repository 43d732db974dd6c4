// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_MODEL_EXPLORER_HPP
#define ANEW_TESTS_MODEL_EXPLORER_HPP

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

/// Runs a few threads in every order that their atomic operations may take, one order after the other, from the
/// beginning each time. The threads are fibers of one thread, so that an order is a list of choices, and is the same
/// whenever it is run.
namespace model {

struct explorer {
  /// What one order is run with: a body for each thread, and what must hold after every step of any of them.
  struct scenario {
    std::vector<std::function<void()>> threads;
    std::function<void()> after_each_step;
    std::function<void()> at_the_end;
    /// The object that the threads share. Reading what no thread writes there is then no step: its place in an order
    /// makes no difference.
    void const* shared = nullptr;
  };

  /// `spurious`: how many compare-exchanges may fail for no reason in one order; each that might is a choice.
  explicit explorer(unsigned spurious) : spurious_{spurious} {}

  /// `make` is called for each order, and makes everything afresh. How many orders there were.
  std::uint64_t explore(auto const& make, std::function<bool()> const& enough = [] { return false; }) {
    std::uint64_t orders = 0;
    std::size_t written = 0;
    written_.clear();
    do {  // again, when one of the last orders wrote where none before did
      written = written_.size();
      orders = 0;
      choices_.clear();
      do {
        run(make());
        ++orders;
      } while (!enough() && next_order());
    } while (!enough() && written_.size() != written);
    return orders;
  }

  static explorer*& current() {
    static explorer* one = nullptr;
    return one;
  }

  void step(void const* at, bool reads) {
    if (running_ == nullptr || (reads && shared_ != nullptr && written_.count(place_of(at)) == 0)) return;
    go(running_->at, scheduler_);
  }
  void wrote(void const* at) {
    if (running_ != nullptr && shared_ != nullptr) written_.insert(place_of(at));
  }
  bool fails_for_no_reason() {
    if (running_ == nullptr || failed_ == spurious_) return false;
    bool const fails = choose(2) == 1;
    failed_ += fails ? 1U : 0U;
    return fails;
  }

 private:
  struct fiber {
    ucontext_t context{};  // where it begins
    jmp_buf at{};          // where it goes on
    bool has_begun = false;
    std::unique_ptr<char[]> stack;
    std::function<void()> body;
    bool is_done = false;
  };
  struct choice {
    unsigned taken;
    unsigned of;
  };

  static constexpr std::size_t stack_size = 256U * 1024U;

  /// The same in every order, though the object is made afresh.
  std::ptrdiff_t place_of(void const* at) const {
    return static_cast<char const*>(at) - static_cast<char const*>(shared_);
  }

  void run(scenario const& what) {
    depth_ = 0;
    shared_ = what.shared;
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
      resume();
      running_ = nullptr;
      if (what.after_each_step) what.after_each_step();
    }
    current() = nullptr;
    if (what.at_the_end) what.at_the_end();
  }

  void start(fiber& f, std::function<void()> body) {
    if (f.stack == nullptr) f.stack = std::make_unique<char[]>(stack_size);
    f.body = std::move(body);
    f.is_done = f.has_begun = false;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_size;
    makecontext(&f.context, &explorer::enter, 0);
  }
  static void enter() {
    auto& self = *current();
    fiber& mine = *self.running_;
    mine.body();
    mine.is_done = true;
    _longjmp(self.scheduler_, 1);
  }

  // swapcontext() would ask the system for the mask of signals each time, which took half of the time. In functions of
  // their own, where no variable changes between a _setjmp() and its second return.
  [[gnu::noinline]] static void go(jmp_buf& from, jmp_buf& to) {
    if (_setjmp(from) == 0) _longjmp(to, 1);
  }
  [[gnu::noinline]] void resume() {
    if (running_->has_begun) {
      go(scheduler_, running_->at);
    } else if (_setjmp(scheduler_) == 0) {
      running_->has_begun = true;
      setcontext(&running_->context);
    }
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

  void const* shared_ = nullptr;
  std::set<std::ptrdiff_t> written_;
  unsigned spurious_;
  unsigned failed_ = 0;
  std::size_t depth_ = 0;
  std::vector<choice> choices_;
  std::vector<fiber> fibers_;
  fiber* running_ = nullptr;
  jmp_buf scheduler_{};
};

/// Before an atomic operation. Outside of an exploration, nothing.
inline void step(void const* at, bool reads) {
  if (explorer::current() != nullptr) explorer::current()->step(at, reads);
}
/// After one that changed the word.
inline void wrote(void const* at) {
  if (explorer::current() != nullptr) explorer::current()->wrote(at);
}
inline bool fails_for_no_reason() {
  return explorer::current() != nullptr && explorer::current()->fails_for_no_reason();
}

}  // namespace model

#endif
