// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <map>

#include "series.hpp"

namespace anew_load {

std::uint64_t slice::attempts_ended() const noexcept {
  std::uint64_t n = 0;
  for (auto const& one : attempts) n += one.second;
  return n;
}

void slice::add_attempts(outcome how, std::uint64_t n) {
  auto const found =
      std::find_if(attempts.begin(), attempts.end(), [how](auto const& one) { return one.first == how; });
  if (found == attempts.end()) {
    attempts.emplace_back(how, n);
  } else {
    found->second += n;
  }
}

slice& slice::operator+=(slice const& other) {
  good += other.good;
  failed += other.failed;
  most = std::max(most, other.most);
  for (auto const& [how, n] : other.attempts) add_attempts(how, n);
  std::map<std::uint32_t, std::uint64_t> both{took.begin(), took.end()};
  for (auto const& [bin, n] : other.took) both[bin] += n;
  took.assign(both.begin(), both.end());
  return *this;
}

void slice::add_to(latencies& into) const {
  for (auto const& [bin, n] : took) into.add_to_bin(bin, n);
  into.set_most(std::max(into.most(), most));
}

slice& series::at(clock::time_point now) {
  auto const since = std::max(now - start_, clock::duration::zero());
  auto const index = static_cast<std::size_t>(since / length_);
  if (index >= slices_.size()) {
    settle();
    slices_.resize(index + 1);
  }
  return slices_.back();
}

void series::call_ended(clock::time_point now, bool is_good, anew::duration took) {
  if (!is_kept()) return;
  auto& in = at(now);
  ++(is_good ? in.good : in.failed);
  in.most = std::max(in.most, took);
  now_.push_back(bins::index_of(took));
}

void series::attempt_ended(clock::time_point now, outcome how) {
  if (is_kept()) at(now).add_attempts(how, 1);
}

void series::settle() {
  if (now_.empty()) return;
  std::sort(now_.begin(), now_.end());
  auto& into = slices_.back().took;
  for (auto const bin : now_) {
    if (into.empty() || into.back().first != bin) into.emplace_back(bin, 0);
    ++into.back().second;
  }
  now_.clear();
}

series& series::operator+=(series const& other) {
  if (!is_kept()) length_ = other.length_;
  slices_.resize(std::max(slices_.size(), other.slices_.size()));
  for (std::size_t i = 0; i != other.slices_.size(); ++i) slices_[i] += other.slices_[i];
  return *this;
}

std::vector<slice> series::in_parts_of(std::size_t n) const {
  std::vector<slice> parts((slices_.size() + n - 1) / n);
  for (std::size_t i = 0; i != slices_.size(); ++i) parts[i / n] += slices_[i];
  return parts;
}

}  // namespace anew_load
