// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_INTERNAL_CHOICE_OF_SHARED_HPP
#define ANEW_RUN_TIME_INTERNAL_CHOICE_OF_SHARED_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/forwarded.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/internal/choice_base.hpp"

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
