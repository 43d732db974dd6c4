// SPDX-License-Identifier: BSL-1.0
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "anew/policies.hpp"
#include "anew/text/json/json_lines.hpp"

#include "client.hpp"
#include "hedging.hpp"
#include "option_values.hpp"
#include "policies.hpp"
#include "reply.hpp"
#include "retrying.hpp"
#include "words.hpp"
#ifdef ANEW_LOAD_HAS_PROMETHEUS
#include <prometheus/text_serializer.h>
#ifdef ANEW_LOAD_HAS_EXPOSER
#include <prometheus/exposer.h>
#endif

#include "anew/prometheus.hpp"
#endif

namespace anew_load {

#ifdef ANEW_LOAD_HAS_PROMETHEUS
namespace {

using namespace std::chrono_literals;

/// A file in a folder that exists or is made.
std::ofstream file_in(std::string const& folder, char const* name) {
  auto const path = std::filesystem::path{folder} / name;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::ofstream file{path};
  if (!file) throw anew_get::usage_error{"--observe: " + path.string() + " cannot be written"};
  return file;
}

/// Where the observers write.
struct sinks {
  std::string folder;
  std::ofstream lines;
  std::ofstream traced;
  std::mutex mutex;
  anew::trace_file trace{traced};
  std::shared_ptr<anew::prometheus_families> families = std::make_shared<anew::prometheus_families>();

  explicit sinks(std::string to)
      : folder{std::move(to)}, lines{file_in(folder, "events.jsonl")}, traced{file_in(folder, "trace.json")} {}
  void write(std::string_view line) {
    std::lock_guard const lock{mutex};
    lines << line << '\n';
  }
};

// [observed]
/// The usual strategy with a breaker, and observers of every kind.
auto observed_strategy(sinks& to, endings& into) {
  return anew::compose(anew::exponential_backoff{50ms, 20s}, anew::full_jitter{}, anew::token_bucket<500>{},
                       anew::http_statuses{}, anew::max_attempts<3>{}, anew::rate_breaker{60, 2s, 50, 1s},
                       anew::fan_out{anew_get::feed{into}, anew::prometheus_metrics{to.families, "anew-load"},
                                     anew::json_lines{[&to](std::string_view line) { to.write(line); }, "anew-load"},
                                     anew::trace_events{to.trace}});
}
// [/observed]

class observed_calling final : public calling {
  using chosen = decltype(observed_strategy(std::declval<sinks&>(), std::declval<endings&>()));

 public:
  observed_calling(settings const& s, endings& into)
      : settings_{s}, to_{*s.observe}, strategy_{observed_strategy(to_, into)}, hedging_{s.hedge} {
#ifdef ANEW_LOAD_HAS_EXPOSER
    // [exposer]
    exposer_.RegisterCollectable(to_.families);
    exposer_.RegisterCollectable(gauges_);  // anew::prometheus_gauges of the strategy
    // [/exposer]
    file_in(to_.folder, "metrics.url") << "http://127.0.0.1:" << exposer_.GetListeningPorts().at(0) << "/metrics\n";
#endif
  }

  std::unique_ptr<client> client_over(connections& over) override {
    if (hedging_.is_on()) return std::make_unique<hedging_client<chosen>>(over, strategy_, hedging_, settings_);
    return std::make_unique<retrying_client<chosen>>(over, strategy_, settings_);
  }
  [[nodiscard]] bool hedges() const override { return hedging_.is_on(); }
  [[nodiscard]] std::string describe() const override {
    auto const text = anew::describe(strategy_);
    return text.substr(0, text.find(" fan_out("));
  }
  [[nodiscard]] anew_get::quota_state quota() const override { return anew_get::state_of(strategy_.quota()); }

  [[nodiscard]] std::string status() const override {
    std::uint64_t attempts = 0, retries = 0;
    std::string refused;
    for (auto const& family : to_.families->Collect()) {
      for (auto const& one : family.metric) {
        auto const count = static_cast<std::uint64_t>(one.counter.value);
        if (family.name == "anew_attempts_total") attempts += count;
        for (auto const& label : one.label) {
          if (label.name == "type" && label.value == "retry") retries += count;
          if (label.name == "reason" && label.value != "succeeded" && count != 0)
            refused.append(" ").append(label.value).append(" ").append(grouped(count));
        }
      }
    }
    auto const& bucket = strategy_.quota();
    return "attempts " + grouped(attempts) + "  retries " + grouped(retries) + "  bucket " +
           std::to_string(bucket.balance()) + "/500  breaker " + to_string(strategy_.gate().state()) +
           (refused.empty() ? "" : "  ended:" + refused);
  }

  void finish() override {
    auto metrics = file_in(to_.folder, "metrics.prom");
    auto families = to_.families->Collect();
    for (auto& gauge : gauges_->Collect()) families.push_back(std::move(gauge));
    prometheus::TextSerializer{}.Serialize(metrics, families);
    if (!metrics.flush() || !to_.lines.flush()) throw std::runtime_error{"--observe: a file could not be written"};
  }

 private:
  settings settings_;
  sinks to_;
  chosen strategy_;
  chosen_hedging hedging_;
  std::shared_ptr<prometheus::Collectable> gauges_ =
      std::make_shared<anew::prometheus_gauges<chosen>>(strategy_, "anew-load");
#ifdef ANEW_LOAD_HAS_EXPOSER
  prometheus::Exposer exposer_{"127.0.0.1:0", 1};
#endif
};

}  // namespace

std::unique_ptr<calling> make_observed(settings const& s, endings& into) {
  return std::make_unique<observed_calling>(s, into);
}
#else
std::unique_ptr<calling> make_observed(settings const& /*s*/, endings& /*into*/) {
  throw anew_get::usage_error{"--observe: this anew-load is built without prometheus-cpp"};
}
#endif

}  // namespace anew_load
