// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SHARING_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_SHARING_SUPPORT_HPP

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"
#include "anew/testing/archetypes.hpp"

/// Quotas and gates to be shared: with all the optional functions, and with none.
namespace support {

struct diary {
  std::vector<std::string> lines;
};

inline std::string line(char const* what, std::initializer_list<std::int64_t> numbers) {
  std::string text{what};
  for (auto const n : numbers) text.append(" ").append(std::to_string(n));
  return text;
}
inline std::int64_t ticks(anew::time_point t) { return t.time_since_epoch().count(); }

struct diary_quota {
  using role = anew::roles::quota;
  using permit_type = int;
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const& /*f*/, anew::time_point now) const {
    d.lines.push_back(line("acquire", {ticks(now)}));
    return 7;
  }
  [[nodiscard]] anew::duration wait(int permit, anew::time_point now) const {
    d.lines.push_back(line("wait", {permit, ticks(now)}));
    return anew::duration{11};
  }
  void on_success(int permit) const { d.lines.push_back(line("success", {permit})); }
  void on_failure(int permit) const { d.lines.push_back(line("failure", {permit})); }
  void release(int permit) const { d.lines.push_back(line("release", {permit})); }
  void on_call(anew::time_point now) const { d.lines.push_back(line("call", {ticks(now)})); }
  void on_call_end() const { d.lines.emplace_back("end"); }
  void on_attempt_failed(anew::failure const& f) const { d.lines.push_back(line(to_string(f.kind), {})); }
  diary& d;
};

/// Refuses from 100 ns on, and says to ask again 5 ns later.
struct diary_gate {
  using role = anew::roles::gate;
  using pass_type = int;
  [[nodiscard]] anew::admission<int> try_enter(anew::time_point now) const {
    d.lines.push_back(line("enter", {ticks(now)}));
    using admission = anew::admission<int>;
    return would_refuse(now) ? admission::ask_again_in(anew::duration{5}) : admission::admit(9);
  }
  void on_success(int pass, anew::time_point now) const { d.lines.push_back(line("success", {pass, ticks(now)})); }
  void on_failure(int pass, anew::failure const& f, anew::time_point now) const {
    d.lines.push_back(line(to_string(f.kind), {pass, ticks(now)}));
  }
  void release(int pass) const { d.lines.push_back(line("release", {pass})); }
  [[nodiscard]] bool would_refuse(anew::time_point then) const { return then >= anew::time_point{anew::duration{100}}; }
  diary& d;
};

struct diary_pacer {
  using role = anew::roles::pacer;
  using ticket_type = int;
  [[nodiscard]] anew::pace ask(int& ticket, anew::time_point now) const {
    d.lines.push_back(line("ask", {ticket, ticks(now)}));
    ticket = ticket == 0 ? 5 : 0;
    return {ticket == 0 ? anew::duration{} : anew::duration{5}};
  }
  void on_success(anew::time_point now) const { d.lines.push_back(line("success", {ticks(now)})); }
  void on_failure(anew::failure const& f, anew::time_point now) const {
    d.lines.push_back(line(to_string(f.kind), {ticks(now)}));
  }
  void release(int ticket) const { d.lines.push_back(line("release", {ticket})); }
  diary& d;
};

using anew::testing::least_gate, anew::testing::least_quota;

template <class G>
concept would_refuse_is_there = requires(G const& g, anew::time_point t) { g.would_refuse(t); };

/// The optional functions of a quota: which ones there are.
template <class Q>
consteval unsigned optional_functions() {
  unsigned there = 0;
  if constexpr (anew::detail::AcquiresWithoutTime<Q>) there |= 1U;
  if constexpr (anew::detail::AcquiresWithTime<Q>) there |= 2U;
  if constexpr (requires(Q const& q, anew::time_point t) { q.wait(typename Q::permit_type{}, t); }) there |= 4U;
  if constexpr (requires(Q const& q) { q.on_failure(typename Q::permit_type{}); }) there |= 8U;
  if constexpr (anew::detail::CountsCalls<Q>) there |= 16U;
  if constexpr (requires(Q const& q) { q.on_call_end(); }) there |= 32U;
  if constexpr (requires(Q const& q, anew::failure const& f) { q.on_attempt_failed(f); }) there |= 64U;
  if constexpr (anew::detail::SettlesPermits<Q>) there |= 128U;
  return there;
}

template <class A, class B>
consteval bool has_same_functions() {
  return optional_functions<A>() == optional_functions<B>();
}

}  // namespace support

#endif
