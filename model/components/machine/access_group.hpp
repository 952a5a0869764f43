#pragma once

#include <string>
#include <utility>

#include "model/components/machine/machine.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/engine/event.hpp"

namespace kernbench::model::components {

/// Accesses that a process waits for together: `co_await group.done()` after the last submit(), one
/// at least.
class AccessGroup final : public AccessListener {
 public:
  /// `name` is for the wait-for list.
  AccessGroup(Machine& machine, std::string name) : machine_(machine), done_(std::move(name)) {}

  void submit(const RoutedAccess& access) {
    ++missing_;
    machine_.accesses().submit(access, this);
  }
  void submit(const AccessRequest& request) { submit(machine_.accesses().routed(request)); }
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
