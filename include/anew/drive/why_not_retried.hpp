// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVE_WHY_NOT_RETRIED_HPP
#define ANEW_DRIVE_WHY_NOT_RETRIED_HPP

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "anew/classifier/retry_info.hpp"
#include "anew/concept/internal/several.hpp"
#include "anew/concept/observer.hpp"
#include "anew/drive/internal/decide.hpp"
#include "anew/observer/timeline.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/stop_reason.hpp"

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

namespace anew::inline ANEW_ABI {

namespace detail {

/// How one class inherits another, as far as the ABI's tables say.
enum class inherits { no_or_unknown, publicly, hidden };

/// The type of an exception as the ABI describes it, which no catch clause can see.
struct thrown_type {
  std::string name{"an exception"};
  inherits retry_info = inherits::no_or_unknown;
  inherits boost_system_error = inherits::no_or_unknown;
};

#if ANEW_SEES_BASES
template <class IsWanted>
inherits find_base(std::type_info const& type, IsWanted const& is_wanted) {
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
    result.retry_info = detail::find_base(*type, [](auto const& one) { return one == typeid(anew::retry_info); });
    result.boost_system_error = detail::find_base(
        *type, [](auto const& one) { return std::string_view{one.name()} == "N5boost6system12system_errorE"; });
#endif
  }
#endif
  return result;
}

/// Says what the exception is, and which policy would read it.
inline std::string why_unclassified(std::exception_ptr const& thrown, std::string_view classifier) {
  try {
    std::rethrow_exception(thrown);
  } catch (...) {
    auto const type = detail::type_of_current_exception();
    std::string text{type.name};
    text.append(" was thrown, which ").append(classifier).append(" does not read: ");
    if (type.retry_info == inherits::hidden) {
      return text.append("it inherits anew::retry_info privately; write 'public anew::retry_info'");
    }
    if (type.boost_system_error != inherits::no_or_unknown) {
      return text.append(
          "Boost's system_error is not std::system_error; include <anew/boost_system.hpp> and compose "
          "anew::boost_system::classifier");
    }
    if (type.name == "an exception") return text.append("compose anew::retry_on<E> for its type");
    return text.append("compose anew::retry_on<")
        .append(type.name)
        .append(">, or anew::retry_info_on<")
        .append(type.name)
        .append("> if it says for itself whether to retry");
  }
}

inline std::string why_final(std::exception_ptr const& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (std::logic_error const&) {
    return detail::type_of_current_exception().name.append(
        " derives from std::logic_error, which stands for a programmer's error: name it to have it retried, as in "
        "anew::first_of<anew::retry_on<std::logic_error>, anew::retry_all>");
  } catch (...) {
    return {};
  }
}
#endif

template <class C>
std::string name_of_classifier(C const& classifier) {
  if constexpr (std::is_same_v<C, retry_info_classifier>) return "anew::retry_info_classifier";
  return std::string{"the classifier "}.append(detail::describe_member(classifier, "classifier"));
}

}  // namespace detail

#if ANEW_EXCEPTIONS
/// Says why no attempt followed an attempt that threw `exception` and ended its call with `stop_reason::unclassified`:
/// the exception's type, and which policy would read it. One line, for logs and tests.
///
///     std::runtime_error was thrown, which anew::retry_info_classifier does not read: compose anew::retry_on<std::runtime_error>,
///     or anew::retry_info_on<std::runtime_error> if it says for itself whether to retry
///
/// It sees what the type system cannot: a class that inherits `anew::retry_info` privately (with libstdc++ and RTTI),
/// and Boost's `system_error`, which is not the standard's. Returns an empty string for a null exception. Where the ABI
/// does not name types it returns "an exception".
/// Cost: throws the exception once more; allocates
template <class Strategy>
[[nodiscard]] std::string why_not_retried(Strategy const& strategy, std::exception_ptr const& thrown) {
  if (thrown == nullptr) return {};
  return detail::why_unclassified(thrown, detail::name_of_classifier(detail::classifier_of(strategy)));
}
#endif

/// Says in one line why a call ended without another attempt. Pass the outcome that `retry_outcome()` or `poll()`
/// returned, and the call's strategy. Returns an empty string for a call that succeeded.
/// Example: examples/38_why_not_retried.cpp
template <class Strategy, class Outcome>
  requires requires(Outcome const& told) {
    told.reason();
    told.attempts();
  }
[[nodiscard]] std::string why_not_retried([[maybe_unused]] Strategy const& strategy, Outcome const& told) {
  auto const reason = told.reason();
  if (reason == stop_reason::succeeded) return {};
#if ANEW_EXCEPTIONS
  if constexpr (requires { std::exception_ptr{told.exception()}; }) {
    if (std::exception_ptr const thrown = told.exception()) {
      if (reason == stop_reason::unclassified) return anew::why_not_retried(strategy, thrown);
      if (reason == stop_reason::not_retryable) {
        if (auto text = detail::why_final(thrown); !text.empty()) return text;
      }
    }
  }
#endif
  auto text = in_words(end_event{told.attempts(), reason});
  if constexpr (requires { told.last_hint(); }) {
    if (reason == stop_reason::hint_too_long && told.last_hint()) {
      text.append(" (").append(in_words(*told.last_hint())).append(")");
    }
  }
  return text;
}

}  // namespace anew::inline ANEW_ABI

#undef ANEW_SEES_BASES
#undef ANEW_NAMES_EXCEPTIONS

#endif
