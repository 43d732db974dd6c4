// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_INTERNAL_CHOICE_OF_SHARED_HPP
#define ANEW_COMPOSE_INTERNAL_CHOICE_OF_SHARED_HPP

#include "anew/compose/internal/choice_base.hpp"
#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/sharing/internal/forwarded.hpp"
#include "anew/sharing/internal/grants.hpp"

namespace anew::inline ANEW_ABI {

/// A choice among policies that calls share, and that grant an attempt a permit, a pass or a ticket.
template <detail::OneOf<roles::quota, roles::gate, roles::pacer> Role, class... Ps>
class choice<Role, Ps...> : public detail::choice_base<Role, Ps...>,
                            public sharing::forwarded<choice<Role, Ps...>, Role, Ps...> {
 public:
  using detail::choice_base<Role, Ps...>::choice_base;
};

}  // namespace anew::inline ANEW_ABI

#endif
