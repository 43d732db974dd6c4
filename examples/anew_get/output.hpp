// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OUTPUT_HPP
#define ANEW_GET_OUTPUT_HPP

#include <optional>
#include <string>

#include "interruptible.hpp"
#include "spool.hpp"

namespace anew_get {

/// Where bodies go: standard output, a file, or nowhere.
///
/// A file is written at the end, when everything was fetched: it never holds half of what was asked, and until then what
/// was there before stays. A file that exists keeps its owner, its mode and its links. Pipes and devices are written
/// directly; on a terminal the characters that would steer it are replaced.
class output {
 public:
  enum class when_unnamed { standard_output, nowhere };

  /// Throws std::system_error when the file cannot be written, as do the other functions.
  output(std::string const& name, when_unnamed unnamed, interruptible const& writing);
  ~output();
  output(output const&) = delete;
  output& operator=(output const&) = delete;

  void write(std::string const& body);
  void finish();

 private:
  void open_file(std::string const& name);

  interruptible const& writing_;
  int descriptor_ = -1;  // written directly
  bool is_terminal_ = false;
  std::string name_;
  std::optional<spool> held_;  // for the file of that name
  bool is_new_ = false;
};

}  // namespace anew_get

#endif
