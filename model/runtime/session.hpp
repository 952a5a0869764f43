// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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
#include "model/kernel/recording_executor.hpp"
#include "model/kernel/tl.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/memory/virtual_allocator.hpp"
#include "model/runtime/device.hpp"
#include "model/runtime/measured_region.hpp"
#include "model/runtime/repeats.hpp"
#include "model/runtime/request_record.hpp"
#include "model/runtime/start_delays.hpp"

namespace kernbench::model::runtime {

/// The code of a kernel, which runs once on each PE of a launch.
using KernelBody = std::function<void(kernel::Tl&)>;

/// The allowed difference between a computed value x and the expected e:
/// |x - e| <= absolute + relative |e|.
struct Tolerance {
  double relative = 0.0;
  double absolute = 0.0;
};
/// Returns the rounding error of a few hundred additions, both relative and absolute: 1e-5 (f32),
/// 4e-3 (f16), 3e-2 (bf16), a unit in the last place for f8 (f8e4m3 0.125, f8e5m2 0.25), 0 for
/// integers.
[[nodiscard]] Tolerance default_tolerance(data::DataType type);

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

/// A number that a bench reports beside the times of its regions.
struct Figure {
  std::string name;  ///< for example "time per token"
  double value = 0.0;
  std::string unit;  ///< for example "us"
};

/// A completed kernel launch.
struct LaunchRecord {
  std::string kernel;
  Device device;
  std::uint64_t programs = 0;  ///< one for each PE
  std::uint64_t cubes = 0;     ///< cubes with these PEs, the first ones of `device`
  common::SimTime start;
  common::SimTime end;
  components::ChannelLoad channel_load{};  ///< load of the HBM channels by the SIP's PEs
  std::optional<std::size_t> region{};     ///< index of its measured region
  std::optional<std::size_t> repeats{};    ///< index of the launch whose time it was given
  /// Time in which the busiest wire of each kind carried flits; empty if causes are not recorded.
  std::map<topology::EdgeKind, common::SimTime> busiest_wires{};
};

/// The operations of one program of a launch, recorded instead of carried out.
struct RecordedLaunch {
  std::string kernel;
  Device device;
  std::vector<kernel::RecordedOperation> operations;
};

/// A failed kernel: its name, PE, operation and error.
class KernelFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The algorithm that a group took for a collective, and the next by the formulas.
struct CollectiveChoice {
  std::string collective;
  std::string group;
  std::uint64_t bytes = 0;  ///< size of a block in each cube
  std::string algorithm;
  std::string neighbors;                     ///< neighbour kind
  std::optional<std::uint32_t> root_cube{};  ///< for members with several cubes
  std::string root_place;                    ///< "middle", "corner" or "side"
  double predicted_ns = 0.0;                 ///< by its formula
  std::string next;                          ///< empty if there is no other
  double next_ns = 0.0;
};

/// The configuration of process groups: a file, or text in place of one.
struct CclSource {
  std::string name;
  std::string text;  ///< "" for a file
};

/// The state that the contexts of a run share: the machine, its memory, the log of operations, and
/// the checks.
class KERNBENCH_API Session {
 public:
  /// The machine must outlive the session, and report stages to `recorder`.
  Session(components::Machine& machine, data::Recorder& recorder);

  [[nodiscard]] components::Machine& machine() { return machine_; }
  [[nodiscard]] const topology::TopologySpec& spec() const { return machine_.spec(); }
  [[nodiscard]] data::Recorder& recorder() { return recorder_; }
  [[nodiscard]] memory::VirtualAllocator& addresses() { return addresses_; }
  [[nodiscard]] memory::PeAllocator& allocator(const memory::PeLocation& pe);

  /// Calls components::install_neighbors() and reserves the memory of the slots at the end of each
  /// PE's TCM or HBM slice. Throws memory::OutOfMemory when that memory is already in use.
  void install_neighbors(const std::vector<components::NeighborLink>& links,
                         std::optional<topology::SlotBacking> backing = {});

  /// Logs a launch and returns its kernel, which runs `body` as one program of a grid of
  /// `grid.cubes` x `grid.pes` of a device. The session must outlive it.
  [[nodiscard]] std::shared_ptr<const components::Kernel> make_kernel(
      const std::string& name, KernelBody body, const kernel::ProgramPlace& grid, Device device);

  /// Records what one program of each launch would do, and carries out no kernel. The program is
  /// given by the indices of its cube and PE in the launch.
  void record_program(std::uint64_t cube, std::uint64_t pe) { recorded_program_ = {cube, pe}; }
  /// Returns the records of the launches that had the program, in the order of their start.
  [[nodiscard]] const std::vector<RecordedLaunch>& recorded() const { return recorded_; }

  /// Lets programs start later. The delays must outlive the session.
  void delay_starts(const StartDelays& delays) { delays_ = &delays; }
  /// Returns when the programs of each launch started, delays included.
  [[nodiscard]] const StartRanges& starts() const { return starts_; }

  /// Number of kernels that a PE can run at once.
  static constexpr std::uint32_t kMaxKernelsOfAPe = 4;

