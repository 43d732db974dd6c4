// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string>
#include <system_error>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_category.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/boost_system.hpp"
#include "anew/policies/classifier/error_code.hpp"

#include "call_ending.hpp"
#include "names.hpp"

namespace boost_system_classifier_test {
namespace {

using classifier = anew::boost_system::classifier<>;
namespace sys = boost::system;

/// A category of a program's own, one of whose numbers stands for a portable condition.
class own_category final : public sys::error_category {
 public:
  [[nodiscard]] char const* name() const noexcept override { return "own"; }
  [[nodiscard]] std::string message(int) const override { return "of my own"; }
  [[nodiscard]] sys::error_condition default_error_condition(int value) const noexcept override {
    if (value == 7) return sys::errc::make_error_condition(sys::errc::timed_out);
    return sys::error_category::default_error_condition(value);
  }
};
own_category const category;

/// No: it is not retried.
retry_safety safety_of(directive const& read) { return read.is_retry() ? read.what().safety : retry_safety::no; }
anew::failure failure_of(directive const& verdict) {
  EXPECT_TRUE(verdict.is_retry());
  return verdict.what();
}

TEST(BoostSystem, ReadsCodesAsTheStandardsAreRead) {
  for (int value = 0; value < 140; ++value) {
    sys::error_code const system{value, sys::system_category()};
    sys::error_code const generic{value, sys::generic_category()};
    auto const expected = anew::error_code_classifier::classify(std::error_code{value, std::system_category()});
    EXPECT_EQ(classifier{}.classify(system), expected) << value;
    EXPECT_EQ(classifier{}.classify(generic), expected) << value;
    EXPECT_EQ(classifier{}.classify(std::error_code(value, std::system_category())), expected) << value;
  }
  EXPECT_EQ(failure_of(classifier{}.classify(make_error_code(sys::errc::connection_refused))),
            (anew::failure{error_kind::transient, retry_safety::yes, std::nullopt}));
  EXPECT_EQ(failure_of(classifier{}.classify(make_error_code(sys::errc::timed_out))),
            (anew::failure{error_kind::timeout, retry_safety::maybe, std::nullopt}));
  EXPECT_FALSE(classifier{}.classify(make_error_code(sys::errc::operation_canceled)).is_retry());
}

// The table of docs/how_to/use_asio.md.
TEST(BoostSystem, ReadsTheCodesOfAsio) {
  namespace error = boost::asio::error;
  using row = std::pair<retry_safety, std::vector<sys::error_code>>;
  for (auto const& [safety, codes] :
       {row{retry_safety::yes, {error::connection_refused, error::network_down}},
        row{retry_safety::maybe,
            {error::connection_reset, error::connection_aborted, error::broken_pipe, error::timed_out,
             error::network_unreachable, error::network_reset, error::host_unreachable, error::try_again,
             error::would_block, error::interrupted, error::no_buffer_space}},
        row{retry_safety::no,
            {error::eof, error::host_not_found, error::host_not_found_try_again, error::service_not_found,
             error::operation_aborted, error::not_connected, error::address_in_use, error::no_descriptors}}}) {
    for (auto const& code : codes) {
      EXPECT_EQ(safety_of(classifier{}.classify(code)), safety) << code.message();
      EXPECT_EQ(safety_of(anew::error_code_classifier{}.classify(std::error_code{code})), safety) << code.message();
    }
  }
}

/// A category of Asio's over TLS, whose headers need OpenSSL.
struct category_of_tls : std::error_category {
  char const* called;
  explicit category_of_tls(char const* name) : called{name} {}
  [[nodiscard]] char const* name() const noexcept override { return called; }
  [[nodiscard]] std::string message(int /*value*/) const override { return {}; }
};

TEST(BoostSystem, AsiosClassifierReadsWhatEndsEarly) {
  constexpr anew::boost_system::classifier<anew::asio_classifier> asio;
  constexpr anew::boost_system::classifier<> portable;
  namespace error = boost::asio::error;

  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::eof))), retry_safety::maybe);
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::host_not_found_try_again))), retry_safety::yes);
  category_of_tls const stream{"asio.ssl.stream"};
  category_of_tls const openssl{"asio.ssl"};
  EXPECT_EQ(safety_of(asio.classify(std::error_code{1, stream})), retry_safety::maybe);
  EXPECT_EQ(safety_of(asio.classify(std::error_code{(20 << 23) | 294, openssl})), retry_safety::maybe);
  EXPECT_EQ(safety_of(asio.classify(std::error_code{2, stream})), retry_safety::no);
  EXPECT_EQ(safety_of(asio.classify(std::error_code{(20 << 23) | 295, openssl})), retry_safety::no);
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::host_not_found))), retry_safety::no);
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::operation_aborted))), retry_safety::no);
  for (auto const code : {error::connection_refused, error::connection_reset, error::timed_out}) {
    EXPECT_EQ(asio.classify(error::make_error_code(code)), portable.classify(error::make_error_code(code)));
  }
}

TEST(BoostSystem, ReadsWhateverCarriesACode) {
  EXPECT_EQ(failure_of(classifier{}.classify(sys::errc::connection_reset)).safety, retry_safety::maybe);
  EXPECT_EQ(failure_of(classifier{}.classify(make_error_condition(sys::errc::timed_out))).kind, error_kind::timeout);
  EXPECT_EQ(failure_of(classifier{}.classify(sys::error_code{7, category})).kind, error_kind::timeout);
  EXPECT_FALSE(classifier{}.classify(sys::error_code{8, category}).is_retry());
  EXPECT_EQ(failure_of(classifier{}.classify(sys::system_error{make_error_code(sys::errc::broken_pipe)})).kind,
            error_kind::transient);
}

TEST(BoostSystem, HasOtherClassifiersReadThem) {
  using chosen = anew::boost_system::classifier<anew::retry_on_codes<std::errc::file_exists>>;
  EXPECT_TRUE(chosen{}.classify(make_error_code(sys::errc::file_exists)).is_retry());
  EXPECT_FALSE(chosen{}.classify(make_error_code(sys::errc::timed_out)).is_retry());
  EXPECT_EQ(classifier{}.describe(), "boost_system(error_code)");
  EXPECT_TRUE(std::is_empty_v<classifier>);
}

TEST(BoostSystem, ServesACall) {
  using support::end_of, support::retried;
  auto const refused = make_error_code(sys::errc::connection_refused);
  EXPECT_EQ(end_of(classifier{}, [] { return sys::error_code{}; }), support::succeeded);
  EXPECT_EQ(end_of(classifier{}, [&] { return refused; }), retried);
#if ANEW_EXCEPTIONS
  EXPECT_EQ(end_of(classifier{}, [&] { throw sys::system_error{refused}; }), retried);
  EXPECT_EQ(end_of(classifier{}, [&] { throw std::system_error{refused}; }), retried);
#endif
}

}  // namespace
}  // namespace boost_system_classifier_test
