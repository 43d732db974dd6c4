// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/policies/hint/retry_after.hpp"

#include "names.hpp"
#include "sanitized.hpp"

namespace hint_retry_after_test {
namespace {

using anew::parse_milliseconds, anew::parse_retry_after;
using std::chrono::system_clock;

constexpr system_clock::time_point at(std::int64_t unix_seconds) {
  return system_clock::time_point{std::chrono::seconds{unix_seconds}};
}

constexpr system_clock::time_point at(std::chrono::year_month_day date, std::chrono::seconds time_of_day = 0s) {
  return std::chrono::sys_days{date} + time_of_day;
}

// Sun, 06 Nov 1994 08:49:37 GMT, the example of the RFC.
constexpr auto rfc_example = at(784111777);

static_assert(noexcept(parse_retry_after(std::string_view{}, std::declval<system_clock::time_point const&>())));
static_assert(noexcept(parse_milliseconds(std::string_view{})));
static_assert(std::is_same_v<decltype(parse_retry_after("", {})), std::optional<duration>>);
static_assert(std::is_same_v<decltype(parse_milliseconds("")), std::optional<duration>>);

// A constant expression has no undefined behaviour, and the compiler says so.
static_assert(parse_retry_after("120", {}) == 120s);
static_assert(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", rfc_example - 7s) == 7s);
static_assert(parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT", rfc_example - 7s) == 7s);
static_assert(parse_retry_after("Sun Nov  6 08:49:37 1994", rfc_example - 7s) == 7s);
static_assert(parse_retry_after("junk", {}) == std::nullopt);
static_assert(parse_milliseconds("1500") == 1500ms);

struct row {
  std::string_view text;
  system_clock::time_point now;
  duration delay;
};
constexpr auto mid_2024 = at(std::chrono::year{2024} / 6 / 15, 12h);

constexpr row accepted[] = {
    // seconds
    row{"0", at(0), 0s}, row{"1", at(0), 1s}, row{"120", rfc_example, 120s}, row{"007", at(0), 7s},
    row{" 5", at(0), 5s}, row{"5 ", at(0), 5s}, row{"\t 5 \t", at(0), 5s}, row{"3600", at(0), 3600s},
    // A reader built on std::stoi throws out_of_range here and invalid_argument at the date of 1999 below.
    row{"99999999999", at(0), duration::max()}, row{"9223372036", at(0), 9223372036s},
    row{"9223372037", at(0), duration::max()}, row{"9223372036854775807", at(0), duration::max()},
    row{"9223372036854775808", at(0), duration::max()}, row{"18446744073709551617", at(0), duration::max()},
    row{"999999999999999999999999999999999999999999999999", at(0), duration::max()},
    row{"000000000000000000000000000000000000000000000009", at(0), 9s},
    // No delay of the standard, and servers send it. Earlier than asked is what must not be.
    row{"64.57", at(0), 65s}, row{"1.5", at(0), 2s}, row{"0.25", at(0), 1s}, row{" 3.000 ", at(0), 3s},
    row{"3.0001", at(0), 4s}, row{"0.0", at(0), 0s}, row{"9223372036854775807.5", at(0), duration::max()},
    row{"1.99999999999999999999999999999999", at(0), 2s},
    // imf fixdate
    row{"Sun, 06 Nov 1994 08:49:37 GMT", rfc_example, 0s}, row{"Sun, 06 Nov 1994 08:49:37 GMT", rfc_example - 1s, 1s},
    row{"Sun, 06 Nov 1994 08:49:37 GMT", rfc_example - 250ms, 250ms},
    row{"Sun, 06 Nov 1994 08:49:37 GMT", rfc_example - 1750ms, 1750ms},
    row{"Sun, 06 Nov 1994 08:49:37 GMT", rfc_example + 250ms, 0s},
    row{" \tSun, 06 Nov 1994 08:49:37 GMT \t", rfc_example - 90s, 90s},
    row{"Fri, 31 Dec 1999 23:59:59 GMT", at(1700000000), 0s},
    row{"Fri, 31 Dec 1999 23:59:59 GMT", at(946684799 - 30), 30s},
    // The name of the day is not the right one; the instant is the same.
    row{"Mon, 31 Dec 1999 23:59:59 GMT", at(946684799 - 30), 30s},
    row{"Tue, 29 Feb 2000 00:00:00 GMT", at(951782400 - 1), 1s},
    row{"Thu, 29 Feb 2024 00:00:00 GMT", at(1709164800 - 1), 1s}, row{"Thu, 01 Jan 1970 00:00:10 GMT", at(0), 10s},
    row{"Thu, 01 Jan 1970 00:00:00 GMT", at(-10), 10s}, row{"Thu, 01 Jan 1970 00:00:00 GMT", at(0) - 10500ms, 10500ms},
    row{"Sat, 01 Jan 0000 00:00:00 GMT", at(0), 0s}, row{"Fri, 31 Dec 9999 23:59:59 GMT", at(0), duration::max()},
    row{"Fri, 31 Dec 9999 23:59:59 GMT", system_clock::time_point::min(), duration::max()},
    row{"Thu, 01 Jan 1970 00:00:00 GMT", system_clock::time_point::max(), 0s},
    // A leap second is the first second of the next day, as in POSIX.
    row{"Sat, 31 Dec 2016 23:59:60 GMT", at(1483228800 - 5), 5s},
    // asctime
    row{"Sun Nov  6 08:49:37 1994", rfc_example - 1s, 1s}, row{"Sun Nov 06 08:49:37 1994", rfc_example - 1s, 1s},
    row{"Wed Nov 16 08:49:37 1994", rfc_example, 10 * 24h}, row{" Sun Nov  6 08:49:37 1994\t", rfc_example - 1s, 1s},
    row{"Sat Dec 31 23:59:60 2016", at(1483228800 - 5), 5s},
    // rfc850
    row{"Sunday, 06-Nov-94 08:49:37 GMT", rfc_example - 1s, 1s},
    row{" Sunday, 06-Nov-94 08:49:37 GMT ", rfc_example - 1s, 1s},
    row{"Wednesday, 06-Nov-94 08:49:37 GMT", rfc_example - 1s, 1s},
    row{"Saturday, 01-Jan-00 00:00:00 GMT", at(946684800 - 1), 1s},
    row{"Saturday, 15-Jun-24 12:00:05 GMT", mid_2024, 5s}, row{"Saturday, 15-Jun-24 11:59:55 GMT", mid_2024, 0s},
    // Exactly 50 years ahead is the future, one second more is the past; a fraction of a second does not tip it.
    row{"Friday, 15-Jun-74 12:00:00 GMT", mid_2024, at(std::chrono::year{2074} / 6 / 15, 12h) - mid_2024},
    row{"Friday, 15-Jun-74 12:00:01 GMT", mid_2024, 0s},
    row{"Friday, 15-Jun-74 12:00:00 GMT", mid_2024 + 500ms,
        at(std::chrono::year{2074} / 6 / 15, 12h) - mid_2024 - 500ms},
    row{"Friday, 15-Jun-99 12:00:00 GMT", mid_2024, 0s},
    // The century may be the next one.
    row{"Wednesday, 15-Jan-10 00:00:00 GMT", at(std::chrono::year{2080} / 1 / 15),
        at(std::chrono::year{2110} / 1 / 15) - at(std::chrono::year{2080} / 1 / 15)},
    // The year is chosen first, then the date has to exist in it: 2000 has a 29 February, 1900 and 2100 do not.
    row{"Tuesday, 29-Feb-00 00:00:00 GMT", at(951782400 - 1), 1s},
    row{"Saturday, 31-Dec-16 23:59:60 GMT", at(1483228800 - 5), 5s}};

TEST(retry_after, accepts) {
  for (auto const& [text, now, delay] : accepted) EXPECT_EQ(parse_retry_after(text, now), delay) << '"' << text << '"';
}

constexpr std::string_view rejected[] = {
    // numbers
    "", " ", " \t ", "-1", "+1", "- 1", "1.", ".5", "1.5.0", "1.-5", "-1.5", "1. 5", "1,5", "1e3", "0x10", "10s",
    "10 s", "1 0", "1_000", "10;q=1", "10, 20", "10\n", "\n10", "10\r\n", std::string_view{"10\0", 3},
    std::string_view{"\0", 1}, "\xd9\xa1", "\v1", "nan", "inf", "null", "\"10\"",
    // Dates and times of day that do not exist.
    "Sat, 31 Feb 2099 00:00:00 GMT", "Sun, 30 Feb 2099 00:00:00 GMT", "Sun, 29 Feb 2099 00:00:00 GMT",
    "Mon, 29 Feb 2100 00:00:00 GMT", "Fri, 31 Apr 2099 00:00:00 GMT", "Sat, 00 Jan 2099 00:00:00 GMT",
    "Sat, 32 Jan 2099 00:00:00 GMT", "Sat, 31 Jan 2099 24:00:00 GMT", "Sat, 31 Jan 2099 00:60:00 GMT",
    "Sat, 31 Jan 2099 00:00:60 GMT", "Sat, 31 Jan 2099 23:58:60 GMT", "Sat, 31 Jan 2099 22:59:60 GMT",
    "Sat, 31 Jan 2099 23:59:61 GMT", "Sat Feb 31 00:00:00 2099", "Sat Jan  0 00:00:00 2099",
    "Saturday, 31-Feb-99 00:00:00 GMT", "Saturday, 29-Feb-99 00:00:00 GMT", "Saturday, 31-Jan-99 24:00:00 GMT",
    // Near misses of the grammar.
    "Fri, 31 Dec 1999 23:59:59", "Fri, 31 Dec 1999 23:59:59 UTC", "Fri, 31 Dec 1999 23:59:59 +0000",
    "Fri, 31 Dec 1999 23:59:59 GMT+1", "Fri, 31 Dec 1999 23:59:59 GMT GMT", "Fri, 31 Dec 1999 23:59:59 gmt",
    "fri, 31 Dec 1999 23:59:59 GMT", "Fri, 31 dec 1999 23:59:59 GMT", "Fri, 31 DEC 1999 23:59:59 GMT",
    "Fri 31 Dec 1999 23:59:59 GMT", "Fri,31 Dec 1999 23:59:59 GMT", "Fri,  31 Dec 1999 23:59:59 GMT",
    "Fri, 1 Dec 1999 23:59:59 GMT", "Fri,  1 Dec 1999 23:59:59 GMT", "Fri, 31 Dec 99 23:59:59 GMT",
    "Fri, 31 Dec 01999 23:59:59 GMT", "Fri, 31 Dec -199 23:59:59 GMT", "Fri, 31 December 1999 23:59:59 GMT",
    "Fri, 31-Dec-1999 23:59:59 GMT", "Fri, 31-Dec-99 23:59:59 GMT", "Friday, 31 Dec 1999 23:59:59 GMT",
    "Friday, 31-Dec-1999 23:59:59 GMT", "Friday, 31-Dec-9 23:59:59 GMT", "Fridays, 31-Dec-99 23:59:59 GMT",
    "Fri Dec 31 23:59:59 1999 GMT", "Fri Dec 31 23:59:59 99", "Fri Dec 1 23:59:59 1999", "Friday Dec 31 23:59:59 1999",
    "Fri, Dec 31 23:59:59 1999", "Fri, 31 Dec 1999 23:59 GMT", "Fri, 31 Dec 1999 3:59:59 GMT",
    "Fri, 31 Dec 1999 23:59:59.5 GMT", "Fri, 31 Dec 1999 23.59.59 GMT", "Fri, 31 Dec 1999 23:59:59 GMT, 120",
    "120, Fri, 31 Dec 1999 23:59:59 GMT", "xFri, 31 Dec 1999 23:59:59 GMT", ", 31 Dec 1999 23:59:59 GMT", "Fri",
    "Fri, ", "Friday, ", "1999-12-31T23:59:59Z", "@946684799"};

TEST(retry_after, rejects) {
  for (auto const text : rejected) {
    EXPECT_EQ(parse_retry_after(text, rfc_example), std::nullopt) << '"' << text << '"';
    EXPECT_EQ(parse_retry_after(text, at(0)), std::nullopt) << '"' << text << '"';
    EXPECT_EQ(parse_milliseconds(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(retry_after, every_proper_prefix_of_a_date_is_rejected) {
  for (std::string_view const date :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"}) {
    ASSERT_TRUE(parse_retry_after(date, rfc_example));
    for (std::size_t size = 0; size != date.size(); ++size)
      EXPECT_FALSE(parse_retry_after(date.substr(0, size), rfc_example)) << date.substr(0, size);
  }
}

// The C library formats, in the "C" locale that every program starts with.
std::string formatted(char const* format, std::int64_t unix_seconds) {
  auto const time = static_cast<std::time_t>(unix_seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  return std::string(text.data(), std::strftime(text.data(), text.size(), format, &parts));
}

TEST(retry_after, reads_back_what_the_c_library_formats) {
  constexpr std::int64_t year_2101 = 4133980800;
  std::int64_t wait = 0;
  // The step is coprime to the length of minutes, hours and days, so that all of them take many values.
  auto const step = support::watches_memory || support::watches_threads ? 1'000'003 : 100'003;
  for (std::int64_t t = 1; t < year_2101; t += step) {
    wait = (wait * 31 + 17) % 1'000'000;
    for (auto const* const format :
         {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"}) {
      auto const text = formatted(format, t);
      ASSERT_EQ(parse_retry_after(text, at(t - wait)), std::chrono::seconds{wait}) << text;
      ASSERT_EQ(parse_retry_after(text, at(t + wait)), 0s) << text;
    }
  }
}

TEST(retry_after, two_digits_mean_the_latest_year_no_more_than_fifty_years_ahead) {
  using std::chrono::year;
  for (int now_year = 1970; now_year != 2130; ++now_year) {
    auto const now = at(year{now_year} / 7 / 1);
    for (int y = now_year - 120; y != now_year + 120; ++y) {
      auto const date = at(year{y} / 7 / 1);
      auto const text = formatted("%A, %d-%b-%y %H:%M:%S GMT", system_clock::to_time_t(date));
      int latest = y;
      while (latest > now_year + 50) latest -= 100;
      while (latest + 100 <= now_year + 50) latest += 100;
      auto const expected = latest < now_year ? duration::zero() : at(year{latest} / 7 / 1) - now;
      ASSERT_EQ(parse_retry_after(text, now), expected) << text << " read in " << now_year;
    }
  }
}

TEST(http_date, has_the_three_forms_of_the_standard) {
  for (std::string_view const date :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", " Sun Nov  6 08:49:37 1994\t"}) {
    EXPECT_EQ(anew::parse_http_date(date, rfc_example), std::chrono::floor<std::chrono::seconds>(rfc_example)) << date;
  }
  EXPECT_EQ(anew::parse_http_date("64", rfc_example), std::nullopt);
  EXPECT_EQ(anew::parse_http_date("", rfc_example), std::nullopt);
}

// What else is rejected has no delay above either.
TEST(milliseconds, accepts_digits) {
  EXPECT_EQ(parse_milliseconds("0"), 0ms);
  EXPECT_EQ(parse_milliseconds("1500"), 1500ms);
  EXPECT_EQ(parse_milliseconds(" \t007\t "), 7ms);
  EXPECT_EQ(parse_milliseconds("9223372036854"), 9223372036854ms);
  EXPECT_EQ(parse_milliseconds("9223372036855"), duration::max());
  EXPECT_EQ(parse_milliseconds("99999999999999999999999999"), duration::max());
  EXPECT_EQ(parse_milliseconds("1500.5"), std::nullopt);
}

}  // namespace
}  // namespace hint_retry_after_test
