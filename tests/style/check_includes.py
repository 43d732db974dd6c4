#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Each header includes what it names of the standard library, itself or by a header of ours.

    check_includes.py SOURCE_ROOT

What a standard header brings along differs between the libraries: a name that is found by chance with one of them is an
error with the next. That each header compiles alone is another test; it is made with one library.
"""
import pathlib
import re
import sys

# The names that occur often enough to be forgotten, and the headers of which any one defines them.
DEFINED_IN = {
    "optional": "optional nullopt nullopt_t in_place",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t",
    "cstddef": "size_t ptrdiff_t byte nullptr_t max_align_t",
    "string": "string to_string getline",
    "string_view": "string_view",
    "vector": "vector", "array": "array", "map": "map multimap", "unordered_map": "unordered_map", "set": "set",
    "deque": "deque", "list": "list", "span": "span", "bitset": "bitset",
    "tuple": "tuple make_tuple tie apply forward_as_tuple",
    "variant": "variant visit monostate holds_alternative get_if",
    "exception": "exception exception_ptr current_exception rethrow_exception make_exception_ptr nested_exception "
                 "rethrow_if_nested uncaught_exceptions terminate",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range domain_error length_error",
    "system_error": "error_code error_condition error_category errc system_error make_error_code "
                    "is_error_code_enum is_error_condition_enum generic_category system_category",
    "chrono": "chrono", "ratio": "ratio",
    "atomic": "atomic atomic_ref memory_order memory_order_relaxed memory_order_acquire memory_order_release "
              "atomic_thread_fence atomic_flag",
    "mutex": "mutex lock_guard unique_lock scoped_lock once_flag call_once",
    "shared_mutex": "shared_mutex shared_lock", "condition_variable": "condition_variable condition_variable_any",
    "thread": "thread jthread this_thread", "stop_token": "stop_token stop_source stop_callback",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared allocator_traits addressof construct_at",
    "functional": "function reference_wrapper ref cref hash invoke less equal_to",
    "concepts": "same_as derived_from convertible_to constructible_from copy_constructible move_constructible "
                "invocable movable copyable equality_comparable default_initializable integral floating_point",
    "type_traits": "is_same_v remove_cvref_t decay_t conditional_t enable_if_t type_identity is_void_v is_base_of_v "
                   "is_convertible_v remove_reference_t is_empty_v is_trivially_copyable_v is_enum_v true_type "
                   "false_type "
                   "integral_constant is_default_constructible_v is_invocable_v invoke_result_t underlying_type_t "
                   "is_copy_constructible_v is_move_constructible_v is_nothrow_move_constructible_v is_arithmetic_v",
    "utility": "move forward exchange declval pair index_sequence make_index_sequence index_sequence_for as_const swap "
               "unreachable in_place_t",
    "limits": "numeric_limits", "algorithm": "sort min max clamp find_if any_of all_of none_of copy fill transform",
    "cmath": "sqrt exp log pow isfinite isnan floor ceil lround llround cbrt",
    "bit": "bit_cast bit_width countl_zero countr_zero", "compare": "strong_ordering partial_ordering weak_ordering",
    "coroutine": "coroutine_handle suspend_always suspend_never coroutine_traits noop_coroutine",
    "initializer_list": "initializer_list", "charconv": "from_chars to_chars", "numeric": "accumulate",
    "cstring": "memcpy memset strlen", "sstream": "ostringstream istringstream stringstream",
    "fstream": "ifstream ofstream",
    "filesystem": "filesystem", "typeinfo": "type_info bad_cast", "future": "promise future",
}
# Headers that by the standard define what another defines too.
ALSO = {
    "cstddef": {"cstdio", "cstring", "cstdlib"}, "initializer_list": {"vector", "string", "map", "set", "array"},
    "string_view": {"string"}, "utility": {"tuple", "map", "memory", "algorithm", "functional", "variant", "optional"},
    "compare": {"utility", "string", "optional", "vector", "tuple", "chrono", "system_error"},
    "ratio": {"chrono"}, "exception": {"stdexcept", "new", "typeinfo"}, "stdexcept": {"system_error"},
    "functional": {"memory"}, "condition_variable": set(), "stop_token": {"thread"},
}
WHERE = {name: header for header, names in DEFINED_IN.items() for name in names.split()}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)


def code_of(text):
    includes = re.findall(r'#\s*include\s+([<"][^>"]+[>"])', text)
    return COMMENT.sub(" ", text), includes


def main():
    root = pathlib.Path(sys.argv[1]) / "include"
    files = {path.relative_to(root).as_posix(): code_of(path.read_text(encoding="utf-8"))
             for path in sorted(root.rglob("*.hpp"))}
    reached = {}

    def standard_headers(name):
        if name not in reached:
            reached[name] = set()
            for include in files.get(name, ("", []))[1]:
                plain = include[1:-1]
                reached[name] |= {plain} if include.startswith("<") else standard_headers(plain)
        return reached[name]

    errors, named = [], 0
    for name, (code, _) in files.items():
        there = standard_headers(name)
        for used in sorted(set(re.findall(r"\bstd::(?:\s*)(\w+)", code))):
            header = WHERE.get(used)
            if header is None:
                continue
            named += 1
            if not there & ({header} | ALSO.get(header, set())):
                errors.append(f"includes: {name} names std::{used} and does not include <{header}>")
    for error in errors:
        print(error)
    if named < len(files):
        errors.append("")
        print("includes: hardly a name of the standard library was found; the check is broken")
    print(f"{len(files)} headers, {named} names, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
