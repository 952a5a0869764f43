// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "common/units.hpp"

namespace kernbench::model::engine {

struct CauseStep;

/// The step that made something happen: null if causes are not recorded.
using Cause = std::shared_ptr<CauseStep>;

/// A step of the chain of causes, from the end of its own cause to `end`. Steps live as long as
/// something pending, or a later step, has them as its cause.
struct CauseStep {
  CauseStep(Cause before, common::SimTime at) : cause(std::move(before)), end(at) {}
  CauseStep(const CauseStep&) = delete;
  CauseStep& operator=(const CauseStep&) = delete;
  /// Releases the chain in a loop: it may be too long for the stack.
  virtual ~CauseStep() {
    while (cause != nullptr && cause.use_count() == 1) cause = std::move(cause->cause);
  }

  Cause cause;
  common::SimTime end;
};

}  // namespace kernbench::model::engine
