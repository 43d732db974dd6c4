// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESET_AWS_HPP
#define ANEW_PRESET_AWS_HPP

// The retry modes of the AWS SDKs: docs/how_to/choose_an_aws_mode.md.

#include "anew/ext/amz_retry_after.hpp"
#include "anew/preset/aws/adaptive.hpp"
#include "anew/preset/aws/classifier.hpp"
#include "anew/preset/aws/codes.hpp"
#include "anew/preset/aws/error.hpp"
#include "anew/preset/aws/legacy.hpp"
#include "anew/preset/aws/mode.hpp"
#include "anew/preset/aws/numbers.hpp"
#include "anew/preset/aws/request_headers.hpp"
#include "anew/preset/aws/standard.hpp"

#endif
