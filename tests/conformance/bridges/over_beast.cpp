// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/beast.hpp"

#include "verdict.hpp"

namespace bridges {
namespace {

namespace http = boost::beast::http;
using reads = anew::beast::classifier<>;
using exchange = anew::beast::connection::exchange_type;

constexpr std::chrono::seconds watchdog{20};

}  // namespace

verdict over_beast(call const& c) {
  anew::testing::recorder::heard heard;
  auto const twice = strategy_for<reads>(c, heard);
  boost::asio::io_context io;
  anew::beast::connection to_server{io.get_executor(), c.host, std::to_string(c.port)};
  http::request<http::string_body> request{http::string_to_verb(c.method), c.target, 11};
  request.set(http::field::host, "127.0.0.1");
  if (c.drops_the_body) to_server.body_limit(std::numeric_limits<std::uint64_t>::max());
  if (c.method == "POST") request.body().assign(c.payload, 'x');
  request.prepare_payload();
  std::optional<exchange> result;
  auto const ask = [&](anew::attempt& attempt, auto token) {
    return to_server.async_request(attempt, request, std::move(token));
  };
  auto const keep = [&](exchange end) { result = std::move(end); };
  watch const since;
  if (c.is_idempotent) {
    anew::async_retry(io, twice, anew::idempotent(ask), keep);
  } else {
    anew::async_retry(io, twice, ask, keep);
  }
  io.run_for(watchdog);
  auto v = read(heard, result ? result->http_status : 0);
  v.took = since.elapsed();
  if (result && result->has_value()) v.body = result->response.body();
  if (result) v.detail = result->code ? result->code.message() : "";
  return v;
}

}  // namespace bridges
