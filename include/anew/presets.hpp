// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_HPP
#define ANEW_PRESETS_HPP

/// The strategies that others published: AWS, Azure, Envoy, Google Cloud, gRPC, Smithy, Step Functions.
#include "anew/presets/aws.hpp"
#include "anew/presets/azure.hpp"
#include "anew/presets/bounded.hpp"
#include "anew/presets/envoy.hpp"
#include "anew/presets/google_cloud.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/http.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/presets/waiter.hpp"

#endif
