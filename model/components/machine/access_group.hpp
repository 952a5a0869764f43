// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "common/api.hpp"
#include "model/components/machine/machine.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/engine/event.hpp"

namespace kernbench::model::components {

/// Accesses that a process waits for together. Call submit() at least once, then
/// `co_await group.done()`.
class KERNBENCH_API AccessGroup final : public AccessListener {
 public:
  /// `name` appears in the wait-for list.
  AccessGroup(Machine& machine, std::string name) : machine_(machine), done_(std::move(name)) {}

  void submit(const RoutedAccess& access) {
    ++missing_;
    machine_.accesses().submit(access, this);
  }
  [[nodiscard]] engine::Event& done() { return done_; }

  void on_access_done(const AccessTimes& /*times*/) override {
    if (--missing_ == 0) done_.trigger();
  }

 private:
  Machine& machine_;
  engine::Event done_;
  std::size_t missing_ = 0;
};

}  // namespace kernbench::model::components
