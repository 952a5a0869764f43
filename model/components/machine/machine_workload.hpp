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

/// An operation of a workload, on the time of its simulation.
struct TimedOperation {
  std::string name;
  common::SimTime start;
  common::SimTime end;
  friend bool operator==(const TimedOperation&, const TimedOperation&) = default;
};

/// What a workload did on one machine.
struct MachineRun {
  /// In an order that depends on the workload alone, not on times: runs on machines with other
  /// fabrics are compared by position.
  std::vector<TimedOperation> operations;
  /// Of the numbers that were computed, if any were. They must not depend on the fabric.
  std::optional<std::uint64_t> result_hash;
};

/// A workload did not come to its end, or computed something wrong.
class WorkloadFailure : public std::runtime_error {
 public:
  WorkloadFailure(common::Outcome outcome, const std::string& what)
      : std::runtime_error(what), outcome_(outcome) {}
  [[nodiscard]] common::Outcome outcome() const { return outcome_; }

 private:
  common::Outcome outcome_;
};

/// What a whole machine can be given to do, whatever carries its packets: a probe, a kernel, a
/// collective.
class MachineWorkload {
 public:
  MachineWorkload() = default;
  MachineWorkload(const MachineWorkload&) = delete;
  MachineWorkload& operator=(const MachineWorkload&) = delete;
  virtual ~MachineWorkload() = default;

  /// Makes a simulation and one Machine with these options, and runs it to its end. The result
  /// depends on the workload and the options alone; several threads may call it at once. Lets
  /// through what the fabrics throw, and throws WorkloadFailure when it fails itself.
  [[nodiscard]] virtual MachineRun run(const MachineOptions& options) const = 0;
};

}  // namespace kernbench::model::components
