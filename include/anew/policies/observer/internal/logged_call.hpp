// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_OBSERVER_INTERNAL_LOGGED_CALL_HPP
#define ANEW_POLICIES_OBSERVER_INTERNAL_LOGGED_CALL_HPP

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/observer/severity.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"

namespace anew::inline ANEW_ABI::detail {

template <class Sink>
concept TakesLines = std::invocable<Sink const&, std::string_view>;
template <class Sink>
concept TakesLinesWithSeverity = std::invocable<Sink const&, severity, std::string_view>;

template <class Sink>
inline constexpr bool sink_takes_lines = TakesLines<Sink> || TakesLinesWithSeverity<Sink>;

template <class Sink>
constexpr void write_line(Sink const& sink, severity how_loud, std::string_view line) {
  if constexpr (TakesLinesWithSeverity<Sink>) {
    sink(how_loud, line);
  } else if constexpr (TakesLines<Sink>) {
    sink(line);
  }
}

/// Called in the policy's own `explain()`, no deeper, because each nested call adds three lines to clang's output.
template <class Sink>
consteval void explain_sink() {
  static_assert(sink_takes_lines<Sink>,
                "anew::timeline and anew::json_lines require a sink that is callable as 'sink(std::string_view) const' "
                "or 'sink(anew::severity, std::string_view) const'; this sink is not. Is it a mutable lambda, or does "
                "it take a std::string?");
}

/// An attempt that ended, with the text of its error and the time that it took.
struct logged_attempt {
  attempt_event event;
  std::string error;
  duration took;
};

/// A call in the words of a log: its number among the calls of the process that are logged, when it and its attempts
/// began, the text of the last error, and a failed attempt whose line waits for the next event.
struct logged_call {
  std::uint64_t id;
  char const* operation;
  time_point began;
  std::vector<time_point> attempts{};
  std::string error{};
  std::optional<logged_attempt> open{};

  [[nodiscard]] time_point began_at(std::uint32_t attempt) const {
    return attempt - 1 < attempts.size() ? attempts[attempt - 1] : began;
  }
};

/// The text of an error; empty where it has none.
template <class E>
std::string text_of_error([[maybe_unused]] E const& error) {
  if constexpr (requires { std::string{error.what()}; }) return error.what();
  if constexpr (requires { std::string{error.message()}; }) return error.message();
  return {};
}

/// The base of observers that log: it keeps a logged_call of each call.
class logs_calls {
 public:
  using call_type = std::unique_ptr<logged_call>;

  [[nodiscard]] call_type on_call(call_event const& event, time_point now) const {
    static std::atomic<std::uint64_t> calls{0};
    return std::make_unique<logged_call>(logged_call{++calls, event.operation, now});
  }
  void on_begin(call_type& call, std::uint32_t /*number*/, time_point now) const { call->attempts.push_back(now); }
  void on_error(call_type& call, auto const& error) const { call->error = detail::text_of_error(error); }

 protected:
  /// Calls `write(attempt, wait)` for the attempt if it is final. A failure that another attempt follows has its wait in
  /// the next event; where attempts overlap, in a hedged call, it may have none.
  static void end_attempt(logged_call& call, attempt_event const& event, time_point now, auto const& write) {
    close_attempt(call, std::nullopt, write);
    call.open = logged_attempt{event, std::exchange(call.error, {}), now - call.began_at(event.attempt)};
    if (event.is_final) close_attempt(call, std::nullopt, write);
  }
  /// Calls `write(attempt, wait)` for the failure that was open. Returns whether there was one.
  static bool close_attempt(logged_call& call, std::optional<planned_delay> const& wait, auto const& write) {
    auto const open = std::exchange(call.open, std::nullopt);
    if (open) write(*open, wait);
    return open.has_value();
  }
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