  /// Numbers of results of the replay: of copies to the host, and of Context::peek().
  [[nodiscard]] std::uint32_t new_result() { return results_++; }
  [[nodiscard]] std::uint32_t new_peek() { return kFirstPeek + peeks_++; }
  [[nodiscard]] std::uint32_t peeks() const { return peeks_; }
  static constexpr std::uint32_t kFirstPeek = std::uint32_t{1} << 31U;
  void add_launch(LaunchRecord launch) { launches_.push_back(std::move(launch)); }
  /// Returns the index of the region.
  std::size_t add_region(MeasuredRegion region) {
    regions_.push_back(std::move(region));
    return regions_.size() - 1;
  }
  [[nodiscard]] MeasuredRegion& region(std::size_t index) { return regions_.at(index); }
  /// Transfers the data of initial tensors by messages, in simulated time. By default they are in
  /// memory from the start.
  void set_upload(bool upload) { upload_ = upload; }
  [[nodiscard]] bool upload() const { return upload_; }
  /// Keeps a record of each completed request of all contexts, in the order of their ends.
  void keep_requests() { keeps_requests_ = true; }
  [[nodiscard]] bool keeps_requests() const { return keeps_requests_; }
  void add_request(RequestRecord request) { requests_.push_back(std::move(request)); }
  [[nodiscard]] const std::vector<RequestRecord>& requests() const { return requests_; }
  void add_check(Check check) { checks_.push_back(std::move(check)); }
  /// Says that the replay will be checked, and adds a check of what it computes.
  void set_verifies(bool verifies) { verifies_ = verifies; }
  [[nodiscard]] bool verifies() const { return verifies_; }
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
  void add_choice(CollectiveChoice choice) { choices_.push_back(std::move(choice)); }
  [[nodiscard]] const std::vector<CollectiveChoice>& choices() const { return choices_; }
  /// Says what makes the times of this run an estimate, such as "experts are drawn".
  void add_estimate(std::string reason) { estimates_.insert(std::move(reason)); }
  [[nodiscard]] const std::set<std::string>& estimates() const { return estimates_; }
  void add_figure(Figure figure) { figures_.push_back(std::move(figure)); }
  [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }
  /// Asks for the predictions of formulas even where there is no choice.
  void set_predicts(bool predicts) { predicts_ = predicts; }
  [[nodiscard]] bool predicts() const { return predicts_; }
  /// Sets how works of the same key are simulated. By default all work is simulated.
  void repeat_work(const RepeatOptions& options) { repeats_.emplace(options); }
  /// Returns the repeated works, or null if all work is simulated.
  [[nodiscard]] Repeats* repeats() { return repeats_ ? &*repeats_ : nullptr; }
  void count_submission() { ++submissions_; }
  void set_ccl(CclSource source) { ccl_ = std::move(source); }
  [[nodiscard]] const CclSource& ccl() const { return ccl_; }

  [[nodiscard]] const std::vector<LaunchRecord>& launches() const { return launches_; }
  /// Returns the measured regions in the order in which their first ranks entered.
  [[nodiscard]] const std::deque<MeasuredRegion>& regions() const { return regions_; }
  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }
  /// Returns the number of copies and launches that benches requested.
  [[nodiscard]] std::uint64_t submissions() const { return submissions_; }
  /// Returns the running kernels: "kernel 'softmax' on sip0.cube1.pe3: tl.load at softmax.cpp:31".
  /// Kernels that compute rather than wait come first, marked "computes". Callable from any thread.
  [[nodiscard]] std::vector<std::string> running() const;

 private:
  /// Runs one program, or records it. The references must stay valid until the process ends.
  engine::Process run_kernel(const std::string& name, const KernelBody& body,
                             kernel::ProgramPlace place, const Device& device, std::uint32_t launch,
                             const LaunchKey& key, const components::KernelContext& context);
  [[nodiscard]] std::size_t index_of(const memory::PeLocation& pe) const;
  /// Returns an activity of a PE that runs no kernel. Throws std::logic_error without one.
  [[nodiscard]] kernel::Activity& idle_activity(const memory::PeLocation& pe);

  components::Machine& machine_;
  data::Recorder& recorder_;
  memory::VirtualAllocator addresses_;
  std::vector<std::unique_ptr<memory::PeAllocator>> allocators_;  ///< created on first use
  std::set<std::string> kernel_names_;  ///< never erased: running() reads them from any thread
  std::vector<kernel::Activity> activities_;  ///< kMaxKernelsOfAPe for each PE
  std::vector<LaunchRecord> launches_;
  const StartDelays* delays_ = nullptr;
  StartRanges starts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      launched_;  ///< kernels made for the ranks, by their first SIP and cube
  std::optional<std::pair<std::uint64_t, std::uint64_t>> recorded_program_;  ///< cube and PE
  std::vector<RecordedLaunch> recorded_;
  bool keeps_requests_ = false;
  std::vector<RequestRecord> requests_;
  std::deque<MeasuredRegion> regions_;
  std::vector<Check> checks_;
  bool upload_ = false;
  bool verifies_ = false;
  std::vector<std::function<CheckReport(const data::Replay&)>> contracts_;
  std::vector<std::function<std::vector<std::string>()>> wait_reports_;
  std::uint32_t results_ = 0;
  std::uint32_t peeks_ = 0;
  std::uint64_t submissions_ = 0;
  CclSource ccl_;
  std::vector<CollectiveChoice> choices_;
  std::vector<Figure> figures_;
  std::set<std::string> estimates_;
  bool predicts_ = false;
  std::optional<Repeats> repeats_;
};

/// Compares the results of a replay with the expected values.
[[nodiscard]] std::vector<CheckReport> evaluate(const std::vector<Check>& checks,
                                                const data::Replay& replay);

}  // namespace kernbench::model::runtime
