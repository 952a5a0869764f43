// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Shows each cycle to several extensions, in their order. They must outlive it.
class Together final : public Extension {
 public:
  explicit Together(std::vector<Extension*> parts) : parts_(std::move(parts)) {}

  void on_cycle(const CycleView& view) override {
    for (Extension* part : parts_) part->on_cycle(view);
  }

 private:
  std::vector<Extension*> parts_;
};

}  // namespace kernbench::sim
