// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_EXAMPLES_SUPPORT_PRESETS_HPP
#define ANEW_EXAMPLES_SUPPORT_PRESETS_HPP

#include <chrono>

#include "anew/anew.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/azure.hpp"
#include "anew/presets/bounded.hpp"
#include "anew/presets/envoy.hpp"
#include "anew/presets/google_cloud.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/http.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/presets/waiter.hpp"

/// Asks about each preset: its type, and how one writes it.
void for_each_preset(auto const& ask) {
  using namespace std::chrono_literals;
  ask.template operator()<anew::strategy<>>("anew::strategy<>");
  ask.template operator()<anew::aws::standard>("aws::standard");
  ask.template operator()<anew::aws::dynamodb>("aws::dynamodb");
  ask.template operator()<anew::aws::long_polling>("aws::long_polling");
  ask.template operator()<anew::aws::adaptive>("aws::adaptive");
  ask.template operator()<anew::aws::standard_2020>("aws::standard_2020");
  ask.template operator()<anew::aws::adaptive_2020>("aws::adaptive_2020");
  ask.template operator()<anew::aws::legacy>("aws::legacy");
  ask.template operator()<anew::aws::legacy_botocore>("aws::legacy_botocore");
  ask.template operator()<anew::azure::retry_policy>("azure::retry_policy");
  ask.template operator()<anew::bounded<250ms>>("anew::bounded<250ms>");
  ask.template operator()<anew::envoy::retry_policy>("envoy::retry_policy");
  ask.template operator()<anew::google_cloud::retry_policy>("google_cloud::retry_policy");
  ask.template operator()<anew::google_cloud::storage>("google_cloud::storage");
  ask.template operator()<anew::google_cloud::gax>("google_cloud::gax");
  ask.template operator()<anew::grpc::retry_policy<>>("grpc::retry_policy<>");
  ask.template operator()<anew::grpc::retry_policy_2017<>>("grpc::retry_policy_2017<>");
  ask.template operator()<anew::http::standard>("http::standard");
  ask.template operator()<anew::smithy::guide_example>("smithy::guide_example");
  ask.template operator()<anew::smithy::waiter<5min>>("smithy::waiter<5min>");
  ask.template operator()<anew::smithy_kotlin::standard>("smithy_kotlin::standard");
  ask.template operator()<anew::smithy_kotlin::standard_before_2026>("smithy_kotlin::standard_before_2026");
  ask.template operator()<anew::smithy_kotlin::waiter<>>("smithy_kotlin::waiter<>");
  ask.template operator()<anew::step_functions::retrier<>>("step_functions::retrier<>");
}

#endif
