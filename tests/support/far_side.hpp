// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_FAR_SIDE_HPP
#define ANEW_TESTS_SUPPORT_FAR_SIDE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"

#include "pinned.hpp"

/// Attempts that run side by side until a test ends one.
namespace support {

namespace net = anew::net;
using error_code = anew::net_error_code;

inline error_code const fatal = net::error::access_denied;
inline error_code const transient = net::error::connection_refused;
inline error_code const other = net::error::connection_reset;
inline error_code const pushed_back = net::error::no_buffer_space;
inline error_code const aborted = net::error::operation_aborted;

struct answers_by_code {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify(error_code const& error) {
    if (error == fatal) return anew::directive::fail();
    anew::failure what{};
    if (error == pushed_back) what.hint = std::chrono::milliseconds{30};
    return anew::directive::retry(what);
  }
};

/// A result that is counted, and moves only.
struct answer {
  static inline int alive = 0;
  explicit answer(std::uint32_t number = 0) : number_{number} { ++alive; }
  answer(answer&& from) noexcept : number_{from.number_} { ++alive; }
  ~answer() { --alive; }
  [[nodiscard]] std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

/// Attempts that a test completes; the operation hands them over.
class far_side {
  struct parked : pinned {
    virtual ~parked() = default;
    virtual void finish(error_code error, std::uint32_t number) && = 0;
  };
  template <class Handler>
  struct parked_of final : parked {
    parked_of(Handler&& h, bool leaves) : handler{std::move(h)}, leaves_its_slot{leaves} {}
    void finish(error_code error, std::uint32_t number) && override {
      auto slot = net::get_associated_cancellation_slot(handler);
      if (slot.is_connected() && !leaves_its_slot) slot.clear();
      auto kept = std::move(handler);
      std::move(kept)(error, answer{number});
    }
    Handler handler;
    bool leaves_its_slot;
  };

 public:
  explicit far_side(net::io_context& on) : loop{&on} {}

  net::io_context* loop;
  std::vector<std::uint32_t> started;
  std::vector<std::uint32_t> cancelled;
  std::map<std::uint32_t, anew::attempt const*> attempts;
  std::optional<error_code> at_once;  // completes inside its initiation, against the rules
  bool is_deaf = false;
  bool ends_inside_its_cancellation = false;
  bool leaves_its_slot = false;  // what it put there, as Asio's own operations do
  std::function<void(std::uint32_t)> on_start;
  std::unique_ptr<parked> last;  // that ended inside its own cancellation, which is still going on

  template <class Handler>
  void initiate(Handler handler, anew::attempt& self) {
    auto const number = self.number();
    started.push_back(number);
    attempts[number] = &self;
    if (on_start) on_start(number);
    if (at_once) return std::move(handler)(*at_once, answer{number});
    auto slot = net::get_associated_cancellation_slot(handler);
    slot.assign([this, number](net::cancellation_type_t) {
      cancelled.push_back(number);
      if (is_deaf) return;
      if (ends_inside_its_cancellation) return finish_inside(number);
      complete(number, aborted);
    });
    in_flight_[number] = std::make_unique<parked_of<Handler>>(std::move(handler), leaves_its_slot);
  }
  /// In the next turn of the loop.
  void complete(std::uint32_t number, error_code error = {}) {
    auto const at = in_flight_.find(number);
    if (at == in_flight_.end()) return;
    net::post(*loop, [one = std::move(at->second), error, number] { std::move(*one).finish(error, number); });
    in_flight_.erase(at);
  }
  void finish_inside(std::uint32_t number) {
    auto const at = in_flight_.find(number);
    if (at == in_flight_.end()) return;
    last = std::move(at->second);
    in_flight_.erase(at);
    auto* const one = static_cast<parked*>(last.get());
    std::move(*one).finish(aborted, number);
  }
  void forget() { [[maybe_unused]] auto const gone = std::exchange(in_flight_, {}); }  // one of them may cancel others
  void forget(std::uint32_t number) { [[maybe_unused]] auto const gone = in_flight_.extract(number); }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }
  [[nodiscard]] std::uint32_t any(std::uint64_t which) const {
    if (in_flight_.empty()) return 0;
    return std::next(in_flight_.begin(), static_cast<std::ptrdiff_t>(which % in_flight_.size()))->first;
  }

  [[nodiscard]] auto operation() {
    return anew::idempotent([this](anew::attempt& self, auto&& token) {
      return net::async_initiate<decltype(token), void(error_code, answer)>(
          [side = this, &self](auto handler) { side->initiate(std::move(handler), self); }, token);
    });
  }

 private:
  std::map<std::uint32_t, std::unique_ptr<parked>> in_flight_;
};

}  // namespace support

#endif
