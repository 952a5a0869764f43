// SPDX-License-Identifier: Apache-2.0
#include "model/engine/event.hpp"

#include "model/engine/occurrence.hpp"

namespace kernbench::model::engine {

void Event::trigger() {
  triggered_ = true;
  notify_all(waiters_);
}

}  // namespace kernbench::model::engine
