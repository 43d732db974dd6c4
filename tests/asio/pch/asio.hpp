// SPDX-License-Identifier: BSL-1.0
// Read once for all files of the program.
#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies.hpp"
