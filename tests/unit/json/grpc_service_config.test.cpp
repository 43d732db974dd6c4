// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "anew/policies/sharing/shared.hpp"
#include "anew/ports/grpc_service_config.hpp"
#include "anew/strategy/describe.hpp"

#include "names.hpp"

namespace json_grpc_service_config_test {
namespace {

using anew::grpc::codes, anew::grpc::service_config, anew::grpc::status_code;

constexpr std::string_view document = R"({
  "loadBalancingPolicy": "round_robin",
  "methodConfig": [
    {
      "name": [{"service": "shop.Cart", "method": "Add"}, {"service": "shop.Cart", "method": "Remove"}],
      "retryPolicy": {"maxAttempts": 4, "initialBackoff": ".1s", "maxBackoff": "1s", "backoffMultiplier": 2,
                      "retryableStatusCodes": ["UNAVAILABLE"]},
      "timeout": "2.5s",
      "waitForReady": true
    },
    {
      "name": [{"service": "shop.Cart"}],
      "retryPolicy": {"maxAttempts": 9, "initialBackoff": "0.01s", "maxBackoff": "20s", "backoffMultiplier": 1.3,
                      "retryableStatusCodes": ["ABORTED", 8]}
    },
    {"name": [{"service": "shop.Audit", "method": ""}]},
    {
      "name": [{}],
      "retryPolicy": {"maxAttempts": 2, "initialBackoff": "1s", "maxBackoff": "1.000000001s", "backoffMultiplier": 1.0,
                      "retryableStatusCodes": ["UNAVAILABLE"]}
    }
  ],
  "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}
})";

TEST(GrpcServiceConfig, FindsTheMethodElseTheServiceElseAll) {
  auto const config = service_config::read(document);
  auto const attempts = [&](std::string_view service, std::string_view method) {
    auto const* found = config.find(service, method);
    return found == nullptr ? -1 : !found->retry_policy ? 0 : static_cast<int>(found->retry_policy->max_attempts);
  };
  EXPECT_EQ(attempts("shop.Cart", "Add"), 4);
  EXPECT_EQ(attempts("shop.Cart", "Remove"), 4);
  EXPECT_EQ(attempts("shop.Cart", "Other"), 9);
  EXPECT_EQ(attempts("shop.Audit", "Any"), 0) << "nothing is inherited";
  EXPECT_EQ(attempts("another.Service", "Any"), 2);
  EXPECT_EQ(attempts("", ""), 2);
  EXPECT_EQ(attempts("shop.Cart/Add", ""), 2) << "a service with a slash is no method";
  EXPECT_EQ(service_config::read("{}").find("shop.Cart", "Add"), nullptr);
}

TEST(GrpcServiceConfig, ReadsARetryPolicy) {
  auto const config = service_config::read(document);
  auto const& cart = *config.find("shop.Cart", "x")->retry_policy;
  EXPECT_EQ(cart.initial_backoff, 10ms);
  EXPECT_EQ(cart.max_backoff, 20s);
  EXPECT_EQ(cart.backoff_multiplier.num, 13U);
  EXPECT_EQ(cart.backoff_multiplier.den, 10U);
  EXPECT_EQ(cart.retryable_status_codes, codes(status_code::aborted, status_code::resource_exhausted));
  auto const* add = config.find("shop.Cart", "Add");
  EXPECT_EQ(add->timeout, 2500ms);
  EXPECT_FALSE(config.find("shop.Cart", "x")->timeout);
  EXPECT_EQ(config.find("", "")->retry_policy->max_backoff, 1s + 1ns);
}

TEST(GrpcServiceConfig, MakesTheStrategyOfTheExample) {
  auto const config = service_config::read(document);
  ASSERT_TRUE(config.throttling());
  anew::shared const throttle{anew::grpc::make_throttle(*config.throttling())};
  auto const strategy = anew::grpc::make_retry_policy(*config.find("shop.Cart", "Add")->retry_policy, throttle);
  EXPECT_EQ(describe(strategy),
            "raised_cap(exponential(100ms,1s),1/5) proportional_jitter(1/5) shared(retry_throttle(10,1/10)) "
            "grpc_status(UNAVAILABLE) max_attempts(4) pushback_hint(60s)");
  auto const clamped = anew::grpc::make_retry_policy(*config.find("shop.Cart", "x")->retry_policy);
  EXPECT_EQ(clamped.max_attempts().value(), 5U);
}

