// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_REDIS_INTERNAL_ERROR_TEXT_HPP
#define ANEW_BRIDGES_REDIS_INTERNAL_ERROR_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The code at the start of an error of Redis. A word that is not such a code is not repeated: it may be a secret.
inline std::string_view error_code_of(std::string_view text) noexcept {
  auto const word = text.substr(0, text.find(' '));
  for (std::string_view const code :
       {"ERR",         "NOAUTH",    "WRONGPASS", "NOPERM",     "DENIED", "LOADING",   "MASTERDOWN",
        "CLUSTERDOWN", "MISCONF",   "READONLY",  "NOREPLICAS", "OOM",    "MOVED",     "ASK",
        "TRYAGAIN",    "CROSSSLOT", "WRONGTYPE", "NOSCRIPT",   "BUSY",   "UNKILLABLE"}) {
    if (word == code) return code;
  }
  return "an error without a code";
}

/// The text of an error of Redis that may be shown, escaped. A server may quote a command's arguments, and those of AUTH
/// are secrets: of an error to AUTH, and of each text with the user or the password in it, only the code is kept.
inline std::string error_text_of(std::string_view text, bool is_of_auth, std::string_view user,
                                 std::string_view password) {
  static constexpr std::size_t most = 256;
  auto const holds = [text](std::string_view secret) {
    return !secret.empty() && text.find(secret) != std::string_view::npos;
  };
  if (is_of_auth) return std::string{"Redis refused AUTH: "}.append(error_code_of(text));
  if (holds(user) || holds(password)) {
    return std::string{error_code_of(text)}.append(": the text is not kept, because it holds the user or the password");
  }
  // Redis before 5 says so of the script, which writes after TIME.
  bool const is_old = text.find("after non deterministic commands") != std::string_view::npos;
  return std::string{is_old ? "anew requires Redis 5 or later: " : ""}.append(shown(text, most));
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
