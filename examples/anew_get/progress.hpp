// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_PROGRESS_HPP
#define ANEW_GET_PROGRESS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "anew/base/duration.hpp"

namespace anew_get {

/// How far the bodies are that are being received: a bar in the last line of a terminal, and a line now and then elsewhere.
/// To be called by one thread at a time.
class progress {
 public:
  /// `urls`: how many there are in all; nothing is told of `slots` of them at once.
  progress(std::ostream& out, int descriptor, anew::duration every, std::size_t urls, std::size_t slots);

  void received(std::size_t slot, std::uint64_t held, std::optional<std::uint64_t> whole);
  void settled(std::size_t slot);
  /// Before another row is written.
  void wipe();

 private:
  using clock = std::chrono::steady_clock;
  struct part {
    std::uint64_t held = 0;
    std::optional<std::uint64_t> whole;
  };

  [[nodiscard]] std::string amounts(part const& all) const;
  [[nodiscard]] std::string pace(part const& all, char const* gap) const;
  [[nodiscard]] part sum() const;
  void measure(clock::time_point now);
  void draw(part const& all);

  std::ostream& out_;
  int descriptor_;
  bool is_terminal_;
  anew::duration every_;
  std::size_t urls_;
  std::size_t settled_ = 0;
  std::vector<part> parts_;
  std::uint64_t total_ = 0;  // received, whatever has become of it
  std::uint64_t measured_ = 0;
  double rate_ = 0;  // bytes a second
  clock::time_point shown_at_ = clock::now();
  std::size_t width_ = 0;  // of the bar that is shown
};

}  // namespace anew_get

#endif
