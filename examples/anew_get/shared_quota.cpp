// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include <curl/curl.h>

#ifdef ANEW_GET_HAS_TLS
#include "anew/bridges/redis/redis_tls.hpp"
#endif

#include "shared_quota.hpp"
#include "url_handle.hpp"

namespace anew_get {

namespace {

constexpr std::string_view shm = "shm:";

/// `key=value&key=value` after the `?`.
class parameters {
 public:
  parameters(std::string_view query, std::vector<std::string_view> const& known) {
    while (!query.empty()) {
      auto const end = std::min(query.find('&'), query.size());
      add(query.substr(0, end), known);
      query.remove_prefix(std::min(end + 1, query.size()));
    }
  }

  [[nodiscard]] std::string text(std::string_view key, std::string by_default) const {
    for (auto const& [name, value] : all_) {
      if (name == key) return value;
    }
    return by_default;
  }

  [[nodiscard]] bool has(std::string_view key) const {
    return std::any_of(all_.begin(), all_.end(), [key](auto const& one) { return one.first == key; });
  }

  [[nodiscard]] std::uint32_t number(std::string_view key, std::uint32_t by_default) const {
    auto const text = this->text(key, std::to_string(by_default));
    std::uint32_t value{};
    auto const [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size()) {
      throw quota_error{std::string{key} + " must be a whole number from 0 to 4294967295, and is '" + text + "'"};
    }
    return value;
  }

 private:
  void add(std::string_view pair, std::vector<std::string_view> const& known) {
    auto const equals = std::min(pair.find('='), pair.size());
    std::string key{pair.substr(0, equals)};
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string all;
      for (auto const name : known) all.append(all.empty() ? "" : ", ").append(name);
      throw quota_error{"there is no parameter '" + key + "'; there are: " + all};
    }
    for (auto const& [name, value] : all_) {
      if (name == key) throw quota_error{"the parameter '" + key + "' is given twice"};
    }
    all_.emplace_back(std::move(key), unescaped(pair.substr(std::min(equals + 1, pair.size()))));
  }

  static std::string unescaped(std::string_view text) {
    for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
      if (text.substr(i + 1, 2).find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos ||
          i + 2 >= text.size() || text.substr(i + 1, 1) < "2" || text.substr(i, 3) == "%7f" ||
          text.substr(i, 3) == "%7F") {
        throw quota_error{"'%' must be followed by two hexadecimal digits of a printable character: '" +
                          std::string{text} + "'"};
      }
    }
    int size = 0;
    char* const read = curl_easy_unescape(nullptr, text.data(), static_cast<int>(text.size()), &size);
    std::string const copy{read, static_cast<std::size_t>(size)};
    curl_free(read);
    return copy;
  }

  std::vector<std::pair<std::string, std::string>> all_;
};

shared_quota open_on_host(std::string_view text) {
  auto const question = std::min(text.find('?'), text.size());
  parameters const given{text.substr(std::min(question + 1, text.size())), {"capacity"}};
  return shared_quota{anew::process::token_bucket{text.substr(0, question), given.number("capacity", 500)}};
}

#ifdef ANEW_GET_HAS_REDIS
anew::when_redis_is_away away_of(std::string const& text) {
  if (text == "refuse") return anew::when_redis_is_away::refuse;
  if (text == "share") return anew::when_redis_is_away::share;
  if (text == "grant") return anew::when_redis_is_away::grant;
  throw quota_error{"away must be one of refuse|share|grant, and is '" + text + "'"};
}

std::uint32_t database_of(std::string const& path) {
  if (path.empty() || path == "/") return 0;
  std::uint32_t database{};
  auto const [rest, error] = std::from_chars(path.data() + 1, path.data() + path.size(), database);
  if (error != std::errc{} || rest != path.data() + path.size()) {
    throw quota_error{"the path must be the number of a database, such as /0, and is '" + path + "'"};
  }
  return database;
}

