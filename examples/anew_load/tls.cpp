// SPDX-License-Identifier: BSL-1.0
#include "option_values.hpp"
#include "tls.hpp"

#ifdef ANEW_LOAD_HAS_TLS
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <boost/asio/ip/address.hpp>
#endif

namespace anew_load {

#ifdef ANEW_LOAD_HAS_TLS

namespace ssl = boost::asio::ssl;

std::unique_ptr<tls_context> make_tls_context(std::optional<std::string> const& authorities, bool verifies) {
  auto made = std::make_unique<tls_context>(ssl::context::tls_client);
  boost::system::error_code error;
  if (authorities) {
    made->load_verify_file(*authorities, error);
    if (error) anew_get::refuse("--cacert", *authorities, "cannot read certificates in PEM from this file");
  } else if (verifies) {
    made->set_default_verify_paths(error);
  }
  made->set_verify_mode(verifies ? ssl::verify_peer : ssl::verify_none, error);
  return made;
}

void transport::begin_tls(tls_context& by, target const& to) {
  tls_.emplace(socket_, by);
  boost::system::error_code error;
  boost::asio::ip::make_address(to.host, error);
  bool const is_name = !!error;  // an address is not sent to the server
  auto* const handle = tls_->native_handle();
  if (is_name) {
    ::SSL_ctrl(handle, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(to.host.c_str()));
    ::SSL_set1_host(handle, to.host.c_str());
  } else {
    ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(handle), to.host.c_str());
  }
}

std::string transport::refusal() {
  if (!tls_) return {};
  auto const result = ::SSL_get_verify_result(tls_->native_handle());
  if (::SSL_get_verify_mode(tls_->native_handle()) == SSL_VERIFY_NONE) return {};
  if (result != X509_V_OK) return ::X509_verify_cert_error_string(result);
  return {};
}

void transport::reset() { tls_.reset(); }

#else

std::unique_ptr<tls_context> make_tls_context(std::optional<std::string> const& /*authorities*/, bool /*verifies*/) {
  return nullptr;
}
std::string transport::refusal() { return {}; }
void transport::reset() {}

#endif

}  // namespace anew_load
