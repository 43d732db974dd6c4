// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_OUTPUT_HPP
#define ANEW_GET_OUTPUT_HPP

#include <string>

namespace anew_get {

/// Where bodies go: standard output, a file, or nowhere.
///
/// A file is written beside its name and takes the name at the end, when something was fetched: it never holds half of
/// anything, and what was there before stays when nothing was fetched. Pipes and devices are written directly.
class output {
 public:
  enum class when_unnamed { standard_output, nowhere };

  /// Throws std::system_error when the file cannot be written.
  output(std::string const& name, when_unnamed unnamed);
  ~output();
  output(output const&) = delete;
  output& operator=(output const&) = delete;

  /// Throws std::system_error, as does finish().
  void write(std::string const& body);
  void finish();

 private:
  int descriptor_ = -1;
  bool wrote_ = false;
  std::string name_;
  std::string temporary_;  // empty: written directly
};

}  // namespace anew_get

#endif
