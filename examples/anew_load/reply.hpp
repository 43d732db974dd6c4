// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_REPLY_HPP
#define ANEW_LOAD_REPLY_HPP

#include <cstdint>
#include <optional>
#include <string>

#include "anew/anew.hpp"

#include "fetch.hpp"
#include "policies.hpp"

namespace anew_load {

/// The outcome of a request without a whole answer.
enum class trouble : std::uint8_t {
  none,
  no_descriptor,
  no_connection,
  certificate,
  no_tls,
  lost,
  cut,
  nonsense,
  too_long,
  too_slow,
  stopped,
  not_tried
};

/// The result of one attempt. Small, and made without memory: a load brings many.
struct reply {
  trouble what = trouble::not_tried;
  bool sent = false;                              // false: no byte of the request left
  bool is_second = false;                         // there was another one under way when it began
  std::uint16_t status = 0;                       // 0: no answer came
  std::optional<anew::duration> retry_after;      // what the server asked for
  std::optional<anew::duration> amz_retry_after;  // the same in x-amz-retry-after

  [[nodiscard]] bool is_good() const noexcept { return what == trouble::none && status < 400; }
};

/// How an attempt ended as a number: the status of a whole answer, or one behind all statuses.
using outcome = std::uint16_t;
inline constexpr outcome first_trouble = 1000;
inline constexpr outcome number_of_outcomes = first_trouble + static_cast<outcome>(trouble::not_tried) + 1;
[[nodiscard]] inline outcome outcome_of(reply const& r) noexcept {
  if (r.what == trouble::none) return r.status;
  return static_cast<outcome>(first_trouble + static_cast<outcome>(r.what));
}

/// "503", "not in time".
[[nodiscard]] std::string words_of(outcome how);

/// The same in the terms of anew-get.
[[nodiscard]] anew_get::fetch_error as_fetch_error(reply const& r);

}  // namespace anew_load

template <>
struct anew::result_traits<anew_load::reply> {
  static bool is_success(anew_load::reply const& r) noexcept { return r.is_good(); }
  static anew_load::reply const& error(anew_load::reply const& r) noexcept { return r; }
};

/// Read as anew-get reads an error.
template <>
struct anew::http_traits<anew_load::reply> {
  static int status(anew_load::reply const& r) noexcept { return r.status; }
  static std::optional<duration> retry_after(anew_load::reply const& r) noexcept { return r.retry_after; }
  static directive classify(anew_load::reply const& r, http_statuses const& retried) {
    return http_traits<anew_get::fetch_error>::classify(as_fetch_error(r), retried);
  }
};

/// A call that the gate refused before its first attempt has a result like any other.
template <>
struct anew::refused_result<anew_load::reply> {
  static anew_load::reply make(stop_reason /*why*/) { return {}; }
};

/// The reply of an attempt that its limit ended is "not in time", not "stopped".
template <>
struct anew::timed_out_result<anew_load::reply> {
  static anew_load::reply make(anew_load::reply&& cancelled) {
    cancelled.what = anew_load::trouble::too_slow;
    return cancelled;
  }
};

#endif
