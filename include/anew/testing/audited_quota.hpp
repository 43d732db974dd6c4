// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_AUDITED_QUOTA_HPP
#define ANEW_TESTING_AUDITED_QUOTA_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/mutex.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::testing {

class settling_quota;

/// A quota that keeps books: it numbers its permits from 1, grants until it is told to refuse, and writes down what
/// becomes of each. Every permit must come back exactly once: `outstanding()` is 0 when all calls are over.
///
/// Copies share the books. `audited_quota{books}` writes into books of the test's, which must live as long as the strategy.
///
/// Models: Quota (safe from many threads)
/// Formula: none
/// Requires: nothing      Cost: a lock and an allocation an entry
/// Choose it to test a driver, or a strategy of your own. Not to see when calls run out of quota: that is token_bucket's.
/// Source: none
class audited_quota {
 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;

  class books {
   public:
    std::atomic<std::uint64_t> acquired{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> succeeded{0};          ///< came back because the call succeeded
    std::atomic<std::uint64_t> succeeded_at_once{0};  ///< calls that succeeded without a permit
    std::atomic<std::uint64_t> failed{0};             ///< came back because the retry failed
    std::atomic<std::uint64_t> released{0};           ///< came back because the retry was not made
    std::atomic<bool> refuses{false};

    /// The permits that are out. One that came back twice, or was never handed out, is counted for ever: it cannot be
    /// put right.
    [[nodiscard]] std::uint64_t outstanding() const {
      anew::detail::platform::lock_guard const lock{mutex_};
      return out_.size() + strays_;
    }

    /// "acquire 1", "release 1", "success 1" (0: without a retry), "failure 1", "refuse"; after "stray " when that
    /// permit was not out.
    [[nodiscard]] std::vector<std::string> entries() const {
      anew::detail::platform::lock_guard const lock{mutex_};
      return entries_;
    }

    /// The failure that was asked about last.
    [[nodiscard]] failure asked_about() const {
      anew::detail::platform::lock_guard const lock{mutex_};
      return asked_about_;
    }

   private:
    friend audited_quota;
    friend settling_quota;

    // Out of line: of the inlined one g++ 12 says at -O3 that it writes beyond a null pointer.
    ANEW_OUT_OF_LINE std::optional<permit_type> hand_out(failure const& what) {
      anew::detail::platform::lock_guard const lock{mutex_};
      asked_about_ = what;
      if (refuses) {
        ++refused;
        entries_.emplace_back("refuse");
        return std::nullopt;
      }
      ++acquired;
      out_.insert(++last_);
      write("acquire", last_);
      return last_;
    }

    void take_back(char const* how, permit_type permit, std::atomic<std::uint64_t>& counter) {
      anew::detail::platform::lock_guard const lock{mutex_};
      ++counter;
      bool const was_out = permit == 0 || out_.erase(permit) == 1;
      if (!was_out) ++strays_;
      write((was_out ? std::string{} : std::string{"stray "}).append(how), permit);
    }

    /// Exchanges a permit that is out for the next number.
    ANEW_OUT_OF_LINE permit_type exchange(permit_type permit) {
      if (out_.erase(permit) != 1) ++strays_;
      out_.insert(++last_);
      entries_.push_back(
          std::string{"settle "}.append(std::to_string(permit)).append(" as ").append(std::to_string(last_)));
      return last_;
    }

    void write(std::string entry, permit_type permit) {
      entries_.push_back(std::move(entry).append(" ").append(std::to_string(permit)));
    }

    mutable anew::detail::platform::mutex mutex_;
    std::set<permit_type> out_;
    std::vector<std::string> entries_;
    failure asked_about_;
    std::uint64_t strays_ = 0;
    permit_type last_ = 0;
  };

  audited_quota() : books_{std::make_shared<books>()} {}
  explicit audited_quota(books& in) noexcept : books_{std::shared_ptr<books>{}, &in} {}
  audited_quota(audited_quota const&) = default;  // and so no move: a quota is never without books
  audited_quota& operator=(audited_quota const&) = default;
  ~audited_quota() = default;

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& what) const { return books_->hand_out(what); }
  void on_success(permit_type held) const {
    books_->take_back("success", held, held != 0 ? books_->succeeded : books_->succeeded_at_once);
  }
  /// A failed first attempt holds nothing, so there is nothing to write down.
  void on_failure(permit_type held) const {
    if (held != 0) books_->take_back("failure", held, books_->failed);
  }
  void release(permit_type held) const { books_->take_back("release", held, books_->released); }

  /// From now on, refuses; or no longer.
  void refuse(bool yes = true) const { books_->refuses = yes; }

  [[nodiscard]] std::uint64_t outstanding() const { return books_->outstanding(); }
  [[nodiscard]] std::vector<std::string> book() const { return books_->entries(); }
  [[nodiscard]] failure asked_about() const { return books_->asked_about(); }
  [[nodiscard]] books const& totals() const noexcept { return *books_; }

  [[nodiscard]] static std::string describe() { return "audited_quota"; }

 private:
  friend settling_quota;
  std::shared_ptr<books> books_;
};

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
