// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_INTERNAL_FAILURE_MEMBERS_HPP
#define ANEW_BASE_INTERNAL_FAILURE_MEMBERS_HPP

#include <concepts>
#include <exception>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"

/// Member names by which a class reports a failure. A result with one of them may mean a failure, so it is mute until a
/// classifier reads it.
namespace anew::inline ANEW_ABI::detail {

/// The list, in the order of the questions: codes, verdicts, and names that report a failure whatever their type.
// NOLINTBEGIN(*-macro-*, readability-identifier-naming): the names are those of other libraries
#define ANEW_TELLING_MEMBERS(code_, verdict_, any_)                                                                  \
  code_(status) code_(status_code) code_(statusCode) code_(code) code_(http_code) code_(http_status)                 \
      code_(response_code) code_(result_code) code_(result) code_(rc) code_(ec) code_(err) code_(errc)               \
          code_(error_code) code_(errorCode) verdict_(ok) verdict_(success) verdict_(succeeded) verdict_(is_success) \
              verdict_(IsSuccess) verdict_(is_ok) verdict_(is_error) verdict_(has_error) verdict_(failed)            \
                  verdict_(has_value) any_(error) any_(error_message)
#define ANEW_NAME(name) name,
#define ANEW_DATA(name) char name;
#define ANEW_IS_NOT_DECLARED(name) &asks_for_members<R>::name;
#define ANEW_ASK(Kind, name)                                                   \
  if constexpr (requires { requires Kind<decltype(asked_for(&R::name, 0))>; }) \
    return telling::name;                                                      \
  else
#define ANEW_ASK_CODE(name) ANEW_ASK(Code, name)
#define ANEW_ASK_VERDICT(name) ANEW_ASK(Verdict, name)
#define ANEW_ASK_ANY(name) ANEW_ASK(NotVoid, name)

/// The name that was found. Compilers print it.
enum class telling : unsigned char { ANEW_TELLING_MEMBERS(ANEW_NAME, ANEW_NAME, ANEW_NAME) is_an_exception, nothing };

/// The type of a public data member, or the return type of a function without parameters. It takes the member's
/// address, because g++ prints a note for a private field in an expression, even in an unevaluated question.
template <class C, class T>
  requires std::is_object_v<T>
std::type_identity<T> asked_for(T C::*, int);
template <class C, class T>
std::type_identity<std::remove_cvref_t<T>> asked_for(T (C::*)() const, int);
template <class C, class T>
std::type_identity<std::remove_cvref_t<T>> asked_for(T (C::*)() const&, int);
template <class C, class T>
std::type_identity<std::remove_cvref_t<T>> asked_for(T (C::*)(), long);
template <class C, class T>
std::type_identity<std::remove_cvref_t<T>> asked_for(T (C::*)() &, long);

// The type matters too: `std::string code` names a currency, `std::uint64_t ok, failed` are counters.
template <class Found, class T = std::remove_cv_t<typename Found::type>>
concept Code = (std::integral<T> && !std::same_as<T, bool>) || std::is_enum_v<T> ||
               requires(T const& t) { t.category(); } || requires(T const& t) { t.ok(); };
template <class Found>
concept Verdict = std::same_as<std::remove_cv_t<typename Found::type>, bool>;
template <class Found>
concept NotVoid = !std::is_void_v<typename Found::type>;

struct telling_members {
  ANEW_TELLING_MEMBERS(ANEW_DATA, ANEW_DATA, ANEW_DATA)
};
// NOLINTEND(*-macro-*, readability-identifier-naming)
template <class R>
struct asks_for_members : R, telling_members {};

/// A name is ambiguous in the derived class as soon as `R` declares it, in any form, so most classes cost one question.
/// Polymorphic classes are not derived from: a final destructor would be an error, and any other may cause a warning.
template <class R>
concept DeclaresNoTellingMember = !std::is_final_v<R> && !std::is_polymorphic_v<R> && requires {
  ANEW_TELLING_MEMBERS(ANEW_IS_NOT_DECLARED, ANEW_IS_NOT_DECLARED, ANEW_IS_NOT_DECLARED)
};

/// The first telling member of a class: public, a data member or a function that takes nothing.
template <class R>
consteval telling telling_member() {
  if constexpr (std::is_base_of_v<std::exception, R>) {
    return telling::is_an_exception;
  } else if constexpr (!std::is_class_v<R>) {
    return telling::nothing;
  } else if constexpr (DeclaresNoTellingMember<R>) {
    return telling::nothing;
  } else {
    ANEW_TELLING_MEMBERS(ANEW_ASK_CODE, ANEW_ASK_VERDICT, ANEW_ASK_ANY) return telling::nothing;
  }
}

#undef ANEW_TELLING_MEMBERS
#undef ANEW_NAME
#undef ANEW_DATA
#undef ANEW_IS_NOT_DECLARED
#undef ANEW_ASK
#undef ANEW_ASK_CODE
#undef ANEW_ASK_VERDICT
#undef ANEW_ASK_ANY

}  // namespace anew::inline ANEW_ABI::detail

#endif
