// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_TIMELINE_HPP
#define ANEW_GET_TIMELINE_HPP

#include <iosfwd>
#include <optional>
#include <string>

#include "options.hpp"
#include "record.hpp"
#include "text.hpp"

namespace anew_get {

/// Why a call ended: anew's words, and what only a downloader knows.
[[nodiscard]] std::string reason_in_words(call_report const& report, settings const& s);

/// Draws calls as rows of text, each as soon as it is known, and then attempts and waits to scale.
class timeline final : public listener {
 public:
  timeline(settings const& s, std::ostream& out, paint colours) : settings_{s}, out_{&out}, paint_{colours} {}

  void call_begins(call_begin const& call) override;
  void attempt_ended(attempt_record const& attempt) override;
  void call_ended(call_report const& report) override;

 private:
  void draw_to_scale(call_report const& report);

  settings settings_;
  std::ostream* out_;
  paint paint_;
  bool is_first_ = true;
};

/// One line for each call that failed, and nothing else.
class failures_only final : public listener {
 public:
  failures_only(settings const& s, std::ostream& out) : settings_{s}, out_{&out} {}
  void call_begins(call_begin const& /*call*/) override {}
  void attempt_ended(attempt_record const& /*attempt*/) override {}
  void call_ended(call_report const& report) override;

 private:
  settings settings_;
  std::ostream* out_;
};

}  // namespace anew_get

#endif
