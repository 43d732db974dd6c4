// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_GRPC_STATUS_HPP
#define ANEW_POLICIES_CLASSIFIER_GRPC_STATUS_HPP

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "anew/base/asked_delay.hpp"
#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::grpc {

/// gRPC's status codes. The numbers are those of grpc::StatusCode, absl::StatusCode and google.rpc.Code.
enum class status_code : std::uint8_t {
  ok = 0,
  cancelled = 1,
  unknown = 2,
  invalid_argument = 3,
  deadline_exceeded = 4,
  not_found = 5,
  already_exists = 6,
  permission_denied = 7,
  resource_exhausted = 8,
  failed_precondition = 9,
  aborted = 10,
  out_of_range = 11,
  unimplemented = 12,
  internal = 13,
  unavailable = 14,
  data_loss = 15,
  unauthenticated = 16,
};

namespace detail {

inline constexpr int code_count = 17;
inline constexpr std::string_view code_names[code_count] = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

}  // namespace detail

/// The code of a number. A number that gRPC does not define counts as UNKNOWN.
[[nodiscard]] constexpr status_code to_status_code(std::int64_t number) noexcept {
  return number >= 0 && number < detail::code_count ? static_cast<status_code>(number) : status_code::unknown;
}

/// The code as gRPC spells it: "UNAVAILABLE".
[[nodiscard]] constexpr std::string_view to_string(status_code code) noexcept {
  auto const index = static_cast<std::uint8_t>(code);
  return index < detail::code_count ? detail::code_names[index] : detail::code_names[2];
}

/// The code of such a name; nothing for any other text.
[[nodiscard]] constexpr std::optional<status_code> parse_status_code(std::string_view name) noexcept {
  for (int i = 0; i != detail::code_count; ++i) {
    if (detail::code_names[i] == name) return static_cast<status_code>(i);
  }
  return std::nullopt;
}

/// A set of codes, which may be a template argument: `codes(status_code::unavailable, status_code::aborted)`.
struct code_set {
  std::uint32_t bits = 0;

  [[nodiscard]] constexpr bool contains(status_code code) const noexcept {
    return ((bits >> static_cast<unsigned>(code)) & 1U) != 0;
  }
  [[nodiscard]] constexpr bool is_empty() const noexcept { return bits == 0; }
  constexpr void add(status_code code) noexcept { bits |= std::uint32_t{1} << static_cast<unsigned>(code); }
  friend constexpr bool operator==(code_set, code_set) = default;
};

/// The set of these codes, as `status_classifier` and `retry_policy_settings` take it:
/// `codes(status_code::unavailable, status_code::aborted)`.
template <std::same_as<status_code>... Codes>
[[nodiscard]] constexpr code_set codes(Codes... named) noexcept {
  code_set set{};
  (set.add(named), ...);
  return set;
}

/// As a template argument: you pass the codes to the constructor.
inline constexpr code_set run_time_codes{~std::uint32_t{0}};

/// A server's request about a retry in the metadata `grpc-retry-pushback-ms`: nothing, `pushback::after(delay)`, or
/// `pushback::do_not_retry()`.
using pushback = asked_delay;

