// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <new>
#include <stdexcept>
#include <string_view>

#include <boost/asio/io_context.hpp>
#include <boost/beast/core/string.hpp>
#include <curl/curl.h>

#include "anew/base/platform/version.hpp"

#include "target.hpp"
#include "tls.hpp"

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

/// Whether the user gives this field.
bool names(std::vector<std::string> const& lines, std::string_view name) {
  return std::any_of(lines.begin(), lines.end(), [name](std::string_view line) {
    return boost::beast::iequals(name, line.substr(0, line.find(':')));
  });
}

/// As for curl: 'Name:' takes a field away.
bool has_value(std::string_view line) {
  return line.substr(line.find(':') + 1).find_first_not_of(" \t") != std::string_view::npos;
}

}  // namespace

std::optional<std::string> fault_of_url(std::string const& url) {
  parsed_url const parsed{url};
  if (url.find("://") == std::string::npos) return "a URL begins with http:// or https://";
  if (parsed.fault() != CURLUE_OK) return curl_url_strerror(parsed.fault());
  auto const scheme = parsed.part(CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return "a URL begins with http:// or https://";
  if (scheme == "https" && !has_tls) return "this anew-load was built without OpenSSL; it calls http:// alone";
  if (parsed.part(CURLUPART_HOST).empty()) return "there is no host in it";
  if (!parsed.part(CURLUPART_USER).empty()) return "a name and a password go into --header 'Authorization: ...'";
  return std::nullopt;
}

namespace {

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
  auto const own_host = explicit_port.empty() ? written_host : written_host + ":" + explicit_port;
  auto& text = to.request;
  text.append(what.method).append(" ").append(path).append(" HTTP/1.1\r\n");
  auto const add = [&](std::string const& name, std::string const& value) {
    if (!names(what.headers, name)) text.append(name).append(": ").append(value).append("\r\n");
  };
  add("Host", own_host);
  add("User-Agent", "anew-load/" ANEW_VERSION_STRING);
  add("Accept", "*/*");
  auto const before_fields = text.size();
  for (auto const& line : what.headers) {
    if (has_value(line)) text.append(line).append("\r\n");
  }
  bool const has_body = what.data || what.method == "POST" || what.method == "PUT" || what.method == "PATCH";
  auto const body = what.data.value_or("");
  if (has_body && !names(what.headers, "Transfer-Encoding")) add("Content-Length", std::to_string(body.size()));
  text.append("\r\n").append(body);
  to.closing_request = text;
  if (!names(what.headers, "Connection")) to.closing_request.insert(before_fields, "Connection: close\r\n");
  to.is_head = what.method == "HEAD";
  to.is_encrypted = parsed.part(CURLUPART_SCHEME) == "https";
  to.host = host;
  return to;
}

}  // namespace

std::vector<target> targets_of(std::vector<std::string> const& urls, asked const& what) {
  std::vector<target> all;
  std::vector<std::string> origins;
  for (auto const& url : urls) {
    parsed_url const parsed{url};
    auto const origin = parsed.part(CURLUPART_SCHEME) + "://" + parsed.part(CURLUPART_HOST) + ":" +
                        parsed.part(CURLUPART_PORT, CURLU_DEFAULT_PORT);
    auto const known = std::find(origins.begin(), origins.end(), origin);
    all.push_back(target_of(url, what));
    all.back().origin = static_cast<std::size_t>(known - origins.begin());
    if (known == origins.end()) origins.push_back(origin);
  }
  return all;
}

}  // namespace anew_load
