// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_INTERRUPTIBLE_HPP
#define ANEW_GET_INTERRUPTIBLE_HPP

#include <chrono>
#include <iosfwd>
#include <streambuf>
#include <string>
#include <string_view>

namespace anew_get {

/// Writes that a signal ends, also where nothing reads the pipe or the terminal is stopped.
class interruptible {
 public:
  /// `wake` can be read from the signal on.
  explicit interruptible(int wake) noexcept : wake_{wake} {}

  /// Throws std::system_error; of ECANCELED when a signal came and the rest would have had to wait.
  void write(int descriptor, std::string_view data) const;
  /// Throws std::system_error of ECANCELED when a signal comes before the time is over.
  void wait(std::chrono::milliseconds time) const;

 private:
  int wake_;
};

/// A stream that writes so, line by line, while this object lives.
class interruptible_stream final : std::streambuf {
 public:
  interruptible_stream(std::ostream& stream, int descriptor, interruptible const& writing);
  ~interruptible_stream() override;
  interruptible_stream(interruptible_stream const&) = delete;
  interruptible_stream& operator=(interruptible_stream const&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(char const* data, std::streamsize size) override;
  int sync() override;

  std::ostream& stream_;
  std::streambuf* before_;
  int descriptor_;
  interruptible const& writing_;
  std::string held_;
};

}  // namespace anew_get

#endif
