// SPDX-License-Identifier: BSL-1.0
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "support/tls_front.hpp"

namespace demo {

namespace net = boost::asio;
using net::ip::tcp;

namespace {

template <auto Free>
struct freed_by {
  template <class T>
  void operator()(T* of) const noexcept {
    Free(of);
  }
};
template <class T, auto Free>
using owned = std::unique_ptr<T, freed_by<Free>>;
using memory = owned<BIO, ::BIO_free_all>;

auto* required(auto* made, char const* what) {
  if (made == nullptr) throw std::runtime_error{what};
  return made;
}
void require(int result, char const* what) {
  if (result <= 0) throw std::runtime_error{what};
}
std::string text_of(memory const& from) {
  char* data = nullptr;
  auto const size = ::BIO_ctrl(from.get(), BIO_CTRL_INFO, 0, static_cast<void*>(&data));
  return {data, static_cast<std::size_t>(size)};
}
void extend(X509* one, int kind, std::string const& value) {
  owned<X509_EXTENSION, ::X509_EXTENSION_free> const extension{
      required(::X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()), "names of a certificate")};
  require(::X509_add_ext(one, extension.get(), -1), "an extension of a certificate");
}
net::const_buffer bytes_of(std::string const& text) { return net::buffer(text); }

}  // namespace

certificate make_certificate(std::string const& names, int days) {
  owned<EVP_PKEY_CTX, ::EVP_PKEY_CTX_free> const maker{required(::EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nullptr), "a key")};
  EVP_PKEY* made = nullptr;
  require(::EVP_PKEY_keygen_init(maker.get()), "a key");
  require(::EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker.get(), NID_X9_62_prime256v1), "a key's curve");
  require(::EVP_PKEY_keygen(maker.get(), &made), "a key");
  owned<EVP_PKEY, ::EVP_PKEY_free> const key{made};

  owned<X509, ::X509_free> const one{required(::X509_new(), "a certificate")};
  require(::X509_set_version(one.get(), 2), "a certificate's version");
  require(::ASN1_INTEGER_set(::X509_get_serialNumber(one.get()), 1), "a certificate's number");
  long const day = 24L * 60 * 60;
  ::X509_gmtime_adj(::X509_getm_notBefore(one.get()), days > 0 ? -day : 2 * days * day);
  ::X509_gmtime_adj(::X509_getm_notAfter(one.get()), days * day);
  require(::X509_set_pubkey(one.get(), key.get()), "a certificate's key");
  auto* const subject = ::X509_get_subject_name(one.get());
  std::array<unsigned char, 5> name{'d', 'e', 'm', 'o', 0};
  require(::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, name.data(), 4, -1, 0), "a certificate's subject");
  require(::X509_set_issuer_name(one.get(), subject), "a certificate's issuer");
  extend(one.get(), NID_subject_alt_name, names);
  extend(one.get(), NID_basic_constraints, "critical,CA:TRUE");
  require(::X509_sign(one.get(), key.get(), ::EVP_sha256()), "a certificate's signature");

  memory const pem{required(::BIO_new(::BIO_s_mem()), "memory")};
  memory const key_pem{required(::BIO_new(::BIO_s_mem()), "memory")};
  require(::PEM_write_bio_X509(pem.get(), one.get()), "a certificate in PEM");
  require(::PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr), "a key in PEM");
  return {text_of(pem), text_of(key_pem)};
}

class tls_front::impl {
 public:
  impl(certificate const& by, std::uint16_t behind, settings how) : how_{std::move(how)}, behind_{behind} {
    trusted_.use_certificate_chain(bytes_of(by.pem));
    trusted_.use_private_key(bytes_of(by.key), net::ssl::context::pem);
    if (!how_.protocol.empty()) ::SSL_CTX_set_alpn_select_cb(trusted_.native_handle(), &impl::choose, this);
    acceptor_.open(tcp::v4());
    acceptor_.set_option(tcp::acceptor::reuse_address{true});
    acceptor_.bind({net::ip::address_v4::loopback(), how_.port});
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
    net::co_spawn(io_, accept(), &impl::ended);
    thread_ = std::thread{[this] { io_.run(); }};
  }
  ~impl() {
    io_.stop();
    thread_.join();
  }
  impl(impl const&) = delete;
  impl& operator=(impl const&) = delete;

