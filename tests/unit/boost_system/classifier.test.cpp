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
#include "anew/policies/classifier/asio.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/retry_on_codes.hpp"

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
  struct row {
    boost::system::error_code code;
    bool is_retry;
    anew::retry_safety safety;
  };
  for (auto const& [code, is_retry, safety] : {
           row{error::connection_refused, true, anew::retry_safety::yes},
           row{error::network_down, true, anew::retry_safety::yes},
           row{error::connection_reset, true, anew::retry_safety::maybe},
           row{error::connection_aborted, true, anew::retry_safety::maybe},
           row{error::broken_pipe, true, anew::retry_safety::maybe},
           row{error::timed_out, true, anew::retry_safety::maybe},
           row{error::network_unreachable, true, anew::retry_safety::maybe},
           row{error::network_reset, true, anew::retry_safety::maybe},
           row{error::host_unreachable, true, anew::retry_safety::maybe},
           row{error::try_again, true, anew::retry_safety::maybe},
           row{error::would_block, true, anew::retry_safety::maybe},
           row{error::interrupted, true, anew::retry_safety::maybe},
           row{error::no_buffer_space, true, anew::retry_safety::maybe},
           row{error::eof, false, anew::retry_safety::no},
           row{error::host_not_found, false, anew::retry_safety::no},
           row{error::host_not_found_try_again, false, anew::retry_safety::no},
           row{error::service_not_found, false, anew::retry_safety::no},
           row{error::operation_aborted, false, anew::retry_safety::no},
           row{error::not_connected, false, anew::retry_safety::no},
           row{error::address_in_use, false, anew::retry_safety::no},
           row{error::no_descriptors, false, anew::retry_safety::no},
       }) {
    for (auto const& read : {anew::boost_system::classifier<>{}.classify(code),
                             anew::error_code_classifier{}.classify(std::error_code{code})}) {
      EXPECT_EQ(read.is_retry(), is_retry) << code.message();
      if (is_retry) {
        EXPECT_EQ(read.what().safety, safety) << code.message();
      }
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
  auto const safety_of = [](anew::directive const& read) {
    return read.is_retry() ? read.what().safety : anew::retry_safety::no;
  };
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::eof))), anew::retry_safety::maybe);
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::host_not_found_try_again))), anew::retry_safety::yes);
  category_of_tls const stream{"asio.ssl.stream"};
  category_of_tls const openssl{"asio.ssl"};
  EXPECT_EQ(safety_of(asio.classify(std::error_code{1, stream})), anew::retry_safety::maybe);
  EXPECT_EQ(safety_of(asio.classify(std::error_code{(20 << 23) | 294, openssl})), anew::retry_safety::maybe);
  EXPECT_EQ(safety_of(asio.classify(std::error_code{2, stream})), anew::retry_safety::no);
  EXPECT_EQ(safety_of(asio.classify(std::error_code{(20 << 23) | 295, openssl})), anew::retry_safety::no);
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::host_not_found))), anew::retry_safety::no);
  EXPECT_EQ(safety_of(asio.classify(error::make_error_code(error::operation_aborted))), anew::retry_safety::no);
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
  using strategy = anew::strategy<classifier, anew::no_backoff, anew::no_jitter, anew::max_attempts<3>>;
  int calls = 0;
  auto const code = anew::retry(strategy{}, [&]() -> sys::error_code {
    return ++calls < 3 ? make_error_code(sys::errc::connection_refused) : sys::error_code{};
  });
  EXPECT_FALSE(code.failed());
  EXPECT_EQ(calls, 3);
#if ANEW_EXCEPTIONS
  calls = 0;
  auto const fails = [&] {
    ++calls;
    throw sys::system_error{make_error_code(sys::errc::connection_refused)};
  };
  EXPECT_THROW((void)anew::retry(strategy{}, fails), sys::system_error);
  EXPECT_EQ(calls, 3);
  calls = 0;
  auto const fails_as_std = [&] {
    ++calls;
    throw std::system_error{std::make_error_code(std::errc::connection_refused)};
  };
  EXPECT_THROW((void)anew::retry(strategy{}, fails_as_std), std::system_error);
  EXPECT_EQ(calls, 3);
#endif
}

}  // namespace
}  // namespace boost_system_classifier_test
