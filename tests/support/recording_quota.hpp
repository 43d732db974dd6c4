// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_RECORDING_QUOTA_HPP
#define ANEW_TESTS_SUPPORT_RECORDING_QUOTA_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "anew/failure.hpp"
#include "anew/roles.hpp"

namespace support {

/// A quota that grants permits numbered from 1 until it is told to refuse, and writes down what becomes of each:
/// "acquire 1", "release 1", "success 1" (0: without a retry), "failure 1", "refuse". Copies share the book.
class recording_quota {
 public:
  using role = anew::roles::quota;
  using permit_type = std::uint32_t;

  recording_quota() : state_{std::make_shared<state>()} {}
  recording_quota(recording_quota const&) = default;
  recording_quota& operator=(recording_quota const&) = default;
  ~recording_quota() = default;

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& f) const {
    state_->asked_about = f;
    if (state_->refuses) {
      state_->book.emplace_back("refuse");
      return std::nullopt;
    }
    ++state_->last;
    write("acquire", state_->last);
    return state_->last;
  }
  void on_success(permit_type held) const { write("success", held); }
  /// A failed first attempt holds nothing, so there is nothing to write down.
  void on_failure(permit_type held) const {
    if (held != 0) write("failure", held);
  }
  void release(permit_type held) const { write("release", held); }

  void refuse(bool yes = true) const { state_->refuses = yes; }
  [[nodiscard]] std::vector<std::string> const& book() const { return state_->book; }
  [[nodiscard]] anew::failure const& asked_about() const { return state_->asked_about; }

 private:
  struct state {
    std::vector<std::string> book;
    anew::failure asked_about;
    permit_type last = 0;
    bool refuses = false;
  };
  void write(char const* what, permit_type permit) const {
    state_->book.push_back(std::string{what} + " " + std::to_string(permit));
  }
  std::shared_ptr<state> state_;
};

}  // namespace support

#endif
