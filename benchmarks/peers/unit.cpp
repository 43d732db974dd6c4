// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/anew.hpp"

#include "cases.hpp"
#include "grpc_throttle.hpp"
#include "hand_bucket.hpp"
#include "interleaved.hpp"
#include "object_oriented.hpp"
#include "stepper.hpp"

/// One policy (50 ms doubling up to 20 s, full jitter, 20 attempts) by hand, in an object-oriented design, with gRPC's
/// throttle and through anew, for 16 destinations with numbers of their own, without a quota and with one: a program has
/// many strategies, and its compiler inlines less. Prints one line a figure: group, what, peer, value, lower quartile,
/// upper quartile, unit; separated by tabs.
namespace {

using namespace std::chrono_literals;

constexpr std::size_t destinations = 16;
constexpr std::uint32_t capacity = 4294967295;  // never empty, however often it is measured
constexpr std::uint32_t cost = 14;
constexpr unsigned most_attempts = 20;

struct is_busy {
  constexpr bool operator()(int code) const noexcept { return code == cases::busy; }
};
template <int I>
inline constexpr anew::duration base_of{50'000'000 + I};

enum class quota : unsigned char { none, bucket };

/// As written by hand; it shares only the random numbers with anew.
template <int I>
anew::duration hand_delay(unsigned attempt) {
  constexpr anew::duration cap = 20s;
  auto ceiling = base_of<I>;
  for (unsigned i = 1; i < attempt && ceiling < cap; ++i) ceiling *= 2;
  if (ceiling > cap) ceiling = cap;
  anew::thread_random random{};
  auto const width = static_cast<anew::detail::uint128>(ceiling.count()) + 1;
  return anew::duration{static_cast<std::int64_t>((width * random()) >> 64U)};
}
using hand_bucket = loops::hand_bucket_of<std::integral_constant<std::uint32_t, capacity>>;

template <quota Quota>
struct by_hand {
  template <int I>
  static inline hand_bucket bucket;

  template <int I>
  static cases::answer call() {
    for (unsigned attempt = 1;; ++attempt) {
      auto result = cases::ask_busy();
      if (result.has_value()) {
        if constexpr (Quota == quota::bucket) bucket<I>.give_back(attempt == 1 ? 1 : cost);
        return result;
      }
      if (attempt == most_attempts || !is_busy{}(result.error())) return result;
      if constexpr (Quota == quota::bucket) {
        if (!bucket<I>.take(cost)) return result;
      }
      cases::wait(hand_delay<I>(attempt));
    }
  }
  template <int I>
  static std::int64_t decide(int code) {
    if (!is_busy{}(code)) return 0;
    if constexpr (Quota == quota::bucket) {
      if (!bucket<I>.take(cost)) return 0;
    }
    auto const delay = hand_delay<I>(1);
    if constexpr (Quota == quota::bucket) bucket<I>.give_back(cost);
    return delay.count();
  }
};

template <quota Quota>
struct object_oriented {
  template <int I>
  static peers::object_oriented::retrier make() {
    using namespace peers::object_oriented;
    std::unique_ptr<quota_policy> of;
    if constexpr (Quota == quota::bucket) {
      of = std::make_unique<bucket>(capacity, cost);
    } else {
      of = std::make_unique<unlimited>();
    }
    return {std::make_unique<exponential>(base_of<I>, 20s),
            std::make_unique<full>(),
            std::move(of),
            is_busy{},
            most_attempts,
            cases::wait};
  }
  template <int I>
  static inline peers::object_oriented::retrier instance = make<I>();

  template <int I>
  static cases::answer call() {
    return instance<I>.run(cases::ask_busy);
  }
  template <int I>
  static std::int64_t decide(int code) {
    anew::duration delay{};
    if (!instance<I>.decide(code, 1, delay)) return 0;
    if constexpr (Quota == quota::bucket) instance<I>.give_back(true);
    return delay.count();
  }
};

/// A loop around the throttle; the delay is that of the others, so that the figures differ by the throttle.
struct with_grpc_throttle {
  template <int I>
  static inline peers::grpc_throttle throttle{capacity};

