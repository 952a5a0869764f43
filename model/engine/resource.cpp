// SPDX-License-Identifier: Apache-2.0
#include "model/engine/resource.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "model/engine/simulation.hpp"

namespace kernbench::model::engine {

Lease::Lease(Resource& resource, std::size_t units, ProcessHandle holder)
    : resource_(&resource), units_(units), holder_(holder) {
  resource.leases_.push_back(*this);
}

void Lease::take(Lease& other) {
  resource_ = other.resource_;
  units_ = other.units_;
  holder_ = other.holder_;
  if (other.linked()) WaitList::replace(other, *this);
}

void Lease::release() {
  if (!linked()) return;
  unlink();
  resource_->free_up(units_);
}

Resource::Resource(Simulation& simulation, std::string name, std::size_t units)
    : simulation_(simulation), name_(std::move(name)), units_(units), free_(units) {
  if (units == 0) {
    throw std::invalid_argument(fmt::format("resource '{}' needs at least 1 unit", name_));
  }
}

Resource::AcquireWait Resource::acquire(std::size_t units) {
  if (units == 0 || units > units_) {
    throw std::invalid_argument(
        fmt::format("cannot acquire {} of the {} units of resource '{}'", units, units_, name_));
  }
  return {*this, units};
}

void Resource::free_up(std::size_t units) {
  free_ += units;
  grant_waiting();
}

void Resource::grant_waiting() {
  while (!waiting_.empty()) {
    auto& wait = static_cast<AcquireWait&>(waiting_.front());
    if (wait.units_ > free_) return;
    free_ -= wait.units_;
    wait.unlink();
    wait.is_granted_ = true;
    granted_.push_back(wait);
    simulation_.wake(*wait.process_);
  }
}

bool Resource::AcquireWait::await_ready() {
  if (!resource_.waiting_.empty() || units_ > resource_.free_) return false;
  resource_.free_ -= units_;
  return true;
}

void Resource::AcquireWait::await_suspend(Process::Frame frame) {
  process_ = frame.promise().record;
  process_->wait = this;
  resource_.waiting_.push_back(*this);
}

Lease Resource::AcquireWait::await_resume() {
  if (process_ != nullptr) {
    if (!linked()) throw std::logic_error("the resource was destroyed while it was granted");
    unlink();
  }
  return {resource_, units_, resource_.simulation_.current()};
}

void Resource::AcquireWait::abandon() {
  if (!linked()) return;  // the resource was destroyed
  unlink();
  if (is_granted_) resource_.free_ += units_;
  resource_.grant_waiting();
}

std::string Resource::AcquireWait::description() const {
  if (!linked()) return "a destroyed resource";
  std::vector<std::string> holders;
  resource_.leases_.for_each([&](const ListNode& node) {
    const auto& lease = static_cast<const Lease&>(node);
    holders.push_back(lease.holder_.ended() ? "a process that has ended"
                                            : fmt::format("'{}'", lease.holder_.name()));
  });
  return fmt::format("{} of resource '{}' ({} of {} free), held by {}", units_, resource_.name_,
                     resource_.free_, resource_.units_, fmt::join(holders, ", "));
}

}  // namespace kernbench::model::engine
