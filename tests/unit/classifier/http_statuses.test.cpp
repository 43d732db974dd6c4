// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>

#include <gtest/gtest.h>

#include "anew/classifier/http_statuses.hpp"

namespace classifier_http_statuses_test {
namespace {

using anew::http_status_classifier;
using anew::http_statuses;

struct answer {
  int status;
};

TEST(HttpStatuses, DecideAsThoseThatAreNamedInAType) {
  http_statuses const some{429, 503, 301, anew::http::any_4xx};
  for (int status = -1; status != 1000; ++status) {
    using same = http_status_classifier<301, anew::http::any_4xx, 503>;
    EXPECT_EQ(some.classify(status), same::classify(status)) << status;
    EXPECT_EQ(some.classify_result(answer{status}), same::classify_result(answer{status})) << status;
    EXPECT_EQ(http_statuses{}.classify(status), http_status_classifier<>::classify(status)) << status;
  }
  EXPECT_EQ(some.describe(), "http_status(301,4xx,503)");
  EXPECT_EQ(some.describe(), (http_status_classifier<503, 429, anew::http::any_4xx, 301>::describe()));
  EXPECT_EQ(http_statuses{}.describe(), http_status_classifier<>::describe());
}

TEST(HttpStatuses, AreEqualWhereTheyRetryTheSame) {
  http_statuses one_by_one{500};
  for (int status = 501; status != 599; ++status) one_by_one.add(status);
  EXPECT_NE(one_by_one, http_statuses{anew::http::any_5xx});
  one_by_one.add(599);
  EXPECT_EQ(one_by_one, http_statuses{anew::http::any_5xx});
  EXPECT_EQ(one_by_one.describe(), "http_status(5xx)");
}

#if ANEW_EXCEPTIONS
TEST(HttpStatuses, RefuseWhatIsNoStatus) {
  for (int const wrong : {0, 99, 600, -1, -3, -6}) {
    EXPECT_THROW(http_statuses{wrong}, std::invalid_argument) << wrong;
  }
  EXPECT_THROW((http_statuses(std::initializer_list<int>{})), std::invalid_argument);
}
#endif

}  // namespace
}  // namespace classifier_http_statuses_test
