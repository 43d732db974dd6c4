// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_JSON_LINES_HPP
#define ANEW_GET_JSON_LINES_HPP

#include <cstddef>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <utility>

#include "options.hpp"
#include "record.hpp"

namespace anew_get {

/// The timeline for programs: one JSON object in each line, `event` says which.
///
/// | event     | members                                                                                          |
/// |-----------|--------------------------------------------------------------------------------------------------|
/// | `start`   | `url`, `method`                                                                                  |
/// | `attempt` | `url`, `at_ms`, `took_ms`, `status` (null: no answer), `what`, `resumed_at` (the byte from which  |
/// |           | it got the rest), `quota` and `quota_capacity` (null: no limit), and what anew::json_of says of any attempt: `attempt`, `verdict` (null: interrupted),  |
/// |           | `kind`, `safety`, `hint_ms`, `delay_ms` and `origin` (null: none follows), `is_final`, `severity` |
/// | `end`     | `url`, `words`, `elapsed_ms`, `last_hint_ms`, `status`, `bytes`, `code` (what the exit code would be  |
/// |           | for this URL alone), `quota`, `quota_trouble` (null:  |
/// |           | Redis answers, or is not used), and of anew::json_of: `reason`, `attempts`, `severity`            |
/// | `exit`    | `code`                                                                                           |
/// | `scene`, `check` | of the demonstration: `scene`, `title`; `scene`, `what`, `good`                           |
/// | `process` | of the demonstration, what the server saw of a process: `budget` (`own`, or `one` for all), `process`, |
/// |           | `calls`, `retries`, `killed`                                                                     |
class json_lines final : public listener {
 public:
  /// `unheard` is stopped when an attempt cannot be written: no reader waits for another one.
  json_lines(settings const& s, std::ostream& out, std::stop_source unheard = std::stop_source{std::nostopstate})
      : settings_{s}, out_{&out}, unheard_{std::move(unheard)} {}

  void call_begins(call_begin const& call) override;
  void attempt_ended(attempt_record const& attempt) override;
  void call_ended(call_report const& report) override;

  static void exit(std::ostream& out, int code);
  static void scene(std::ostream& out, unsigned number, std::string const& title);
  static void process(std::ostream& out, std::string const& budget, unsigned number, std::size_t calls,
                      std::size_t retries, bool killed);
  static void check(std::ostream& out, unsigned scene, std::string const& what, bool good);

 private:
  settings settings_;
  std::ostream* out_;
  std::stop_source unheard_;
  std::string url_;
};

}  // namespace anew_get

#endif
