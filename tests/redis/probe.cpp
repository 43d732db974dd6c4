// SPDX-License-Identifier: BSL-1.0
// A process with one bucket on a real Redis. For each line that it reads it asks for a retry until Redis grants or
// refuses one, or is away, and prints what became of it.
//
//     redis_probe HOST PORT CAPACITY [CA CERTIFICATE KEY NAME]    TLS with the last four; "-" is an empty one
//     redis_probe NAMES 0 CAPACITY                                the file NAMES has the port that the name points to
#include <netdb.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "anew/bridges/redis/internal/fleet_bucket.hpp"
#include "anew/bridges/redis/internal/socket.hpp"
#include "anew/bridges/redis/redis_bucket.hpp"
#include "anew/bridges/redis/redis_settings.hpp"
#include "anew/bridges/redis/redis_tls.hpp"

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

std::string names;

anew::detail::addresses_found look_up(std::string const& host, std::uint16_t port, int flags) {
  if (host != "redis.test" || flags == AI_NUMERICHOST) return anew::detail::resolve(host, port, flags);
  std::ifstream file{names};
  file >> port;
  return anew::detail::resolve("127.0.0.1", port, AI_NUMERICHOST);
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> const args(words + 1, words + count);
  anew::redis_settings by;
  by.name = "probe";
  bool const is_name = args.at(1) == "0";
  if (is_name) names = args[0];
  by.host = is_name ? "redis.test" : args[0];
  if (!is_name) by.port = static_cast<std::uint16_t>(std::stoul(args[1]));
  by.capacity = static_cast<std::uint32_t>(std::stoul(args.at(2)));
  by.first = by.capacity;
  by.lease = by.costs.transient;
  by.patience = 10s;
  by.lease_for = 1ms;
  if (args.size() == 7) {
    auto const given = [&args](std::size_t at) { return args[at] == "-" ? std::string{} : args[at]; };
    auto const ca = given(3);
    auto const certificate = given(4);
    auto const key = given(5);
    // [tls]
    by.tls = anew::redis_tls{.ca_file = ca, .certificate_file = certificate, .key_file = key};
    // [/tls]
    if (args[6] != "-") by.tls = anew::redis_tls{ca, certificate, key, args[6]};
  }
  anew::detail::fleet_bucket<anew::detail::redis_socket> bucket{anew::detail::checked(by),
                                                                anew::detail::redis_socket{by, look_up}};
  for (std::string line; std::getline(std::cin, line);) {
    auto const begun = steady_clock::now();
    auto const now = [] { return anew::time_point{steady_clock::now()}; };
    auto const lost = bucket.lost();
    bool is_granted = false;
    // "heal": until it is granted; else also until it is away.
    while (!is_granted && steady_clock::now() - begun < 20s && (line == "heal" || !bucket.is_away())) {
      std::this_thread::sleep_for(1ms);
      auto const permit = bucket.try_acquire(anew::failure{}, now());
      if (!permit) continue;
      auto answer = bucket.settle(*permit, now());
      for (; !answer.pass && answer.wait > 0ns; answer = bucket.settle(*permit, now()))
        std::this_thread::sleep_for(1ms);
      is_granted = answer.pass.has_value();
      if (!is_granted) bucket.release(*permit);
    }
    auto const took = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - begun);
    std::cout << (is_granted ? "granted" : "away") << '\t' << took.count() << '\t' << bucket.lost() - lost << '\t'
              << bucket.last_error() << std::endl;
  }
  return 0;
}
