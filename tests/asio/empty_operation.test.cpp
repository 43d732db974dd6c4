// SPDX-License-Identifier: BSL-1.0
// An empty function is refused where the call is made, before anything is posted.
#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/io_context.hpp>
#else
#include <boost/asio/io_context.hpp>
#endif

namespace asio_empty_operation_test {

TEST(AsioEmptyOperation, IsRefused) {
  anew::net::io_context context;
  anew::strategy<anew::error_code_classifier> const strategy{};
  std::function<void(std::function<void(anew::net_error_code)>)> nothing;
  for (bool const by_reference : {false, true}) {
    std::string refusal;
    auto const call = [&](auto operation) {
      anew::async_retry(context.get_executor(), strategy, anew::initiates<void(anew::net_error_code)>(operation),
                        [](anew::net_error_code) {});
    };
    try {
      by_reference ? call(std::ref(nothing)) : call(nothing);
    } catch (std::invalid_argument const& refused) {
      refusal = refused.what();
    }
    EXPECT_EQ(refusal, "anew::async_retry: the operation must be callable, but is empty") << by_reference;
  }
  EXPECT_EQ(context.run(), 0U);
}

}  // namespace asio_empty_operation_test
