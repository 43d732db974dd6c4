// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_SETTLING_QUOTA_HPP
#define ANEW_TESTING_SETTLING_QUOTA_HPP

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/roles/gate.hpp"
#include "anew/testing/audited_quota.hpp"

namespace anew::inline ANEW_ABI::testing {

/// An `audited_quota` whose permits are settled right before the retry, with answers from a list: zero grants, a positive
/// duration asks to be asked again after it, a negative one refuses. After the last answer it grants.
///
/// A granted permit is exchanged for the next number, and `book()` says "settle 1 as 2", "again 1" or "no 1". A permit that
/// was granted is granted again without an entry and without an answer from the list. Copies share books and answers.
///
/// Models: Quota (safe from many threads)
/// Formula: none
/// Requires: nothing      Cost: a lock and an allocation an entry
/// Choose it to test a driver, or a strategy of your own, with a quota that asks a remote service. Otherwise:
/// audited_quota.
/// Source: none
class settling_quota : public audited_quota {
 public:
  explicit settling_quota(std::vector<duration> answers = {}) : script_{std::make_shared<script>(std::move(answers))} {}

  [[nodiscard]] admission<permit_type> settle(permit_type held, time_point now) const {
    auto& in = *books_;
    anew::detail::platform::lock_guard const lock{in.mutex_};
    if (script_->granted.contains(held)) return admission<permit_type>::admit(held);
    script_->asked.push_back(now);
    auto const answer = script_->used < script_->answers.size() ? script_->answers[script_->used++] : duration::zero();
    if (answer > duration::zero()) {
      in.write("again", held);
      return admission<permit_type>::ask_again_in(answer);
    }
    if (answer < duration::zero()) {
      in.write("no", held);
      return admission<permit_type>::refuse();
    }
    auto const granted = in.exchange(held);
    script_->granted.insert(granted);
    return admission<permit_type>::admit(granted);
  }

  /// The times at which a permit was settled, or was to be asked for again.
  [[nodiscard]] std::vector<time_point> asked() const {
    anew::detail::platform::lock_guard const lock{books_->mutex_};
    return script_->asked;
  }

  [[nodiscard]] static std::string describe() { return "settling_quota"; }

 private:
  struct script {
    explicit script(std::vector<duration> list) : answers{std::move(list)} {}
    std::vector<duration> answers;
    std::size_t used = 0;
    std::set<permit_type> granted{};
    std::vector<time_point> asked{};
  };
  std::shared_ptr<script> script_;
};

}  // namespace anew::inline ANEW_ABI::testing

#endif
