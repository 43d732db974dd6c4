// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_HPP
#define ANEW_PRESETS_AWS_HPP

/// The retry modes of the AWS SDKs: docs/how_to/choose_an_aws_mode.md.

#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/aws/error.hpp"
#include "anew/presets/aws/retry_mode.hpp"
#include "anew/presets/aws/standard.hpp"

#endif
