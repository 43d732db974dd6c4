// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_AWS_PRESET_HPP
#define ANEW_AWS_PRESET_HPP

/// The retry modes of the AWS SDKs: docs/how_to/choose_an_aws_mode.md.

#include "anew/aws/preset/adaptive.hpp"
#include "anew/aws/preset/amz_retry_after.hpp"
#include "anew/aws/preset/classifier.hpp"
#include "anew/aws/preset/code_meaning.hpp"
#include "anew/aws/preset/error.hpp"
#include "anew/aws/preset/invocation.hpp"
#include "anew/aws/preset/legacy.hpp"
#include "anew/aws/preset/numbers.hpp"
#include "anew/aws/preset/retry_mode.hpp"
#include "anew/aws/preset/standard.hpp"

#endif
