// SPDX-License-Identifier: BSL-1.0
// Causes each event in each state of a circuit breaker, and prints what follows. The site draws it.
#include <chrono>
#include <cstdio>

#include "anew/policies.hpp"

using namespace std::chrono_literals;

namespace {

using breaker = anew::circuit_breaker<5, 30s, 2>;
constexpr anew::time_point begin{};
constexpr anew::time_point over = begin + 30s;
constexpr anew::failure lost{anew::error_kind::transient};
constexpr anew::failure bad_request{anew::error_kind::client};

breaker::pass_type enter(breaker const& b, anew::time_point now = begin) { return b.try_enter(now).pass.value_or(0); }
char const* answer(breaker::pass_type pass) { return pass == 0 ? ": it is refused" : ": it is admitted"; }
void fail(breaker const& b, int times, anew::failure const& how = lost) {
  for (int i = 0; i != times; ++i) b.on_failure(enter(b), how, begin);
}

struct event {
  void (*before)(breaker const&);
  char const* text;
  char const* (*happens)(breaker const&);  // returns the end of the text
};

void is_closed(breaker const&) {}
void is_open(breaker const& b) { fail(b, 5); }
void is_half_open(breaker const& b) {
  is_open(b);
  b.release(enter(b, over));
}

constexpr event events[] = {
    {is_closed, "5 consecutive failures",
     [](breaker const& b) {
       fail(b, 5);
       return "";
     }},
    {is_closed, "isolate()",
     [](breaker const& b) {
       b.isolate();
       return "";
     }},
    {is_open, "30 s later an attempt begins, the first probe",
     [](breaker const& b) {
       enter(b, over);
       return "";
     }},
    {is_open, "close()",
     [](breaker const& b) {
       b.close();
       return "";
     }},
    {is_half_open, "2 probes succeed",
     [](breaker const& b) {
       auto const one = enter(b, over);
       auto const other = enter(b, over);
       b.on_success(one, over);
       b.on_success(other, over);
       return "";
     }},
    {is_half_open, "close()",
     [](breaker const& b) {
       b.close();
       return "";
     }},
    {is_half_open, "a probe fails",
     [](breaker const& b) {
       b.on_failure(enter(b, over), lost, over);
       return "";
     }},
    {is_half_open, "isolate()",
     [](breaker const& b) {
       b.isolate();
       return "";
     }},
    {is_closed, "4 failures, a success, 4 failures: it counts consecutive failures",
     [](breaker const& b) {
       fail(b, 4);
       b.on_success(enter(b), begin);
       fail(b, 4);
       return "";
     }},
    {is_closed, "failures of kind client: they are the caller's fault",
     [](breaker const& b) {
       fail(b, 9, bad_request);
       return "";
     }},
    {is_open, "an attempt within the 30 s", [](breaker const& b) { return answer(enter(b, over - 1ms)); }},
    {is_open, "the end of an attempt that began before: it is ignored",
     [](breaker const& b) {
       b.close();
       auto const early = enter(b);
       fail(b, 5);
       b.on_success(early, begin);
       return "";
     }},
    {is_half_open, "1 of 2 probes succeeds",
     [](breaker const& b) {
       b.on_success(enter(b, over), over);
       return "";
     }},
    {is_half_open, "a third attempt beside 2 probes",
     [](breaker const& b) {
       enter(b, over);
       enter(b, over);
       return answer(enter(b, over));
     }},
    {is_half_open, "a third attempt after a probe was abandoned",
     [](breaker const& b) {
       b.release(enter(b, over));
       enter(b, over);
       return answer(enter(b, over));
     }},
};

}  // namespace

int main() {
  for (auto const& [before, text, happens] : events) {
    breaker const b;
    before(b);
    auto const from = b.state();
    auto const* const end = happens(b);
    if (b.state() == from) {
      std::printf("%s: %s%s\n", to_string(from), text, end);
    } else {
      std::printf("%s -> %s: %s%s\n", to_string(from), to_string(b.state()), text, end);
    }
  }
}
