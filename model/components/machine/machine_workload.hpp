// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "common/units.hpp"
#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

/// An operation of a workload with its simulated times.
struct TimedOperation {
  std::string name;
  common::SimTime start;
  common::SimTime end;
  friend bool operator==(const TimedOperation&, const TimedOperation&) = default;
};

/// Result of a workload on one machine.
struct MachineRun {
  /// Operations in an order that depends on the workload alone, not on times: runs with different
  /// fabrics are compared by index.
  std::vector<TimedOperation> operations;
  /// Hash of the computed numbers, if there are any. It must not depend on the fabric.
  std::optional<std::uint64_t> result_hash;
};

/// Thrown when a workload does not complete or computes wrong numbers.
class WorkloadFailure : public std::runtime_error {
 public:
  WorkloadFailure(common::Outcome outcome, const std::string& what)
      : std::runtime_error(what), outcome_(outcome) {}
  [[nodiscard]] common::Outcome outcome() const { return outcome_; }

 private:
  common::Outcome outcome_;
};

/// A task for a whole machine, independent of its fabric: a probe, a kernel or a collective.
class MachineWorkload {
 public:
  MachineWorkload() = default;
  MachineWorkload(const MachineWorkload&) = delete;
  MachineWorkload& operator=(const MachineWorkload&) = delete;
  virtual ~MachineWorkload() = default;

  /// Creates a simulation and one Machine with these options and runs it to the end. The result
  /// depends on the workload and the options alone. Thread-safe. Throws WorkloadFailure when the
  /// workload fails. Exceptions of the fabrics pass through.
  [[nodiscard]] virtual MachineRun run(const MachineOptions& options) const = 0;
};

}  // namespace kernbench::model::components
