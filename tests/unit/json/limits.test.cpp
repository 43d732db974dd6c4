// SPDX-License-Identifier: BSL-1.0
// The limits of settings in JSON, each at its edge, and on a small stack.
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "anew/json/grpc_service_config.hpp"
#include "anew/json/states_language.hpp"

#include "small_stack.hpp"

namespace json_limits_test {
namespace {

using anew::grpc::service_config;
using anew::step_functions::read_retriers;
namespace limits = anew::json_limits;

// Members that are not read may be anything: the limits count them too.
std::string nested(std::size_t depth) {
  auto const arrays = depth - 1;
  return std::string{R"({"x":)"} + std::string(arrays, '[') + std::string(arrays, ']') + "}";
}
std::string of_values(std::size_t values) {
  std::string text{"[0"};
  for (std::size_t i = 2; i < values - 1; ++i) text += ",0";
  return std::string{R"({"x":)"} + text + "]}";
}
std::string of_bytes(std::size_t bytes) {
  std::string text{"{}"};
  return text.append(bytes - text.size(), ' ');
}

TEST(JsonLimits, WhatIsAtTheLimitIsRead) {
  for (auto const& text : {nested(limits::depth), of_values(limits::values), of_bytes(limits::bytes)}) {
    EXPECT_EQ(service_config::read(text).find("a", "b"), nullptr);
    EXPECT_EQ(read_retriers(text).size(), 0U);
  }
}

#if ANEW_EXCEPTIONS
std::string refusal_of(auto const& read) {
  try {
    static_cast<void>(read());
    return "accepted";
  } catch (anew::invalid_setting const& error) {
    return error.what();
  }
}
std::string refusal_of_text(std::string_view text) {
  auto const config = refusal_of([&] { return service_config::read(text); });
  EXPECT_EQ(refusal_of([&] { return read_retriers(text); }), config);
  return config;
}

TEST(JsonLimits, OneMoreIsRefused) {
  EXPECT_EQ(
      refusal_of_text(nested(limits::depth + 1)),
      "x" + std::string{"[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]["}.substr(0, 76) +
          "... must be nested at most 64 levels deep, but is deeper");
  EXPECT_EQ(refusal_of_text(of_values(limits::values + 1)),
            "the document must have at most 100000 values, but is more");
  EXPECT_EQ(refusal_of_text(of_bytes(limits::bytes + 1)),
            "the document must have at most 1048576 bytes, but is 1048577");
}

TEST(JsonLimits, DepthIsCountedOfWhatIsOpen) {
  std::string wide{R"({"x":[)"};
  for (int i = 0; i != 1000; ++i) wide += "[[{\"a\":{}}]],";
  EXPECT_EQ(refusal_of_text(wide + "0]}"), "accepted");
  EXPECT_EQ(refusal_of_text(R"({"a":{"b":[1,[)" + nested(limits::depth) + "]]}}").substr(0, 14), "a.b[1][0].x[0]");
}

TEST(JsonLimits, DeepDocumentsNeedNoStack) {
  std::string const open(100'000, '[');
  std::string told;
  support::on_small_stack(
      [&] { told = refusal_of_text(R"({"methodConfig":)" + open + std::string(100'000, ']') + "}"); });
  EXPECT_EQ(told.substr(0, 15), "methodConfig[0]");
  support::on_small_stack([&] { told = refusal_of_text(open); });
  EXPECT_NE(told.find("must be nested at most 64 levels deep"), std::string::npos);
}

// A document that the program made itself is not parsed: no limit, and no stack either.
TEST(JsonLimits, ADocumentOfTheProgramsMayBeDeep) {
  nlohmann::json deep = nlohmann::json::array();
  for (int i = 0; i != 100'000; ++i) {
    auto outer = nlohmann::json::array();
    outer.push_back(std::move(deep));
    deep = std::move(outer);
  }
  nlohmann::json config = nlohmann::json::object();
  config["methodConfig"] = std::move(deep);
  std::string told;
  support::on_small_stack([&] { told = refusal_of([&] { return service_config::read(config); }); });
  EXPECT_EQ(told, "methodConfig[0] must be an object, but is [[[[[...]]]]]");
}

TEST(JsonLimits, LongNamesAndValuesAreShortened) {
  std::string const name(2000, 'n');
  auto const field = refusal_of([&] { return read_retriers(R"([{")" + name + R"(":")" + name + R"("}])"); });
  EXPECT_LT(field.size(), 250U);
  EXPECT_EQ(field.substr(0, 12), R"(Retry[0]["nn)");
}

TEST(JsonLimits, TextThatIsNotJsonIsShownOnOneLine) {
  EXPECT_EQ(refusal_of_text(std::string_view{"{\n\x1B[31m\0", 8}),
            R"(the document must be JSON, but is {\n\x1b[31m\x00)");
  EXPECT_EQ(refusal_of_text(R"({"a\u0000b":1,"a\u0000b":2})"),
            R"(the document must have each name of an object once, but is twice "a\u0000b")");
}
#endif

}  // namespace
}  // namespace json_limits_test
