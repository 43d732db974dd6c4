// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include "cases.hpp"
#include "stepper.hpp"

/// Counts the instructions that a call executes. What is outside (the operation
/// and whatever it calls) is not counted, the instruction that calls it is.
namespace {

#define COUNTED_FOR_ALL(name)                                                                \
  STEPPER_COUNTED(bare_##name), STEPPER_COUNTED(hand_##name), STEPPER_COUNTED(tuned_##name), \
      STEPPER_COUNTED(anew_##name)

#define FAILING(prefix)                                                              \
  STEPPER_COUNTED(prefix##_plain_fails_2), STEPPER_COUNTED(prefix##_plain_fails_10), \
      STEPPER_COUNTED(prefix##_bucket_fails_2), STEPPER_COUNTED(prefix##_bucket_fails_10)

stepper::counted const all[] = {
    COUNTED_FOR_ALL(value),
    COUNTED_FOR_ALL(noexcept),
    COUNTED_FOR_ALL(full_bucket),
    COUNTED_FOR_ALL(value_or_exception),
    COUNTED_FOR_ALL(attempt_number),
    COUNTED_FOR_ALL(attempt_reference),
    COUNTED_FOR_ALL(observer_of_retry),
    COUNTED_FOR_ALL(observer_of_end),
    COUNTED_FOR_ALL(expected),
    COUNTED_FOR_ALL(expected_in_place),
    COUNTED_FOR_ALL(exceptions),
    FAILING(hand),
    FAILING(tuned),
    FAILING(anew),
    STEPPER_COUNTED(anew_breaker_closed),
    STEPPER_COUNTED(anew_cool_down_idle),
    STEPPER_COUNTED(anew_nesting_guard),
    STEPPER_COUNTED(anew_reset_after),
    STEPPER_COUNTED(anew_history),
    STEPPER_COUNTED(anew_fan_out),
    STEPPER_COUNTED(anew_prometheus),
    STEPPER_COUNTED(anew_unchosen),
    STEPPER_COUNTED(anew_virtual),
    STEPPER_COUNTED(anew_breaker_fails_2),
    STEPPER_COUNTED(anew_breaker_fails_10),
    STEPPER_COUNTED(anew_deadline_fails_2),
    STEPPER_COUNTED(anew_deadline_fails_10),
    STEPPER_COUNTED(anew_virtual_fails_2),
    STEPPER_COUNTED(anew_virtual_fails_10),
    STEPPER_COUNTED(anew_without_parts),
};

std::uintptr_t const outside[] = {
    stepper::address_of(&cases::ask),
    stepper::address_of(&cases::ask_quietly),
    stepper::address_of(&cases::ask_nth),
    stepper::address_of(&cases::ask_about),
    stepper::address_of(&cases::ask_for_text),
    stepper::address_of(&cases::ask_or_throw),
    stepper::address_of(&cases::tell_retry),
    stepper::address_of(&cases::tell_end),
    stepper::address_of(&cases::ask_for_reading),
    stepper::address_of(&cases::fail_next),
    stepper::address_of(&cases::ask_busy),
    stepper::address_of(&cases::wait),
};

}  // namespace

int main() { return stepper::count_all(all, outside); }
