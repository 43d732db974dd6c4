// SPDX-License-Identifier: BSL-1.0
// Many transfers on one thread, each retried: libcurl's multi interface in its own loop, then in a loop of the program.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <curl/curl.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "support/misbehaving_server.hpp"

using namespace std::chrono_literals;
using demo::step;

namespace {

// [page]
struct page {
  std::string path;
  std::string body{};
  std::string result{};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy{curl_easy_init(), &curl_easy_cleanup};
};
// [/page]

std::size_t append(char* data, std::size_t size, std::size_t count, void* into) {
  static_cast<std::string*>(into)->append(data, size * count);
  return size * count;
}

void prepare_handle(page& p, std::string const& url) {
  curl_easy_setopt(p.easy.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(p.easy.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(p.easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(p.easy.get(), CURLOPT_WRITEFUNCTION, &append);
  curl_easy_setopt(p.easy.get(), CURLOPT_WRITEDATA, &p.body);
}

// [strategy]
using patient = anew::strategy<anew::curl::classifier<>, anew::exponential_backoff<10ms, 1s>, anew::full_jitter,
                               anew::token_bucket<500>, anew::max_attempts<3>, anew::attempt_timeout<2s>>;
// [/strategy]

// [own_loop]
class own_loop {
 public:
  explicit own_loop(anew::curl::multi_retry<>& calls) : calls_{calls} {
    curl_multi_setopt(calls.native_handle(), CURLMOPT_SOCKETFUNCTION, &own_loop::watch);
    curl_multi_setopt(calls.native_handle(), CURLMOPT_SOCKETDATA, this);
  }
  own_loop(own_loop const&) = delete;
  own_loop& operator=(own_loop const&) = delete;
  ~own_loop() { curl_multi_setopt(calls_.native_handle(), CURLMOPT_SOCKETFUNCTION, nullptr); }  // of calls that remain
  void run() {
    while (!calls_.empty()) {
      std::vector<pollfd> watched;
      for (auto const& [socket, events] : sockets_) watched.push_back({socket, events, 0});
      auto const wait = std::min<anew::duration>(calls_.next_timeout(), 1min);
      ::poll(watched.data(), watched.size(),
             static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count()));
      for (auto const& [socket, asked, found] : watched) {
        int const events = ((found & POLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                           ((found & POLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                           ((found & (POLLERR | POLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
        if (events != 0 && sockets_.contains(socket)) calls_.drive(socket, events);
      }
      if (calls_.next_timeout() == 0s) calls_.drive();
    }
  }

 private:
  static int watch(CURL* /*easy*/, curl_socket_t socket, int what, void* self, void* /*of_socket*/) {
    auto& sockets = static_cast<own_loop*>(self)->sockets_;
    if (what == CURL_POLL_REMOVE) {
      sockets.erase(socket);
    } else {
      int const events = ((what & CURL_POLL_IN) != 0 ? POLLIN : 0) | ((what & CURL_POLL_OUT) != 0 ? POLLOUT : 0);
      sockets[socket] = static_cast<short>(events);
    }
    return 0;
  }

  anew::curl::multi_retry<>& calls_;
  std::map<curl_socket_t, short> sockets_;
};
// [/own_loop]

std::vector<page> make_pages(demo::misbehaving_server& server) {
  server.script("/well", {step::status(200)});
  server.script("/busy", {step::status(429), step::status(429), step::status(200)});
  server.script("/weak", {step::status(503), step::status(200)});
  server.script("/torn", {step::close_in_body(3), step::reset_before_response(), step::status(200)});
  server.script("/down", {step::status(502)});
  server.script("/gone", {step::status(404)});
  std::vector<page> pages;
  for (auto const* path : {"/well", "/busy", "/weak", "/torn", "/down", "/gone"}) pages.push_back({path});
  for (auto& p : pages) prepare_handle(p, server.url(p.path));
  return pages;
}

template <class Loop>
void fetch(char const* title, Loop loop) {
  demo::misbehaving_server server;
  auto pages = make_pages(server);
  // [calls]
  patient const strategy{};
  anew::curl::multi_retry calls;
  curl_multi_setopt(calls.native_handle(), CURLMOPT_MAXCONNECTS, 100L);  // kept for the next request
  for (auto& p : pages) {
    auto const begin_again = [&p] { p.body.clear(); };  // what an attempt left behind is not part of the page
    auto const done = [&p](anew::curl::ended_call const& end) {
      p.result.append("attempt ").append(std::to_string(end.attempts)).append(": ");
      p.result.append(std::to_string(end.last.http_status)).append(", ").append(to_string(end.reason));
    };
    calls.add(p.easy.get(), strategy, anew::idempotent(anew::rewinding([] {}, begin_again)), done);
  }
  loop(calls);
  // [/calls]
  std::printf("%s\n", title);
  for (auto const& p : pages) {
    std::printf("  %-6s %s, %zu bytes\n", p.path.c_str(), p.result.c_str(), p.body.size());
  }
  std::printf("  %zu requests over %zu connections\n", server.request_count(), server.connection_count());
}

}  // namespace

int main() {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  // [run]
  fetch("libcurl's loop", [](auto& calls) { calls.run(); });
  // [/run]
  fetch("a loop of your own", [](auto& calls) { own_loop{calls}.run(); });
  curl_global_cleanup();
}
