// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdio>

#include "text.hpp"
#include "words.hpp"

namespace anew_load {

std::string number(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string grouped(std::uint64_t n) {
  auto const digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i != digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string time_words(anew::duration d) {
  auto const ns = static_cast<double>(d.count());
  auto const in = [](double value, char const* unit) {
    return number(value, value < 10 ? 2 : value < 100 ? 1 : 0) + unit;
  };
  if (ns < 1e6) return in(ns / 1e3, " us");
  return ns < 1e9 ? in(ns / 1e6, " ms") : in(ns / 1e9, " s");
}

std::string rate_words(std::vector<rate_step> const& rate) {
  auto const one = [](double n) { return number(n, n < 10 ? 2 : 0); };
  std::string text;
  for (auto const& step : rate) {
    text.append(text.empty() ? "" : ", ").append(one(step.from));
    if (step.to != step.from) text.append("..").append(one(step.to));
    if (rate.size() > 1) text.append(" for ").append(anew_get::as_given(step.length));
  }
  return text;
}

std::string most_first(named_counts all) {
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string text;
  for (auto const& [words, n] : all) {
    text.append(text.empty() ? "" : ", ").append(words).append(" ").append(grouped(n));
  }
  return text;
}

named_counts by_name(endings::counts const& gave_up) {
  named_counts all;
  for (std::size_t i = 0; i != gave_up.size(); ++i) {
    if (gave_up[i] != 0) all.emplace_back(to_string(static_cast<anew::stop_reason>(i)), gave_up[i]);
  }
  return all;
}

named_counts by_name(std::array<std::uint64_t, number_of_outcomes> const& ended) {
  named_counts all;
  for (std::size_t i = 0; i != ended.size(); ++i) {
    if (ended[i] != 0) all.emplace_back(words_of(static_cast<outcome>(i)), ended[i]);
  }
  return all;
}

named_counts by_name(std::map<outcome, std::uint64_t> const& last) {
  named_counts all;
  for (auto const& [how, n] : last) all.emplace_back(words_of(how), n);
  return all;
}

}  // namespace anew_load