  template <int I>
  static cases::answer call() {
    for (unsigned attempt = 1;; ++attempt) {
      auto result = cases::ask_busy();
      if (result.has_value()) {
        throttle<I>.record_success();
        return result;
      }
      if (!is_busy{}(result.error()) || !throttle<I>.record_failure() || attempt == most_attempts) return result;
      cases::wait(hand_delay<I>(attempt));
    }
  }
  template <int I>
  static std::int64_t decide(int code) {
    if (!is_busy{}(code) || !throttle<I>.record_failure()) return 0;
    auto const delay = hand_delay<I>(1);
    throttle<I>.record_success();
    return delay.count();
  }
};

template <quota Quota>
struct through_anew {
  template <int I>
  using plain = anew::strategy<anew::exponential_backoff<base_of<I>, 20s>, anew::full_jitter, anew::retry_if<is_busy>,
                               anew::max_attempts<most_attempts>>;
  template <int I>
  using composed =
      std::conditional_t<Quota == quota::bucket,
                         anew::with<plain<I>, anew::token_bucket<capacity, anew::retry_costs{cost, cost, 1, 1, 1}>>,
                         plain<I>>;
  template <int I>
  static inline composed<I> const strategy{};

  template <int I>
  static cases::answer call() {
    return anew::retry(strategy<I>, cases::ask_busy, cases::wait);
  }
  template <int I>
  static std::int64_t decide(int code) {
    auto decided = strategy<I>.refresh_retry_token(strategy<I>.acquire_initial_token(),
                                                   strategy<I>.classifier().classify(code).what());
    if (!decided) return 0;
    auto const delay = decided->delay().count();
    strategy<I>.record_success(std::move(*std::move(decided)));
    return delay;
  }
};

// What is counted and timed is one function for each peer and destination.
template <class Peer, int I>
[[gnu::noinline]] cases::answer call() {
  return Peer::template call<I>();
}
template <class Peer, int I>
[[gnu::noinline]] std::int64_t decide(int code) {
  return Peer::template decide<I>(code);
}

using call_function = cases::answer (*)();
using decide_function = std::int64_t (*)(int);

template <class Peer>
inline constexpr auto calls = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<call_function, destinations>{&call<Peer, I>...};
}(std::make_integer_sequence<int, destinations>{});
template <class Peer>
inline constexpr auto decisions = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<decide_function, destinations>{&decide<Peer, I>...};
}(std::make_integer_sequence<int, destinations>{});

std::int64_t volatile sink = 0;

template <class Peer, unsigned Failures>
void repeat(std::uint64_t n) {
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    cases::fail_next(Failures);
    sum += calls<Peer>[i % destinations]().value;
  }
  sink = sink + sum;
}
template <class Peer>
void repeat_decision(std::uint64_t n) {
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += decisions<Peer>[i % destinations](cases::busy);
  sink = sink + sum;
}

struct peer {
  char const* name;
  std::span<call_function const> call;
  std::span<decide_function const> decide;
  interleaved::way succeeds, fails_once, fails_thrice, decides;
};
template <class Peer>
peer peer_of(char const* name) {
  return {
      name, calls<Peer>, decisions<Peer>, &repeat<Peer, 0>, &repeat<Peer, 1>, &repeat<Peer, 3>, &repeat_decision<Peer>};
}

void print(std::string const& what, char const* of, std::vector<double> const& figures, char const* unit) {
  std::printf("C++, 32 strategies\t%s\t%s\t%.1f\t%.1f\t%.1f\t%s\n", what.c_str(), of, interleaved::median(figures),
              interleaved::quantile(figures, 0.25), interleaved::quantile(figures, 0.75), unit);
}

// ---------------------------------------------------------------------------------------------------------------------
// Instructions

std::uintptr_t const outside[] = {stepper::address_of(&cases::ask_busy), stepper::address_of(&cases::fail_next),
                                  stepper::address_of(&cases::wait)};

/// What the child does for one destination, in the order in which its parent counts.
void run_one(peer const& of, std::size_t i) {
  auto const run = [&](unsigned failures) {
    cases::fail_next(failures);
    sink = sink + of.call[i]().value;
  };
  run(0);
  sink = sink + of.decide[i](cases::busy);
  run(2);
  run(10);
  run(0);
}

