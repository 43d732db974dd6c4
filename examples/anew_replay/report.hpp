// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_REPORT_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_REPORT_HPP

#include <cstddef>
#include <exception>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "source_text.hpp"

namespace replay {

/// The value that a case expects, and the actual one.
struct difference {
  std::string expected;
  std::string got;
};

/// Writes one line per case and counts.
class report {
 public:
  explicit report(std::ostream& out) : out_{out} {}

  /// The file whose cases come next.
  void begin(source_text const& source) { source_ = &source; }

  void pass(std::string_view id);
  void fail(std::string_view id, difference const& what);
  /// Not replayed: says where the file has `one`, and why.
  void skip(std::string_view id, json const& one, std::string_view why);

  /// Runs the case that stands at `one`. A part that cannot be read, or a value that the library refuses, is a failure of
  /// this case alone.
  template <class Replay>
  void run(std::string_view id, json const& one, Replay const& replay) {
    std::optional<difference> found;
    try {
      found = replay();
    } catch (std::exception const& error) {
      found = difference{"a case that can be replayed", at(one, error.what())};
    }
    if (found) {
      fail(id, *found);
    } else {
      pass(id);
    }
  }

  [[nodiscard]] std::size_t cases() const noexcept { return passed_ + failed_ + skipped_; }
  [[nodiscard]] std::size_t failed() const noexcept { return failed_; }
  void write_totals() const;

 private:
  [[nodiscard]] std::string at(json const& one, std::string_view why) const {
    return source_->place_of(one, why).append(": ").append(why);
  }

  std::ostream& out_;
  source_text const* source_ = nullptr;
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace replay

#endif
