// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/machine.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/data/recorder.hpp"
#include "model/data/replay.hpp"
#include "model/kernel/activity.hpp"
#include "model/kernel/executor.hpp"
#include "model/kernel/tl.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/memory/virtual_allocator.hpp"
#include "model/runtime/address_model.hpp"
#include "model/runtime/device.hpp"
#include "model/runtime/kernel_registry.hpp"
#include "model/runtime/repeats.hpp"
#include "model/runtime/run_record.hpp"
#include "model/runtime/start_delays.hpp"

namespace kernbench::model::runtime {

/// The allowed difference between a computed value x and the expected e:
/// |x - e| <= absolute + relative |e|.
struct Tolerance {
  double relative = 0.0;
  double absolute = 0.0;
};
/// Returns the rounding error of a few hundred additions, both relative and absolute: 1e-5 (f32),
/// 4e-3 (f16), 3e-2 (bf16), a unit in the last place for f8 (f8e4m3 0.125, f8e5m2 0.25), 0 for
/// integers.
[[nodiscard]] KERNBENCH_API Tolerance default_tolerance(data::DataType type);

struct CheckReport;

/// A tensor copied to the host and the values that a bench expects in it, or a check of the bench.
struct Check {
  std::string name;
  std::uint32_t result = 0;  ///< number of the result in the replay
  std::function<data::Array()> expected;
  Tolerance tolerance;
  std::function<CheckReport()> judge{};  ///< takes the place of the comparison if set
};
/// The outcome of a Check.
struct CheckReport {
  std::string name;
  std::uint64_t elements = 0;
  std::uint64_t wrong = 0;
  double worst = 0.0;       ///< the largest |x - e| / (absolute + relative |e|); 1 is the limit
  std::string first_wrong;  ///< "[3, 5]: 1.5, expected 1.25"
};

/// A failed kernel: its name, PE, operation and error.
class KernelFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The configuration of process groups: a file, or text in place of one.
struct CclSource {
  std::string name;
  std::string text;  ///< "" for a file
};

/// How the contexts of a run work.
struct SessionOptions {
  CclSource ccl{};
  DevicePart part{};  ///< the part of each SIP that contexts use
  /// Transfer the data of initial tensors by messages, in simulated time. By default they are in
  /// memory from the start.
  bool upload = false;
  bool verifies = false;  ///< the replay will be checked
  AddressModel addresses = AddressModel::Virtual;
  bool predicts = false;  ///< ask for the predictions of formulas even where there is no choice
  bool keeps_requests = false;  ///< keep a record of each completed request of all contexts
  /// How works of the same key are simulated; all work is simulated if not set.
  std::optional<RepeatOptions> repeats{};
  /// Lets programs start later. The delays must outlive the session.
  const StartDelays* delays = nullptr;
  /// Record what the program of each launch at these indices of cube and PE would do, and carry out
  /// no kernel.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> recorded_program{};
};

/// The state that the contexts of a run share: the machine, its memory, the log of operations, the
/// record of the run, and the checks.
class KERNBENCH_API Session {
 public:
  /// The machine and the record must outlive the session. The machine reports stages to `recorder`.
  Session(components::Machine& machine, data::Recorder& recorder, RunRecord& record,
          SessionOptions options = {});

  [[nodiscard]] components::Machine& machine() { return machine_; }
  [[nodiscard]] const topology::TopologySpec& spec() const { return machine_.spec(); }
  [[nodiscard]] data::Recorder& recorder() { return recorder_; }
  [[nodiscard]] RunRecord& record() { return record_; }
  [[nodiscard]] const RunRecord& record() const { return record_; }
  [[nodiscard]] const SessionOptions& options() const { return options_; }
  /// Allocates or frees the range of addresses of a tensor. Throws memory::OutOfMemory for a tensor
  /// that is too large for a logical range.
  [[nodiscard]] std::uint64_t allocate_range(std::uint64_t bytes);
  void free_range(std::uint64_t begin, std::uint64_t bytes);
  [[nodiscard]] memory::PeAllocator& allocator(const memory::PeLocation& pe);

  /// Calls components::install_neighbors() and reserves the memory of the slots at the end of each
  /// PE's TCM or HBM slice. Throws memory::OutOfMemory when that memory is already in use.
  void install_neighbors(const std::vector<components::NeighborLink>& links,
                         std::optional<topology::SlotBacking> backing = {});

