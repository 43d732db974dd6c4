// SPDX-License-Identifier: BSL-1.0
// prints: calls=1 reason=unclassified
// prints: Boost's system_error is not std::system_error
// Meant: Boost's system_error is the standard's.
#include <boost/system/system_error.hpp>

#include "given.hpp"

void send() { throws(boost::system::system_error{make_error_code(boost::system::errc::timed_out)}); }

int main() { print(anew::retry_outcome(thrice<anew::retry_on<std::system_error>>{}, send, no_sleep)); }
