// SPDX-License-Identifier: BSL-1.0
#include <zlib.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <ostream>
#include <stdexcept>
#include <vector>

#include <boost/beast/core/detail/base64.hpp>

#include "hdr_format.hpp"

namespace anew_load {

namespace {

template <class... Values>
std::string formatted(char const* format, Values... values) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

double in_ms(double ns) { return ns / 1e6; }

/// How far the percentiles advance: five steps while the distance to 100 is halved.
double step_from(double percentile) {
  constexpr double steps_per_half = 5;
  auto const halves = std::pow(2, std::floor(std::log2(100 / (100 - percentile))) + 1);
  return 100 / (steps_per_half * halves);
}

void append(std::string& to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = bytes; i-- != 0;) to += static_cast<char>(value >> (8 * i));
}

/// LEB128 of the ZigZag of it, whose ninth byte has eight bits.
void append_packed(std::string& to, std::int64_t value) {
  auto rest = (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
  for (int i = 0; i != 8 && rest > 0x7fU; ++i) {
    to += static_cast<char>(rest | 0x80U);
    rest >>= 7U;
  }
  to += static_cast<char>(rest);
}

/// The V2 encoding of HdrHistogram. A run of empty bins is its negative length.
std::string encoded(latencies const& took) {
  std::string counts;
  auto const all = took.counts();
  auto const used = took.count() == 0 ? 0 : std::size_t{bins::index_of(took.most())} + 1;
  std::int64_t empty = 0;
  for (std::size_t i = 0; i != used; ++i) {
    if (all[i] == 0) {
      ++empty;
      continue;
    }
    if (empty != 0) append_packed(counts, empty == 1 ? 0 : -empty);
    empty = 0;
    append_packed(counts, static_cast<std::int64_t>(all[i]));
  }
  std::string made;
  append(made, 0x1c84'9313U, 4);
  append(made, counts.size(), 4);
  append(made, 0, 4);  // the offset of normalized indices
  append(made, bins::significant_digits, 4);
  append(made, bins::least, 8);
  append(made, bins::longest, 8);
  append(made, std::bit_cast<std::uint64_t>(1.0), 8);
  return made + counts;
}

std::string compressed(std::string const& plain) {
  auto length = ::compressBound(static_cast<::uLong>(plain.size()));
  std::vector<::Bytef> packed(length);
  auto const* const from = reinterpret_cast<::Bytef const*>(plain.data());
  if (::compress(packed.data(), &length, from, static_cast<::uLong>(plain.size())) != Z_OK) {
    throw std::runtime_error{"zlib cannot compress a histogram"};
  }
  std::string made;
  append(made, 0x1c84'9314U, 4);
  append(made, length, 4);
  made.append(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(length));
  return made;
}

std::string in_base64(std::string const& bytes) {
  namespace base64 = boost::beast::detail::base64;
  std::string text(base64::encoded_size(bytes.size()), '\0');
  text.resize(base64::encode(text.data(), bytes.data(), bytes.size()));
  return text;
}

}  // namespace

void print_percentiles(latencies const& took, std::ostream& out) {
  out << formatted("%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
  auto const all = took.counts();
  double next = 0;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i != all.size() && below != took.count(); ++i) {
    below += all[i];
    if (all[i] == 0) continue;
    auto const value = in_ms(static_cast<double>(bins::highest(i)));
    auto const reached = 100 * static_cast<double>(below) / static_cast<double>(took.count());
    for (; next <= reached && next < 100 && below != took.count(); next += step_from(next)) {
      out << formatted("%12.3f %2.12f %10llu %14.2f\n", value, next / 100, static_cast<unsigned long long>(below),
                       1 / (1 - next / 100));
    }
    if (below == took.count()) {
      out << formatted("%12.3f %2.12f %10llu\n", value, 1.0, static_cast<unsigned long long>(below));
    }
  }
  out << formatted("#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", in_ms(static_cast<double>(took.mean().count())),
                   in_ms(took.deviation()))
      << formatted("#[Max     = %12.3f, Total count    = %12llu]\n", in_ms(static_cast<double>(took.most().count())),
                   static_cast<unsigned long long>(took.count()))
      << formatted("#[Buckets = %12u, SubBuckets     = %12u]\n", bins::buckets, 1U << bins::sub_bucket_bits);
}

void print_log_head(std::chrono::system_clock::time_point start, std::ostream& out) {
  auto const seconds = std::chrono::duration<double>{start.time_since_epoch()}.count();
  auto const whole = std::chrono::system_clock::to_time_t(start);
  std::tm date{};
  ::gmtime_r(&whole, &date);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &date);
  out << "#[Histogram log format version 1.3]\n"
      << formatted("#[StartTime: %.3f (seconds since epoch), %s]\n", seconds, text.data())
      << "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";
}

void print_log_line(std::string_view tag, anew::duration start, anew::duration length, latencies const& took,
                    std::ostream& out) {
  if (!tag.empty()) out << "Tag=" << tag << ',';
  out << formatted("%.3f,%.3f,%.3f,", std::chrono::duration<double>{start}.count(),
                   std::chrono::duration<double>{length}.count(), in_ms(static_cast<double>(took.most().count())))
      << in_base64(compressed(encoded(took))) << '\n';
}

}  // namespace anew_load
