// SPDX-License-Identifier: BSL-1.0
// The static probes, as the notes of this program list them: what bpftrace, perf and `readelf -n` read.
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/observer/usdt.hpp"

namespace observer_probes_test {
namespace {

TEST(Usdt, ProbesAreInTheNotesWithTheirArguments) {
  auto const s = anew::compose(anew::error_code_classifier{}, anew::no_backoff{}, anew::max_attempts<2>{},
                               anew::token_bucket<14>{}, anew::usdt{});
  int made = 0;
  auto const operation = [&] {
    return ++made == 1 ? std::make_error_code(std::errc::connection_refused) : std::error_code{};
  };
  EXPECT_FALSE(anew::retry(s, anew::named(anew::idempotent(operation), "read"), [](anew::duration /*delay*/) {}));

  std::ifstream file{"/proc/self/exe", std::ios::binary};
  std::string const program{std::istreambuf_iterator<char>{file}, {}};
  for (auto const& [name, arguments] :
       {std::pair{"attempt", 4}, std::pair{"retry", 4}, std::pair{"end", 3}, std::pair{"change", 3}}) {
    std::string const note = std::string{"anew"} + '\0' + name + '\0';  // the provider, the probe, then its arguments
    auto const at = program.find(note);
    ASSERT_NE(at, std::string::npos) << name;
    std::string const told{program.c_str() + at + note.size()};
    auto count = 0;
    for (char const c : told) count += c == '@' ? 1 : 0;
    EXPECT_EQ(count, arguments) << told;
  }
}

}  // namespace
}  // namespace observer_probes_test
