// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_READ_CHOSEN_HPP
#define ANEW_GET_READ_CHOSEN_HPP

/// The definition of `read_chosen`. Each vocabulary takes half a minute to compile, so one source includes this for each.
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "chosen.hpp"

namespace anew_get {

/// Where the text has the word `retry_info`.
std::optional<anew::text_fault> find_retry_info(std::string_view text);
/// The fault in the words of the programs.
anew::text_fault explained(anew::text_fault fault, std::string_view text);

// [read]
template <class Words>
anew::strategy_reading<strategy_of<Words>> read_chosen(std::string_view text, hearer& who, retry_quota quota) {
  using namespace std::chrono_literals;
  if (auto const fault = find_retry_info(text)) {
    return anew::strategy_reading<strategy_of<Words>>{explained(*fault, text)};
  }
  auto read = anew::read_strategy<Words>(text, anew::words::exponential::policy_type{50ms, 20s, anew::rational{2}},
                                         std::move(quota), anew::http_statuses{},
                                         anew::server_hint{anew::long_hint::stop}, feed{who});
  if (!read) return anew::strategy_reading<strategy_of<Words>>{explained(read.error(), text)};
  return read;
}
// [/read]

}  // namespace anew_get

#endif