TEST(GrpcServiceConfig, ReadsADocumentThatWasParsedElsewhere) {
  auto const parsed = nlohmann::json::parse(document);
  EXPECT_NE(service_config::read(parsed).find("shop.Cart", "Add"), nullptr);
}

std::uint32_t thousandths(std::string const& number) {
  auto const config = service_config::read(R"({"retryThrottling": {"maxTokens": 1000, "tokenRatio": )" + number + "}}");
  return anew::detail::thousandths_of(config.throttling()->token_ratio);
}

TEST(GrpcServiceConfig, RatiosHaveThreeDecimals) {
  EXPECT_EQ(thousandths("0.1"), 100U);
  EXPECT_EQ(thousandths("0.001"), 1U);
  EXPECT_EQ(thousandths("0.25"), 250U);
  EXPECT_EQ(thousandths("1"), 1000U);
  EXPECT_EQ(thousandths("1.5"), 1500U);
  EXPECT_EQ(thousandths("1000"), 1'000'000U);
  EXPECT_FALSE(service_config::read("{}").throttling());
}

// A6: "Decimal places beyond 3 are ignored (0.5466 is treated as 0.546)".
TEST(GrpcServiceConfig, FurtherDecimalsOfARatioAreIgnored) {
  EXPECT_EQ(thousandths("0.5466"), 546U);
  EXPECT_EQ(thousandths("0.54699999999999999"), 547U) << "which is 0.547 as a double";
  EXPECT_EQ(thousandths("0.001999"), 1U);
  EXPECT_EQ(thousandths("0.12345678901234"), 123U);
  EXPECT_EQ(thousandths("12.0005"), 12'000U);
  EXPECT_EQ(thousandths("999.9999"), 999'999U);
  for (std::uint32_t n = 1; n <= 3000; ++n) {
    auto const decimals = std::to_string(1000 + n % 1000).substr(1);
    EXPECT_EQ(thousandths(std::to_string(n / 1000) + "." + decimals), n);
  }
  // More than maxTokens may be, which is at most 1000: a success fills the bucket.
  EXPECT_EQ(thousandths("1000.001"), 1'000'000U);
  EXPECT_EQ(thousandths("18446744073709551615"), 1'000'000U);
  EXPECT_EQ(thousandths("1e300"), 1'000'000U);
}

/// The policy of a document where these are its other fields.
auto policy_of(std::string const& fields) {
  auto const config = service_config::read(R"({"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 2,
      "initialBackoff": "1s", "maxBackoff": "9s", )" +
                                           fields + "}}]}");
  return *config.find("", "")->retry_policy;
}
anew::rational multiplier(std::string const& number) {
  return policy_of(R"("retryableStatusCodes": [14], "backoffMultiplier": )" + number).backoff_multiplier;
}

TEST(GrpcServiceConfig, AMultiplierHasAnyNumberOfDigits) {
  constexpr auto is = [](anew::rational f, std::uint32_t num, std::uint32_t den) {
    return f.num == num && f.den == den;
  };
  EXPECT_TRUE(is(multiplier("1"), 1, 1));
  EXPECT_TRUE(is(multiplier("1.6"), 8, 5));
  EXPECT_TRUE(is(multiplier("1.1"), 11, 10));
  EXPECT_TRUE(is(multiplier("1.61803398874989"), 1618033989, 1'000'000'000));
  EXPECT_TRUE(is(multiplier("5.123456789012"), 512345679, 100'000'000));
  EXPECT_TRUE(is(multiplier("1.0000000001"), 1, 1));
  EXPECT_TRUE(is(multiplier("1e300"), 4'294'967'295U, 1));
}

// A6: "the case-insensitive string form".
TEST(GrpcServiceConfig, NamesOfCodesHaveNoCase) {
  auto const codes_of = [](std::string const& list) {
    return policy_of(R"("backoffMultiplier": 2, "retryableStatusCodes": )" + list).retryable_status_codes;
  };
  EXPECT_EQ(codes_of(R"(["unavailable"])"), codes(status_code::unavailable));
  EXPECT_EQ(codes_of(R"(["Unavailable", "deadline_EXCEEDED", 8])"),
            codes(status_code::unavailable, status_code::deadline_exceeded, status_code::resource_exhausted));
}

TEST(GrpcServiceConfig, Durations) {
  using anew::grpc::detail::parse_seconds;
  EXPECT_EQ(parse_seconds("0.1s"), 100ms);
  EXPECT_EQ(parse_seconds(".5s"), 500ms);
  EXPECT_EQ(parse_seconds("20s"), 20s);
  EXPECT_EQ(parse_seconds("20.s"), 20s);
  EXPECT_EQ(parse_seconds("0s"), 0s);
  EXPECT_EQ(parse_seconds("1.000000001s"), 1s + 1ns);
  EXPECT_EQ(parse_seconds("99999999999999999999s"), anew::duration::max());
  EXPECT_EQ(parse_seconds("9223372036.999999999s"), anew::duration::max());
  for (std::string_view const none :
       {"", "s", ".s", "1", "1ms", "1.0000000001s", "-1s", "+1s", " 1s", "1 s", "1.2.3s", "1e3s"}) {
    EXPECT_FALSE(parse_seconds(none)) << none;
  }
}

#if ANEW_EXCEPTIONS
std::string policy_with(std::string const& name, std::string const& value) {
  auto policy = nlohmann::json::parse(R"({"maxAttempts": 4, "initialBackoff": "0.1s", "maxBackoff": "1s",
                                          "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]})");
  if (value.empty()) {
    policy.erase(name);
  } else {
    policy[name] = nlohmann::json::parse(value);
  }
  nlohmann::json const config{{"methodConfig", {{{"name", {nlohmann::json::object()}}, {"retryPolicy", policy}}}}};
  return config.dump();
}

void expect_refused(std::string const& text, std::string const& message) {
  try {
    static_cast<void>(service_config::read(text));
    ADD_FAILURE() << "accepted: " << text;
  } catch (anew::invalid_setting const& error) {
    EXPECT_EQ(error.what(), message);
    EXPECT_EQ(std::string_view{error.what()}.substr(0, error.path().size()), error.path());
  }
}

/// None of these may be the field of a policy; the empty one is that there is no such field.
void expect_refused(std::string const& field, std::string const& must, std::vector<std::string> const& values) {
  for (auto const& value : values) {
    expect_refused(policy_with(field, value), "methodConfig[0].retryPolicy." + field + " must " + must + ", but is " +
                                                  (value.empty() ? "absent" : value));
  }
}

TEST(GrpcServiceConfig, NamesWhatIsWrongInAPolicy) {
  for (auto const* const field :
       {"maxAttempts", "initialBackoff", "maxBackoff", "backoffMultiplier", "retryableStatusCodes"}) {
    expect_refused(field, "be given", {""});
  }
  expect_refused("maxAttempts", "be a whole number between 2 and 4294967295", {"1", "0", "-3", "4.5", "\"4\"", "null"});
  for (auto const* const field : {"initialBackoff", "maxBackoff"}) {
    expect_refused(field, "be seconds above zero, such as \"0.1s\"", {"\"0s\"", "\"1\"", "\"-1s\"", "\"1m\""});
  }
  expect_refused("maxBackoff", "be a string", {"1"});
  expect_refused("backoffMultiplier", "be a number above zero", {"0", "-1", "\"2\"", "null"});
  expect_refused("backoffMultiplier",
                 "be at least 1: a backoff that shrinks is not supported, although gRPC permits it",
                 {"0.5", "0.9999999999"});
  expect_refused("retryableStatusCodes", "name a status code", {"[]"});
  expect_refused("retryableStatusCodes", "be an array", {"\"UNAVAILABLE\""});
  for (std::string const value : {"\"OK\"", "\"ok\"", "\"UNAVAILABLE \"", "\"\"", "0", "17", "-1", "null"}) {
    expect_refused(policy_with("retryableStatusCodes", "[14," + value + "]"),
                   "methodConfig[0].retryPolicy.retryableStatusCodes[1] must be a status code other than OK, such as "
                   "\"UNAVAILABLE\", but is " +
                       value);
  }
  expect_refused(R"({"methodConfig": [{"retryPolicy": 1}]})",
                 "methodConfig[0].retryPolicy must be an object, but is 1");
}

TEST(GrpcServiceConfig, NamesWhatIsWrongAround) {
  expect_refused("", "the document must be JSON, but is empty");
  expect_refused("[]", "the document must be an object, but is []");
  expect_refused(R"({"methodConfig": {}})", "methodConfig must be an array, but is {}");
  expect_refused(R"({"methodConfig": [7]})", "methodConfig[0] must be an object, but is 7");
  expect_refused(R"({"methodConfig": [{"name": {}}]})", "methodConfig[0].name must be an array, but is {}");
  expect_refused(R"({"methodConfig": [{"name": ["x"]}]})", "methodConfig[0].name[0] must be an object, but is \"x\"");
  expect_refused(R"({"methodConfig": [{"name": [{"service": 1}]}]})",
                 "methodConfig[0].name[0].service must be a string, but is 1");
  expect_refused(R"({"methodConfig": [{"name": [{"method": "Add"}]}]})",
                 R"(methodConfig[0].name[0] must have a service beside its method, but is an object)");
  expect_refused(R"({"methodConfig": [{"timeout": "0s"}]})",
                 R"(methodConfig[0].timeout must be seconds above zero, such as "0.1s", but is "0s")");
  expect_refused(R"({"retryThrottling": 1})", "retryThrottling must be an object, but is 1");
  for (std::string const value : {"0", "1001", "1.5"}) {
    expect_refused(R"({"retryThrottling": {"tokenRatio": 0.1, "maxTokens": )" + value + "}}",
                   "retryThrottling.maxTokens must be a whole number between 1 and 1000, but is " + value);
  }
  for (std::string const value : {"0", "-0.1", "0.0009", "\"0.1\"", "null"}) {
    expect_refused(R"({"retryThrottling": {"maxTokens": 9, "tokenRatio": )" + value + "}}",
                   "retryThrottling.tokenRatio must be a number of at least 0.001, but is " + value);
  }
  expect_refused(R"({"retryThrottling": {"maxTokens": 9}})", "retryThrottling.tokenRatio must be given, but is absent");
}

TEST(GrpcServiceConfig, ANameStandsOnce) {
  expect_refused(
      R"({"methodConfig": [{"name": [{"service": "a.B"}]}, {"name": [{"service": "c.D"}, {"service": "a.B"}]}]})",
      R"(methodConfig[1].name[1] must be named once in the document, but is an object)");
  expect_refused(R"({"methodConfig": [{"name": [{}, {"service": ""}]}]})",
                 R"(methodConfig[0].name[1] must be named once in the document, but is an object)");
  EXPECT_NO_THROW(static_cast<void>(service_config::read(
      R"({"methodConfig": [{"name": [{"service": "a", "method": "b"}, {"service": "a"}, {}]}]})")));
}

// The JSON mapping of protocol buffers permits the names of the fields too, and a document in which nobody finds a retry
// policy is a call that is not retried.
TEST(GrpcServiceConfig, NamesMayBeThoseOfTheProtocolBuffer) {
  std::string text{document};
  std::string spelt;
  for (char const c : text) {
    bool const is_capital = c >= 'A' && c <= 'Z' && !spelt.empty() && spelt.back() >= 'a' && spelt.back() <= 'z';
    if (is_capital) spelt.push_back('_');
    spelt.push_back(is_capital ? static_cast<char>(c - 'A' + 'a') : c);
  }
  ASSERT_NE(spelt.find("retryable_status_codes"), spelt.npos);
  auto const usual = service_config::read(text);
  auto const proto = service_config::read(spelt);
  auto const* const wanted = usual.find("shop.Cart", "Add");
  auto const* const found = proto.find("shop.Cart", "Add");
  ASSERT_TRUE(wanted != nullptr && found != nullptr && found->retry_policy);
  EXPECT_EQ(found->retry_policy->max_attempts, wanted->retry_policy->max_attempts);
  EXPECT_EQ(found->retry_policy->backoff_multiplier, wanted->retry_policy->backoff_multiplier);
  EXPECT_EQ(proto.throttling()->max_tokens, 10U);
}
TEST(GrpcServiceConfig, ASettingIsGivenInOneSpelling) {
  expect_refused(R"({"methodConfig": [], "method_config": []})",
                 "method_config must be given once: methodConfig is the same setting, but is []");
  expect_refused(R"({"method_config": [{"hedging_policy": {}}]})",
                 "method_config[0].hedging_policy must not be there: hedging is not supported, give a retryPolicy "
                 "instead, but is {}");
}

TEST(GrpcServiceConfig, HedgingIsRefusedRatherThanForgotten) {
  expect_refused(
      R"({"methodConfig": [{"hedgingPolicy": {}}]})",
      "methodConfig[0].hedgingPolicy must not be there: hedging is not supported, give a retryPolicy instead, but "
      "is {}");
}
#endif

}  // namespace
}  // namespace json_grpc_service_config_test
