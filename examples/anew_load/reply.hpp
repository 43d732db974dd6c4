// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_REPLY_HPP
#define ANEW_LOAD_REPLY_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "anew/anew.hpp"

#include "fetch.hpp"

namespace anew_load {

/// The outcome of a request without a whole answer.
enum class trouble : std::uint8_t { none, no_connection, lost, cut, nonsense, too_slow, stopped, not_tried };

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

/// "503", "no answer in time".
[[nodiscard]] std::string words_of(reply const& r);

/// The same in the terms of anew-get, whose classifiers read it.
[[nodiscard]] anew_get::fetch_error as_fetch_error(reply const& r);

/// Reads replies by a classifier of anew-get.
class reply_classifier {
 public:
  using role = anew::roles::classifier;
  using reader = std::function<anew::directive(anew_get::fetch_error const&)>;

  explicit reply_classifier(reader by) : by_{std::move(by)} {}
  [[nodiscard]] anew::directive classify(reply const& r) const { return by_(as_fetch_error(r)); }
  [[nodiscard]] static std::string describe() { return ""; }

 private:
  reader by_;
};

}  // namespace anew_load

template <>
struct anew::result_traits<anew_load::reply> {
  static bool is_success(anew_load::reply const& r) noexcept { return r.is_good(); }
  static anew_load::reply const& error(anew_load::reply const& r) noexcept { return r; }
};

/// A call that the gate refused before its first attempt has a result like any other.
template <>
struct anew::refused_result<anew_load::reply> {
  static anew_load::reply make(stop_reason /*why*/) { return {}; }
};

#endif
