// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "by_text.hpp"
#include "instant.hpp"
#include "scenario_file.hpp"
#include "text.hpp"

namespace anew_fleet {

namespace {

using fleet_simulation::phase;
using fleet_simulation::turned_away;
using fleet_simulation::world;
using namespace std::chrono_literals;

constexpr std::size_t longest_file = 1U << 20U;
constexpr std::size_t most_phases = 100;
constexpr std::size_t most_layers = 7;
constexpr double most_strategies = 20'000;  // 2.7 KB each
constexpr double most_calls = 1e8;
constexpr double most_a_second = 1e6;

class reader {
 public:
  reader(std::string const& path, std::string_view text) : path_{path}, top_{read_document(path, text)} {}

  [[nodiscard]] scenario_file read() {
    members const top{path_, top_, {"title", "seed", "clients", "arrivals", "service", "layers", "phases"}};
    file_.path = path_;
    file_.title = top.text("title").value_or("");
    world_.seed = static_cast<std::uint64_t>(top.whole_number("seed", 0, 1e15).value_or(1));
    read_clients(top.required("clients"));
    read_arrivals(top.required("arrivals"));
    if (auto const* const one = top.find("service")) read_service(*one, usual_, false);
    if (auto const* const all = top.find("layers")) read_layers(*all);
    read_phases(top.required("phases"));
    check_latency(top);
    world_.most_calls = 500'000;
    world_.most_events = 500'000'000;
    file_.of = std::move(world_);
    return std::move(file_);
  }

 private:
  [[noreturn]] void refuse(node const& at, std::string const& why) const { anew_fleet::refuse(path_, at, why); }

  [[nodiscard]] std::string read_strategy(members const& in) const {
    auto const& at = in.required("strategy");
    auto const name = in.text("strategy");
    auto text = anew_plan::text_of(*name);
    if (text.empty()) refuse(at, "must be the name of a preset, or a strategy in the notation");
    check(&anew_plan::check_text, at, text, "; the presets, each alone, are " + anew_plan::preset_names());
    return text;
  }
  /// Refuses a text in one line, in which `others` replace a list of all policies unless they are empty.
  void check(void (*reads)(std::string const&), node const& at, std::string const& text,
             std::string const& others = {}) const {
    try {
      reads(text);
    } catch (std::invalid_argument const& wrong) {
      std::string why = wrong.what();
      why.erase(std::min(why.find('\n'), why.size()));
      auto const list = why.find("; write one of ");
      if (list != std::string::npos && !others.empty()) why.replace(list, std::string::npos, others);
      refuse(at, why);
    }
  }
  [[nodiscard]] std::string read_hedging(members const& in) const {
    auto text = in.text("hedging");
    if (text) check(&anew_plan::check_hedging, *in.find("hedging"), *text);
    return std::move(text).value_or("");
  }
  [[nodiscard]] static anew::duration read_timeout(members const& in) {
    static_cast<void>(in.required("timeout"));
    return *in.duration("timeout", 1us, 1h);
  }

  void read_clients(node const& all) {
    members const in{path_, all, {"count", "strategy", "timeout", "hedging", "quota_per", "clients_per_host"}};
    static_cast<void>(in.required("count"));
    clients_ = *in.whole_number("count", 1, 1e6);
    file_.strategy = read_strategy(in);
    world_.hedging = read_hedging(in);
    world_.timeout = read_timeout(in);
    auto const share = in.one_of("quota_per", {"process", "host", "fleet"}).value_or(0);
    auto const* const per_host = in.find("clients_per_host");
    auto const of_host = in.whole_number("clients_per_host", 1, 1e6);
    if ((share == 1) != (per_host != nullptr)) {
      refuse(per_host != nullptr ? *per_host : *in.find("quota_per"),
             "\"quota_per\": \"host\" and \"clients_per_host\" need each other");
    }
    auto const strategies = share == 0 ? clients_ : share == 1 ? std::ceil(clients_ / *of_host) : 1;
    if (strategies > most_strategies) {
      refuse(*in.find("count"),
             "these are more than 20000 quotas; simulate a part of the clients on their share of the "
             "capacity, or let several share a quota");
    }
    world_.strategies = static_cast<std::uint32_t>(strategies);
  }

