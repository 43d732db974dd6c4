// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_ACCEPTOR_RETRY_POLICY_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_ACCEPTOR_RETRY_POLICY_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/ports/smithy_kotlin/attempt_result.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/retry_policy.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// The input of an operation, if no acceptor reads it.
struct no_input {};

/// One line of a waiter: its directive if its condition matches, else nothing.
template <class R, class Input = no_input>
class acceptor {
 public:
  explicit acceptor(retry_directive state) noexcept : state_{state} {}
  virtual ~acceptor() = default;

  [[nodiscard]] retry_directive state() const noexcept { return state_; }
  [[nodiscard]] std::optional<retry_directive> evaluate(Input const& input, attempt_result<R> const& result) const {
    return matches(input, result) ? std::optional{state_} : std::nullopt;
  }

 protected:
  [[nodiscard]] virtual bool matches(Input const& input, attempt_result<R> const& result) const = 0;

 private:
  retry_directive state_;
};

/// Matches any value, or any exception.
template <class R, class Input = no_input>
class success_acceptor final : public acceptor<R, Input> {
 public:
  success_acceptor(retry_directive state, bool success) noexcept : acceptor<R, Input>{state}, success_{success} {}

 private:
  [[nodiscard]] bool matches(Input const& /*input*/, attempt_result<R> const& result) const override {
    return result.has_value() == success_;
  }
  bool success_;
};

/// Matches an exception of type `E`, or those that the predicate accepts: an error code, a name.
template <class R, class E, class Input = no_input>
class error_type_acceptor final : public acceptor<R, Input> {
 public:
  explicit error_type_acceptor(retry_directive state) : acceptor<R, Input>{state} {}
  error_type_acceptor(retry_directive state, std::function<bool(E const&)> matcher)
      : acceptor<R, Input>{state}, matcher_{std::move(matcher)} {}

 private:
  [[nodiscard]] bool matches(Input const& /*input*/, attempt_result<R> const& result) const override {
    return if_exception<E>(result.exception(), [this](E const& e) { return !matcher_ || matcher_(e); }).value_or(false);
  }
  std::function<bool(E const&)> matcher_;
};

/// Matches a value that the predicate accepts.
template <class R, class Input = no_input>
class output_acceptor final : public acceptor<R, Input> {
 public:
  output_acceptor(retry_directive state, std::function<bool(R const&)> matcher)
      : acceptor<R, Input>{state}, matcher_{std::move(matcher)} {}

 private:
  [[nodiscard]] bool matches(Input const& /*input*/, attempt_result<R> const& result) const override {
    return result.has_value() && matcher_(result.value());
  }
  std::function<bool(R const&)> matcher_;
};

/// Matches a value that the predicate accepts together with the operation's input.
template <class R, class Input>
class input_output_acceptor final : public acceptor<R, Input> {
 public:
  input_output_acceptor(retry_directive state, std::function<bool(Input const&, R const&)> matcher)
      : acceptor<R, Input>{state}, matcher_{std::move(matcher)} {}

 private:
  [[nodiscard]] bool matches(Input const& input, attempt_result<R> const& result) const override {
    return result.has_value() && matcher_(input, result.value());
  }
  std::function<bool(Input const&, R const&)> matcher_;
};

/// A waiter's policy: the first matching acceptor decides. If none matches, a value means "not yet" and is retried as
/// `server_side`, and an exception is final.
template <class R, class Input = no_input>
class acceptor_retry_policy final : public retry_policy<R> {
 public:
  using acceptors_type = std::vector<std::shared_ptr<acceptor<R, Input> const>>;

  /// The acceptors in their order; they are moved in.
  template <class... Acceptors>
    requires(sizeof...(Acceptors) > 0 && (std::derived_from<Acceptors, acceptor<R, Input>> && ...))
  explicit acceptor_retry_policy(Input input, Acceptors... acceptors)
      : input_{std::move(input)}, acceptors_{std::make_shared<Acceptors>(std::move(acceptors))...} {}
  template <class... Acceptors>
    requires(sizeof...(Acceptors) > 0 && std::same_as<Input, no_input> &&
             (std::derived_from<Acceptors, acceptor<R, Input>> && ...))
  explicit acceptor_retry_policy(Acceptors... acceptors) : acceptor_retry_policy{no_input{}, std::move(acceptors)...} {}

  acceptor_retry_policy(Input input, acceptors_type acceptors)
      : input_{std::move(input)}, acceptors_{std::move(acceptors)} {}

  [[nodiscard]] retry_directive evaluate(attempt_result<R> const& result) const override {
    for (auto const& each : acceptors_) {
      if (auto const opinion = each->evaluate(input_, result)) return *opinion;
    }
    return result.has_value() ? retry_directive::retry_error(retry_error_type::server_side)
                              : retry_directive::terminate_and_fail;
  }

 private:
  Input input_;
  acceptors_type acceptors_;
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
