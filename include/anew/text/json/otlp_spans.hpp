// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_JSON_OTLP_SPANS_HPP
#define ANEW_TEXT_JSON_OTLP_SPANS_HPP

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/base/thread_random.hpp"
#include "anew/policies/observer/internal/logged_call.hpp"
#include "anew/roles/hint.hpp"
#include "anew/roles/observer.hpp"
#include "anew/roles/roles.hpp"
#include "anew/text/json/json_lines.hpp"

namespace anew::inline ANEW_ABI {

/// The span of your program in which a call begins, as hexadecimal digits: 32 of the trace, 16 of the span.
struct otlp_parent {
  std::string trace_id{};  ///< empty: the call begins a trace
  std::string span_id{};
};

namespace detail {

/// Identifiers are random, and never 0, which OTLP calls invalid.
inline std::string random_hex_digits() {
  char digits[16];
  auto const value = thread_random{}() | 1U;
  auto const end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return std::string(static_cast<std::size_t>(digits + sizeof digits - end), '0').append(digits, end);
}

/// One call, and the attempts of it that have begun and not ended.
struct traced_call {
  struct open_attempt {
    std::uint32_t number;
    time_point began;
  };
  otlp_parent self;
  std::string parent;
  std::string operation;
  time_point began;
  std::vector<open_attempt> open{};
  std::string error{};
  std::uint32_t hedges = 0;
  duration waited{};
};

}  // namespace detail

/// Writes calls as spans of OpenTelemetry: a span for each call, and in it one for each attempt, hedges included.
///
/// `otlp_spans{sink, "orders"}` calls `sink(std::string_view)` with one line for each span that has ended: a request of
/// OTLP/JSON as `POST /v1/traces` takes it, and as the collector's `otlpjsonfile` receiver reads it. The span of a call has
/// the name that `named()` gave the operation, that of an attempt is of the kind CLIENT.
///
/// | span    | attributes |
/// |---------|----------------------------------------------------------------------------------------------------------|
/// | call    | `anew.reason`, `anew.attempts`; `grpc.client.call.retries`, `grpc.client.call.hedges`, `grpc.client.call.retry_delay` in seconds |
/// | attempt | `anew.attempt`; `http.request.resend_count` from the second on; `error.type` of a failure: the kind, `final`, or `cancelled` for an attempt that did not end before its call |
///
/// `otlp_spans{sink, "orders", [] { return anew::otlp_parent{trace, span}; }}` puts each call into the span that is current
/// when it begins.
///
/// Models: Observer (safe from many threads if the sink is)
/// Formula: none
/// Requires: a sink that may be called while it is const; the header nlohmann/json.hpp. Times are those of the strategy's
/// clock, moved by what the wall clock was ahead when this object was made.
/// Cost: one JSON object for each span, and the clock; in memory a call and its attempts in progress, no ended span
/// Choose it where a collector of OpenTelemetry runs. It does not send the identifiers to the server. Not for counts:
/// prometheus_metrics.
/// Source: OTLP 1.3, "JSON Protobuf Encoding"; OpenTelemetry's semantic conventions; gRPC proposal A96
template <class Sink>
class otlp_spans {
 public:
  using role = roles::observer;
  using call_type = std::unique_ptr<detail::traced_call>;

  explicit otlp_spans(Sink sink, std::string service = "anew", std::function<otlp_parent()> parent = {})
      : sink_{std::move(sink)}, service_{std::move(service)}, parent_{std::move(parent)} {}