void count_instructions(char const* with, char const* state, std::span<peer const> peers) {
  // Where it is only tried whether it runs, one destination is enough: a step takes long.
  auto const counted_destinations = interleaved::smoke() ? 1 : destinations;
  auto const child = stepper::start(
      [&] {
        for (auto const& each : peers) {
          for (std::size_t i = 0; i != counted_destinations; ++i) run_one(each, i);
        }
      },
      [&] {  // no bucket is asked, so that each is full
        hand_delay<0>(1);
        for (auto const& each : peers) {
          for (auto const& one : each.call) sink = sink + one().value;
          for (auto const& one : each.decide)
            sink = sink + one(cases::busy);  // std::mt19937_64 makes 312 numbers at a time
        }
      });
  if (!child) return;
  struct counted {
    std::vector<double> success, decision, extra, not_full;
  };
  std::vector<counted> all(peers.size());
  for (std::size_t p = 0; p != peers.size(); ++p) {
    for (std::size_t i = 0; i != counted_destinations; ++i) {
      auto const next = [&](auto* function) {
        return static_cast<double>(stepper::count(*child, {"", stepper::address_of(function), nullptr}, outside));
      };
      auto& of = all[p];
      of.success.push_back(next(peers[p].call[i]));
      of.decision.push_back(next(peers[p].decide[i]));
      auto const two = next(peers[p].call[i]);
      of.extra.push_back((next(peers[p].call[i]) - two) / 8);
      of.not_full.push_back(next(peers[p].call[i]));
    }
  }
  stepper::stop(*child);
  auto const print_all = [&](std::string const& what, std::vector<double> counted::* member) {
    for (std::size_t p = 0; p != peers.size(); ++p) print(what, peers[p].name, all[p].*member, "instructions");
  };
  print_all(std::string{"a call that succeeds, "} + state, &counted::success);
  if (state != with) print_all("a call that succeeds, bucket not full", &counted::not_full);
  print_all(std::string{"a decision, "} + with, &counted::decision);
  print_all(std::string{"one attempt more, "} + with, &counted::extra);
}

// ---------------------------------------------------------------------------------------------------------------------
// Times, without those of the operation

std::vector<double> differences(std::vector<double> const& these, std::vector<double> const& from, double divisor) {
  std::vector<double> result;
  for (std::size_t i = 0; i != these.size(); ++i) result.push_back((these[i] - from[i]) / divisor);
  return result;
}

struct alone {
  template <int>
  static cases::answer call() {
    return cases::ask_busy();
  }
  template <int>
  static std::int64_t decide(int /*code*/) {
    return 0;
  }
};

void print_times(std::string const& what, std::span<peer const> peers, interleaved::way peer::* way,
                 interleaved::way peer::* from, double divisor) {
  std::vector<interleaved::named_way> ways;
  for (auto const& each : peers) {
    ways.push_back({each.name, each.*way});
    if (from != nullptr) ways.push_back({each.name, each.*from});
  }
  if (from == nullptr) ways.push_back({"alone", way == &peer::decides ? &repeat_decision<alone> : &repeat<alone, 0>});
  auto const rounds = interleaved::rounds_of(ways);
  for (std::size_t p = 0; p != peers.size(); ++p) {
    auto const& these = rounds[from == nullptr ? p : 2 * p];
    print(what, peers[p].name, differences(these, from == nullptr ? rounds.back() : rounds[2 * p + 1], divisor), "ns");
  }
}

void take_times(char const* with, char const* state, std::span<peer const> peers) {
  print_times(std::string{"a call that succeeds, "} + state, peers, &peer::succeeds, nullptr, 1);
  print_times(std::string{"a decision, "} + with, peers, &peer::decides, nullptr, 1);
  print_times(std::string{"one attempt more, "} + with, peers, &peer::fails_thrice, &peer::fails_once, 2);
  if (state != with) print_times("a call that succeeds, bucket not full", peers, &peer::succeeds, nullptr, 1);
}

}  // namespace

int main() {
  std::vector<peer> const plain{
      peer_of<by_hand<quota::none>>("by hand"),
      peer_of<object_oriented<quota::none>>("object-oriented"),
      peer_of<through_anew<quota::none>>("anew"),
  };
  std::vector<peer> const with_quota{
      peer_of<by_hand<quota::bucket>>("by hand"),
      peer_of<object_oriented<quota::bucket>>("object-oriented"),
      peer_of<with_grpc_throttle>("gRPC's throttle, stated again"),
      peer_of<through_anew<quota::bucket>>("anew"),
  };
  char const* const no_quota = "no quota";
  count_instructions(no_quota, no_quota, plain);
  count_instructions("bucket", "full bucket", with_quota);
  take_times(no_quota, no_quota, plain);
  take_times("bucket", "full bucket", with_quota);
  return 0;
}
