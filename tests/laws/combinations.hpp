// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_LAWS_COMBINATIONS_HPP
#define ANEW_TESTS_LAWS_COMBINATIONS_HPP

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <vector>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include "anew/anew.hpp"
#include "anew/policies/classifier/grpc_status.hpp"

/// Every two classifiers in any_of and first_of, as functions without a type: what is asked of all of them is compiled once.
namespace laws_combinations_test {

using anew::directive;
using boost_code = boost::system::error_code;
using boost_error = boost::system::system_error;

// What operations fail by, or return. Each is a story for the classifiers.

struct reply {
  int status = 0;
  std::string body;
};
struct busy : std::runtime_error, anew::retry_info {
  explicit busy(anew::retry_safety s) : std::runtime_error{"busy"}, safety{s} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return safety; }
  anew::retry_safety safety;
};

/// The types in which something goes wrong, or comes back. Told apart by a number, because every function that a compiler
/// emits for each combination and type is what this test costs.
using types = std::tuple<std::error_code, boost_code, std::system_error, boost_error, busy, std::runtime_error,
                         std::logic_error, reply, int, anew::grpc::status_code>;
template <class E, std::size_t Type = 0>
inline constexpr std::size_t type_of = [] {
  if constexpr (std::is_same_v<E, std::tuple_element_t<Type, types>>) return Type;
  if constexpr (!std::is_same_v<E, std::tuple_element_t<Type, types>>) return type_of<E, Type + 1>;
}();

/// An outcome whose type is a number.
struct outcome {
  std::size_t type;
  void const* object;
  void (*throw_it)(void const* object);
};
std::vector<outcome> const& outcomes();

/// Calls `use(object)` with the outcome in its type.
template <std::size_t Type = 0, class Use>
void in_its_type(outcome const& about, Use const& use) {
  if constexpr (Type != std::tuple_size_v<types>) {
    if (about.type != Type) return in_its_type<Type + 1>(about, use);
    use(*static_cast<std::tuple_element_t<Type, types> const*>(about.object));
  }
}

enum class asked_as { error, result };
/// Nothing where the classifier cannot read the outcome.
using asks = std::optional<directive> (*)(outcome const& about, asked_as how);

struct combination {
  asks ask;
  std::string name;
};
std::vector<combination> const& combinations();

}  // namespace laws_combinations_test

#endif
