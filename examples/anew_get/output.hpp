// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OUTPUT_HPP
#define ANEW_GET_OUTPUT_HPP

#include <optional>
#include <string>

#include "interruptible.hpp"
#include "partial.hpp"
#include "spool.hpp"

namespace anew_get {

/// Where bodies go: standard output, a file, or nowhere.
///
/// A file is written at the end, when everything was fetched: it never holds half of what was asked, and until then what
/// was there before stays. A file that exists keeps its owner, its mode and its links. Pipes and devices are written
/// body by body; on a terminal the characters that would steer it are replaced.
///
/// Throws std::system_error when the file cannot be written.
class output {
 public:
  /// Standard output, or a file.
  output(std::string const& name, interruptible const& writing);
  /// A file, whose beginning an earlier run may have left, and whose beginning is left to a later one.
  output(std::string const& name, interruptible const& writing, std::string const& continued_url);
  ~output();
  output(output const&) = delete;
  output& operator=(output const&) = delete;

  /// Whether the file can be written: throws if not.
  static void check(std::string const& name);

  /// Where the next body is received: at the end.
  [[nodiscard]] spool& room() { return partial_ ? partial_->bytes() : *held_; }
  [[nodiscard]] partial* continued() { return partial_ ? &*partial_ : nullptr; }
  /// A whole body has been received there.
  void accept();
  /// A whole body has been received elsewhere.
  void append(spool const& body);
  void finish();

 private:
  void open_file(std::string const& name);
  void pass_on(spool const& body);

  interruptible const& writing_;
  int descriptor_ = -1;  // written directly
  bool is_terminal_ = false;
  std::string name_;
  std::optional<spool> held_;
  std::optional<partial> partial_;
  bool is_new_ = false;
};

}  // namespace anew_get

#endif
