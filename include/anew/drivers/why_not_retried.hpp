// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_WHY_NOT_RETRIED_HPP
#define ANEW_DRIVERS_WHY_NOT_RETRIED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/observer/timeline.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/several.hpp"
#include "anew/roles/observer.hpp"

#if ANEW_EXCEPTIONS && __has_include(<cxxabi.h>)
#include <cxxabi.h>
#define ANEW_NAMES_EXCEPTIONS 1
#else
#define ANEW_NAMES_EXCEPTIONS 0
#endif
#if ANEW_NAMES_EXCEPTIONS && defined(__GLIBCXX__) && defined(__cpp_rtti)  // libc++abi keeps its tables to itself
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

/// "anew::any_of<own, other>", or "anew::any_of{your_classifier, other{}}" where the classifier has no name.
inline std::string any_of_both(std::string const& own, std::string const& other) {
  return own.empty() ? "anew::any_of{your_classifier, " + other + "{}}" : "anew::any_of<" + own + ", " + other + ">";
}
/// The classifier that reads what `C` reads, and `exception` too; an operation that it does not know to be repeatable
/// runs again only if it is declared idempotent.
template <class C>
std::string reading_too(std::string_view exception) {
  auto own = detail::written_type<C>();
  if constexpr (requires { C::reading_too(own, exception); }) {
    if (!own.empty()) return C::reading_too(std::move(own), exception);
  }
  return any_of_both(own, std::string{"anew::idempotent_only<anew::retry_on<"}.append(exception).append(">>"));
}
/// The same for an exception that says for itself whether to retry.
template <class C>
std::string with_speaking(std::string_view exception) {
  auto const speaking = std::string{"anew::retry_info_on<"}.append(exception).append(">");
  return std::is_same_v<C, retry_info_classifier> ? speaking : any_of_both(detail::written_type<C>(), speaking);
}

#if defined(__cpp_rtti)
/// Says what to compose for an exception with a cause (`std::throw_with_nested`), which is being handled.
template <class C>
std::string why_cause_is_unread(C const& classifier, std::nested_exception const& thrown) {
  auto const own = detail::written_type<C>();
  if constexpr (requires { requires caused_by<C>::is_sound && std::is_copy_constructible_v<C>; }) {
    if (!caused_by<C>{classifier}.classify(thrown).is_unclassified()) {
      return std::string{"the classifier reads its cause; compose anew::caused_by"}.append(
          own.empty() ? "{your_classifier}" : "<" + own + ">");
    }
  }
  std::exception_ptr cause = thrown.nested_ptr();
  std::string name{"its cause"};
  for (int depth = 0; cause != nullptr && depth != 16; ++depth) {
    try {
      std::rethrow_exception(std::exchange(cause, nullptr));
    } catch (std::nested_exception const& further) {
      cause = further.nested_ptr();
    } catch (...) {
      name = detail::as_written(detail::type_of_current_exception().name);
    }
  }
  return std::string{"its cause, "}
      .append(name)
      .append(", is not read either; compose anew::caused_by")
      .append(own.empty() ? "{" : "<")
      .append(detail::reading_too<C>(name))
      .append(own.empty() ? "}" : ">");
}
#endif

