// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SQLITE_RESULT_HPP
#define ANEW_BRIDGES_SQLITE_RESULT_HPP

#include <sqlite3.h>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::sqlite {

/// The code that a function of SQLite returned, as the result of an operation: the default classifier reads it.
///
///     anew::retry(strategy, [&]() -> anew::sqlite::result { return sqlite3_step(statement); });
///
/// | code                                          | another attempt                                               |
/// |-----------------------------------------------|---------------------------------------------------------------|
/// | OK, ROW, DONE                                 | it succeeded                                                  |
/// | BUSY, LOCKED, PROTOCOL, with extended codes   | safe, throttling: another connection holds a lock              |
/// | IOERR, with extended codes                    | transient; it may have taken effect                           |
/// | IOERR_DATA, IOERR_CORRUPTFS, any other        | final                                                         |
///
/// BUSY_SNAPSHOT says that what the transaction has read is out of date. The statement fails as often as it is repeated, and the
/// transaction succeeds from its beginning: `sqlite::in_transaction`. The same holds for LOCKED without a shared cache.
///
/// Requires: a code of SQLite, primary or extended; not a count, such as that of `sqlite3_changes`
/// Cost: a few compares      Choose it for SQLite's C API. For a wrapper that throws: code_traits.
/// Source: SQLite, "Result and Error Codes"
class result {
 public:
  constexpr result(int code) noexcept : code_{code} {}  // NOLINT(*-explicit-*): it is what the API returns
  /// Of a statement that may have taken effect although its code says that it did not.
  [[nodiscard]] static constexpr result of_unknown_effect(int code) noexcept {
    result made{code};
    made.has_unknown_effect_ = true;
    return made;
  }

  [[nodiscard]] constexpr int code() const noexcept { return code_; }
  [[nodiscard]] constexpr bool has_value() const noexcept {
    return code_ == SQLITE_OK || code_ == SQLITE_ROW || code_ == SQLITE_DONE;
  }
  [[nodiscard]] constexpr result const& error() const noexcept { return *this; }

  [[nodiscard]] constexpr retry_safety is_retry_safe() const noexcept {
    if (is_throttle()) return has_unknown_effect_ ? retry_safety::maybe : retry_safety::yes;
    // IOERR_DATA and IOERR_CORRUPTFS, which SQLite has since 3.32 and 3.34: the file is damaged.
    constexpr int damaged[]{SQLITE_IOERR | (32 << 8), SQLITE_IOERR | (33 << 8)};
    bool const is_damaged = code_ == damaged[0] || code_ == damaged[1];
    return (code_ & 0xff) == SQLITE_IOERR && !is_damaged ? retry_safety::maybe : retry_safety::no;
  }
  [[nodiscard]] constexpr bool is_throttle() const noexcept {
    int const primary = code_ & 0xff;
    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_PROTOCOL;
  }

 private:
  int code_;
  bool has_unknown_effect_ = false;
};

/// Reads the code of your own exception, or of another type, by one of its member functions:
///
///     template <> struct anew::retry_traits<SQLite::Exception>
///         : anew::sqlite::code_traits<&SQLite::Exception::getExtendedErrorCode> {};
///
/// Requires: a member function that returns a code of SQLite; for an exception `retry_info_on<E>` as the classifier
/// Cost: none      Choose it for a wrapper that throws. For the C API: result.
template <auto CodeOf>
struct code_traits {
  [[nodiscard]] static constexpr retry_safety is_retry_safe(auto const& error) {
    return result{static_cast<int>((error.*CodeOf)())}.is_retry_safe();
  }
  [[nodiscard]] static constexpr bool is_throttle(auto const& error) {
    return result{static_cast<int>((error.*CodeOf)())}.is_throttle();
  }
};

}  // namespace anew::inline ANEW_ABI::sqlite

#endif
