// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "anew/base/stop_reason.hpp"

#include "advice.hpp"
#include "by_text.hpp"

namespace anew_plan {

namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}
std::string seconds(double value) { return number(value) + " s"; }
std::string seconds(anew::duration d) { return seconds(seconds_of(d.count())); }

/// Looks at one strategy by calls alone, in an idle program, whose attempts all time out.
class adviser {
 public:
  adviser(std::string const& text, scenario const& s, std::uint32_t layers)
      : scenario_{s}, layers_{layers}, has_{facts_of(text)} {
    auto const open = without_gate(text);
    auto const slowest = with_jitter(with_quota(open, "unlimited_quota"), "no_jitter");  // the longest waits
    with_deadline_ = call_alone(slowest, s.timeout);
    alone_ = call_alone(without_deadline(slowest), s.timeout);
    busy_ = call_alone(open, s.timeout, 1'000);
    at_once_ = call_alone(without_deadline(with_limit(with_backoff(open, "no_backoff"), "unbounded")), {});
  }

  std::vector<std::string> warnings() && {
    if (alone_.attempts > 1) {
      about_the_deadline();
      about_the_quota();
      about_layers();
      about_the_rest();
    }
    return std::move(found_);
  }

 private:
  void warn(std::string sentence) { found_.push_back(std::move(sentence)); }

  void about_the_deadline() {
    if (!has_.deadline) return;
    auto const total = *has_.deadline;
    if (scenario_.timeout + alone_.first_wait >= total) {
      warn("The deadline of " + seconds(total) + " leaves no time for a retry after a time-out: an attempt takes " +
           seconds(scenario_.timeout) + ", and the backoff up to " + seconds(alone_.first_wait) +
           ". Give a longer deadline, or a shorter time-out.");
    } else if (with_deadline_.attempts < alone_.attempts && alone_.attempts != most_attempts_alone) {
      warn("The deadline of " + seconds(total) + " can end a call after " + std::to_string(with_deadline_.attempts) +
           " attempts that time out, before the limit of " + std::to_string(alone_.attempts) +
           ". Lower the limit, or give a longer deadline.");
    }
    if (has_.longest_hint && *has_.longest_hint > total) {
      warn("The strategy obeys hints of up to " + seconds(*has_.longest_hint) + ", and a hint beyond the deadline of " +
           seconds(total) + " ends the call. Give hints a bound below the deadline.");
    }
  }

  void about_the_quota() {
    bool const has_bound = has_.quota && at_once_.attempts != most_attempts_alone;
    if (!has_bound && !bounds_at_a_time() && !has_.gate) {
      warn(std::string{has_.quota ? "The quota does not bound" : "No quota bounds"} +
           " the retries of a client: in an outage each call makes " + attempts() +
           ". Add a quota that successes fill, such as token_bucket(500).");
    }
    if (busy_.attempts == 1 && busy_.reason == anew::stop_reason::quota) {
      warn(
          "The quota pays for no retry after a time-out, however many calls succeeded. Give it a larger capacity, or a "
          "lower cost.");
    }
    if (!has_bound) return;
    // The retries that all clients may make at once, when they have started, are work for the service.
    auto const busy = (at_once_.attempts - 1) * scenario_.clients / scenario_.capacity;
    if (busy > 5 * seconds_of(scenario_.timeout.count())) {
      warn("Clients that have just started can make " + std::to_string(at_once_.attempts - 1) +
           " retries each at once, which keeps the service busy for " + seconds(busy) +
           ", longer than five time-outs. Give the quota a smaller capacity, or keep its state when a program "
           "restarts.");
    }
  }

  void about_layers() {
    if (layers_ < 2 || alone_.attempts == most_attempts_alone) return;
    warn("Attempts multiply: " + std::to_string(layers_) + " layers of " + std::to_string(alone_.attempts) +
         " attempts make up to " + number(std::pow(alone_.attempts, layers_)) +
         " attempts at the last service for one call. Retry in one layer, or forward anew-retries-above.");
  }

  void about_the_rest() {
    if (has_.no_jitter) warn("Without jitter, clients that fail together retry together. Add full_jitter.");
    if (has_.ignored_hints) {
      warn("The strategy ignores the delay that an overloaded server asks for. Use server_hint(stop).");
    }
  }

  /// Whether the quota lets a part of the calls retry that a client has under way when each attempt times out.
  [[nodiscard]] bool bounds_at_a_time() const {
    auto const calls = scenario_.rate * seconds_of(scenario_.timeout.count());
    return has_.at_a_time && std::max(has_.at_a_time->share * calls, has_.at_a_time->least) < calls;
  }

  [[nodiscard]] std::string attempts() const {
    return alone_.attempts == most_attempts_alone ? "attempts without end"
                                                  : "up to " + std::to_string(alone_.attempts) + " attempts";
  }

  scenario const& scenario_;
  std::uint32_t layers_;
  facts has_;
  lone_call with_deadline_;
  lone_call alone_;    // with neither a deadline nor a quota
  lone_call busy_;     // with its quota, after many calls that succeeded
  lone_call at_once_;  // what a quota that nothing was taken from pays for
  std::vector<std::string> found_;
};

}  // namespace

std::optional<waits> waits_of(std::string const& text, scenario const& s) {
  auto const bare = without_gate(with_quota(text, "unlimited_quota"));
  if (call_alone(bare, s.timeout).attempts == most_attempts_alone) return std::nullopt;
  auto const sums = waits_alone(bare, s.timeout, 2'000);
  auto const at = [&](double share) {
    return seconds_of(sums[static_cast<std::size_t>(share * static_cast<double>(sums.size() - 1))].count());
  };
  return waits{at(0.5), at(0.99), at(0.999), at(1)};
}

std::vector<std::string> warnings_of(std::string const& text, scenario const& s, std::uint32_t layers) {
  return adviser{text, s, layers}.warnings();
}

}  // namespace anew_plan
