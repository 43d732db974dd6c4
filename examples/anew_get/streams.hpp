// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_STREAMS_HPP
#define ANEW_GET_STREAMS_HPP

namespace anew_get {

/// Opens the descriptors 0 to 2 that the parent closed, so that no socket or file takes their numbers. A write to a
/// standard output that was closed fails; a write to a standard error that was closed is dropped. Call it first in
/// main().
void open_standard_streams();

/// The exit code of a program that is done: `code`, or 1 and a line on standard error where something that was written
/// to standard output or standard error did not arrive.
[[nodiscard]] int checked(int code, char const* program);

}  // namespace anew_get

#endif