  void read_arrivals(node const& at) {
    members const in{path_, at, {"rate", "workers", "think"}};
    rate_ = in.number("rate", 0, most_a_second);
    auto const workers = in.whole_number("workers", 1, 1e5);
    auto const think = in.duration("think", 0s, 1h);
    if (rate_.has_value() == workers.has_value()) {
      refuse(in.object(), "must have either \"rate\", calls a second of each client, or \"workers\" of each client");
    }
    if (think && !workers) refuse(*in.find("think"), "only workers think");
    if (rate_) check_rate(in.object(), *rate_);
    if (!workers) return;
    auto const all = *workers * clients_;
    if (all > 1e5) refuse(*in.find("workers"), "of all clients these are more than 100000");
    world_.workers = static_cast<std::uint32_t>(all);
    world_.think = think.value_or(0s);
  }
  void check_rate(node const& at, double rate) const {
    if (rate * clients_ > most_a_second) refuse(at, "of all clients these are more than 1000000 calls a second");
  }

  void read_service(node const& all, phase& s, bool in_phase) const {
    members const in{path_,
                     all,
                     {"capacity", "latency", "failure_rate", "limit", "over_limit", "hint", "slow_tail",
                      "drops_cancelled", "drops_connections", "cold_cache"}};
    for (auto const* const name : {"drops_connections", "cold_cache"}) {
      if (auto const* const one = in.find(name); one != nullptr && !in_phase) {
        refuse(*one, "belongs in the \"service\" of a phase, at whose beginning it happens");
      }
    }
    s.capacity = in.number("capacity", 0, 1e7).value_or(s.capacity);
    s.latency = in.duration("latency", 0s, 1h).value_or(s.latency);
    s.failure_rate = in.number("failure_rate", 0, 1).value_or(s.failure_rate);
    if (auto const limit = in.number("limit", 0, 1e7)) {
      s.admitted = *limit;
      s.admitted_at_once = std::max(1.0, 0.1 * *limit);  // a tenth of a second's worth
      if (!in.find("over_limit")) s.others = turned_away::throttled;
    }
    bool const is_limited = s.admitted != fleet_simulation::unlimited;
    if (auto const over = in.one_of("over_limit", {"throttle", "refuse", "drop"})) {
      if (!is_limited) refuse(*in.find("over_limit"), "needs a \"limit\" of attempts a second");
      s.others = *over == 0 ? turned_away::throttled : *over == 1 ? turned_away::refused : turned_away::dropped;
    }
    if (auto const hint = in.duration("hint", 0s, 24h)) {
      if (!is_limited || s.others != turned_away::throttled) {
        refuse(*in.find("hint"), "needs a \"limit\" above which attempts are throttled");
      }
      s.hint = hint;
    }
    s.drops_cancelled = in.flag("drops_cancelled").value_or(s.drops_cancelled);
    if (auto const* const tail = in.find("slow_tail")) {
      members const of{path_, *tail, {"share", "by"}};
      static_cast<void>(of.required("share"));
      static_cast<void>(of.required("by"));
      s.slow_share = *of.number("share", 0, 1);
      s.slow_by = *of.duration("by", 0s, 1h);
    }
    if (auto const* const cache = in.find("cold_cache")) {
      members const of{path_, *cache, {"capacity_share", "answers"}};
      static_cast<void>(of.required("capacity_share"));
      static_cast<void>(of.required("answers"));
      s.cold_capacity = *of.number("capacity_share", 0.0001, 1);
      s.answers_until_warm = *of.whole_number("answers", 1, 1e9);
      if (s.capacity == fleet_simulation::unlimited) refuse(*cache, "needs a \"capacity\" of the service");
    }
    s.drops = in.number("drops_connections", 0, 1).value_or(0);
  }

  void read_layers(node const& all) {
    if (all.of != node::kind::array || all.parts.size() > most_layers) {
      refuse(all, "must be an array of at most 7 services, from the clients to the service");
    }
    if (!all.parts.empty() && !world_.hedging.empty()) {
      refuse(all, "hedged calls to a layer are not simulated: omit \"hedging\" or \"layers\"");
    }
    double strategies = world_.strategies;
    for (auto const& one : all.parts) {
      members const in{path_, one, {"processes", "strategy", "timeout"}};
      fleet_simulation::layer layer;
      layer.processes = static_cast<std::uint32_t>(in.whole_number("processes", 1, 1e4).value_or(1));
      layer.strategy = read_strategy(in);
      layer.timeout = read_timeout(in);
      strategies += layer.processes;
      if (strategies > most_strategies) refuse(one, "clients and layers have more than 20000 quotas");
      world_.layers.push_back(std::move(layer));
    }
  }

