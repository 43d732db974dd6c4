// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <curl/curl.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"

#include "verdict.hpp"

namespace bridges {
namespace {

using reads = anew::curl::classifier<>;

struct cleanup {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};

struct handle {
  explicit handle(call const& c) : easy{curl_easy_init()}, keeps{!c.drops_the_body} {
    auto const origin = (c.is_over_tls ? "https://" : "http://") + c.host + ":" + std::to_string(c.port);
    curl_easy_setopt(easy.get(), CURLOPT_URL, (origin + c.target).c_str());
    curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
    // Nobody is trusted here: to read the certificates of those who are takes longer than what is measured.
    curl_easy_setopt(easy.get(), CURLOPT_CAINFO, nullptr);
    curl_easy_setopt(easy.get(), CURLOPT_CAPATH, nullptr);
    curl_easy_setopt(easy.get(), CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(easy.get(), CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &handle::write);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, this);
    if (c.method == "HEAD") curl_easy_setopt(easy.get(), CURLOPT_NOBODY, 1L);
    if (c.method == "POST") {
      curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(c.payload));
      curl_easy_setopt(easy.get(), CURLOPT_COPYPOSTFIELDS, std::string(c.payload, 'x').c_str());
    }
  }
  static std::size_t write(char const* data, std::size_t size, std::size_t count, void* self) {
    auto& own = *static_cast<handle*>(self);
    if (own.keeps) own.body.append(data, size * count);
    return size * count;
  }
  std::unique_ptr<CURL, cleanup> easy;
  bool keeps;
  std::string body{};
};

verdict finished(handle const& h, anew::testing::recorder::heard const& heard, anew::curl::transfer const& last,
                 anew::duration took) {
  auto v = read(heard, last.http_status);
  if (last.has_value()) v.body = h.body;
  v.detail = curl_easy_strerror(last.code);
  v.took = took;
  return v;
}

}  // namespace

verdict over_curl_easy(call const& c) {
  handle h{c};
  anew::testing::recorder::heard heard;
  auto const twice = strategy_for<reads>(c, heard);
  watch const since;
  auto const perform = [&](anew::attempt& attempt, auto... declared) {
    h.body.clear();
    return anew::curl::perform(h.easy.get(), attempt, anew::curl::own_body, declared..., c.limit);
  };
  auto const again = [&](anew::attempt& attempt) { return perform(attempt, anew::idempotent_call); };
  auto const once = [&](anew::attempt& attempt) { return perform(attempt); };
  auto const last = c.is_idempotent ? anew::retry(twice, anew::idempotent(again)) : anew::retry(twice, once);
  return finished(h, heard, last, since.elapsed());
}

verdict over_curl_multi(call const& c) {
  handle h{c};
  anew::testing::recorder::heard heard;
  auto const twice = strategy_for<reads>(c, heard);
  anew::curl::multi_retry calls;
  anew::curl::transfer last{};
  auto const prepare = anew::curl::with_upload([&] { h.body.clear(); }, anew::curl::own_body);
  auto const done = [&](anew::curl::ended_call const& end) { last = end.last; };
  if (c.is_idempotent) {
    calls.add(h.easy.get(), twice, anew::idempotent(prepare), done);
  } else {
    calls.add(h.easy.get(), twice, prepare, done);
  }
  watch const since;
  calls.run();
  return finished(h, heard, last, since.elapsed());
}

}  // namespace bridges
