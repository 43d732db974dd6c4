// SPDX-License-Identifier: BSL-1.0
// Prints what must be the same on every platform, byte for byte: random words, delays, conversions, texts, decisions by
// virtual time, the bytes of a saved state. With the argument "floating": what floating point computes, which is compared
// by tolerance.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <anew/aws.hpp>
#include <anew/policies.hpp>
#include <anew/presets/grpc.hpp>
#include <anew/presets/smithy.hpp>
#include <anew/state/saved_state.hpp>
#include <anew/testing/manual_clock.hpp>
#include <anew/text/read_strategy.hpp>

namespace {

using namespace std::chrono_literals;

void line(std::string const& text) { std::printf("%s\n", text.c_str()); }

void random_words() {
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    anew::generator words{seed, 1};
    std::string text = "words";
    for (int i = 0; i != 8; ++i) text.append(" ").append(std::to_string(words()));
    line(text);
  }
}

void conversions() {
  std::string text = "seconds";
  for (double const value :
       {0.0, 0.1, 0.3, 0.7, 1.1, 1e-9, 4e-10, 6e-10, 2.5, 123.456789, 86'400.000000001, 1e9, -0.3, 9e9, 1e10, -1e10}) {
    text.append(" ").append(std::to_string(anew::detail::saturate(std::chrono::duration<double>{value}).count()));
  }
  line(text);
  text = "growth";
  for (std::uint32_t power = 0; power < 4'000; power += 97) {
    text.append(" ").append(
        std::to_string(anew::detail::scale_by_power(1ns, std::chrono::hours{24 * 365}, 101, 100, power).count()));
  }
  line(text);
}

/// The words of the texts below, and few more: each that a strategy may be read with is compiled on every platform.
using words_of_the_log =
    anew::join_words<anew::words::constant, anew::words::exponential, anew::words::linear, anew::words::fibonacci,
                     anew::words::sum, anew::jitter_words, anew::words::token_bucket, anew::words::refilling_bucket,
                     anew::words::retry_budget, anew::words::retry_throttle,
                     anew::word_of<"unbounded", anew::unbounded>, anew::words::deadline, anew::words::circuit_breaker,
                     anew::words::rate_breaker>;

/// What the strategy decides in 24 failures, one after another, by a clock that each delay moves.
void decisions(std::string_view text) {
  anew::testing::manual_clock const clock;
  auto const read = anew::read_strategy<words_of_the_log>(text, anew::retry_all{}, clock, anew::seeded_source{7});
  if (!read) return line(anew::in_lines(read.error(), text));
  line(std::string{text}.append(" = ").append(anew::describe(*read)));
  std::string delays = " ";
  auto token = read->acquire_initial_token();
  for (int retry = 0; retry != 24; ++retry) {
    anew::failure failed{};
    failed.kind = retry % 5 == 4 ? anew::error_kind::throttling : anew::error_kind::transient;
    auto next = read->refresh_retry_token(std::move(token), failed);
    if (!next) {
      delays.append(" ").append(anew::to_string(next.error()));
      token = read->acquire_initial_token();
      clock.advance(100ms);
      continue;
    }
    delays.append(" ").append(std::to_string(next->delay().count()));
    clock.advance(next->delay());
    token = *std::move(next);
  }
  line(delays);
  line(std::string{"  "}.append(anew::snapshot(*read, clock.now()).to_hex()));
}

constexpr std::string_view backoffs[] = {
    "constant(100ms)", "exponential(50ms,20s)", "exponential(1ns,2500000h,1.01)",     "exponential(10ms,1h,1.5)",
    "linear(10ms,2s)", "fibonacci(10ms,5s)",    "sum(constant(1s),fibonacci(1ms,1s))"};
constexpr std::string_view jitters[] = {"no_jitter",
                                        "full_jitter",
                                        "equal_jitter",
                                        "decorrelated_jitter",
                                        "proportional_jitter(1/5)",
                                        "scaled_jitter(1/2,3/2)"};
constexpr std::string_view others[] = {
    "constant(10ms) no_jitter token_bucket(20)",          "constant(10ms) no_jitter refilling_bucket(5,50ms)",
    "constant(10ms) no_jitter retry_budget(20%,1/s,10s)", "constant(10ms) no_jitter retry_throttle(10,1/10)",
    "constant(10ms) full_jitter circuit_breaker(3,1s)",   "constant(10ms) full_jitter rate_breaker(50%,10s,5,1s)",
    "exponential(1ms,1s) full_jitter deadline(200ms)",
};

void settings() {
  auto const file = anew::aws_settings::profile_file::parse(
      "[default]\nretry_mode = adaptive\nmax_attempts = 7\n\n[profile two]\r\nretry_mode=standard # no\n",
      anew::aws_settings::file_flavour::config, "config");
  for (auto const* profile : {"default", "two"}) {
    for (auto const* key : {"retry_mode", "max_attempts"}) {
      auto const* found = file->find(profile, key);
      line(std::string{profile}.append(" ").append(key).append(" = ").append(found == nullptr ? "(none)"
                                                                                              : found->value));
    }
  }
}

void floating() {
  std::string text;
  for (double const rate : {0.5, 1.0, 12.34, 1'000.0}) {
    anew::cubic_rate const curve{rate, 0, {}};
    for (double t = 0; t < 3; t += 0.25) std::printf("%.17g\n", curve.success(t));
  }
  anew::generator random{7, 1};
  anew::polly_decorrelated_jitter::state_type state{};
  for (int i = 0; i != 24; ++i) {
    auto const drawn = anew::polly_decorrelated_jitter::apply({1s, 1s, std::chrono::hours{1'000}}, state, random);
    std::printf("%.17g\n", static_cast<double>(drawn.count()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view{argv[1]} == "floating") {
    floating();
    return 0;
  }
  random_words();
  conversions();
  for (auto const backoff : backoffs) {
    for (auto const jitter : jitters) {
      decisions(std::string{backoff}.append(" ").append(jitter).append(" unbounded"));
    }
  }
  for (auto const other : others) decisions(std::string{other}.append(" unbounded"));
  line(anew::describe(anew::aws::standard{}));
  line(anew::describe(anew::smithy::guide_example{}));
  line(anew::describe(anew::grpc::retry_policy<>{}));
  settings();
  return 0;
}