/// libcurl gives no part that holds a control character.
std::string unescaped_part(url_handle const& url, CURLUPart which, std::string const& name) {
  auto text = url.part(which, CURLU_URLDECODE);
  if (text.empty() && !url.part(which).empty())
    throw quota_error{"the " + name + " holds an escaped control character"};
  return text;
}

shared_quota open_on_redis(url_handle const& url) {
  if (!url.part(CURLUPART_FRAGMENT).empty()) throw quota_error{"a URL of Redis has no part after '#'; write it as %23"};
  auto const query = url.part(CURLUPART_QUERY);
  parameters const given{query, {"name", "capacity", "away", "processes"}};
  anew::redis_settings s;
  s.name = given.text("name", "anew-get");
  s.host = url.part(CURLUPART_HOST);
  if (s.host.starts_with('[')) s.host = s.host.substr(1, s.host.size() - 2);
  auto const port = url.part(CURLUPART_PORT);
  if (!port.empty()) s.port = static_cast<std::uint16_t>(std::stoul(port));
  s.user = unescaped_part(url, CURLUPART_USER, "user");
  s.password = unescaped_part(url, CURLUPART_PASSWORD, "password");
  if (auto const* const password = std::getenv("REDISCLI_AUTH"); password != nullptr && s.password.empty())
    s.password = password;
  s.database = database_of(url.part(CURLUPART_PATH));
  if (url.part(CURLUPART_SCHEME) == "rediss") {
#ifdef ANEW_GET_HAS_TLS
    s.tls = anew::redis_tls{};  // the CAs of the system, or those of SSL_CERT_FILE
#else
    throw quota_error{"this anew-get was built without TLS for Redis; install libssl-dev and build it again"};
#endif
  }
  s.capacity = given.number("capacity", 500);
  s.first = s.capacity;
  s.lease = std::min(s.lease, s.capacity);
  s.away = away_of(given.text("away", "refuse"));
  bool const shares = s.away == anew::when_redis_is_away::share;
  if (shares != given.has("processes")) {
    throw quota_error{shares ? "away=share needs processes=N: how many processes share the budget"
                             : "processes=N is for away=share"};
  }
  s.processes = given.number("processes", 1);
  return shared_quota{anew::shared{anew::redis_bucket{s}}};
}
#endif

shared_quota open_by_url(std::string const& text) {
  if (text.find(":///") != std::string::npos) throw quota_error{"a URL of Redis names a host: redis://HOST"};
  url_handle url;
  auto const code = curl_url_set(url.get, CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code != CURLUE_OK) {
    throw quota_error{
        std::string{curl_url_strerror(code)} +
        (text.find('@') == std::string::npos ? "" : "; write '@', ':' and '/' of a password as %40, %3A and %2F")};
  }
  auto const scheme = url.part(CURLUPART_SCHEME);
  if (scheme != "redis" && scheme != "rediss") throw quota_error{"a URL begins with redis://"};
#ifdef ANEW_GET_HAS_REDIS
  return open_on_redis(url);
#else
  throw quota_error{"this anew-get was built without hiredis; install libhiredis-dev and build it again"};
#endif
}

}  // namespace

retry_quota quota_for(std::optional<shared_quota> const& handle) {
  if (!handle) return retry_quota{anew::token_bucket{500}};
  return std::visit([](auto const& of) { return retry_quota{of}; }, *handle);
}

bool is_shared_quota(std::string_view text) {
  return text.starts_with(shm) || text.find("://") != std::string_view::npos;
}

shared_quota open_shared_quota(std::string const& text) {
  try {
    if (text.starts_with(shm)) return open_on_host(std::string_view{text}.substr(shm.size()));
    return open_by_url(text);
  } catch (quota_error const&) {
    throw;
  } catch (std::invalid_argument const& e) {  // of a policy's constructor
    throw quota_error{e.what()};
  } catch (anew::process::file_error const& e) {
    throw quota_error{e.what()};
  }
}

}  // namespace anew_get
