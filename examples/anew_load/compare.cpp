// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "compare.hpp"

namespace anew_load {

namespace {

/// In the order of comparison::all.
using measures = std::array<double, 6>;

/// The bins that occur, numbered from 0, so that the sum of many parts is cheap.
class dense_bins {
 public:
  explicit dense_bins(std::vector<slice> const& a, std::vector<slice> const& b) {
    for (auto const* const side : {&a, &b}) {
      for (auto const& part : *side) {
        for (auto const& one : part.took) place_.emplace(one.first, 0);
      }
    }
    for (auto& [bin, place] : place_) {
      place = ms_.size();
      ms_.push_back(static_cast<double>(bins::highest(bin)) / 1e6);
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return ms_.size(); }
  [[nodiscard]] double ms(std::size_t place) const { return ms_[place]; }
  [[nodiscard]] std::size_t place(std::uint32_t bin) const { return place_.at(bin); }

 private:
  std::map<std::uint32_t, std::size_t> place_;
  std::vector<double> ms_;
};

/// A part, with places in the place of bins.
struct dense_slice {
  dense_slice(slice const& of, dense_bins const& by) : good{of.good}, calls{of.calls()}, attempts{of.attempts_ended()} {
    for (auto const& [bin, n] : of.took) took.emplace_back(by.place(bin), n);
  }
  std::uint64_t good;
  std::uint64_t calls;
  std::uint64_t attempts;
  std::vector<std::pair<std::size_t, std::uint64_t>> took;
};

/// Of the parts that `drawn` numbers.
measures measure(std::vector<dense_slice> const& parts, std::vector<std::size_t> const& drawn, dense_bins const& by,
                 std::vector<std::uint64_t>& room) {
  room.assign(by.size(), 0);
  std::uint64_t good = 0;
  std::uint64_t calls = 0;
  std::uint64_t attempts = 0;
  for (auto const i : drawn) {
    good += parts[i].good;
    calls += parts[i].calls;
    attempts += parts[i].attempts;
    for (auto const& [place, n] : parts[i].took) room[place] += n;
  }
  measures made{};
  if (calls == 0) return made;
  auto const all = static_cast<double>(calls);
  made[0] = 100 * static_cast<double>(good) / all;
  made[5] = static_cast<double>(attempts) / all;
  constexpr std::array shares{0.5, 0.9, 0.99};
  std::size_t next = 0;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i != room.size(); ++i) {
    below += room[i];
    made[1] += static_cast<double>(room[i]) * by.ms(i) / all;
    for (; next != shares.size() && static_cast<double>(below) >= shares[next] * all; ++next) made[2 + next] = by.ms(i);
  }
  return made;
}

}  // namespace

comparison compare(series const& a, series const& b) {
  auto const longest = std::max(a.slices().size(), b.slices().size());
  auto const merged = std::max<std::size_t>(1, (longest + comparison::most_parts - 1) / comparison::most_parts);
  auto left = a.in_parts_of(merged);
  auto right = b.in_parts_of(merged);
  auto const parts = std::max(left.size(), right.size());
  left.resize(parts);
  right.resize(parts);

  comparison made;
  made.parts = parts;
  made.part = a.length() * static_cast<anew::duration::rep>(merged);
  dense_bins const by{left, right};
  std::vector<dense_slice> of_a;
  std::vector<dense_slice> of_b;
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i != parts; ++i) {
    of_a.emplace_back(left[i], by);
    of_b.emplace_back(right[i], by);
    drawn.push_back(i);
  }
  std::vector<std::uint64_t> room;
  auto const seen_a = measure(of_a, drawn, by, room);
  auto const seen_b = measure(of_b, drawn, by, room);
  made.all = {{"ok", "%", seen_a[0], seen_b[0], {}},   {"mean", "ms", seen_a[1], seen_b[1], {}},
              {"p50", "ms", seen_a[2], seen_b[2], {}}, {"p90", "ms", seen_a[3], seen_b[3], {}},
              {"p99", "ms", seen_a[4], seen_b[4], {}}, {"attempts", "a call", seen_a[5], seen_b[5], {}}};
  if (parts < comparison::least_parts) return made;

  boost::random::mt19937 random{1};
  boost::random::uniform_int_distribution<std::size_t> any{0, parts - 1};
  std::array<std::vector<double>, 6> differences;
  for (std::size_t i = 0; i != comparison::samples; ++i) {
    for (auto& one : drawn) one = any(random);
    auto const x = measure(of_a, drawn, by, room);
    auto const y = measure(of_b, drawn, by, room);
    for (std::size_t k = 0; k != x.size(); ++k) differences[k].push_back(y[k] - x[k]);
  }
  constexpr auto cut = comparison::samples / 40;  // 2.5 % at each end
  for (std::size_t k = 0; k != differences.size(); ++k) {
    std::sort(differences[k].begin(), differences[k].end());
    made.all[k].difference = {differences[k][cut], differences[k][comparison::samples - 1 - cut]};
  }
  return made;
}

}  // namespace anew_load
