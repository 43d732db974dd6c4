// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_SUPPORT_STEPPER_HPP
#define ANEW_BENCHMARKS_SUPPORT_STEPPER_HPP

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>

/// Counts the instructions that a function executes: a child calls it, its parent steps it through one by one. Two runs
/// agree to the last instruction, however fast or busy the machine is.
namespace stepper {

template <class Function>
auto address_of(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

template <auto Function>
[[gnu::noinline]] void run() {
  static_cast<void>(Function());
}

struct counted {
  char const* name;
  std::uintptr_t entry;
  void (*run)();
};

/// `counted` of a function that takes nothing, under its own name.
#define STEPPER_COUNTED(name) \
  stepper::counted { #name, stepper::address_of(&name), &stepper::run<&name> }

[[noreturn]] inline void give_up(char const* what) {
  std::perror(what);
  std::exit(2);
}

/// Where the child is: the next instruction, and the stack, which grows downwards.
struct place {
  std::uintptr_t instruction;
  std::uintptr_t stack;
};

inline place where(pid_t child) {
  ::user_regs_struct registers{};
  if (::ptrace(PTRACE_GETREGS, child, nullptr, &registers) != 0) give_up("ptrace");
  return {registers.rip, registers.rsp};
}

inline place step(pid_t child) {
  int status = 0;
  if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) give_up("ptrace");
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) give_up("the child ended too early");
  return where(child);
}

/// What is outside (and whatever it calls) is not counted, the instruction that calls it is.
inline unsigned count(pid_t child, counted const& what, std::span<std::uintptr_t const> outside) {
  auto const is_outside = [&](std::uintptr_t instruction) {
    for (auto entry : outside) {
      if (entry == instruction) return true;
    }
    return false;
  };
  auto at = where(child);
  while (at.instruction != what.entry) at = step(child);
  auto const stack = at.stack;  // it holds the return address; when that is gone, the call is over
  unsigned instructions = 0;
  while (at.stack <= stack) {
    if (is_outside(at.instruction)) {
      auto const begin = at.stack;
      while (at.stack <= begin) at = step(child);
    } else {
      ++instructions;
      at = step(child);
    }
  }
  return instructions;
}

/// From the return of one function to the call of another, whatever happens between them.
inline unsigned count_between(pid_t child, std::uintptr_t begin, std::uintptr_t end) {
  auto at = where(child);
  while (at.instruction != begin) at = step(child);
  auto const stack = at.stack;
  while (at.stack <= stack) at = step(child);
  unsigned instructions = 0;
  for (; at.instruction != end; at = step(child)) ++instructions;
  return instructions;
}

/// A child that has prepared itself, and stands still before it calls the function; nothing where this machine does not let
/// a process step another. Preparation is for whatever happens once in a process, such as a seed.
template <class Function, class Preparation>
std::optional<pid_t> start(Function what, Preparation prepare) {
  auto const child = ::fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    prepare();
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::raise(SIGSTOP);
    what();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSTOPPED(status)) return child;
  std::fputs("this machine does not let a process step another\n", stderr);
  return std::nullopt;
}

template <class Function>
std::optional<pid_t> start(Function what) {
  return start(what, [] {});
}

inline void stop(pid_t child) {
  int status = 0;
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
}

/// Prints "NAME INSTRUCTIONS" of each, after it has run once. Returns the exit code: 77 where nothing can be counted.
inline int count_all(std::span<counted const> all, std::span<std::uintptr_t const> outside = {}) {
  auto const run_all = [&] {
    for (auto const& what : all) what.run();
  };
  auto const child = start(run_all, run_all);
  if (!child) return 77;
  for (auto const& what : all) std::printf("%s %u\n", what.name, count(*child, what, outside));
  stop(*child);
  return 0;
}

}  // namespace stepper

#endif
