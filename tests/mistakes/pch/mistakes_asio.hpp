// SPDX-License-Identifier: BSL-1.0
// See mistakes.hpp; these read all of Asio.
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
