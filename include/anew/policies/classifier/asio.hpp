// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_ASIO_HPP
#define ANEW_POLICIES_CLASSIFIER_ASIO_HPP

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Reads what `error_code_classifier` reads, and the codes of Asio's own that mean a broken connection or a name server that
/// is busy: `eof`, `stream_truncated` and OpenSSL's "unexpected eof", which may have been of use; and
/// `host_not_found_try_again`, which is safe to repeat. It knows Asio's categories by their names, so stand-alone Asio's and
/// Boost's alike, and needs no header of either. `async_retry` hands it Boost's codes as those of `<system_error>`;
/// `boost_system::classifier<asio_classifier>` reads them anywhere.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: nothing
/// Cost: that of error_code_classifier, and a comparison of the category's name
/// Choose it for a protocol of your own over Asio's sockets, where an answer that ends early is no answer. Not where the peer
/// says by the end of its stream that it is done: error_code_classifier. For HTTP: beast::classifier.
/// Source: the enumerations in `asio/error.hpp` and `asio/ssl/error.hpp`; OpenSSL's SSL_R_UNEXPECTED_EOF_WHILE_READING
struct asio_classifier {
  using role = roles::classifier;
  using catches = error_code_classifier::catches;
  static constexpr bool has_an_opinion = true;
  using reads_only = error_code_classifier::reads_only;

  template <detail::CarriesErrorCode E>
  [[nodiscard]] static directive classify(E const& error) {
    auto const code = detail::code_of(error);
    std::string_view const category = code.category().name();
    auto const is = [&](std::string_view name, int value) { return code.value() == value && category == name; };
    // OpenSSL's errors have their library in the upper bits.
    bool const ends_in_tls = category == "asio.ssl" && (code.value() & 0x7fffff) == 294;
    if (is("asio.misc", 2) || is("asio.ssl.stream", 1) || ends_in_tls)
      return directive::retry({error_kind::transient, retry_safety::maybe, std::nullopt});
    if (is("asio.netdb", 2) || is("system", 11002))  // WSATRY_AGAIN
      return directive::retry(error_kind::transient);
    return error_code_classifier::classify(error);
  }
  [[nodiscard]] static std::string describe() { return "asio"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
