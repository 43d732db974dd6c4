// SPDX-License-Identifier: BSL-1.0
// A rule over a response is asked about it wherever the result holds it: by itself, in an optional, behind a pointer.
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/http.hpp"
#include "anew/policies.hpp"

namespace classifier_body_rule_test {
namespace {

struct response {
  int status;
  std::string body;
};
/// As cpp-httplib has it.
struct held {
  std::unique_ptr<response> is;
  explicit operator bool() const { return is != nullptr; }
  response const& operator*() const { return *is; }
};
using slowed_down = decltype([](response const& r) { return r.body == "SlowDown"; });
struct graded {
  anew::directive operator()(response const& r) const {
    if (r.body == "gone") return anew::directive::fail();
    return r.body == "SlowDown" ? anew::directive::retry(anew::error_kind::throttling) : anew::directive::no_opinion();
  }
};

template <class Result>
Result made_of(response const* of) {
  if constexpr (std::is_same_v<Result, held>) return {of != nullptr ? std::make_unique<response>(*of) : nullptr};
  if constexpr (std::is_same_v<Result, std::optional<response>>) return of != nullptr ? Result{*of} : Result{};
  if constexpr (std::is_same_v<Result, response>) return *of;
}

template <class Result, class Classifier>
unsigned attempts_after(response const* of) {
  unsigned attempts = 0;
  anew::with<anew::http::standard, anew::no_backoff, anew::no_jitter, Classifier> const thrice{};
  static_cast<void>(anew::retry(thrice, anew::idempotent([&] { return ++attempts, made_of<Result>(of); }),
                                [](anew::duration /*delay*/) {}));
  return attempts;
}

template <class Result>
void check(char const* name) {
  using namespace anew;
  struct row {
    response of;
    unsigned by_rule, graded;
  };
  for (auto const& [of, by_rule, by_grade] :
       {row{{200, "ok"}, 1, 1}, row{{200, "SlowDown"}, 3, 3}, row{{503, "gone"}, 3, 1}, row{{404, "SlowDown"}, 3, 3},
        row{{404, "no"}, 1, 1}}) {
    SCOPED_TRACE(::testing::Message() << name << ' ' << of.status << ' ' << of.body);
    EXPECT_EQ((attempts_after<Result, first_of<retry_if<slowed_down>, http::classifier<>>>(&of)), by_rule);
    EXPECT_EQ((attempts_after<Result, any_of<http::classifier<>, retry_if<slowed_down>>>(&of)), by_rule);
    EXPECT_EQ((attempts_after<Result, first_of<retry_if<graded>, http::classifier<>>>(&of)), by_grade);
  }
  if constexpr (!std::is_same_v<Result, response>) {
    EXPECT_EQ((attempts_after<Result, first_of<retry_if<slowed_down>, http::classifier<>>>(nullptr)), 3U) << name;
  }
}

TEST(BodyRule, IsAskedAboutTheResponseThatAResultHolds) {
  check<response>("a response");
  check<std::optional<response>>("an optional");
  check<held>("a pointer");
}

}  // namespace
}  // namespace classifier_body_rule_test
