// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_NESTING_RETRIES_ABOVE_HPP
#define ANEW_POLICIES_NESTING_RETRIES_ABOVE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "anew/base/attempt.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// The field by which a request tells the service that a caller retries it: a header field of HTTP, a key of gRPC's
/// metadata. Its value is the number of retries that were made already.
inline constexpr std::string_view retries_above_field = "anew-retries-above";

/// Whether a call serves an attempt of another call that retries, in another process or on another thread, and how many
/// retries were made there already.
///
///     auto const above = anew::retries_above::read(request["anew-retries-above"]);
///
/// A request with a value in the field is nested, whatever the value: a wrong value costs the request its retries here and
/// harms no other request. Without the field it is not nested, nor with an empty or blank value: many clients return an
/// empty text for a field that is absent. A value that is no number counts as 0 retries; of several values, separated by
/// commas, the largest counts; a value above 4294967295 counts as that. Nothing is thrown.
/// A proxy at the edge should remove the field, as it removes others of your own services.
/// Source: "Site Reliability Engineering", chapter 21: requests carry how often they were retried, and only one layer retries
class retries_above {
 public:
  constexpr retries_above() noexcept = default;
  /// A caller retries, and has made so many retries.
  constexpr explicit retries_above(std::uint32_t retries) noexcept : retries_{retries}, is_nested_{true} {}

  /// Reads the value of the field: text, or an empty optional or an empty text for a request that has no such field.
  [[nodiscard]] static constexpr retries_above read(std::optional<std::string_view> field) noexcept {
    if (!field || detail::trimmed(*field).empty()) return {};
    std::uint32_t most = 0;
    for (auto rest = *field;;) {
      auto const comma = rest.find(',');
      auto const number = number_of(rest.substr(0, comma));
      most = number > most ? number : most;
      if (comma == std::string_view::npos) return retries_above{most};
      rest.remove_prefix(comma + 1);
    }
  }
  /// Reads text that ends with a NUL, as `std::getenv()` returns it: a null pointer means that there is no such field.
  [[nodiscard]] static constexpr retries_above read(char const* field) noexcept {
    return field == nullptr ? retries_above{} : read(std::optional<std::string_view>{field});
  }

  [[nodiscard]] constexpr bool is_nested() const noexcept { return is_nested_; }
  [[nodiscard]] constexpr std::uint32_t retries() const noexcept { return retries_; }

  /// The same for the requests of an attempt of this call, which retries itself.
  [[nodiscard]] constexpr retries_above below(attempt const& current) const noexcept {
    auto const more = current.number() - 1;
    return retries_above{retries_ > ~std::uint32_t{0} - more ? ~std::uint32_t{0} : retries_ + more};
  }

  /// The value of the field for a request. Requires `is_nested()`: other requests do not have the field.
  [[nodiscard]] std::string value() const { return std::to_string(retries_); }

  friend constexpr bool operator==(retries_above const&, retries_above const&) noexcept = default;

 private:
  /// 0 where it is no number.
  static constexpr std::uint32_t number_of(std::string_view text) noexcept {
    std::uint64_t number = 0;
    for (char const c : detail::trimmed(text)) {
      if (c < '0' || c > '9') return 0;
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
      if (number > ~std::uint32_t{0}) number = ~std::uint32_t{0};
    }
    return static_cast<std::uint32_t>(number);
  }

  std::uint32_t retries_ = 0;
  bool is_nested_ = false;
};

/// Makes one attempt if a caller retries already, as you tell each call: the nesting guard of event loops.
///
/// `anew::adjusted(strategy, anew::nested_in{above})` is the strategy of one call; `above` is read from the request that the
/// call serves. A nested call ends with `stop_reason::nested`. Calls that block in an attempt of such a call are
/// nested for a `nesting_guard` on their thread.
///
/// Models: Nesting      Formula: none
/// Requires: nothing
/// Cost: 8 bytes in the strategy of the call
/// Choose it where a call continues on other threads or shares its thread with other calls: coroutines, Asio, steps. Not
/// where a handler blocks: nesting_scope and nesting_guard, which reach layers that know nothing of each other.
/// Source: nothing similar known in C++; YDB's "retry below me" flag comes nearest.
class nested_in : public nesting_guard<> {
 public:
  using role = roles::nesting;
  static constexpr bool is_told_of_each_call = true;

  /// Not nested.
  constexpr nested_in() noexcept = default;
  constexpr explicit nested_in(retries_above above) noexcept : above_{above} {}

  [[nodiscard]] constexpr bool is_nested() const noexcept { return above_.is_nested(); }
  [[nodiscard]] constexpr nested_in run_time_form() const noexcept { return *this; }

  /// As constructed. An attempt tells the services that it calls `above().below(attempt)`.
  [[nodiscard]] constexpr retries_above const& above() const noexcept { return above_; }

  [[nodiscard]] std::string describe() const { return is_nested() ? "nested_in(retries_above)" : "nested_in"; }

 private:
  retries_above above_;
};

/// Makes the guarded calls of this thread nested while it lives, if a caller in another process or thread retries.
///
///     void handle(request const& incoming) {
///       anew::nesting_scope const scope{anew::retries_above::read(incoming["anew-retries-above"])};
///       ...  // calls with a nesting_guard make one attempt if the caller retries
///     }
///
/// No quota pays for a nested call here: the quota of the outermost call is in another process. So a
/// `nesting_guard<when_nested::share_quota>` refuses its retries, with `stop_reason::quota`.
/// Requires: it is destroyed on its thread, and before the scopes that are around it
/// Cost: some writes to thread-local memory
/// Choose it for a handler that has its thread to itself until it returns. Not for a handler that awaits: `nested_in`
class nesting_scope {
 public:
  explicit nesting_scope(retries_above const& above) noexcept : around_{anew_process::retries_above_1} {
    if (!above.is_nested()) return;
    scope_.emplace(detail::lent_quota{});
    anew_process::retries_above_1 = above.retries();
  }
  nesting_scope(nesting_scope const&) = delete;
  nesting_scope& operator=(nesting_scope const&) = delete;
  ~nesting_scope() { anew_process::retries_above_1 = around_; }

  /// For the requests of this thread: nested inside such a scope, and inside an attempt of a call with a
  /// `nesting_guard`. The retries of that call are not among the retries: `current().below(attempt)` adds them.
  [[nodiscard]] static retries_above current() noexcept {
    if (detail::nesting_scope::innermost() == nullptr) return {};
    return retries_above{anew_process::retries_above_1};
  }

 private:
  std::uint32_t around_;
  std::optional<detail::nesting_scope> scope_;
};

}  // namespace anew::inline ANEW_ABI

#endif
