// SPDX-License-Identifier: BSL-1.0

// What must hold of the lines that `json_lines` writes, for every label and every event. The first bytes of the input are
// the event, the rest is the label.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "anew/text/json/json_lines.hpp"

#include "law.hpp"

namespace {

using fuzz::require;

struct drawn_event {
  std::int64_t hint = 0;
  std::int64_t delay = 0;
  std::uint32_t attempt = 0;
  std::uint8_t kind = 0, safety = 0, reason = 0, origin = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  drawn_event drawn;
  auto const taken = size < sizeof drawn ? size : sizeof drawn;
  if (taken != 0) std::memcpy(&drawn, data, taken);  // data may be null then
  std::string_view const label{reinterpret_cast<char const*>(data + taken), size - taken};

  std::size_t lines = 0;
  auto const sink = [&](std::string_view line) {
    ++lines;
    require(line.find('\n') == std::string_view::npos, "an event is one line");
    auto const read = nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
    require(read.is_object() && read.contains("event"), "a line is a JSON object");
    require(label.empty() || read["call"].is_string(), "a line has its label");
    require(!read.contains("hint_ms") || read["hint_ms"].is_null() || read["hint_ms"].get<double>() >= 0,
            "no hint is negative");
  };
  anew::json_lines const observer{sink, std::string{label}};
  anew::failure const what{static_cast<anew::error_kind>(drawn.kind), static_cast<anew::retry_safety>(drawn.safety % 3),
                           anew::duration{drawn.hint}};
  auto call = observer.on_call({nullptr}, {});
  observer.on_attempt(call, {drawn.attempt, anew::directive::retry(what), true}, {});
  auto const origin = static_cast<anew::delay_origin>(drawn.origin);
  observer.on_retry(call, {drawn.attempt, what, anew::duration{drawn.delay}, origin}, {});
  observer.on_end(call, {drawn.attempt, static_cast<anew::stop_reason>(drawn.reason)}, {});
  require(lines == 3, "each event is told once");
  return 0;
}
