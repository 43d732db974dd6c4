// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_TABLE_HPP
#define ANEW_FLEET_TABLE_HPP

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace anew_fleet {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// Prints a row for each published number: the number, what this library does, and a verdict.
class table {
 public:
  explicit table(std::string only) : only_{std::move(only)} {}

  /// True where the rows of this source are asked for; prints its heading.
  bool begin(std::string_view key, std::string_view source) {
    if (!only_.empty() && only_ != key) return false;
    std::printf("\n%s (%.*s)\n  %-58s %10s %10s %10s\n", std::string{source}.c_str(), static_cast<int>(key.size()),
                key.data(), "", "published", "anew", "tolerance");
    return true;
  }
  /// The numbers agree where they differ by at most `tolerance`. `reason` explains a difference that is meant.
  void row(std::string const& what, double published, double ours, double tolerance, std::string_view reason = {}) {
    bool const agree = ours == published || std::abs(ours - published) <= tolerance;
    print(what, published, ours, text(tolerance), agree, reason);
  }
  /// The published number is a bound.
  void at_most(std::string const& what, double published, double ours) {
    print(what, published, ours, "at most", ours <= published, {});
  }

  /// The exit code: 1 where a row differs and nothing explains it, or where no row was asked for.
  [[nodiscard]] int finish() const {
    std::printf("\n%u rows: %u agree, %u differ for a stated reason, %u are WRONG\n", agree_ + explained_ + wrong_,
                agree_, explained_, wrong_);
    return wrong_ == 0 && agree_ != 0 ? 0 : 1;
  }

 private:
  static std::string text(double value) {
    if (value == never) return "never";
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.*f", std::abs(value) >= 100 ? 1 : std::abs(value) >= 10 ? 2 : 4, value);
    return digits;
  }
  void print(std::string const& what, double published, double ours, std::string const& tolerance, bool agree,
             std::string_view reason) {
    ++(agree ? agree_ : reason.empty() ? wrong_ : explained_);
    auto const verdict = agree ? "agrees" : reason.empty() ? "WRONG" : "differs: " + std::string{reason};
    std::printf("  %-58s %10s %10s %10s   %s\n", what.c_str(), text(published).c_str(), text(ours).c_str(),
                tolerance.c_str(), verdict.c_str());
  }

  std::string only_;
  unsigned agree_ = 0;
  unsigned explained_ = 0;
  unsigned wrong_ = 0;
};

}  // namespace anew_fleet

#endif
