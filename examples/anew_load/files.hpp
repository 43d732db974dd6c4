// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_FILES_HPP
#define ANEW_LOAD_FILES_HPP

#include <filesystem>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "load.hpp"

namespace anew_load {

/// A row for each second and strategy: what ended in it.
void print_csv(load_report const& report, std::ostream& out);

/// `is_log`: a log with one histogram for each second and strategy; else the percentiles of the whole run.
void print_hdr(load_report const& report, bool is_log, std::ostream& out);
[[nodiscard]] bool is_hdr_log(std::string const& name);

/// The files that the options name. They are opened before the load begins.
class result_files {
 public:
  /// Throws anew_get::usage_error for a file that cannot be written.
  explicit result_files(settings const& s);
  /// Throws std::runtime_error when a write failed.
  void write(load_report const& report);

 private:
  struct opened {
    std::string name;
    std::ofstream to;
  };
  static void write(opened& file, std::function<void(std::ostream&)> const& print);

  std::optional<opened> csv_;
  std::optional<opened> hdr_;
};

}  // namespace anew_load

#endif
