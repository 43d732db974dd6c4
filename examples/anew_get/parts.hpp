// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_PARTS_HPP
#define ANEW_GET_PARTS_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "anew/anew.hpp"

#include "chosen.hpp"
#include "chosen_shared.hpp"

namespace anew_get {

/// The parts of one strategy. For unset parts anew-get uses its defaults.
struct parts {
  chosen_backoff backoff{anew::exponential_backoff{std::chrono::milliseconds{50}, std::chrono::seconds{20}}};
  chosen_jitter jitter{anew::full_jitter{}};
  chosen_quota quota{std::in_place_type<chosen_quota::bucket>, 500};
  http_statuses statuses{};
  chosen_limit limit{anew::max_attempts{3}};
  chosen_hint hint{anew::server_hint{anew::long_hint::stop}};
  chosen_deadline deadline{std::nullopt};
  chosen_gate gate{};
  std::optional<std::uint64_t> seed{};
};

// [compose]
/// The strategy that is made of them; who classifies and who listens are not chosen.
template <class Classifier, class... Observer>
[[nodiscard]] auto compose_of(parts&& p, Classifier classifier, Observer... observer) {
  return anew::compose(std::move(p.backoff), p.jitter, std::move(p.quota), std::move(classifier), p.limit, p.hint,
                       p.deadline, std::move(p.gate), chosen_random{p.seed}, std::move(observer)...);
}
// [/compose]

}  // namespace anew_get

#endif
