// SPDX-License-Identifier: BSL-1.0
// chapter: Calls on Asio
// precompiled: no, because that has the header

// section: `async_retry()` without its header
// The core does not include Asio. The header uses Boost.Asio, or stand-alone Asio with `ANEW_STANDALONE_ASIO`.
// expect-error: include <anew/asio.hpp>
#include "anew/anew.hpp"
#ifndef ANEW_REJECT
#include "anew/asio.hpp"
#endif
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace header_of_asio_missing {
using patient = anew::strategy<anew::retry_all>;

void run() {
  boost::asio::io_context context;
  boost::asio::steady_timer timer{context};
  auto const wait = [&](anew::attempt& /*self*/, auto token) { return timer.async_wait(std::move(token)); };
#ifdef ANEW_REJECT  // wrong: anew/asio.hpp is not included
  anew::async_retry(patient{}, wait, [](boost::system::error_code) {});
#else  // right
  anew::async_retry(patient{}, wait, [](boost::system::error_code) {});
#endif
  context.run();
}
}  // namespace header_of_asio_missing
