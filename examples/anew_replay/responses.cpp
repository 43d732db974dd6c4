// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <string>
#include <string_view>

#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/aws/error.hpp"

#include "responses.hpp"

namespace replay {

namespace {

/// Lower case, and one way to write a compound.
std::string plain(std::string_view word) {
  std::string out{word};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == ' ') c = '_';
  }
  return out;
}

std::optional<anew::duration> asked_by(json const& step) {
  auto const* const headers = find(step, "headers");
  if (headers == nullptr) return std::nullopt;
  if (!headers->is_object()) throw malformed{"'headers' is no object"};
  for (auto const& [name, value] : headers->items()) {
    // The standard field is one that a response may have and that the SDKs do not hear.
    if (plain(name) != plain(anew::amz_retry_after_field) && plain(name) != "retry_after") {
      throw malformed{std::string{"'"}.append(name).append("' is no header that a step may have")};
    }
  }
  for (auto const& [name, value] : headers->items()) {
    if (plain(name) != plain(anew::amz_retry_after_field)) continue;
    return anew::parse_amz_retry_after(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return std::nullopt;
}

/// By the kinds of errors of the SDKs' tables; a client's error is final there.
std::optional<anew::failure> failure_of_kind(std::string const& kind, std::optional<anew::duration> asked) {
  using anew::error_kind;
  using anew::retry_safety;
  if (kind == "success" || kind == "ok") return std::nullopt;
  if (kind == "transient") return anew::failure{error_kind::transient, retry_safety::yes, asked};
  if (kind == "throttling") return anew::failure{error_kind::throttling, retry_safety::yes, asked};
  if (kind == "timeout") return anew::failure{error_kind::timeout, retry_safety::yes, asked};
  if (kind == "server" || kind == "server_error") return anew::failure{error_kind::server, retry_safety::yes, asked};
  for (std::string_view const final_kind :
       {"client", "client_error", "fail", "fatal", "final", "non_retriable", "non_retryable", "nonretryable",
        "not_retriable", "not_retryable", "permanent", "terminal", "unretryable"}) {
    if (kind == final_kind) return anew::failure{error_kind::client, retry_safety::no, asked};
  }
  throw malformed{"'kind' must be a kind of error, but is " + kind};
}

}  // namespace

std::optional<anew::failure> failure_of(json const& step) {
  auto const asked = asked_by(step);
  if (find(step, "kind") != nullptr) return failure_of_kind(plain(text(step, "kind")), asked);
  anew::aws::error response{.retry_after = asked};
  if (find(step, "code") != nullptr) response.code = text(step, "code");
  if (response.code.empty() || find(step, "status") != nullptr) {
    response.status = static_cast<int>(std::min(count(step, "status"), 999U));
  }
  auto const verdict = anew::aws::classifier::classify_result(response);
  if (verdict.is_success()) return std::nullopt;
  if (verdict.is_retry()) return verdict.what();
  return anew::failure{anew::error_kind::client, anew::retry_safety::no, asked};
}

}  // namespace replay