/// Says what the exception is, and which policy would read it.
template <class C>
std::string why_unclassified(std::exception_ptr const& thrown, [[maybe_unused]] C const& classifier,
                             std::string_view name_of_classifier) {
  auto const type_and_remedy = [&](std::string_view name, std::string_view remedy) {
    return std::string{name}
        .append(" was thrown, which ")
        .append(name_of_classifier)
        .append(" does not read: ")
        .append(remedy);
  };
  try {
    std::rethrow_exception(thrown);
#if defined(__cpp_rtti)
  } catch (std::nested_exception const& nested) {
    auto name = detail::as_written(detail::type_of_current_exception().name);
    constexpr std::string_view wrapper = "std::_Nested_exception<";
    if (name.starts_with(wrapper)) {
      name = name.substr(wrapper.size(), name.size() - wrapper.size() - 1);
      if (constexpr std::string_view end = " const"; name.ends_with(end)) name.erase(name.size() - end.size());
    }
    return type_and_remedy(name, detail::why_cause_is_unread(classifier, nested));
#endif
  } catch (...) {
    auto const type = detail::type_of_current_exception();
    auto const name = detail::as_written(type.name);
    if (type.retry_info == inherits::hidden) {
      return type_and_remedy(name, "it inherits anew::retry_info privately; write 'public anew::retry_info'");
    }
    if (type.is_pointer_to_class) {
      return type_and_remedy(name, "it is a pointer, and classifiers name objects; throw the object itself");
    }
    std::string text{"compose "};
    if (type.boost_system_error != inherits::no_or_unknown) {
      text.insert(0, "Boost's system_error is not std::system_error; include <anew/boost_system.hpp> and ");
      text.append(any_of_both(detail::written_type<C>(), "anew::boost_system::classifier<>"));
    } else if (name == "an exception") {
      text.append("anew::idempotent_only<anew::retry_on<E>> for its type, in anew::any_of with the classifier");
    } else {
      text.append(detail::reading_too<C>(name));
      if constexpr (!requires { C::reading_too(std::string{}, name); }) {
        text.append(", or ").append(detail::with_speaking<C>(name)).append(" if it says for itself whether to retry");
      }
    }
    return type_and_remedy(name, text);
  }
}

#if defined(__cpp_rtti)
/// A clause for the exception's own type, or for another base of it, stands before the one for `std::logic_error`: it was
/// not refused as a programmer's error.
template <class... Clauses>
bool is_caught_by_its_name([[maybe_unused]] std::logic_error const& thrown, catch_list<Clauses...> /*clauses*/) {
  [[maybe_unused]] bool comes_before = true;
  bool found = false;
  [[maybe_unused]] auto const look_at = [&]<class E>(std::type_identity<E> /*clause*/) {
    comes_before = comes_before && !std::is_same_v<E, std::logic_error>;
    if constexpr (std::is_class_v<E> && !std::is_base_of_v<E, std::logic_error> &&
                  !std::is_same_v<E, std::nested_exception>)
      found = found || (comes_before && dynamic_cast<E const*>(&thrown) != nullptr);
  };
  (look_at(std::type_identity<Clauses>{}), ...);
  return found;
}
#endif

template <class C>
std::string why_final(std::exception_ptr const& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch ([[maybe_unused]] std::logic_error const& error) {
#if defined(__cpp_rtti)
    if (detail::is_caught_by_its_name(error, typename catches_of<C>::type{})) return {};
#endif
    auto const name = detail::as_written(detail::type_of_current_exception().name);
    auto const own = detail::written_type<C>();
    return std::string{name}
        .append(
            " derives from std::logic_error, which stands for a programmer's error: name it to have it retried, as in "
            "anew::first_of<anew::idempotent_only<anew::retry_on<")
        .append(name)
        .append(">>, ")
        .append(own.empty() ? "your_classifier" : own)
        .append(">");
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
///     std::runtime_error was thrown, which anew::retry_info_classifier does not read: compose
///     anew::any_of<anew::retry_info_classifier, anew::idempotent_only<anew::retry_on<std::runtime_error>>>, or
///     anew::retry_info_on<std::runtime_error> if it says for itself whether to retry
///
/// The advised classifier reads all that the strategy's classifier reads, and repeats no operation that may have taken
/// effect and is not declared `idempotent`. For an exception with a cause it names `caused_by`.
///
/// It sees what the type system cannot: a class that inherits `anew::retry_info` privately (with libstdc++ and RTTI),
/// and Boost's `system_error`, which is not the standard's. Returns an empty string for a null exception. Where the ABI
/// does not name types it returns "an exception".
/// Cost: throws the exception once more; allocates
[[nodiscard]] std::string why_not_retried(auto const& strategy, std::exception_ptr const& thrown) {
  if (thrown == nullptr) return {};
  auto const& classifier = detail::classifier_of(strategy);
  return detail::why_unclassified(thrown, classifier, detail::name_of_classifier(classifier));
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
        if (auto text = detail::why_final<detail::classifier_type_of<Strategy>>(thrown); !text.empty()) return text;
      }
    } else if (reason == stop_reason::unclassified) {
      return "failed: the classifier has no opinion on this result";
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
