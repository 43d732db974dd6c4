// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "anew/bridges/curl/internal/calls.hpp"

namespace curl_calls_test {
namespace {

using anew::curl::detail::call_table;
using anew::curl::detail::multi_call;

/// A call of which only the handle is asked, which is a number here.
class stand_in final : public multi_call {
 public:
  stand_in(std::uintptr_t address, int& alive) : multi_call{handle_of(address)}, alive_{alive} { ++alive_; }
  ~stand_in() override { --alive_; }
  static CURL* handle_of(std::uintptr_t address) { return reinterpret_cast<CURL*>(address); }  // NOLINT(*-int-to-ptr)

  anew::next_step resume() override { return {}; }
  CURLcode prepare() override { return CURLE_OK; }
  anew::next_step on_transfer() override { return {}; }
  void cancel() override {}
  [[nodiscard]] anew::duration wait() const override { return {}; }
  void detach() override {}
  void tell() override {}
  anew::curl::transfer read(CURLcode /*code*/) override { return {}; }

 private:
  int& alive_;
};

class Table : public testing::TestWithParam<std::uintptr_t> {
 protected:
  /// As an allocator that gives out one piece after the other, so far apart.
  [[nodiscard]] CURL* handle(std::size_t n) const { return stand_in::handle_of(0x55550000'1000U + n * GetParam()); }
  void add(std::size_t n) {
    table.reserve(table.size() + 1);
    table.insert(std::make_unique<stand_in>(reinterpret_cast<std::uintptr_t>(handle(n)), alive));
  }
  [[nodiscard]] std::size_t longest_chain(std::size_t count) const {
    std::size_t longest = 0;
    for (std::size_t n = 0; n < count; ++n) {
      std::size_t steps = 0;
      for (auto const* call = table.find(handle(n)); call != nullptr; call = call->next) ++steps;
      longest = std::max(longest, steps);
    }
    return longest;
  }

  int alive = 0;
  call_table table;
};

TEST_P(Table, FindsEachOfEightyThousandInAFewSteps) {
  constexpr std::size_t count = 80'000;
  EXPECT_EQ(table.find(handle(0)), nullptr);
  for (std::size_t n = 0; n < count; ++n) add(n);
  EXPECT_EQ(table.size(), count);
  EXPECT_EQ(alive, static_cast<int>(count));
  for (std::size_t n = 0; n < count; ++n) {
    auto const* const found = table.find(handle(n));
    ASSERT_NE(found, nullptr) << n;
    ASSERT_EQ(found->handle, handle(n));
  }
  EXPECT_EQ(table.find(handle(count)), nullptr);
  EXPECT_LE(longest_chain(count), 8U);  // a sorted list of them moves 40,000 for one, on average

  for (std::size_t n = 0; n < count; n += 2) ASSERT_EQ(table.take(handle(n))->handle, handle(n));
  EXPECT_EQ(table.size(), count / 2);
  EXPECT_EQ(alive, static_cast<int>(count / 2));
  for (std::size_t n = 0; n < count; ++n) ASSERT_EQ(table.find(handle(n)) == nullptr, n % 2 == 0) << n;
  std::size_t visited = 0;
  table.for_each([&](multi_call const& /*call*/) { ++visited; });
  EXPECT_EQ(visited, count / 2);
}

TEST_P(Table, OwnsWhatIsLeft) {
  {
    call_table passing;
    for (std::uintptr_t n = 1; n <= 100; ++n) {
      passing.reserve(n);
      passing.insert(std::make_unique<stand_in>(n * GetParam(), alive));
    }
    EXPECT_EQ(alive, 100);
  }
  EXPECT_EQ(alive, 0);
}

// Handles of libcurl are some 5 KiB each; pages and powers of two are the worst for a hash that looks at low bits.
INSTANTIATE_TEST_SUITE_P(Strides, Table, testing::Values(16, 4096, 5648, 65536));

}  // namespace
}  // namespace curl_calls_test
