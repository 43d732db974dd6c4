// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_INTERNAL_KEYED_HASH_HPP
#define ANEW_POLICIES_SHARING_INTERNAL_KEYED_HASH_HPP

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A secret of one registry. Keys come from outside: with a hash that is known, a caller finds thousands of keys that
/// share a place in the table.
struct hash_seed {
  std::uint64_t first;
  std::uint64_t second;
};

/// SipHash-1-3: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), with the rounds that Rust and Python use
/// for their tables. Reads words as the machine stores them.
class sip_hash {
 public:
  constexpr explicit sip_hash(hash_seed seed) noexcept
      : a_{seed.first ^ 0x736f6d6570736575U},
        b_{seed.second ^ 0x646f72616e646f6dU},
        c_{seed.first ^ 0x6c7967656e657261U},
        d_{seed.second ^ 0x7465646279746573U} {}

  [[nodiscard]] std::uint64_t of(char const* bytes, std::size_t size) noexcept {
    auto const last = std::uint64_t{size} << 56U;
    for (; size >= 8; bytes += 8, size -= 8) add(word_of(bytes, 8));
    return end(last | word_of(bytes, size));
  }
  [[nodiscard]] constexpr std::uint64_t of(std::uint64_t word) noexcept {
    add(word);
    return end(std::uint64_t{8} << 56U);
  }

 private:
  static std::uint64_t word_of(char const* bytes, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    return word;
  }
  constexpr void add(std::uint64_t word) noexcept {
    d_ ^= word;
    mix();
    a_ ^= word;
  }
  [[nodiscard]] constexpr std::uint64_t end(std::uint64_t word) noexcept {
    add(word);
    c_ ^= 0xffU;
    mix();
    mix();
    mix();
    return a_ ^ b_ ^ c_ ^ d_;
  }
  constexpr void mix() noexcept {
    a_ += b_;
    c_ += d_;
    b_ = std::rotl(b_, 13) ^ a_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ = std::rotl(a_, 32) + d_;
    c_ += b_;
    d_ = std::rotl(d_, 21) ^ a_;
    b_ = std::rotl(b_, 17) ^ c_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

/// Text is hashed with the registry's seed, every text without making a string of it. Of another key `std::hash` is taken,
/// which the registry spreads with its seed: keys that `std::hash` maps to one number share a place in every table.
template <class Key>
struct key_hash : std::hash<Key> {};
template <class Char, class Allocator>
struct key_hash<std::basic_string<Char, std::char_traits<Char>, Allocator>> {
  using is_transparent = void;
  [[nodiscard]] std::uint64_t operator()(std::basic_string_view<Char> text, hash_seed seed) const noexcept {
    return sip_hash{seed}.of(reinterpret_cast<char const*>(text.data()), text.size() * sizeof(Char));
  }
};

template <class Hash, class Key>
concept HashesWithSeed = requires(Hash const& hash, Key const& key, hash_seed seed) {
  { hash(key, seed) } -> std::same_as<std::uint64_t>;
};
template <class Hash, class Key>
concept Hashes = HashesWithSeed<Hash, Key> || requires(Hash const& hash, Key const& key) {
  { hash(key) } -> std::convertible_to<std::size_t>;
};

template <class Hash, class Key>
[[nodiscard]] std::uint64_t keyed(Hash const& hash, Key const& key, hash_seed seed) {
  if constexpr (HashesWithSeed<Hash, Key>) {
    return hash(key, seed);
  } else {
    return sip_hash{seed}.of(std::uint64_t{static_cast<std::size_t>(hash(key))});
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
