// SPDX-License-Identifier: BSL-1.0
#ifndef DEMO_SUPPORT_TLS_FRONT_HPP
#define DEMO_SUPPORT_TLS_FRONT_HPP

// TLS before a server in plain text, inside the program: for demonstrations and tests of what calls it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace demo {

/// A certificate that signs itself, so that it is its own authority, and its key: both in PEM.
struct certificate {
  std::string pem;
  std::string key;
};
/// `names` as OpenSSL writes them: "DNS:example.org,IP:127.0.0.1". It holds for `days` from now on, or was over as many
/// days ago. Throws std::runtime_error where OpenSSL refuses.
[[nodiscard]] certificate make_certificate(std::string const& names, int days = 1);

/// Listens on 127.0.0.1, at a port that the kernel chose or at the one that it gets, and forwards what it decrypts to the port
/// `behind`. It serves from a thread of its own. The destructor is its death: whatever is open is closed at once, in the midst
/// of a handshake or of a record.
class tls_front {
 public:
  struct settings {
    std::uint16_t port = 0;
    std::string protocol{};         ///< what it chooses by ALPN; empty: it takes no part
    bool announces_the_end = true;  ///< with close_notify, when the server behind closes
  };
  tls_front(certificate const& by, std::uint16_t behind, settings how);
  tls_front(certificate const& by, std::uint16_t behind) : tls_front{by, behind, settings{}} {}
  ~tls_front();
  tls_front(tls_front const&) = delete;
  tls_front& operator=(tls_front const&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept;
  /// How many connections were accepted, and how many handshakes were completed. Any thread may ask.
  [[nodiscard]] std::size_t connections() const noexcept;
  [[nodiscard]] std::size_t handshakes() const noexcept;
  /// The name that the last client asked for (SNI); empty without one.
  [[nodiscard]] std::string asked_name() const;

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace demo

#endif
