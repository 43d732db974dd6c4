// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <new>

#include "checksum.hpp"

namespace anew_get {

sha256::sha256() : context_{EVP_MD_CTX_new(), &EVP_MD_CTX_free} {
  if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc{};
}

void sha256::add(std::string_view data) {
  if (EVP_DigestUpdate(context_.get(), data.data(), data.size()) != 1) throw std::bad_alloc{};
}

std::string sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(context_.get(), digest.data(), &size) != 1) throw std::bad_alloc{};
  std::string text;
  for (unsigned i = 0; i != size; ++i) {
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[digest[i] >> 4U];
    text += digits[digest[i] & 0xfU];
  }
  return text;
}

}  // namespace anew_get
