// SPDX-License-Identifier: BSL-1.0
// What each preset retries, beside what its original was read to retry: operations that are declared idempotent and those
// that are not, statuses, codes and connections. How often, after what delays and with which hints stands in the unit
// tests of the presets.
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/preset/aws.hpp"
#include "anew/preset/azure.hpp"
#include "anew/preset/envoy.hpp"
#include "anew/preset/google_cloud.hpp"
#include "anew/preset/grpc.hpp"

namespace {

using anew::aws::connection_error;
using anew::grpc::status_code;

/// A failure as each kind of client reports it.
struct failing {
  int status = 0;
  status_code code = status_code::ok;
  std::errc thrown{};
  connection_error connection = connection_error::none;
  std::string name;
};

failing status(int number) { return {.status = number, .name = std::to_string(number)}; }
failing code(status_code which) { return {.code = which, .name = std::string{to_string(which)}}; }
failing thrown(std::errc which) { return {.thrown = which, .name = std::make_error_code(which).message()}; }
failing broken(connection_error which) {
  return {.connection = which, .name = which == connection_error::not_sent ? "not sent" : "broken"};
}

/// Does the preset make a second attempt after it?
template <class Preset>
bool is_retried(failing const& what, bool is_declared_idempotent) {
  anew::with<Preset, anew::max_attempts<2>> const strategy{};
  auto const sleep = [](anew::duration) {};
  int calls = 0;
  auto const run = [&](auto operation) {
    try {
      if (is_declared_idempotent) {
        static_cast<void>(anew::retry_outcome(strategy, anew::idempotent(operation), sleep));
      } else {
        static_cast<void>(anew::retry_outcome(strategy, operation, sleep));
      }
    } catch (std::system_error const&) {
    }
  };
  using classifier = typename Preset::classifier_type;
  if constexpr (anew::ClassifierOf<classifier, anew::aws::error>) {
    struct response {
      anew::aws::error why;
      [[nodiscard]] static bool has_value() { return false; }
      [[nodiscard]] anew::aws::error const& error() const { return why; }
    };
    run([&] {
      ++calls;
      return response{{.status = what.status, .connection = what.connection}};
    });
  } else if constexpr (anew::ClassifierOf<classifier, status_code>) {
    run([&] {
      ++calls;
      return what.code;
    });
  } else {
    run([&]() -> int {
      ++calls;
      if (what.thrown != std::errc{}) throw std::system_error{std::make_error_code(what.thrown)};
      return what.status;
    });
  }
  return calls == 2;
}

/// `declared` and `not_declared`: is it retried by the original? A preset differs where it asks for `idempotent` and the
/// original does not ask.
enum class difference { none, asks_for_idempotent };
struct row {
  failing what;
  bool declared;
  bool not_declared;
  difference differs = difference::none;
};

template <class Preset>
void expect(std::string const& preset, std::vector<row> const& rows) {
  for (auto const& each : rows) {
    SCOPED_TRACE(preset + ": " + each.what.name);
    EXPECT_EQ(is_retried<Preset>(each.what, true), each.declared);
    bool const expected = each.not_declared && each.differs == difference::none;
    EXPECT_EQ(is_retried<Preset>(each.what, false), expected);
  }
}

constexpr auto careful = difference::asks_for_idempotent;
failing const refused = thrown(std::errc::connection_refused);
failing const reset = thrown(std::errc::connection_reset);
failing const timed_out = thrown(std::errc::timed_out);

// google-cloud-cpp, internal/retry_loop_helpers.cc: no error of a call that is not idempotent is retried.
TEST(Presets, GeneratedGoogleClients) {
  std::vector<row> const rows{
      {code(status_code::unavailable), true, false},
      {code(status_code::internal), false, false},
      {code(status_code::aborted), false, false},
      {code(status_code::deadline_exceeded), false, false},
  };
  expect<anew::google_cloud::retry_policy>("google_cloud::retry_policy", rows);
}

// gax-nodejs, *_client_config: the codes "idempotent"; the list of the other methods is empty.
TEST(Presets, Gax) {
  std::vector<row> const rows{
      {code(status_code::unavailable), true, false},
      {code(status_code::deadline_exceeded), true, false},
      {code(status_code::internal), false, false},
  };
  expect<anew::google_cloud::gax>("google_cloud::gax", rows);
}

// docs.cloud.google.com/storage/docs/retry-strategy; AlwaysRetryIdempotencyPolicy, since each request carries a token.
TEST(Presets, CloudStorage) {
  std::vector<row> const rows{
      {status(408), true, true},
      {status(429), true, true},
      {status(503), true, true},
      {status(500), true, true, careful},
      {status(502), true, true, careful},
      {status(504), true, true, careful},
      {refused, true, true},
      {reset, true, true, careful},
      {timed_out, true, true, careful},
      {status(404), false, false},
      {status(412), false, false},
      {thrown(std::errc::permission_denied), false, false},
  };
  expect<anew::google_cloud::storage>("google_cloud::storage", rows);
}

// azure-sdk-for-cpp, retry_policy.cpp: statuses, and every TransportException.
TEST(Presets, Azure) {
  std::vector<row> const rows{
      {status(408), true, true},
      {status(429), true, true},
      {status(503), true, true},
      {status(500), true, true, careful},
      {status(502), true, true, careful},
      {status(504), true, true, careful},
      {refused, true, true},
      {reset, true, true, careful},
      {timed_out, true, true, careful},
      {status(409), false, false},
      {status(501), false, false},
  };
  expect<anew::azure::retry_policy>("azure::retry_policy", rows);
}

// Envoy, retry_state_impl.cc, wouldRetryFromReset: gateway-error has the resets and the connections that failed.
TEST(Presets, Envoy) {
  std::vector<row> const rows{
      {status(503), true, true},   {status(502), true, true, careful}, {status(504), true, true, careful},
      {refused, true, true},       {reset, true, true, careful},       {status(500), false, false},
      {status(429), false, false},
  };
  expect<anew::envoy::retry_policy>("envoy::retry_policy", rows);
}

// gRPC proposal A6: a code that the service config names is retried, whatever the method did.
TEST(Presets, Grpc) {
  std::vector<row> const rows{
      {code(status_code::unavailable), true, true},
      {code(status_code::internal), false, false},
  };
  expect<anew::grpc::retry_policy<>>("grpc::retry_policy", rows);
}

// AWS SDKs and Tools reference guide: a request that must not run twice carries an idempotency token.
TEST(Presets, Aws) {
  std::vector<row> const of_2026{
      {status(500), true, true},   {status(503), true, true},   {broken(connection_error::not_sent), true, true},
      {status(429), false, false}, {status(404), false, false}, {broken(connection_error::broken), true, true},
  };
  expect<anew::aws::standard>("aws::standard", of_2026);
  std::vector<row> const of_2020{
      {status(500), true, true}, {status(429), true, true},   {broken(connection_error::not_sent), true, true},
      {status(408), true, true}, {status(404), false, false}, {broken(connection_error::broken), true, true},
  };
  expect<anew::aws::standard_2020>("aws::standard_2020", of_2020);
  expect<anew::aws::legacy>("aws::legacy", of_2020);
}

}  // namespace
