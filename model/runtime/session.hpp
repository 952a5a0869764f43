#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/data/recorder.hpp"
#include "model/data/replay.hpp"
#include "model/kernel/activity.hpp"
#include "model/kernel/executor.hpp"
#include "model/kernel/tl.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/memory/virtual_allocator.hpp"

namespace kernbench::model::runtime {

/// A kernel's code. It runs once on each PE of a launch.
using KernelBody = std::function<void(kernel::Tl&)>;

/// How far computed numbers may be from expected ones: |x - e| <= absolute + relative |e|.
struct Tolerance {
  double relative = 0.0;
  double absolute = 0.0;
};
/// What a few hundred additions of rounded numbers lose: 1e-5 (f32), 4e-3 (f16), 3e-2 (bf16), both
/// relative and absolute; nothing for integers.
[[nodiscard]] Tolerance default_tolerance(data::DataType type);

/// A tensor copied to the host that a bench wants to see certain numbers in.
struct Check {
  std::string name;
  std::uint32_t result = 0;  ///< of the replay
  std::function<data::Array()> expected;
  Tolerance tolerance;
};
/// How it went.
struct CheckReport {
  std::string name;
  std::uint64_t elements = 0;
  std::uint64_t wrong = 0;
  double worst = 0.0;       ///< the largest |x - e| / (absolute + relative |e|); 1 is the limit
  std::string first_wrong;  ///< "[3, 5]: 1.5, expected 1.25"
};

/// A kernel launch that was done.
struct LaunchRecord {
  std::string kernel;
  std::uint32_t sip = 0;
  std::uint64_t programs = 0;
  common::SimTime start;
  common::SimTime end;
};

/// A kernel that failed, with all that is known of it.
class KernelFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What process groups are made from: a file, or text that stands for one.
struct CclSource {
  std::string name;
  std::string text;  ///< "" for a file
};

/// What the contexts of a run share: the machine, its memory, the log of operations, and what is
/// to be checked.
class Session {
 public:
  /// The machine must outlive it; its StageObserver must be recorder().
  Session(components::Machine& machine, data::Recorder& recorder);

  [[nodiscard]] components::Machine& machine() { return machine_; }
  [[nodiscard]] const topology::TopologySpec& spec() const { return machine_.spec(); }
  [[nodiscard]] data::Recorder& recorder() { return recorder_; }
  [[nodiscard]] memory::VirtualAllocator& addresses() { return addresses_; }
  [[nodiscard]] memory::PeAllocator& allocator(const memory::PeLocation& pe);

  /// As components::install_neighbors(). The memory of the slots, at the end of a PE's TCM or HBM
  /// slice, is reserved: throws memory::OutOfMemory when it is in use already.
  void install_neighbors(const std::vector<components::NeighborLink>& links,
                         std::optional<topology::SlotBacking> backing = {});

  /// Returns a kernel that runs `body` as one program of a grid of `grid.cubes` x `grid.pes`. The
  /// session must outlive it.
  [[nodiscard]] std::shared_ptr<const components::Kernel> make_kernel(
      const std::string& name, KernelBody body, const kernel::ProgramPlace& grid);

  [[nodiscard]] std::uint32_t new_result() { return results_++; }
  void add_launch(LaunchRecord launch) { launches_.push_back(std::move(launch)); }
  void add_check(Check check) { checks_.push_back(std::move(check)); }
  void count_submission() { ++submissions_; }
  void set_ccl(CclSource source) { ccl_ = std::move(source); }
  [[nodiscard]] const CclSource& ccl() const { return ccl_; }

  [[nodiscard]] const std::vector<LaunchRecord>& launches() const { return launches_; }
  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }
  /// Operations that benches asked for: copies, launches.
  [[nodiscard]] std::uint64_t submissions() const { return submissions_; }
  /// What kernels do now: "kernel 'softmax' on sip0.cube1.pe3: tl.load at softmax.cpp:31". Those
  /// whose own code runs come first, marked so. May be called in any thread.
  [[nodiscard]] std::vector<std::string> running() const;

 private:
  /// Runs one program. The references must stay valid until the process ends.
  engine::Process run_kernel(const std::string& name, const KernelBody& body,
                             const kernel::ProgramPlace& grid,
                             const components::KernelContext& context);
  [[nodiscard]] std::size_t index_of(const memory::PeLocation& pe) const;

  components::Machine& machine_;
  data::Recorder& recorder_;
  memory::VirtualAllocator addresses_;
  std::vector<std::unique_ptr<memory::PeAllocator>> allocators_;  ///< made when first needed
  std::vector<kernel::Activity> activities_;                      ///< by PE
  std::set<std::string> kernel_names_;  ///< never erased: running() reads them from any thread
  std::vector<LaunchRecord> launches_;
  std::vector<Check> checks_;
  std::uint32_t results_ = 0;
  std::uint64_t submissions_ = 0;
  CclSource ccl_;
};

/// Holds the results of a replay against what was expected.
[[nodiscard]] std::vector<CheckReport> evaluate(const std::vector<Check>& checks,
                                                const data::Replay& replay);

}  // namespace kernbench::model::runtime
