// SPDX-License-Identifier: BSL-1.0
// What an operation returns is read by its shape, and comes back untouched.
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "anew/anew.hpp"

#include "support/expected.hpp"

using namespace std::chrono_literals;

// [error]
struct parse_error {
  int line;
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return anew::retry_safety::yes; }
};
// [/error]

// [traits]
// A type of which anew cannot tell what a failure is: here negative numbers are errors.
struct handle {
  int number;
  explicit operator bool() const { return number != 0; }
};

template <>
struct anew::result_traits<handle> {
  static bool is_success(handle const& h) noexcept { return h.number >= 0; }
  static handle const& error(handle const& h) noexcept { return h; }
};
// [/traits]

enum class signal { red, green };

// Each operation below fails once.
int calls = 0;
bool first() { return ++calls % 2 == 1; }

int main() {
  auto const no_sleep = [](anew::duration) {};

  // [expected]
  anew::strategy<> const asks_the_error{};
  auto const parsed = anew::retry(
      asks_the_error,
      [] { return first() ? expected<int, parse_error>{parse_error{7}} : expected<int, parse_error>{42}; }, no_sleep);
  std::printf("expected: %d\n", parsed.value());
  // [/expected]

  // [optional]
  anew::strategy<anew::retry_all> const whatever{};  // an empty optional and false say nothing about themselves
  auto const found =
      anew::retry(whatever, [] { return first() ? std::nullopt : std::optional<std::string>{"found"}; }, no_sleep);
  std::printf("optional: %s\n", found->c_str());

  bool const locked = anew::retry(whatever, [] { return !first(); }, no_sleep);
  std::printf("bool: %s\n", locked ? "true" : "false");
  // [/optional]

  // [error_code]
  auto const timed_out = [](std::error_code error) { return error == std::errc::timed_out; };
  auto const when_timed_out = anew::compose(anew::retry_if{timed_out});
  std::error_code const code = anew::retry(
      when_timed_out, [] { return first() ? make_error_code(std::errc::timed_out) : std::error_code{}; }, no_sleep);
  std::printf("error_code: %s\n", code ? "error" : "no error");
  // [/error_code]

  // [plain]
  // A plain value is a success, unless a rule says otherwise.
  auto const too_small = [](int value) { return value < 10; };
  int const measured =
      anew::retry(anew::compose(anew::retry_while{too_small}), [] { return first() ? 3 : 12; }, no_sleep);
  std::printf("int: %d\n", measured);
  // [/plain]

  // [use_traits]
  auto const opened = anew::retry(whatever, [] { return first() ? handle{-1} : handle{3}; }, no_sleep);
  std::printf("handle: %d\n", opened.number);
  // [/use_traits]

  // [throws_only]
  // An enumeration may be a status or an answer. Here it is an answer, and failures are thrown.
  auto const light = anew::retry(
      whatever, anew::throws_only([] { return first() ? throw std::runtime_error{"busy"} : signal::green; }), no_sleep);
  std::printf("enumeration: %s\n", light == signal::green ? "green" : "red");
  // [/throws_only]

  // [untouched]
  auto const failed =
      anew::retry(asks_the_error, [] { return expected<int, parse_error>{parse_error{++calls}}; }, no_sleep);
  std::printf("the last error, untouched: line %d\n", failed.error().line);
  // [/untouched]
}
