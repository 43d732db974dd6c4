// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"
#include "anew/policies.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

#include "easy_handle.hpp"
#include "http2_peer.hpp"
#include "length.hpp"
#include "pinned.hpp"
#include "scripted_peer.hpp"
#include "support/tls_front.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace curl_http2_test {
namespace {

using namespace std::chrono_literals;
using anew::curl::ended_call, anew::curl::multi_retry;
using anew::stop_reason;
using demo::tls_front;
using support::http2_peer, support::http2_reaction, support::http2_request;
namespace peer = support::peer;

template <int Attempts>
using strategy = anew::strategy<anew::curl::classifier<>, anew::exponential_backoff<1ms, 20ms>, anew::full_jitter,
                                anew::max_attempts<Attempts>, anew::unlimited_quota, anew::attempt_timeout<1min>>;

demo::certificate const& certificate() {
  static auto const made = demo::make_certificate("IP:127.0.0.1");
  return made;
}
tls_front::settings speaks_http2(std::uint16_t port = 0) { return {.port = port, .protocol = "h2"}; }

/// A POST that the server identifies by its path and its body.
struct post : support::easy_handle {
  post(std::uint16_t port, std::string const& id)
      : support::easy_handle{"https://127.0.0.1:" + std::to_string(port) + "/" + id} {
    curl_easy_setopt(get(), CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(get(), CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(get(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    curl_easy_setopt(get(), CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(get(), CURLOPT_COPYPOSTFIELDS, id.c_str());
  }
};

/// The body is the handle's own, which libcurl keeps.
void add(multi_retry<>& calls, CURL* easy, auto const& policy, bool is_idempotent, auto done) {
  auto prepare = anew::curl::with_upload(anew::curl::own_body);
  is_idempotent ? calls.add(easy, policy, anew::idempotent(std::move(prepare)), std::move(done))
                : calls.add(easy, policy, std::move(prepare), std::move(done));
}

struct verdict {
  stop_reason reason;
  std::uint32_t attempts;
  unsigned arrived;
  unsigned executed;
  bool operator==(verdict const&) const = default;
};
std::ostream& operator<<(std::ostream& out, verdict const& v) {
  return out << to_string(v.reason) << ", attempts " << v.attempts << ", arrived " << v.arrived << ", executed "
             << v.executed;
}

TEST(CurlHttp2, AnAttemptIsOneRequestAndARefusedOneWasNotExecuted) {
  using enum http2_reaction;
  using enum stop_reason;
  struct row {
    char const* what;
    std::vector<http2_reaction> reactions;  // then the last one
    verdict undeclared;
    verdict idempotent;
  };
  for (auto const& [what, reactions, undeclared, idempotent] : {
           row{"answers", {answers}, {succeeded, 1, 1, 1}, {succeeded, 1, 1, 1}},
           row{"refuses one", {refuses, answers}, {succeeded, 2, 2, 1}, {succeeded, 2, 2, 1}},
           row{"refuses all", {refuses}, {stop_reason::attempts, 3, 3, 0}, {stop_reason::attempts, 3, 3, 0}},
           row{"refuses, then dies", {refuses, dies, answers}, {not_idempotent, 2, 2, 1}, {succeeded, 3, 3, 2}},
           row{"GOAWAY, which libcurl does not explain",
               {goes_before, answers},
               {not_idempotent, 1, 1, 0},
               {succeeded, 2, 2, 1}},
           row{"GOAWAY to come", {announces}, {succeeded, 1, 1, 1}, {succeeded, 1, 1, 1}},
           row{"another error", {breaks, answers}, {not_idempotent, 1, 1, 1}, {succeeded, 2, 2, 2}},
           row{"a busy server", {calms, answers}, {not_idempotent, 1, 1, 0}, {succeeded, 2, 2, 1}},
           row{"dies", {dies, answers}, {not_idempotent, 1, 1, 1}, {succeeded, 2, 2, 2}},
       }) {
    for (bool const is_idempotent : {false, true}) {
      for (bool const is_kept : {false, true}) {
        http2_peer there{[&, n = std::size_t{0}](http2_request const& request) mutable {
          if (request.body == "first") return answers;
          return reactions[std::min(n++, reactions.size() - 1)];
        }};
        tls_front const front{certificate(), there.port(), speaks_http2()};
        multi_retry calls;
        calls.share_http2();
        strategy<3> const policy{};
        post const first{front.port(), "first"};
        post const second{front.port(), "second"};
        if (is_kept) add(calls, first.get(), policy, true, [](ended_call const&) {});
        calls.run();
        ended_call end;
        add(calls, second.get(), policy, is_idempotent, [&](ended_call const& ended) { end = ended; });
        calls.run();
        verdict const seen{end.reason, end.attempts, there.arrived()["second"], there.executed()["second"]};
        EXPECT_EQ(seen, is_idempotent ? idempotent : undeclared)
            << what << (is_kept ? ", kept, code " : ", code ") << end.last.code;
        if (std::string{what} != "refuses all") continue;
        EXPECT_EQ(end.last.code, CURLE_HTTP2_STREAM);
        EXPECT_FALSE(end.last.sent);
      }
    }
  }
}

TEST(CurlHttp2, TheCallbackOfAProgramIsTakenOnlyIfYouShare) {
  for (bool const shares : {false, true}) {
    http2_peer there{[](http2_request const&) { return http2_reaction::refuses; }};
    tls_front const front{certificate(), there.port(), speaks_http2()};
    post const one{front.port(), "one"};
    unsigned asked = 0;
    auto const count = [](void* to, char*, char*, int, int) {
      ++*static_cast<unsigned*>(to);
      return CURL_PREREQFUNC_OK;
    };
    curl_easy_setopt(one.get(), CURLOPT_PREREQFUNCTION, static_cast<curl_prereq_callback>(count));
    curl_easy_setopt(one.get(), CURLOPT_PREREQDATA, &asked);
    multi_retry calls;
    calls.share_http2(shares);
    strategy<1> const policy{};
    ended_call end;
    add(calls, one.get(), policy, false, [&](ended_call const& ended) { end = ended; });
    calls.run();
    EXPECT_EQ(there.total(), shares ? 1U : 6U);  // libcurl's own repetitions
    EXPECT_EQ(asked, shares ? 0U : 6U);
    EXPECT_EQ(end.last.code, shares ? CURLE_HTTP2_STREAM : CURLE_RECV_ERROR);
    EXPECT_EQ(end.last.sent, !shares);
  }
}

TEST(CurlHttp2, UndeclaredRequestsShareAConnectionIfTheyMay) {
  for (bool const shares : {false, true}) {
    // Each fourth is refused: the others on its connection go on.
    http2_peer there{[shares](http2_request const& request) {
      return shares && request.total % 4 == 0 ? http2_reaction::refuses : http2_reaction::answers;
    }};
    tls_front const front{certificate(), there.port(), speaks_http2()};
    multi_retry calls;
    calls.share_http2(shares);
    strategy<9> const policy{};
    std::vector<std::unique_ptr<post>> posts;
    unsigned succeeded = 0;
    for (int i = 0; i < 20; ++i) {
      auto const& one = *posts.emplace_back(std::make_unique<post>(front.port(), std::to_string(i)));
      add(calls, one.get(), policy, false, [&](ended_call const& end) { succeeded += end.has_value() ? 1U : 0U; });
    }
    EXPECT_EQ(calls.run(), CURLM_OK);
    EXPECT_EQ(succeeded, 20U);
    EXPECT_EQ(there.total(), shares ? 26U : 20U);  // 20, and the 6 that were refused
    for (auto const& [id, times] : there.executed()) EXPECT_EQ(times, 1U) << id;
    EXPECT_EQ(there.connections() < 20, shares) << there.connections();
  }
}

TEST(CurlHttp2, NoAnswerIsNoSuccess) {
  // libcurl 7.88 says CURLE_OK, and status 0, of one of those that wait when the connection goes; another one it forgets.
  http2_peer there{[](http2_request const& request) {
    return request.total == 3 ? http2_reaction::goes_before : http2_reaction::waits;
  }};
  tls_front const front{certificate(), there.port(), speaks_http2()};
  multi_retry calls;
  calls.share_http2();
  strategy<1> const policy{};
  std::vector<std::unique_ptr<post>> posts;
  std::vector<ended_call> ends;
  for (auto const* const id : {"a", "b", "c"}) {
    auto const& one = *posts.emplace_back(std::make_unique<post>(front.port(), id));
    add(calls, one.get(), policy, false, [&](ended_call const& end) {
      EXPECT_EQ(end.last.http_status, 0);
      EXPECT_FALSE(end.has_value()) << end.last.code;
      ends.push_back(end);
    });
  }
  while (ends.size() < 2) ASSERT_EQ(calls.poll(1s), CURLM_OK);
  calls.stop_all();
  EXPECT_EQ(calls.run(), CURLM_OK);
  EXPECT_EQ(ends.size(), 3U);
}

/// Makes calls, eight at a time, while the server is restarted, and compares their results with the server's ledger.
struct load {
  std::uint16_t port;
  std::function<void()> restart;
  std::function<std::map<std::string, unsigned>()> executions;

  struct call {
    post easy;
    std::string id;
    bool is_idempotent;
    unsigned ends = 0;
    ended_call end{};
  };

  void run(unsigned restarts) {
    unsigned const between = 40;
    auto const count = between * (restarts + 1);
    multi_retry calls;
    calls.share_http2();
    strategy<1000> const policy{};
    std::vector<std::unique_ptr<call>> made;
    std::size_t ended = 0;
    std::function<void()> const next = [&] {
      if (made.size() == count) return;
      auto id = std::to_string(made.size());
      auto& one = *made.emplace_back(std::make_unique<call>(call{post{port, id}, id, made.size() % 2 == 0}));
      add(calls, one.easy.get(), policy, one.is_idempotent, [&, to = &one](ended_call const& end) {
        ++to->ends;
        to->end = end;
        ++ended;
        next();
      });
    };
    for (int i = 0; i < 8; ++i) next();
    std::size_t attempts = 0;
    for (unsigned done = 0; !calls.empty();) {
      ASSERT_EQ(calls.poll(1s), CURLM_OK);
      if (done == restarts || ended < std::size_t{between} * (done + 1)) continue;
      ++done;
      restart();  // while eight requests are in flight
    }
    auto const ledger = executions();
    std::size_t unsure = 0;
    for (auto const& one : made) {
      auto const found = ledger.find(one->id);
      auto const executed = found == ledger.end() ? 0U : found->second;
      attempts += one->end.attempts;
      EXPECT_EQ(one->ends, 1U) << one->id;
      EXPECT_LE(executed, one->is_idempotent ? one->end.attempts : 1U) << one->id;
      if (one->end.has_value()) {
        EXPECT_GE(executed, 1U) << one->id << ": code " << one->end.last.code << " of " << one->end.last.http_status;
        continue;
      }
      ++unsure;
      EXPECT_FALSE(one->is_idempotent) << one->id << ": code " << one->end.last.code;
      EXPECT_EQ(one->end.reason, stop_reason::not_idempotent) << one->id << ": code " << one->end.last.code;
    }
    EXPECT_EQ(made.size(), count);
    EXPECT_GT(attempts + unsure, made.size()) << "no restart was felt";
    std::printf("%u restarts, %zu calls, %zu attempts, %zu undeclared calls broken off\n", restarts, made.size(),
                attempts, unsure);
  }
};
unsigned restarts() { return support::is_full_length() ? 50 : 3; }

TEST(CurlHttp2, NoCallIsLostAndNoneRunsTwiceWhileTheServerIsKilled) {
  http2_peer ledger{[](http2_request const& request) {
    return request.total % 10 == 0 ? http2_reaction::refuses : http2_reaction::answers;
  }};
  auto front = std::make_unique<tls_front>(certificate(), ledger.port(), speaks_http2());
  auto const port = front->port();
  auto const restart = [&] {
    front.reset();
    front = std::make_unique<tls_front>(certificate(), ledger.port(), speaks_http2(port));
  };
  load{port, restart, [&] { return ledger.executed(); }}.run(restarts());
}

#ifdef ANEW_NGINX
/// nginx with HTTP/2 over TLS, before a server that keeps the ledger.
class nginx : support::pinned {
 public:
  nginx(std::uint16_t port, std::uint16_t behind) {
    std::string name = (std::filesystem::temp_directory_path() / "anew-nginx-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error{errno, std::generic_category(), "mkdtemp"};
    folder_ = name;
    std::ofstream{folder_ / "cert.pem"} << certificate().pem;
    std::ofstream{folder_ / "key.pem"} << certificate().key;
    std::ofstream{folder_ / "nginx.conf"}
        << "daemon off; worker_processes 1; pid pid; error_log error.log;\n"
        << (::geteuid() == 0 ? "user root;\n" : "") << "events { worker_connections 256; }\nhttp {\n"
        << "access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;\n"
        << "uwsgi_temp_path uwsgi; scgi_temp_path scgi; keepalive_requests 25;\n"
        << "server { listen 127.0.0.1:" << port
        << " ssl http2; ssl_certificate cert.pem; ssl_certificate_key key.pem;\n"
        << "location / { proxy_pass http://127.0.0.1:" << behind << "; proxy_next_upstream off; } } }\n";
    start();
  }
  ~nginx() {
    kill_all();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  /// New workers; the old ones finish what they have, and send GOAWAY.
  void reload() const { ::kill(process_, SIGHUP); }
  void kill_and_start() {
    kill_all();
    start();
  }

 private:
  void start() {
    std::string program{ANEW_NGINX}, prefix{folder_.string()}, config{"nginx.conf"}, p{"-p"}, c{"-c"}, e{"-e"},
        errors{(folder_ / "error.log").string()};
    char* const words[] = {program.data(), p.data(), prefix.data(), c.data(),
                           config.data(),  e.data(), errors.data(), nullptr};
    posix_spawnattr_t group;
    ::posix_spawnattr_init(&group);
    ::posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&group, 0);
    if (::posix_spawn(&process_, program.c_str(), nullptr, &group, words, environ) != 0) {
      throw std::system_error{errno, std::generic_category(), "nginx"};
    }
    ::posix_spawnattr_destroy(&group);
  }
  void kill_all() const {
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  std::filesystem::path folder_;
  pid_t process_ = -1;
};

TEST(CurlHttp2, NoCallIsLostAndNoneRunsTwiceWhileNginxIsReloadedAndKilled) {
  support::peer_script const answers{peer::read_request(),
                                     peer::send("HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello"), peer::again()};
  support::scripted_peer ledger{{answers}};
  auto const port = tls_front{certificate(), ledger.port()}.port();
  nginx server{port, ledger.port()};
  unsigned made = 0;
  auto const restart = [&] { ++made % 2 == 0 ? server.kill_and_start() : server.reload(); };
  auto const executions = [&] {
    std::map<std::string, unsigned> all;
    for (auto const& request : ledger.requests()) ++all[request.target.substr(1)];
    return all;
  };
  load{port, restart, executions}.run(restarts());
}
#endif

}  // namespace
}  // namespace curl_http2_test
