// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_CHECKSUM_HPP
#define ANEW_GET_CHECKSUM_HPP

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace anew_get {

/// Throws std::bad_alloc, also if the library has no such digest.
class sha256 {
 public:
  sha256();
  void add(std::string_view data);
  /// 64 digits in lower case. To be called once.
  [[nodiscard]] std::string hex();

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace anew_get

#endif
