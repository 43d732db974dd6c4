// SPDX-License-Identifier: BSL-1.0
#include <string>
#include <string_view>

#include "hedged.hpp"
#include "made_strategy.hpp"
#include "read_chosen.hpp"
#include "record.hpp"

namespace anew_get {

template anew::strategy_reading<strategy_of<hedged_vocabulary>> read_chosen<hedged_vocabulary>(std::string_view,
                                                                                               hearer&, retry_quota);

}  // namespace anew_get

namespace anew_load {

void expect_hedged(std::string const& text) {
  anew_get::nobody who;
  auto const read = anew_get::read_chosen<anew_get::hedged_vocabulary>(text, who);
  if (!read) throw anew_get::strategy_error{in_lines(read.error(), text)};
}

}  // namespace anew_load
