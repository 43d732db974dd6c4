// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_OTLP_HPP
#define ANEW_OTLP_HPP

/// Calls and their attempts as spans of OpenTelemetry, in OTLP/JSON
#include "anew/base/platform/compiler.hpp"
#include "anew/text/json/otlp_spans.hpp"

#endif
