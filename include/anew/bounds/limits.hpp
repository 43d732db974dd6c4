// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BOUNDS_LIMITS_HPP
#define ANEW_BOUNDS_LIMITS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/bounds/bound.hpp"
#include "anew/bounds/bounds_of.hpp"
#include "anew/strategy/internal/explain.hpp"

namespace anew::inline ANEW_ABI {

/// The demands on a strategy; a member that you do not set is not demanded:
/// `limits{.attempts = 3, .wait = 250ms, .amplification = rational{3, 2}}`.
struct limits {
  std::uint64_t attempts = strategy_bounds::any_number;
  static_duration wait{duration::max()};     ///< before one attempt, with the delays that a server asks for
  static_duration waiting{duration::max()};  ///< in one call
  static_duration call{duration::max()};     ///< the whole call, where each attempt keeps `attempt::limit()`
  rational amplification{0, 0};              ///< attempts for each call in the long run
};

namespace detail {

/// A text that is made in a constant expression, so that compilers print it as a template argument.
struct constant_text {
  char text[160]{};
  std::size_t size = 0;
  char const* role = "";  // whose policy falls short

  constexpr constant_text& operator<<(char const* more) {
    for (; *more != 0 && size + 1 < sizeof text; ++more) text[size++] = *more;
    return *this;
  }
  constexpr constant_text& operator<<(std::uint64_t number) {
    char digits[21]{};
    auto* at = digits + 20;
    do *--at = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << static_cast<char const*>(at);
  }
  constexpr constant_text& operator<<(duration d) {
    auto const ns = static_cast<std::uint64_t>(d.count());
    if (ns % 1'000'000'000 == 0) return *this << ns / 1'000'000'000 << "s";
    if (ns % 1'000'000 == 0) return *this << ns / 1'000'000 << "ms";
    if (ns % 1'000 == 0) return *this << ns / 1'000 << "us";
    return *this << ns << "ns";
  }
  constexpr constant_text& operator<<(double number) {  // upwards to two decimals
    auto const hundredths = static_cast<std::uint64_t>(number * 100 + 0.999999);
    return *this << hundredths / 100 << "." << hundredths / 10 % 10 << hundredths % 10;
  }
};

/// The member by which a policy of this role says what it promises.
constexpr char const* member_of(char const* role) {
  constexpr char const* members[][2] = {
      {"hint", "longest()"},   {"gate", "longest_wait()"},         {"pacer", "longest_wait()"},
      {"quota", "promises()"}, {"backoff", "a constexpr delay()"}, {"max_attempts", "value()"}};
  for (auto const& [name, member] : members) {
    if (std::string_view{name} == role) return member;
  }
  return "numbers in its type";
}

/// "wait 60s > 250ms by hint", "call unbounded, see attempt_timeout; demanded 2s", "wait unknown, hint needs longest();
/// demanded 1s". The numbers come first: clang prints 32 characters of a text in an assertion.
template <class T>
constexpr void compare(constant_text& found, char const* what, bound<T> const& promised, T demanded) {
  if (found.size != 0 || promised.is_at_most(demanded)) return;
  found.role = promised.by;
  found << what;
  if (promised.is_known()) {
    found << promised.value << " > " << demanded << " by " << promised.by;
    return;
  }
  if (promised.how == certainty::unbounded) {
    found << "unbounded, see " << promised.by;
  } else {
    found << "unknown, " << promised.by << " needs " << detail::member_of(promised.by);
  }
  found << "; demanded " << demanded;
}

/// The first demand that is not met; empty where all are.
constexpr constant_text first_shortfall(strategy_bounds const& b, limits const& l) {
  constexpr auto max = duration::max();
  constant_text found{};
  if (l.attempts != strategy_bounds::any_number) compare(found, "attempts ", b.attempts, l.attempts);
  if (l.wait.value() != max) compare(found, "wait ", b.wait, l.wait.value());
  if (l.waiting.value() != max) compare(found, "waiting ", b.waiting, l.waiting.value());
  if (l.call.value() != max) compare(found, "call ", b.call, l.call.value());
  if (l.amplification.den != 0) {
    auto const most = static_cast<double>(l.amplification.num) / l.amplification.den;
    compare(found, "attempts per call ", b.quota.amplification, most);
  }
  return found;
}

}  // namespace detail

/// Says which of the demands a strategy does not meet: "wait 60s > 250ms by hint".
///
/// Returns: the first shortfall in the order of the members, with what the strategy promises, what you demand and the
/// role that decides; an empty text where the strategy meets them all. What is unknown or unbounded meets no demand
[[nodiscard]] inline std::string shortfall(strategy_bounds const& promised, limits const& demanded) {
  auto const found = detail::first_shortfall(promised, demanded);
  return {found.text, found.size};
}

/// Demands on a strategy, for the templates of clients: `template <anew::WaitsAtMost<250ms> S> void fetch(S const&);`.
/// A strategy that falls short does not compile; the message shows the promised and the demanded number, and the role
/// that decides: "wait 60s > 250ms by hint". Numbers that are known at run time meet no demand: compare
/// `shortfall(bounds(strategy), limits)`.
namespace detail {

/// As long as its text, so that compilers print nothing after it.
template <std::size_t N>
struct message {
  char text[N + 1]{};
};
template <class S, limits L>
consteval auto message_of() {
  if constexpr (std::is_same_v<S, ill_formed_strategy>) {  // its mistake is the only error
    return message<0>{};
  } else {
    constexpr auto found = first_shortfall(bounds_of<S>(), L);
    message<found.size> text{};
    for (std::size_t i = 0; i != found.size; ++i) text.text[i] = found.text[i];
    return text;
  }
}
/// A type, because g++ prints a type in a constraint that fails, and not the value of a constant expression.
template <auto Text>
struct says {
  static constexpr bool nothing = sizeof(Text.text) == 1;
};
template <class Says>
concept Nothing = Says::nothing;
template <class S, limits L>
using shortfall_of = says<detail::message_of<S, L>()>;

}  // namespace detail

/// A call makes at most N attempts, the first one included.
template <class S, std::uint64_t N>
concept AttemptsAtMost = detail::Nothing<detail::shortfall_of<S, limits{.attempts = N}>>;
/// No wait before an attempt is longer than D, even where a server asks for more.
template <class S, static_duration D>
concept WaitsAtMost = detail::Nothing<detail::shortfall_of<S, limits{.wait = D}>>;
/// A call waits at most D in all.
template <class S, static_duration D>
concept WaitsInAllAtMost = detail::Nothing<detail::shortfall_of<S, limits{.waiting = D}>>;
/// A call ends within D, where each attempt keeps `attempt::limit()`.
template <class S, static_duration D>
concept EndsWithin = detail::Nothing<detail::shortfall_of<S, limits{.call = D}>>;
/// In the long run the calls that share the quota make at most R attempts each: `rational{3, 2}` is half as much again.
template <class S, rational R>
concept AmplifiesAtMost = detail::Nothing<detail::shortfall_of<S, limits{.amplification = R}>>;
/// All that L demands.
template <class S, limits L>
concept Within = detail::Nothing<detail::shortfall_of<S, L>>;

/// Ends the compilation where the strategy promises less than L; returns true otherwise:
/// `static_assert(anew::demand<my_strategy, anew::limits{.call = 2s}>());`.
template <class S, limits L>
consteval bool demand() {
  static_assert(detail::shortfall_of<S, L>::nothing,
                "anew::demand<Strategy, limits>() requires a strategy that promises what you demand; the text in "
                "'says' names what it does not promise. Compose a policy that bounds it, or demand less");
  return true;
}

}  // namespace anew::inline ANEW_ABI

#endif