  void read_phases(node const& all) {
    if (all.of != node::kind::array || all.parts.empty() || all.parts.size() > most_phases) {
      refuse(all, "must be an array of 1 to 100 phases");
    }
    double calls = 0;
    for (auto const& one : all.parts) {
      members const in{path_, one, {"name", "lasts", "rate", "burst", "service"}};
      phase p = usual_;
      file_.phases.push_back(in.text("name").value_or("phase " + std::to_string(file_.phases.size() + 1)));
      static_cast<void>(in.required("lasts"));
      p.lasts = *in.duration("lasts", 100ms, 24h);
      if (p.lasts % 100ms != 0ns) refuse(*in.find("lasts"), "must be whole tenths of a second");
      read_rate(in, p);
      p.burst = static_cast<std::uint32_t>(in.whole_number("burst", 0, 1e6).value_or(0));
      if (p.burst != 0 && world_.workers != 0) refuse(*in.find("burst"), "workers make no bursts");
      if (auto const* const service = in.find("service")) read_service(*service, p, true);
      calls += p.burst + fleet_simulation::seconds_of(p.lasts.count()) * (p.rate + p.rate_at_end) / 2;
      if (calls > most_calls) refuse(one, "until its end more than 100000000 calls are made");
      world_.phases.push_back(p);
    }
    if (fleet_simulation::observed::end_of(world_) > anew::duration{24h}.count()) {
      refuse(all, "must last at most a day, all together");
    }
  }
  /// A service that is always too late for its callers is a mistake; in some phases it is an outage.
  void check_latency(members const& top) const {
    auto const timeout = world_.layers.empty() ? world_.timeout : world_.layers.back().timeout;
    auto const is_late = [timeout](phase const& one) { return one.latency >= timeout; };
    if (!std::all_of(world_.phases.begin(), world_.phases.end(), is_late)) return;
    auto const* at = &top.required("phases");
    if (is_late(usual_)) {
      auto const& fields = top.required("service").parts;
      at = &*std::find_if(fields.begin(), fields.end(), [](node const& one) { return one.name == "latency"; });
    }
    refuse(*at, std::string{is_late(usual_) ? "" : "the latency "} + "must be below the time-out of the " +
                    (world_.layers.empty() ? "clients" : "last layer") + ", " + anew_get::as_given(timeout) +
                    ", in at least one phase: no attempt would succeed");
  }
  void read_rate(members const& in, phase& p) const {
    auto const* const at = in.find("rate");
    auto from = rate_.value_or(0);
    auto to = from;
    if (at != nullptr) {
      if (!rate_) refuse(*at, "workers make calls at no rate");
      if (at->of == node::kind::object) {
        members const ramp{path_, *at, {"from", "to"}};
        static_cast<void>(ramp.required("from"));
        static_cast<void>(ramp.required("to"));
        from = *ramp.number("from", 0, most_a_second);
        to = *ramp.number("to", 0, most_a_second);
      } else {
        from = to = *in.number("rate", 0, most_a_second);
      }
      check_rate(*at, std::max(from, to));
    }
    p.rate = from * clients_;
    p.rate_at_end = to * clients_;
  }

  std::string const& path_;
  node top_;
  scenario_file file_;
  world world_;
  phase usual_;
  double clients_ = 0;
  std::optional<double> rate_;
};

}  // namespace

scenario_file read_scenario(std::string const& path, std::string_view text) { return reader{path, text}.read(); }

scenario_file read_scenario(std::string const& path) {
  std::ifstream file{path, std::ios::binary};
  std::string text;
  if (file) {
    text.resize(longest_file + 1);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && text.empty()) throw std::runtime_error{anew_get::printable(path + ": the file cannot be read")};
  if (text.size() > longest_file) {
    node at;
    at.line = last_line_of(text);
    refuse(path, at, "the file must have at most 1 MiB, which ends in this line");
  }
  return read_scenario(path, text);
}

}  // namespace anew_fleet
