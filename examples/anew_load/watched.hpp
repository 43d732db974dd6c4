// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_WATCHED_HPP
#define ANEW_LOAD_WATCHED_HPP

#include <chrono>
#include <cstdint>

#include <boost/intrusive/list.hpp>

#include "anew/base/duration.hpp"

namespace anew_load {

/// How long a connection may make no progress.
struct silence_limits {
  anew::duration connect = std::chrono::minutes{1};  // with TLS
  anew::duration stall = std::chrono::minutes{5};    // no byte of an answer
};

/// A connection that is looked at now and then, so that a request needs no timer. It exceeds a limit by at most two
/// looks.
class watched : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  using clock = std::chrono::steady_clock;

  void connects() noexcept { now(state::connecting); }
  void exchanges() noexcept { now(state::exchanging); }
  void rests() noexcept { now(state::resting); }

  [[nodiscard]] bool is_stalled(clock::time_point when, silence_limits const& limits) noexcept {
    if (is_new_) since_ = when;
    is_new_ = false;
    if (state_ == state::resting) return false;
    return when - since_ >= (state_ == state::connecting ? limits.connect : limits.stall);
  }

 private:
  enum class state : std::uint8_t { resting, connecting, exchanging };
  void now(state next) noexcept {
    state_ = next;
    is_new_ = true;
  }

  state state_ = state::resting;
  bool is_new_ = true;
  clock::time_point since_;
};

using watch_list = boost::intrusive::list<watched, boost::intrusive::constant_time_size<false>>;

}  // namespace anew_load

#endif
