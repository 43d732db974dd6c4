// SPDX-License-Identifier: BSL-1.0
#include <new>
#include <stdexcept>

#include <boost/asio/io_context.hpp>
#include <curl/curl.h>

#include "anew/platform/version.hpp"

#include "target.hpp"

namespace anew_load {

namespace {

/// libcurl reads URLs as browsers do.
class parsed_url {
 public:
  explicit parsed_url(std::string const& url) : get_{curl_url()} {
    if (get_ == nullptr) throw std::bad_alloc{};
    fault_ = curl_url_set(get_, CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME);
  }
  ~parsed_url() { curl_url_cleanup(get_); }
  parsed_url(parsed_url const&) = delete;
  parsed_url& operator=(parsed_url const&) = delete;

  [[nodiscard]] CURLUcode fault() const { return fault_; }
  [[nodiscard]] std::string part(CURLUPart which, unsigned flags = 0) const {
    char* text = nullptr;
    if (curl_url_get(get_, which, &text, flags) != CURLUE_OK) return {};
    std::string copy{text};
    curl_free(text);
    return copy;
  }

 private:
  CURLU* get_;
  CURLUcode fault_;
};

}  // namespace

std::optional<std::string> fault_of_url(std::string const& url) {
  parsed_url const parsed{url};
  if (url.find("://") == std::string::npos) return "a URL begins with http://";
  if (parsed.fault() != CURLUE_OK) return curl_url_strerror(parsed.fault());
  if (parsed.part(CURLUPART_SCHEME) != "http") return "only http is spoken here, without encryption";
  if (parsed.part(CURLUPART_HOST).empty()) return "there is no host in it";
  if (!parsed.part(CURLUPART_USER).empty()) return "a name and a password go into --header 'Authorization: ...'";
  return std::nullopt;
}

target target_of(std::string const& url, asked const& what) {
  parsed_url const parsed{url};
  auto host = parsed.part(CURLUPART_HOST);
  auto const written_host = host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  auto const port = parsed.part(CURLUPART_PORT, CURLU_DEFAULT_PORT);

  target to;
  boost::asio::io_context io;
  boost::asio::ip::tcp::resolver resolver{io};
  boost::system::error_code error;
  for (auto const& found : resolver.resolve(host, port, error)) to.endpoints.push_back(found.endpoint());
  if (to.endpoints.empty()) throw std::runtime_error{"cannot resolve host '" + host + "'"};

  auto path = parsed.part(CURLUPART_PATH);
  if (path.empty()) path = "/";
  auto const query = parsed.part(CURLUPART_QUERY);
  if (!query.empty()) path.append("?").append(query);
  auto const explicit_port = parsed.part(CURLUPART_PORT);
  auto& text = to.request;
  text.append(what.method).append(" ").append(path).append(" HTTP/1.1\r\nHost: ").append(written_host);
  if (!explicit_port.empty()) text.append(":").append(explicit_port);
  text.append("\r\nUser-Agent: anew-load/" ANEW_VERSION_STRING "\r\nAccept: */*\r\n");
  for (auto const& line : what.headers) text.append(line).append("\r\n");
  if (what.data) text.append("Content-Length: ").append(std::to_string(what.data->size())).append("\r\n");
  text.append("\r\n").append(what.data.value_or(""));
  to.is_head = what.method == "HEAD";
  return to;
}

}  // namespace anew_load
