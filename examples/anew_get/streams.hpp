// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_STREAMS_HPP
#define ANEW_GET_STREAMS_HPP

namespace anew_get {

/// Opens the descriptors 0 to 2 that the parent closed, so that no socket or file takes their numbers. A write to a
/// standard output that was closed fails; a write to a standard error that was closed is dropped. Call it first in
/// main().
void open_standard_streams();

/// Whether what reads the descriptor is gone: a write would fail.
[[nodiscard]] bool is_reader_gone(int descriptor);

/// As many descriptors as the system permits this process: a call needs some.
void raise_descriptor_limit();

/// The exit code of a program that is done: `code`, or 1 and a line on standard error where something that was written
/// to standard output or standard error did not arrive. The code of a signal stays: a program that is interrupted waits
/// for no reader.
[[nodiscard]] int checked(int code, char const* program);

}  // namespace anew_get

#endif
