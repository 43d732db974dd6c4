// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>

#include "progress.hpp"
#include "text.hpp"

namespace anew_get {

namespace {

constexpr std::size_t bar_width = 24;
constexpr std::size_t usual_columns = 80;
/// A body that is shorter is there before its bar could be read.
constexpr std::uint64_t shortest = std::uint64_t{1} << 18U;

std::string time_in_words(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  constexpr double longest = 1e6;
  auto const rounded = [](double number) { return std::to_string(std::llround(std::ceil(number))); };
  if (seconds < 2 * minute) return rounded(seconds) + " s";
  if (seconds < 2 * hour) return rounded(seconds / minute) + " min";
  return rounded(std::min(seconds / hour, longest)) + " h";
}

}  // namespace

progress::progress(std::ostream& out, int descriptor, anew::duration every, std::size_t urls, std::size_t slots)
    : out_{out},
      descriptor_{descriptor},
      is_terminal_{can_redraw(descriptor)},
      every_{is_terminal_ ? std::chrono::milliseconds{100} : every},
      urls_{urls},
      parts_(slots) {}

void progress::received(std::size_t slot, std::uint64_t held, std::optional<std::uint64_t> whole) {
  auto& mine = parts_[slot];
  if (held > mine.held) total_ += held - mine.held;
  mine = {held, whole};
  auto const now = clock::now();
  bool const is_first = is_terminal_ && width_ == 0;
  if (!is_first && now - shown_at_ < every_) return;
  auto const all = sum();
  if (is_terminal_ && all.held < shortest) return;
  measure(now);
  if (is_terminal_) return draw(all);
  out_ << "  " << amounts(all) << pace(all, ", ") << '\n' << std::flush;
}

void progress::settled(std::size_t slot) {
  parts_[slot] = {};
  ++settled_;
}

void progress::wipe() {
  if (width_ == 0) return;
  out_ << '\r' << std::string(width_, ' ') << '\r';
  width_ = 0;
}

progress::part progress::sum() const {
  part all{0, 0};
  for (auto const& one : parts_) {
    all.held += one.held;
    if (one.held == 0) continue;
    all.whole = all.whole && one.whole ? std::optional{*all.whole + *one.whole} : std::nullopt;
  }
  return all;
}

void progress::measure(clock::time_point now) {
  constexpr double weight = 0.3;  // of the last measurement
  auto const seconds = std::chrono::duration<double>{now - shown_at_}.count();
  if (seconds <= 0) return;
  auto const latest = static_cast<double>(total_ - measured_) / seconds;
  rate_ = rate_ > 0 ? rate_ + weight * (latest - rate_) : latest;
  measured_ = total_;
  shown_at_ = now;
}

/// "3 of 10 URLs, 1.0 MB of 3.0 MB (33 %)".
std::string progress::amounts(part const& all) const {
  std::string text;
  if (urls_ > 1) text = std::to_string(settled_) + " of " + std::to_string(urls_) + " URLs, ";
  text += amount(all.held);
  if (!all.whole || *all.whole == 0) return text;
  text += " of " + amount(*all.whole);
  auto const percent = static_cast<double>(all.held) / static_cast<double>(*all.whole) * 100;
  return is_terminal_ ? text : text + " (" + std::to_string(std::llround(std::floor(percent))) + " %)";
}

/// "52.1 MB/s, 22 s left".
std::string progress::pace(part const& all, char const* gap) const {
  if (rate_ < 1) return {};
  auto text = gap + amount(static_cast<std::uint64_t>(rate_)) + "/s";
  if (all.whole && *all.whole >= all.held) {
    text += gap + time_in_words(static_cast<double>(*all.whole - all.held) / rate_) + " left";
  }
  return text;
}

void progress::draw(part const& all) {
  std::string text;
  if (all.whole && *all.whole > 0) {
    auto const share = std::min(1.0, static_cast<double>(all.held) / static_cast<double>(*all.whole));
    auto const full = static_cast<std::size_t>(share * bar_width);
    text = right_aligned(std::to_string(std::llround(std::floor(share * 100))), 3) + " % " + repeated("█", full) +
           repeated("░", bar_width - full) + "  ";
    text.erase(0, text.find_first_not_of(' '));
  }
  text += amounts(all) + pace(all, "  ");
  auto const room = columns_of(descriptor_).value_or(usual_columns) - 1;
  auto const width = std::min(room, std::max(width_, columns(text)));
  out_ << '\r' << fitted(text, width) << std::flush;
  width_ = width;
}

}  // namespace anew_get
