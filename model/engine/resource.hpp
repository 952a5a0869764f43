// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "model/engine/process.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

class Resource;

/// Units of a resource that a process holds. Destroying or releasing the lease frees them. A lease
/// may outlive its resource.
class [[nodiscard]] Lease : private ListNode {
 public:
  Lease() = default;  // holds no units
  Lease(Lease&& other) noexcept { take(other); }
  Lease& operator=(Lease&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~Lease() { release(); }

  /// Frees the units. Does nothing when the lease holds none.
  void release();
  [[nodiscard]] bool held() const { return linked(); }

 private:
  friend class Resource;
  Lease(Resource& resource, std::size_t units, ProcessHandle holder);
  void take(Lease& other);

  Resource* resource_ = nullptr;
  std::size_t units_ = 0;
  ProcessHandle holder_;
};

/// A number of equal units, e.g. 1 for an engine that does one job at a time. Requests are granted
/// in order of arrival: a small request does not overtake a large one.
class Resource {
 public:
  /// `name` appears in the wait-for list. Throws std::invalid_argument when `units` is 0.
  Resource(Simulation& simulation, std::string name, std::size_t units);
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

  /// `Lease lease = co_await resource.acquire()`. Throws std::invalid_argument when `units` is 0 or
  /// more than the resource has, and std::logic_error when the resource is destroyed after the
  /// grant and before the process resumes.
  class AcquireWait;
  [[nodiscard]] AcquireWait acquire(std::size_t units = 1);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t units() const { return units_; }
  [[nodiscard]] std::size_t free_units() const { return free_; }

 private:
  friend class Lease;
  void grant_waiting();
  void free_up(std::size_t units);

  Simulation& simulation_;
  std::string name_;
  std::size_t units_;
  std::size_t free_;
  WaitList waiting_;
  WaitList granted_;  // requests that own units but have not resumed yet
  WaitList leases_;
};

class Resource::AcquireWait final : public Wait, private ListNode {
 public:
  AcquireWait(Resource& resource, std::size_t units) : resource_(resource), units_(units) {}
  [[nodiscard]] bool await_ready();
  void await_suspend(Process::Frame frame);
  [[nodiscard]] Lease await_resume();
  [[nodiscard]] std::string description() const override;
  void abandon() override;

 private:
  friend class Resource;
  Resource& resource_;
  std::size_t units_;
  ProcessRecord* process_ = nullptr;  // null when it did not have to wait
  bool is_granted_ = false;
};

}  // namespace kernbench::model::engine
