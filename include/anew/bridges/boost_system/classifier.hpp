// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_BOOST_SYSTEM_CLASSIFIER_HPP
#define ANEW_BRIDGES_BOOST_SYSTEM_CLASSIFIER_HPP

#include <concepts>
#include <string>
#include <system_error>
#include <type_traits>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include "anew/base/directive.hpp"
#include "anew/base/internal/inner.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

/// Boost.System's codes, which Boost.Asio and Boost.Beast report, read as those of `<system_error>`.
namespace anew::inline ANEW_ABI::boost_system {

namespace detail {

/// A type that carries a code of Boost.System: a code, a condition, an enumeration of either, or the exception.
template <class E>
concept CarriesCode =
    std::same_as<E, ::boost::system::error_code> || std::same_as<E, ::boost::system::error_condition> ||
    ::boost::system::is_error_code_enum<E>::value || ::boost::system::is_error_condition_enum<E>::value ||
    std::derived_from<E, ::boost::system::system_error>;

/// The code of the standard that means the same: Boost wraps the category, and so conditions compare as they did.
template <CarriesCode E>
auto standard_code_of(E const& error) noexcept {
  if constexpr (std::derived_from<E, ::boost::system::system_error>) {
    return static_cast<std::error_code>(error.code());
  } else if constexpr (std::same_as<E, ::boost::system::error_condition> ||
                       ::boost::system::is_error_condition_enum<E>::value) {
    return static_cast<std::error_condition>(::boost::system::error_condition{error});
  } else {
    return static_cast<std::error_code>(::boost::system::error_code{error});
  }
}

template <class Catches>
struct and_system_error;
template <class... Es>
struct and_system_error<catch_list<Es...>> : std::type_identity<catch_list<::boost::system::system_error, Es...>> {};

template <class C>
inline constexpr bool reads_standard_codes = ClassifierOf<C, std::error_code>;

}  // namespace detail

/// Makes a classifier of `std::error_code` read Boost.System's codes, conditions, enumerations of either, and
/// `boost::system::system_error`. That classifier still reads its own errors.
///
/// With `error_code_classifier` a refused connection is transient and safe to repeat, a connection that was reset may have
/// been of use, and `boost::asio::error::operation_aborted` is final, because the program wanted it. Codes that mean nothing
/// portable are final: the end of a stream, resolvers, TLS; beast::classifier (anew/bridges/beast/classifier.hpp) knows these.
///
/// Models: Classifier
/// Formula: none
/// Requires: a classifier that reads `std::error_code`
/// Cost: that of `Inner`; the first code of a category of your own allocates a wrapper, which Boost keeps
/// Choose it with Boost.Asio. Not for HTTP with Boost.Beast: beast::classifier.
/// Source: Boost.System's documentation of its interoperability with `<system_error>`
template <class Inner = error_code_classifier>
class classifier {
 public:
  using role = roles::classifier;
  using catches = typename detail::and_system_error<typename anew::detail::catches_of<Inner>::type>::type;
  using reads = catch_list<::boost::system::error_code>;

  constexpr classifier() = default;
  constexpr explicit classifier(Inner inner) : inner_{inner} {}

  [[nodiscard]] directive classify(detail::CarriesCode auto const& error) const {
    return inner_.get().classify(detail::standard_code_of(error));
  }
  template <class E>
    requires(!detail::CarriesCode<E> && ClassifierOf<Inner, E>)
  [[nodiscard]] constexpr directive classify(E const& error) const {
    return inner_.get().classify(error);
  }

  [[nodiscard]] std::string describe() const { return anew::detail::written("boost_system", inner_.get()); }

  static constexpr bool is_sound = detail::reads_standard_codes<Inner>;
  static consteval void explain() {
    static_assert(detail::reads_standard_codes<Inner>,
                  "anew::boost_system::classifier<Inner> requires an inner classifier that reads std::error_code; "
                  "boost::system::error_code is converted to it, and Inner does not read it. Did you mean "
                  "anew::error_code_classifier?");
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS anew::detail::inner<Inner, classifier> inner_;
};

}  // namespace anew::inline ANEW_ABI::boost_system

#endif
