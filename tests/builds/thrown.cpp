// SPDX-License-Identifier: BSL-1.0
// Exceptions that cross the border of a library which hides its symbols.
#include <cstdio>
#include <stdexcept>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions/retriers.hpp"
#include "anew/run_time/virtual/retry_info.hpp"
#include "anew/run_time/virtual/token_acquisition_failed.hpp"
#include "anew/testing/scripted_operation.hpp"

extern "C" [[gnu::visibility("default")]] void throw_number(int number);

using modeled = anew::smithy::modeled_error<anew::error_fault::server, anew::smithy::retryable_trait::throttling>;

namespace {

struct is_safe : std::runtime_error, anew::retry_info {
  is_safe() : std::runtime_error{"busy"} {}
  anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};

}  // namespace

#ifdef THROWS
void throw_number(int number) {
  switch (number) {
    case 0: throw anew::call_refused{anew::stop_reason::gate_closed};
    case 1: throw modeled{"busy"};
    case 2: throw anew::step_functions::task_error{"States.Timeout"};
    case 3: throw anew::aws_settings::config_error{{}, "file", 1, "setting", "value", "is wrong"};
    case 4: throw anew::testing::script_ended{"over"};
    case 5: throw anew::token_acquisition_failed{anew::stop_reason::quota};
    default: throw is_safe{};
  }
}
#else
namespace {

template <class E>
int caught_as(int number, char const* name) {
  try {
    throw_number(number);
  } catch (E const&) {
    return 0;
  } catch (...) {
  }
  std::printf("not caught: anew::%s\n", name);
  return 1;
}

}  // namespace

int main() {
  return caught_as<anew::call_refused>(0, "call_refused") + caught_as<modeled>(1, "smithy::modeled_error") +
         caught_as<anew::step_functions::task_error>(2, "step_functions::task_error") +
         caught_as<anew::aws_settings::config_error>(3, "config::config_error") +
         caught_as<anew::testing::script_ended>(4, "testing::script_ended") +
         caught_as<anew::token_acquisition_failed>(5, "token_acquisition_failed") +
         caught_as<anew::retry_info>(6, "retry_info");
}
#endif
