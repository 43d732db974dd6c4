// SPDX-License-Identifier: BSL-1.0
// section: Policies of your own / A pushback of another type
// `retry_pushback()` returns a `grpc::pushback`, a duration, or a `std::optional` of one; a negative one forbids the retry.
// A number has no unit, and would be ignored.
// expect-error: anew::grpc::status_classifier requires a 'retry_pushback() const'
#include <chrono>
#include <optional>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

struct status {
  int number = 0;
  long pushback_ms = 0;
  [[nodiscard]] bool ok() const { return number == 0; }
  [[nodiscard]] int error_code() const { return number; }
// [fix]
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] long retry_pushback() const { return pushback_ms; }
#else  // right
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry_pushback() const {
    return std::chrono::milliseconds{pushback_ms};
  }
#endif
  // [/fix]
};
template <>
struct anew::result_traits<status> : anew::grpc::status_result {};

int main() {
  anew::strategy<anew::grpc::status_classifier<>> const patient{};
  return anew::retry(patient, [] { return status{}; }).number;
}
