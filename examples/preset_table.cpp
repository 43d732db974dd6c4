// SPDX-License-Identifier: BSL-1.0
// All presets side by side, one table for each role, as docs/reference/presets.md has them.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/bounds.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/azure.hpp"
#include "anew/presets/bounded.hpp"
#include "anew/presets/envoy.hpp"
#include "anew/presets/google_cloud.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/http.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/smithy_kotlin.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/presets/waiter.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/for_each_policy.hpp"

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
  all.add<anew::strategy<>>("anew::strategy<>");
  all.add<anew::aws::standard>("aws::standard");
  all.add<anew::aws::dynamodb>("aws::dynamodb");
  all.add<anew::aws::long_polling>("aws::long_polling");
  all.add<anew::aws::adaptive>("aws::adaptive");
  all.add<anew::aws::standard_2020>("aws::standard_2020");
  all.add<anew::aws::adaptive_2020>("aws::adaptive_2020");
  all.add<anew::aws::legacy>("aws::legacy");
  all.add<anew::aws::legacy_botocore>("aws::legacy_botocore");
  all.add<anew::azure::retry_policy>("azure::retry_policy");
  all.add<anew::bounded<250ms>>("anew::bounded<250ms>");
  all.add<anew::envoy::retry_policy>("envoy::retry_policy");
  all.add<anew::google_cloud::retry_policy>("google_cloud::retry_policy");
  all.add<anew::google_cloud::storage>("google_cloud::storage");
  all.add<anew::google_cloud::gax>("google_cloud::gax");
  all.add<anew::grpc::retry_policy<>>("grpc::retry_policy<>");
  all.add<anew::grpc::retry_policy_2017<>>("grpc::retry_policy_2017<>");
  all.add<anew::http::standard>("http::standard");
  all.add<anew::smithy::guide_example>("smithy::guide_example");
  all.add<anew::smithy::waiter<5min>>("smithy::waiter<5min>");
  all.add<anew::smithy_kotlin::standard>("smithy_kotlin::standard");
  all.add<anew::smithy_kotlin::standard_before_2026>("smithy_kotlin::standard_before_2026");
  all.add<anew::smithy_kotlin::waiter<>>("smithy_kotlin::waiter<>");
  all.add<anew::step_functions::retrier<>>("step_functions::retrier<>");
  all.print();
}
