// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GRPC_HPP
#define ANEW_GRPC_HPP

/// gRPC C++: what a status means, and unary calls whose attempts each have a context of their own.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/grpc/prepare.hpp"
#include "anew/bridges/grpc/result.hpp"
#include "anew/bridges/grpc/unary.hpp"

#endif
