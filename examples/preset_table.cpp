// SPDX-License-Identifier: BSL-1.0
// All presets side by side, then one table for each role, as docs/reference/presets.md has them.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/bounds.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/for_each_policy.hpp"

#include "support/presets.hpp"

using namespace std::chrono_literals;

// [rows]
struct role_rows {
  std::string role;
  std::vector<std::pair<std::string, std::string>> presets;  // policy, the presets that have it
};

class table {
 public:
  template <class Preset>
  void add(std::string_view name) {
    anew::for_each_policy(Preset{}, [this, name](std::string_view role, auto const& policy) {
      this->add(role, policy.describe(), name);
    });
    promises_.emplace_back(name, anew::bounds(Preset{}));
  }
  // [/rows]

  void print() const {
    std::printf("\n## side by side\n\n| preset | attempts | backoff | jitter | quota | hint | more |\n");
    std::printf("|---|---|---|---|---|---|---|\n");
    for (auto const& [name, _] : promises_) print_row('`' + name + '`');
    for (auto const& rows : rows_) {
      std::printf("\n## %s\n\n| policy | presets |\n|---|---|\n", rows.role.c_str());
      for (auto const& [policy, presets] : rows.presets)
        std::printf("| `%s` | %s |\n", policy.c_str(), presets.c_str());
    }
    std::printf(
        "\n## promises\n\n"
        "| preset | attempts | one wait, by itself | with hints | waits of a call | attempts per call, at worst |\n"
        "|---|---|---|---|---|---|\n");
    for (auto const& [name, b] : promises_) {
      std::printf("| `%s` | %s | %s | %s | %s | %s |\n", name.c_str(), text(b.attempts).c_str(),
                  text(b.own_wait).c_str(), text(b.wait).c_str(), text(b.waiting).c_str(),
                  text(b.quota.amplification).c_str());
    }
  }

 private:
  // A classifier has no numbers; it has a table of its own.
  void print_row(std::string const& preset) const {
    std::printf("| %s |", preset.c_str());
    for (char const* role : {"max_attempts", "backoff", "jitter", "quota", "hint"}) {
      std::printf(" %s |", policy_of(preset, role).c_str());
    }
    for (char const* role : {"deadline", "attempt_timeout", "pacer"}) {
      if (auto const policy = policy_of(preset, role); !policy.empty()) std::printf(" %s", policy.c_str());
    }
    std::puts(" |");
  }

  std::string policy_of(std::string const& preset, std::string_view role) const {
    for (auto const& rows : rows_) {
      for (auto const& [policy, presets] : rows.presets) {
        if (rows.role == role && presets.find(preset) != std::string::npos) return '`' + policy + '`';
      }
    }
    return {};
  }

  void add(std::string_view role, std::string const& policy, std::string_view preset) {
    auto& rows = rows_of(role);
    auto const quoted = '`' + std::string{preset} + '`';
    for (auto& [known, presets] : rows.presets) {
      if (known == policy) {
        presets += ", " + quoted;
        return;
      }
    }
    rows.presets.emplace_back(policy, quoted);
  }

  static std::string text(std::uint64_t count) { return std::to_string(count); }
  static std::string text(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.2f", number);
    return digits;
  }
  static std::string text(anew::duration d) {
    auto const ms = d / 1ms;
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
  }
  template <class T>
  static std::string text(anew::bound<T> const& bound) {
    return bound.is_known() ? text(bound.value) : "no bound: " + std::string{bound.by};
  }

  role_rows& rows_of(std::string_view role) {
    for (auto& rows : rows_) {
      if (rows.role == role) return rows;
    }
    rows_.push_back({std::string{role}, {}});
    return rows_.back();
  }

  std::vector<role_rows> rows_;
  std::vector<std::pair<std::string, anew::strategy_bounds>> promises_;
};

int main() {
  table all;
  for_each_preset([&]<class Preset>(char const* name) { all.add<Preset>(name); });
  all.print();
}
