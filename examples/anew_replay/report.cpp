// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

namespace replay {

namespace {

/// The text on one line, whatever stands in it.
std::string on_one_line(std::string_view text) {
  std::string out;
  for (char const c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void report::pass(std::string_view id) {
  ++passed_;
  out_ << "ok " << on_one_line(id) << '\n';
}

void report::fail(std::string_view id, difference const& what) {
  ++failed_;
  out_ << "FAIL " << on_one_line(id) << ": expected " << on_one_line(what.expected) << " got " << on_one_line(what.got)
       << '\n';
}

void report::skip(std::string_view id, json const& one, std::string_view why) {
  ++skipped_;
  out_ << "skip " << on_one_line(id) << ": " << on_one_line(at(one, why)) << '\n';
}

void report::write_totals() const {
  out_ << passed_ << " passed, " << failed_ << " failed, " << skipped_ << " skipped\n";
}

}  // namespace replay
