// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_THROWN_TYPE_HPP
#define ANEW_DRIVERS_INTERNAL_THROWN_TYPE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

#if ANEW_EXCEPTIONS && __has_include(<cxxabi.h>)
#include <cxxabi.h>
#define ANEW_NAMES_EXCEPTIONS 1
#else
#define ANEW_NAMES_EXCEPTIONS 0
#endif
// libc++abi has the same tables and keeps their classes to itself.
#if ANEW_NAMES_EXCEPTIONS && defined(__GLIBCXX__) && defined(__cpp_rtti)
#define ANEW_SEES_BASES 1
#else
#define ANEW_SEES_BASES 0
#endif

namespace anew::inline ANEW_ABI::detail {

/// How one class inherits another, as far as the ABI's tables say.
enum class inherits { no_or_unknown, publicly, hidden };

/// The type of an exception as the ABI describes it, which no catch clause can see.
struct thrown_type {
  std::string name{"an exception"};
  inherits retry_info = inherits::no_or_unknown;
  inherits boost_system_error = inherits::no_or_unknown;
  bool is_pointer_to_class = false;
};

#if ANEW_SEES_BASES
inherits find_base(std::type_info const& type, auto const& is_wanted) {
  if (is_wanted(type)) return inherits::publicly;
  if (auto const* const one = dynamic_cast<abi::__si_class_type_info const*>(&type)) {
    return detail::find_base(*one->__base_type, is_wanted);
  }
  auto found = inherits::no_or_unknown;
  if (auto const* const some = dynamic_cast<abi::__vmi_class_type_info const*>(&type)) {
    for (unsigned i = 0; i != some->__base_count; ++i) {
      auto const& base = some->__base_info[i];  // NOLINT(*-constant-array-index): __base_count bounds the loop
      auto const inside = detail::find_base(*base.__base_type, is_wanted);
      if (inside == inherits::no_or_unknown) continue;
      if (inside == inherits::publicly && base.__is_public_p()) return inherits::publicly;
      found = inherits::hidden;
    }
  }
  return found;
}
#endif

#if ANEW_NAMES_EXCEPTIONS
inline std::string demangled(char const* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result{text != nullptr ? text : name};
  std::free(text);  // NOLINT(*-no-malloc,*-owning-memory): __cxa_demangle allocates with malloc
  return result;
}
#endif

#if ANEW_EXCEPTIONS
/// Describes the exception that is being handled.
inline thrown_type type_of_current_exception() {
  thrown_type result;
#if ANEW_NAMES_EXCEPTIONS
  if (std::type_info const* const type = abi::__cxa_current_exception_type()) {
    result.name = detail::demangled(type->name());
    if (result.name == "boost::system::system_error") result.boost_system_error = inherits::publicly;
#if ANEW_SEES_BASES
    auto const* const pointer = dynamic_cast<abi::__pointer_type_info const*>(type);
    result.is_pointer_to_class =
        pointer != nullptr && dynamic_cast<abi::__class_type_info const*>(pointer->__pointee) != nullptr;
    result.retry_info = detail::find_base(*type, [](auto const& one) { return one == typeid(anew::retry_info); });
    result.boost_system_error = detail::find_base(
        *type, [](auto const& one) { return std::string_view{one.name()} == "N5boost6system12system_errorE"; });
#endif
  }
#endif
  return result;
}
#endif

/// A type's name as a program writes it: without anew's inline namespace and that of a source file, `>>` in one piece, and
/// the value of an enumeration as `E{1}`.
inline std::string as_written(std::string name) {
  for (auto at = name.find("anew::v"); at != std::string::npos; at = name.find("anew::v", at)) {
    at += 6;
    if (name[at + 1] >= '0' && name[at + 1] <= '9') name.erase(at, name.find("::", at) + 2 - at);
  }
  auto const cut = [&name](std::string_view part, std::size_t from, std::size_t count) {
    for (auto at = name.find(part); at != std::string::npos; at = name.find(part)) name.erase(at + from, count);
  };
  cut("(anonymous namespace)::", 0, 23);
  cut("> >", 1, 1);
  constexpr std::string_view digits = "-0123456789";
  for (auto at = name.find('('); at != std::string::npos; at = name.find('(', at)) {
    auto const end = name.find(')', at);
    if (end == std::string::npos || digits.find(name[end + 1]) == std::string_view::npos) break;
    name.insert(std::min(name.find_first_not_of(digits, end + 1), name.size()), 1, '}');
    name[end] = '{';
    name.erase(at, 1);
  }
  return name;
}

/// The classifier's type as a program writes it; empty for one that has no name, as a lambda has none, and for one that
/// holds values, which the name of its type would lose.
template <class C>
std::string written_type() {
#if ANEW_NAMES_EXCEPTIONS && defined(__cpp_rtti)
  if constexpr (std::is_empty_v<C>) {
    auto name = detail::demangled(typeid(C).name());
    if (name.find_first_of("{'$") == std::string::npos) return detail::as_written(std::move(name));
  }
#endif
  return {};
}

}  // namespace anew::inline ANEW_ABI::detail

#undef ANEW_SEES_BASES
#undef ANEW_NAMES_EXCEPTIONS

#endif