/// Reads the value of `grpc-retry-pushback-ms`: a signed 32-bit number of milliseconds in ASCII, without leading zeros.
/// A negative number, or any other text, forbids the retry. Never throws.
[[nodiscard]] constexpr pushback parse_pushback(std::string_view value) noexcept {
  if (value.empty() || value.size() > 10 || (value.size() > 1 && value.front() == '0')) return pushback::do_not_retry();
  std::int64_t milliseconds = 0;
  for (char const c : value) {
    if (c < '0' || c > '9') return pushback::do_not_retry();
    milliseconds = milliseconds * 10 + (c - '0');
  }
  if (milliseconds > 2'147'483'647) return pushback::do_not_retry();
  return pushback::after(duration{milliseconds * 1'000'000});
}

/// Reads a type's status code, and its pushback if it carries one: specialise with `static int code(E const&)` and
/// `static pushback pushback_of(E const&)`.
template <class E>
struct status_traits {};

/// `template <> struct anew::result_traits<grpc::Status> : anew::grpc::status_result {};` lets an operation return such
/// a status, or any other type with `ok()`.
struct status_result {
  [[nodiscard]] static constexpr bool is_success(auto const& status) noexcept { return status.ok(); }
  template <class S>
  [[nodiscard]] static constexpr S const& error(S const& status) noexcept {
    return status;  // NOLINT(bugprone-return-const-ref-from-parameter): as result_traits requires
  }
};

namespace detail {

template <class T>
concept CodeNumber = std::is_enum_v<T> || (std::integral<T> && !std::same_as<T, bool>);

template <class E>
concept TraitedStatus = requires(E const& e) {
  { status_traits<E>::code(e) } -> std::convertible_to<int>;
};
template <class E>
concept HasErrorCode = requires(E const& e) { requires CodeNumber<std::remove_cvref_t<decltype(e.error_code())>>; };
template <class E>
concept HasCode = requires(E const& e) { requires CodeNumber<std::remove_cvref_t<decltype(e.code())>>; };

template <class E>
concept Status = std::same_as<E, status_code> || TraitedStatus<E> || HasErrorCode<E> || HasCode<E>;

/// As the type names it: grpc::StatusCode, absl::StatusCode.
template <class E>
constexpr auto own_code_of(E const& e) {
  if constexpr (HasErrorCode<E>) {
    return e.error_code();
  } else {
    return e.code();
  }
}

template <Status E>
constexpr status_code code_of(E const& e) {
  if constexpr (std::same_as<E, status_code>) {
    return e;
  } else if constexpr (TraitedStatus<E>) {
    return to_status_code(status_traits<E>::code(e));
  } else {
    return to_status_code(static_cast<std::int64_t>(detail::own_code_of(e)));
  }
}

/// False for a `retry_pushback` that returns no pushback, duration or optional duration, or cannot be called when const: it
/// would not be heard.
template <class E>
inline constexpr bool pushback_is_readable = true;
template <class E>
  requires(!requires(E const& e) { status_traits<E>::pushback_of(e); }) && requires(E& e) { e.retry_pushback(); }
inline constexpr bool pushback_is_readable<E> = requires(E const& e) {
  { e.retry_pushback() } -> std::convertible_to<pushback>;
};

template <class E>
consteval bool explain_pushback() {
  static_assert(pushback_is_readable<E>,
                "anew::grpc::status_classifier requires a 'retry_pushback() const' that returns an "
                "anew::grpc::pushback, a duration, or a std::optional of one; this function is not const, or returns "
                "another type. Return std::optional<std::chrono::milliseconds>: a negative one forbids the retry");
  return pushback_is_readable<E>;
}

template <class E>
constexpr pushback pushback_of(E const& e) {
  if constexpr (requires { status_traits<E>::pushback_of(e); }) {
    return status_traits<E>::pushback_of(e);
  } else if constexpr (!pushback_is_readable<E>) {
    return (detail::explain_pushback<E>(), pushback{});
  } else if constexpr (requires { e.retry_pushback(); }) {
    return e.retry_pushback();
  } else {
    return {};
  }
}

constexpr error_kind kind_of(status_code code) noexcept {
  using enum status_code;
  if (code == resource_exhausted) return error_kind::throttling;
  if (code == deadline_exceeded) return error_kind::timeout;
  if (code == unavailable || code == aborted || code == cancelled) return error_kind::transient;
  bool const is_of_server = code == ok || code == unknown || code == internal || code == data_loss;
  return is_of_server ? error_kind::server : error_kind::client;
}

template <code_set Codes>
inline constexpr bool codes_are_failures =
    Codes == run_time_codes ||
    (!Codes.is_empty() && !Codes.contains(status_code::ok) && (Codes.bits >> code_count) == 0);

/// A status of gRPC's own libraries: declared as one, and made of a code and a text.
template <class S>
concept MadeOfCode = std::derived_from<result_traits<S>, status_result> && (HasErrorCode<S> || HasCode<S>) &&
                     requires(S const& s) { S(detail::own_code_of(s), ""); };

}  // namespace detail

/// Retries these gRPC status codes and no others, and obeys the server's pushback.
///
/// It reads `grpc::status_code`, and errors whose `error_code()` (grpc::Status) or `code()` (absl::Status) is a number
/// or an enumeration, or that have `grpc::status_traits`; the pushback comes from `retry_pushback()` (a `grpc::pushback`,
/// a duration, or an optional one, of which a negative one forbids the retry) or from the traits. A
/// named code may be retried even if the request took effect: naming it declares that, as in a service config. For an
/// operation with side effects wrap it in idempotent_only. RESOURCE_EXHAUSTED is throttling, DEADLINE_EXCEEDED a
/// timeout. If the server forbids the retry, a quota that counts failures counts the attempt, as A6 requires; it does
/// not count a code that is not named. A pushback does not make a code retryable that is not named (A6 is silent;
/// gRPC's C++ core does the same).
///
/// Models: Classifier (empty, or the set of codes)      Cost: a few compares
/// Formula: none
/// Requires: at least one code, and not OK
/// Choose it for gRPC. Not for HTTP: http_status_classifier.
/// Source: gRPC proposal A6, "Retryable Status Codes", "Pushback" and "Throttling Retry Attempts and Hedged RPCs".
template <code_set Codes = codes(status_code::unavailable)>
class status_classifier {
 public:
  using role = roles::classifier;

  constexpr status_classifier() noexcept = default;
  constexpr explicit status_classifier(code_set named)
    requires(Codes == run_time_codes)
      : codes_{named} {
    if (named.is_empty() || named.contains(status_code::ok) || (named.bits >> detail::code_count) != 0) {
      anew::detail::invalid_argument("grpc::status_classifier", "codes must be one at least and not OK", names(named));
    }
  }

  [[nodiscard]] constexpr directive classify(detail::Status auto const& error) const {
    auto const code = detail::code_of(error);
    if (code == status_code::ok) return directive::succeed();
    auto const asked = detail::pushback_of(error);
    if (asked.forbids()) {
      auto const kind = detail::kind_of(code);
      return directive::retry(
          failure{kind == error_kind::client ? error_kind::server : kind, retry_safety::no, std::nullopt});
    }
    if (!codes_.get().contains(code)) return directive::fail();
    return directive::retry(failure{detail::kind_of(code), retry_safety::yes, asked});
  }

  template <class R>
    requires anew::detail::carries_error<R>
  static constexpr bool accepts_result = detail::pushback_is_readable<anew::detail::error_type<R>>;
  template <class R>
  static consteval void explain_result() {
    static_cast<void>(detail::explain_pushback<anew::detail::error_type<R>>());
  }

  /// For an operation that returns the code itself.
  [[nodiscard]] constexpr directive classify_result(status_code code) const { return classify(code); }

  [[nodiscard]] std::string describe() const { return anew::detail::written("grpc_status", names(codes_.get())); }

  static constexpr bool is_sound = detail::codes_are_failures<Codes>;
  static consteval void explain() {
    static_assert(detail::codes_are_failures<Codes>,
                  "anew::grpc::status_classifier<Codes> requires one code at least, and not OK: "
                  "grpc::codes(grpc::status_code::unavailable)");
  }

 private:
  static std::string names(code_set set) {
    std::string text;
    for (int i = 0; i != detail::code_count; ++i) {
      auto const code = static_cast<status_code>(i);
      if (!set.contains(code)) continue;
      if (!text.empty()) text.append(",");
      text.append(to_string(code));
    }
    return text.empty() ? std::string{"none"} : text;
  }

  ANEW_NO_UNIQUE_ADDRESS anew::detail::parameter<Codes, status_classifier, 0, Codes != run_time_codes> codes_;
};

status_classifier(code_set) -> status_classifier<run_time_codes>;

}  // namespace anew::inline ANEW_ABI::grpc

namespace anew::inline ANEW_ABI {

/// An attempt that its attempt timeout ended has DEADLINE_EXCEEDED; one that the caller stopped, CANCELLED.
template <>
struct timed_out_result<grpc::status_code> {
  static constexpr grpc::status_code make(grpc::status_code&& /*cancelled*/) noexcept {
    return grpc::status_code::deadline_exceeded;
  }
};
/// The same, with a text, for a status that is declared by `grpc::status_result`, as grpc::Status and absl::Status may be.
template <grpc::detail::MadeOfCode Status>
struct timed_out_result<Status> {
  static Status make(Status&& /*cancelled*/) {
    using code = decltype(grpc::detail::own_code_of(std::declval<Status const&>()));
    return Status(static_cast<code>(grpc::status_code::deadline_exceeded), "the attempt timed out");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