  /// The arguments of a launch beside the kernel's name.
  struct LaunchArguments {
    KernelBody body{};  ///< the host's own code; empty for a kernel of the registry
    std::vector<KernelArgument> of_registered{};
    kernel::ProgramPlace grid{};  ///< cubes and PEs of the launch
    Device device{};
    std::size_t stack_bytes = engine::kFiberStackBytes;  ///< stack of each program
  };
  /// Logs a launch, keeps its arguments until finish(), and returns the message of it. The name of
  /// a kernel with a body is known to all PEs from now on.
  [[nodiscard]] components::KernelLaunch prepare(const std::string& name,
                                                 LaunchArguments arguments);
  /// Forgets the arguments of a launch that is complete.
  void finish(const components::KernelLaunch& launch) { launches_.erase(launch.arguments); }

  /// Number of kernels that a PE can run at once.
  static constexpr std::uint32_t kMaxKernelsOfAPe = 4;

  /// Numbers of results of the replay: of copies to the host, and of Context::peek().
  [[nodiscard]] std::uint32_t new_result() { return results_++; }
  [[nodiscard]] std::uint32_t new_peek() { return kFirstPeek + peeks_++; }
  [[nodiscard]] std::uint32_t peeks() const { return peeks_; }
  static constexpr std::uint32_t kFirstPeek = std::uint32_t{1} << 31U;
  void add_check(Check check) { checks_.push_back(std::move(check)); }
  /// Adds a check of what the replay computes.
  void add_contract(std::function<CheckReport(const data::Replay&)> check) {
    contracts_.push_back(std::move(check));
  }
  [[nodiscard]] const std::vector<std::function<CheckReport(const data::Replay&)>>& contracts()
      const {
    return contracts_;
  }
  /// Adds a function that says, when nothing can go on, what some part of the bench waits for.
  void add_wait_report(std::function<std::vector<std::string>()> report) {
    wait_reports_.push_back(std::move(report));
  }
  /// Returns the lines of all wait reports.
  [[nodiscard]] std::vector<std::string> waits() const;
  /// Returns the repeated works, or null if all work is simulated.
  [[nodiscard]] Repeats* repeats() { return repeats_ ? &*repeats_ : nullptr; }
  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }
  /// Returns the running kernels: "kernel 'softmax' on sip0.cube1.pe3: tl.load at softmax.cpp:31".
  /// Kernels that compute rather than wait come first, marked "computes". Callable from any thread.
  [[nodiscard]] std::vector<std::string> running() const;

 private:
  /// A launch in progress.
  struct Launch {
    const std::string* name = nullptr;
    LaunchArguments arguments;
    LaunchKey key{};
  };
  /// Makes a kernel of this name known to the PEs.
  void define(std::string_view name);
  /// Runs one program, or records it. The references must stay valid until the process ends.
  engine::Process run_kernel(const Launch& launch, const components::KernelContext& context);
  [[nodiscard]] std::size_t index_of(const memory::PeLocation& pe) const;
  /// Returns an activity of a PE that runs no kernel. Throws std::logic_error without one.
  [[nodiscard]] kernel::Activity& idle_activity(const memory::PeLocation& pe);

  components::Machine& machine_;
  data::Recorder& recorder_;
  RunRecord& record_;
  const SessionOptions options_;
  memory::VirtualAllocator addresses_;
  std::vector<std::unique_ptr<memory::PeAllocator>> allocators_;  ///< created on first use
  std::set<std::string> kernel_names_;  ///< never erased: running() reads them from any thread
  std::vector<kernel::Activity> activities_;  ///< kMaxKernelsOfAPe for each PE
  std::map<std::uint32_t, Launch> launches_;  ///< by number in the log
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      launched_;  ///< kernels made for the ranks, by their first SIP and cube
  std::vector<Check> checks_;
  std::vector<std::function<CheckReport(const data::Replay&)>> contracts_;
  std::vector<std::function<std::vector<std::string>()>> wait_reports_;
  std::uint64_t logical_ = 0;  ///< tensors with logical addresses so far
  std::uint32_t results_ = 0;
  std::uint32_t peeks_ = 0;
  std::optional<Repeats> repeats_;
};

/// Compares the results of a replay with the expected values.
[[nodiscard]] std::vector<CheckReport> evaluate(const std::vector<Check>& checks,
                                                const data::Replay& replay);

}  // namespace kernbench::model::runtime
