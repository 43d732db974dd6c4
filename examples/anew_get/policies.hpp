// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_POLICIES_HPP
#define ANEW_GET_POLICIES_HPP

// The policies that depend on requests: the classifiers of their outcomes, and the observers.

#include <optional>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/classifier/http_statuses.hpp"

#include "fetch_result.hpp"
#include "record.hpp"

// [traits]
/// Read by status as anew reads HTTP, and without a whole answer by libcurl's code.
template <>
struct anew::http_traits<anew_get::fetch_error> {
  static int status(anew_get::fetch_error const& e) { return e.status; }
  static asked_delay retry_after(anew_get::fetch_error const& e) { return e.retry_after; }
  static directive classify(anew_get::fetch_error const& e, http_statuses const& retried);
};
// [/traits]

namespace anew_get {

/// The classifier of the presets: the usual statuses, and a bare 503 is throttling as a 429 is, because that is what a
/// proxy that limits rates says. Of AWS `x-amz-retry-after` is heard, and `Retry-After` is not.
class service_classifier {
 public:
  using role = anew::roles::classifier;
  using reads = anew::catch_list<fetch_error>;
  explicit service_classifier(bool is_of_aws) : is_of_aws_{is_of_aws} {}
  [[nodiscard]] anew::directive classify(fetch_error const& e) const;
  [[nodiscard]] static std::string describe() { return "http_service"; }

 private:
  bool is_of_aws_;
};

/// Hands on what the strategy decides.
class feed {
 public:
  using role = anew::roles::observer;
  explicit feed(hearer& into) : into_{&into} {}
  void on_attempt(anew::attempt_event const& e) const { into_->judged(e); }
  void on_retry(anew::retry_event const& e) const { into_->waits(e); }
  void on_end(anew::end_event const& e) const { into_->ends(e); }
  [[nodiscard]] static std::string describe() { return ""; }

 private:
  hearer* into_;
};

}  // namespace anew_get

#endif