  [[nodiscard]] std::string asked_name() const {
    std::lock_guard const lock{mutex_};
    return asked_name_;
  }

  std::uint16_t port_ = 0;
  std::atomic<std::size_t> connections_ = 0;
  std::atomic<std::size_t> handshakes_ = 0;

 private:
  struct session {
    session(tcp::socket socket, net::ssl::context& by) : near{std::move(socket), by}, far{near.get_executor()} {}
    net::ssl::stream<tcp::socket> near;
    tcp::socket far;
  };
  using shared_session = std::shared_ptr<session>;

  static void ended(std::exception_ptr const& /*why: the other side is gone*/) {}
  static int choose(SSL* /*of*/, unsigned char const** out, unsigned char* size, unsigned char const* offered,
                    unsigned count, void* self) {
    auto const& wanted = static_cast<impl*>(self)->how_.protocol;
    for (unsigned i = 0; i < count; i += offered[i] + 1U) {
      std::string const one(offered + i + 1, offered + i + 1 + offered[i]);
      if (one != wanted) continue;
      *out = offered + i + 1;
      *size = offered[i];
      return SSL_TLSEXT_ERR_OK;
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }

  net::awaitable<void> accept() {
    for (;;) {
      auto socket = co_await acceptor_.async_accept(net::use_awaitable);
      ++connections_;
      socket.set_option(tcp::no_delay{true});
      net::co_spawn(io_, serve(std::make_shared<session>(std::move(socket), trusted_)), &impl::ended);
    }
  }
  net::awaitable<void> serve(shared_session one) {
    co_await one->near.async_handshake(net::ssl::stream_base::server, net::use_awaitable);
    ++handshakes_;
    auto const* const name = ::SSL_get_servername(one->near.native_handle(), TLSEXT_NAMETYPE_host_name);
    {
      std::lock_guard const lock{mutex_};
      asked_name_ = name != nullptr ? name : "";
    }
    co_await one->far.async_connect({net::ip::address_v4::loopback(), behind_}, net::use_awaitable);
    one->far.set_option(tcp::no_delay{true});
    net::co_spawn(io_, forward(one), [one](std::exception_ptr const&) { one->far.close(); });
    co_await answer(one);
  }
  static net::awaitable<void> forward(shared_session one) {
    std::array<char, 4096> part{};
    for (;;) {
      auto const size = co_await one->near.async_read_some(net::buffer(part), net::use_awaitable);
      co_await net::async_write(one->far, net::buffer(part, size), net::use_awaitable);
    }
  }
  net::awaitable<void> answer(shared_session one) const {
    std::array<char, 4096> part{};
    boost::system::error_code end;
    while (!end) {
      auto const size =
          co_await one->far.async_read_some(net::buffer(part), net::redirect_error(net::use_awaitable, end));
      if (!end) co_await net::async_write(one->near, net::buffer(part, size), net::use_awaitable);
    }
    if (how_.announces_the_end && end == net::error::eof) {
      boost::system::error_code ignored;
      co_await one->near.async_shutdown(net::redirect_error(net::use_awaitable, ignored));
    }
    one->near.lowest_layer().close();
  }

  settings how_;
  std::uint16_t behind_;
  mutable std::mutex mutex_;
  std::string asked_name_;
  net::ssl::context trusted_{net::ssl::context::tls_server};
  net::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  std::thread thread_;
};

tls_front::tls_front(certificate const& by, std::uint16_t behind, settings how)
    : impl_{std::make_unique<impl>(by, behind, std::move(how))} {}
tls_front::~tls_front() = default;
std::uint16_t tls_front::port() const noexcept { return impl_->port_; }
std::size_t tls_front::connections() const noexcept { return impl_->connections_; }
std::size_t tls_front::handshakes() const noexcept { return impl_->handshakes_; }
std::string tls_front::asked_name() const { return impl_->asked_name(); }

}  // namespace demo
