// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_GRPC_SERVICE_CONFIG_HPP
#define ANEW_PORTS_GRPC_SERVICE_CONFIG_HPP

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/hint/retry_after.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/text/json/invalid_setting.hpp"

namespace anew::inline ANEW_ABI::grpc {

/// The retry settings of a method in a service config.
struct method_settings {
  std::optional<retry_policy_settings> retry_policy{};  ///< none: it is not retried
  std::optional<duration> timeout{};                    ///< of the whole call: `anew::deadline`
};

namespace detail {

using anew::detail::json_settings::node;

/// "0.1s", ".5s", "20s": seconds with at most nine decimals. A larger value saturates.
inline std::optional<duration> parse_seconds(std::string_view text) {
  if (!text.ends_with('s')) return std::nullopt;
  text.remove_suffix(1);
  auto const point = std::min(text.find('.'), text.size());
  auto const fraction = text.substr(std::min(point + 1, text.size()));
  if (point + fraction.size() == 0 || fraction.size() > 9) return std::nullopt;
  namespace field = anew::detail::http_field;
  auto const seconds = field::read_count<std::ratio<1>>(std::string{"0"}.append(text.substr(0, point)));
  auto const decimals = field::read_count<std::nano>(std::string{fraction}.append(9 - fraction.size(), '0'));
  if (!seconds || !decimals) return std::nullopt;
  return anew::detail::saturating_add(*seconds, *decimals);
}

inline duration duration_of(node const& at) {
  auto const read = parse_seconds(at.string());
  if (!read || *read <= duration::zero()) at.reject("must be seconds above zero, such as \"0.1s\"");
  return *read;
}

/// In A6 a name has no case.
inline std::optional<status_code> code_named(std::string name) {
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return parse_status_code(name);
}

inline code_set codes_of(node const& at) {
  at.array();
  code_set set{};
  for (std::size_t i = 0; i != at.size(); ++i) {
    auto const one = at[i];
    std::optional<status_code> code{};
    if (one.value->is_string()) {
      code = code_named(one.string());
    } else if (one.value->is_number_unsigned() && one.value->get<std::uint64_t>() < code_count) {
      code = static_cast<status_code>(one.value->get<std::uint8_t>());
    }
    if (!code || *code == status_code::ok) one.reject("must be a status code other than OK, such as \"UNAVAILABLE\"");
    set.add(*code);
  }
  if (set.is_empty()) at.reject("must name a status code");
  return set;
}

/// To the nearest fraction of at most nine decimals, and of 32 bits: beyond that the delay is the largest anyway.
inline rational multiplier_of(node const& at) {
  double const value = at.value->is_number() ? at.value->get<double>() : 0;
  if (!(value > 0)) at.reject("must be a number above zero");
  if (value < 1) at.reject("must be at least 1: a backoff that shrinks is not supported, although gRPC permits it");
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  return rational{std::min(value, most)};
}

/// Decimals beyond the third are ignored, as A6 requires; a success never returns more than the maximum.
inline rational ratio_of(node const& at) {
  double const value = at.value->is_number() ? at.value->get<double>() : 0;
  if (!(value >= 0.001)) at.reject("must be a number of at least 0.001");
  return std::min(value, 1000.0);
}

/// The member's name as the document spells it: in JSON's way ("maxAttempts"), or as the protocol buffer does
/// ("max_attempts"), which its JSON mapping permits too.
inline std::string spelt(node const& at, std::string const& name) {
  std::string proto;
  for (char const c : name) {
    bool const is_capital = c >= 'A' && c <= 'Z';
    if (is_capital) proto.push_back('_');
    proto.push_back(is_capital ? static_cast<char>(c - 'A' + 'a') : c);
  }
  if (proto == name || !at.has(proto)) return name;
  if (at.has(name)) at[proto].reject("must be given once: " + name + " is the same setting");
  return proto;
}
inline bool gives(node const& at, std::string const& name) { return at.has(detail::spelt(at, name)); }
inline node given(node const& at, std::string const& name) { return at.required(detail::spelt(at, name)); }

inline retry_policy_settings read_retry_policy(node const& at) {
  using namespace anew::detail::json_settings;  // NOLINT(google-build-using-namespace)
  at.object();
  retry_policy_settings read{};
  read.max_attempts = static_cast<std::uint32_t>(whole(given(at, "maxAttempts"), 2, 4'294'967'295U));
  read.initial_backoff = duration_of(given(at, "initialBackoff"));
  read.max_backoff = duration_of(given(at, "maxBackoff"));
  read.backoff_multiplier = multiplier_of(given(at, "backoffMultiplier"));
  read.retryable_status_codes = codes_of(given(at, "retryableStatusCodes"));
  return read;
}

inline method_settings read_method(node const& at) {
  if (gives(at, "hedgingPolicy")) {
    given(at, "hedgingPolicy").reject("must not be there: hedging is not supported, give a retryPolicy instead");
  }
  method_settings read{};
  if (gives(at, "retryPolicy")) read.retry_policy = read_retry_policy(given(at, "retryPolicy"));
  if (at.has("timeout")) read.timeout = duration_of(at["timeout"]);
  return read;
}

inline retry_throttling_settings read_throttling(node const& at) {
  using namespace anew::detail::json_settings;  // NOLINT(google-build-using-namespace)
  at.object();
  retry_throttling_settings read{};
  read.max_tokens = static_cast<std::uint32_t>(whole(given(at, "maxTokens"), 1, 1000));
  read.token_ratio = ratio_of(given(at, "tokenRatio"));
  return read;
}

}  // namespace detail

/// Reads the retry settings of a gRPC service config: `methodConfig` with `retryPolicy` and `timeout`, and
/// `retryThrottling`.
///
///     auto const config = anew::grpc::service_config::read(text);
///     anew::shared throttle{anew::grpc::make_throttle(*config.throttling())};          // one for each server
///     auto const* method = config.find("helloworld.Greeter", "SayHello");
///     auto const strategy = anew::grpc::make_retry_policy(*method->retry_policy, throttle);
///
/// A name may be spelt as the protocol buffer does, `method_config`. Other members are not read, as gRPC clients do with
/// what they do not know.
/// Throws: `anew::invalid_setting`, which names the setting ("methodConfig[0].retryPolicy.maxAttempts"), what it must be,
/// and its value; for a text beyond `json_limits`, too. A hedgingPolicy is refused: a reader that skips it would neither
/// hedge nor retry.
///
/// Differences from gRPC: a backoffMultiplier below 1, which A6 permits, is refused, and one of more than nine decimals is
/// rounded to nine; a `timeout` of zero is refused.
/// Requires: the header nlohmann/json.hpp
/// Source: gRPC proposal A6, "Integration with Service Config"; grpc/grpc doc/service_config.md (names)
class service_config {
 public:
  // A template, or a string would convert to a document.
  template <std::same_as<nlohmann::json> Json>
  [[nodiscard]] static service_config read(Json const& document) {
    detail::node const top{&document, ""};
    top.object();
    service_config config;
    if (detail::gives(top, "methodConfig")) {
      auto const list = detail::given(top, "methodConfig");
      list.array();
      for (std::size_t i = 0; i != list.size(); ++i) config.add(list[i]);
    }
    if (detail::gives(top, "retryThrottling"))
      config.throttling_ = detail::read_throttling(detail::given(top, "retryThrottling"));
    return config;
  }
  /// From text, each of whose objects has each name once.
  [[nodiscard]] static service_config read(std::string_view text) {
    return read(anew::detail::json_settings::parse(text));
  }

  /// The entry for the method, else for its service, else for all services; null without one. `service` is its full
  /// name, "helloworld.Greeter".
  [[nodiscard]] method_settings const* find(std::string_view service, std::string_view method) const {
    for (auto const& [s, m] : {name{service, method}, name{service, ""}, name{"", ""}}) {
      if (s.empty() && !m.empty()) continue;
      if (auto const found = names_.find(key(s, m)); found != names_.end()) return &methods_[found->second];
    }
    return nullptr;
  }

  /// The throttle of this server; nothing: retries are not throttled.
  [[nodiscard]] std::optional<retry_throttling_settings> const& throttling() const noexcept { return throttling_; }

 private:
  using name = std::pair<std::string_view, std::string_view>;

  static std::string key(std::string_view service, std::string_view method) {
    return std::string{service}.append("/").append(method);
  }

  void add(detail::node const& at) {
    at.object();
    methods_.push_back(detail::read_method(at));
    if (!at.has("name")) return;  // it applies to nothing
    auto const list = at["name"];
    list.array();
    for (std::size_t i = 0; i != list.size(); ++i) {
      auto const one = list[i];
      one.object();
      auto const service = one.has("service") ? one["service"].string() : std::string{};
      auto const method = one.has("method") ? one["method"].string() : std::string{};
      if (service.empty() && !method.empty()) one.reject("must have a service beside its method");
      if (!names_.emplace(key(service, method), methods_.size() - 1).second) {
        one.reject("must be named once in the document");
      }
    }
  }

  std::vector<method_settings> methods_;
  std::map<std::string, std::size_t> names_;
  std::optional<retry_throttling_settings> throttling_;
};

}  // namespace anew::inline ANEW_ABI::grpc

#endif