  [[nodiscard]] call_type on_call(call_event const& event, time_point now) const {
    auto const parent = parent_ ? parent_() : otlp_parent{};
    auto trace = parent.trace_id.empty() ? detail::random_hex_digits() + detail::random_hex_digits() : parent.trace_id;
    auto const* const name = event.operation != nullptr ? event.operation : "call";
    return std::make_unique<detail::traced_call>(
        detail::traced_call{{std::move(trace), detail::random_hex_digits()}, parent.span_id, name, now});
  }
  void on_begin(call_type& call, std::uint32_t number, time_point now) const {
    if (!call->open.empty()) ++call->hedges;
    call->open.push_back({number, now});
  }
  void on_error(call_type& call, auto const& error) const { call->error = detail::text_of_error(error); }
  void on_attempt(call_type& call, attempt_event const& event, time_point now) const {
    char const* const failure = event.succeeded()          ? ""
                                : event.verdict.is_retry() ? to_string(event.verdict.what().kind)
                                                           : "final";
    auto const at = std::ranges::find(call->open, event.attempt, &detail::traced_call::open_attempt::number);
    if (at == call->open.end()) return;
    write_attempt(*call, *at, now, failure);
    call->open.erase(at);
    call->error.clear();
  }
  void on_retry(call_type& call, retry_event const& event) const {
    call->waited = detail::saturating_add(call->waited, event.delay);
  }
  void on_end(call_type& call, end_event const& event, time_point now) const {
    for (auto const& attempt : call->open) write_attempt(*call, attempt, now, "cancelled");
    auto const first = event.attempts > 0 ? 1U : 0U;
    detail::json status{{"code", event.reason == stop_reason::succeeded ? 1 : 2}};
    if (event.reason != stop_reason::succeeded) status["message"] = to_string(event.reason);
    write(*call, call->self.span_id, call->parent, call->operation, 1, call->began, now, std::move(status),
          {{"anew.reason", to_string(event.reason)},
           {"anew.attempts", event.attempts},
           {"grpc.client.call.retries", event.attempts - first - call->hedges},
           {"grpc.client.call.hedges", call->hedges},
           {"grpc.client.call.retry_delay", std::chrono::duration<double>{call->waited}.count()}});
  }

  [[nodiscard]] static std::string describe() { return "otlp_spans"; }

  static constexpr bool is_sound = detail::sink_takes_lines<Sink>;
  static consteval void explain() { detail::explain_sink<Sink>(); }

 private:
  void write_attempt(detail::traced_call const& call, detail::traced_call::open_attempt const& attempt, time_point now,
                     std::string const& failure) const {
    detail::json attributes{{"anew.attempt", attempt.number}};
    if (attempt.number > 1) attributes["http.request.resend_count"] = attempt.number - 1;
    detail::json status = detail::json::object();
    if (!failure.empty()) {
      attributes["error.type"] = failure;
      status = {{"code", 2}, {"message", call.error}};
    }
    write(call, detail::random_hex_digits(), call.self.span_id, call.operation + " attempt", 3, attempt.began, now,
          std::move(status), attributes);
  }
  void write(detail::traced_call const& call, std::string const& span, std::string const& parent,
             std::string const& name, int kind, time_point began, time_point ended, detail::json status,
             detail::json const& attributes) const {
    auto const unix_time = [this](time_point at) { return std::to_string((at.time_since_epoch() + ahead_).count()); };
    detail::json object{{"traceId", call.self.trace_id}, {"spanId", span}};
    if (!parent.empty()) object["parentSpanId"] = parent;
    object["name"] = name;
    object["kind"] = kind;
    object["startTimeUnixNano"] = unix_time(began);
    object["endTimeUnixNano"] = unix_time(ended);
    object["attributes"] = list_of(attributes);
    object["status"] = std::move(status);
    detail::json const scope{{"scope", {{"name", "anew"}}}, {"spans", detail::json::array({object})}};
    detail::json const resource{{"resource", {{"attributes", list_of({{"service.name", service_}})}}},
                                {"scopeSpans", detail::json::array({scope})}};
    detail::write_line(sink_, severity::info, line_of({{"resourceSpans", detail::json::array({resource})}}));
  }
  /// Protobuf's JSON writes 64-bit integers as texts.
  static detail::json list_of(detail::json const& attributes) {
    auto list = detail::json::array();
    for (auto const& [key, value] : attributes.items()) {
      auto typed = value.is_string()         ? detail::json{{"stringValue", value}}
                   : value.is_number_float() ? detail::json{{"doubleValue", value}}
                                             : detail::json{{"intValue", value.dump()}};
      list.push_back({{"key", key}, {"value", std::move(typed)}});
    }
    return list;
  }

  ANEW_NO_UNIQUE_ADDRESS Sink sink_;
  std::string service_;
  std::function<otlp_parent()> parent_;
  duration ahead_ = std::chrono::duration_cast<duration>(std::chrono::system_clock::now().time_since_epoch()) -
                    std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch());
};

}  // namespace anew::inline ANEW_ABI

#endif
