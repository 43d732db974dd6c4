// SPDX-License-Identifier: BSL-1.0
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>

#include "cases.hpp"

/// Counts the instructions that a call executes: a child makes the calls, its parent steps it through them one by one.
/// What is outside (the operation and whatever it calls) is not counted, the instruction that calls it is.
namespace {

template <class Function>
auto address_of(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

template <auto Function>
[[gnu::noinline]] void run() {
  [[maybe_unused]] auto const result = Function();
}

struct counted {
  char const* name;
  std::uintptr_t entry;
  void (*run)();
};

#define COUNTED(name) \
  counted { #name, address_of(&name), &run<&name> }
#define COUNTED_FOR_ALL(name) COUNTED(bare_##name), COUNTED(hand_##name), COUNTED(tuned_##name), COUNTED(anew_##name)

counted const all[] = {
    COUNTED_FOR_ALL(value),
    COUNTED_FOR_ALL(noexcept),
    COUNTED_FOR_ALL(full_bucket),
    COUNTED_FOR_ALL(value_or_exception),
    COUNTED_FOR_ALL(attempt_number),
    COUNTED_FOR_ALL(attempt_reference),
    COUNTED_FOR_ALL(observer_of_retry),
    COUNTED_FOR_ALL(observer_of_end),
    COUNTED_FOR_ALL(expected),
    COUNTED_FOR_ALL(exceptions),
    COUNTED(anew_breaker_closed),
    COUNTED(anew_cool_down_idle),
    COUNTED(anew_nesting_guard),
    COUNTED(anew_reset_after),
    COUNTED(anew_history),
    COUNTED(anew_fan_out),
    COUNTED(anew_without_parts),
};

std::uintptr_t const outside[] = {
    address_of(&cases::ask),        address_of(&cases::ask_quietly),  address_of(&cases::ask_nth),
    address_of(&cases::ask_about),  address_of(&cases::ask_for_text), address_of(&cases::ask_or_throw),
    address_of(&cases::tell_retry), address_of(&cases::tell_end),     address_of(&cases::wait),
};

[[noreturn]] void give_up(char const* what) {
  std::perror(what);
  std::exit(2);
}

/// Where the child is: the next instruction, and the stack, which grows downwards.
struct place {
  std::uintptr_t instruction;
  std::uintptr_t stack;
};

place where(pid_t child) {
  ::user_regs_struct registers{};
  if (::ptrace(PTRACE_GETREGS, child, nullptr, &registers) != 0) give_up("ptrace");
  return {registers.rip, registers.rsp};
}

place step(pid_t child) {
  int status = 0;
  if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) give_up("ptrace");
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) give_up("the child ended too early");
  return where(child);
}

bool is_outside(std::uintptr_t instruction) {
  for (auto entry : outside) {
    if (entry == instruction) return true;
  }
  return false;
}

unsigned count(pid_t child, counted const& what) {
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

}  // namespace

int main() {
  for (auto const& what : all) what.run();  // whatever happens once has happened
  auto const child = ::fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::raise(SIGSTOP);
    for (auto const& what : all) what.run();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) {
    std::fputs("this machine does not let a process step another\n", stderr);
    return 77;
  }
  for (auto const& what : all) std::printf("%s %u\n", what.name, count(child, what));
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return 0;
}
