// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/data/array.hpp"
#include "model/engine/event.hpp"
#include "model/engine/fiber.hpp"
#include "model/runtime/device.hpp"
#include "model/runtime/device_tensor.hpp"
#include "model/runtime/measured_region.hpp"
#include "model/runtime/repeats.hpp"
#include "model/runtime/request_record.hpp"
#include "model/runtime/session.hpp"

namespace kernbench::model::runtime {

/// Returns the values of a tensor. Called only during and after the replay.
using HostData = std::function<data::Array()>;

/// A copy of a tensor on the host. Its values exist after the replay.
struct HostCopy {
  std::uint32_t result = 0;
  data::DataType type = data::DataType::F32;
};

/// The first PEs of the first cubes of a device. A count that is not set means all.
struct LaunchGrid {
  std::optional<std::uint32_t> cubes{};
  std::optional<std::uint32_t> pes{};
  std::size_t stack_bytes = engine::kFiberStackBytes;  ///< stack of each program
};

/// Functions that a launch calls when it starts and when it is complete, in no simulated time, and
/// what it is part of.
struct LaunchHooks {
  std::function<void()> before{};
  std::function<void()> after{};
  std::shared_ptr<const CommunicationRecord> communication{};
};

/// A queue of requests of a context.
enum class Stream : std::uint32_t {};
/// The requests of a stream up to some point; null for none.
using Mark = std::shared_ptr<engine::Event>;

/// An invalid value of a bench parameter.
class KERNBENCH_API BadParameter : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Returns "m=512, n=64", or "no parameters".
[[nodiscard]] KERNBENCH_API std::string text_of(
    const std::map<std::string, std::string>& parameters);

/// The host's interface to a device, and the argument of a bench. Creates tensors, launches kernels
/// and copies results back, all with messages of the host.
///
/// Copies, launches and frees of a stream run one at a time in program order, those of different
/// streams at the same time; synchronize() waits for all. A PE runs the kernels of several streams
/// at once, which share its engines and its TCM.
/// Invalid requests throw std::invalid_argument or memory::OutOfMemory at once. Later failures end
/// the run.
class KERNBENCH_API Context {
 public:
  /// All references must outlive the context. `fiber` runs the bench. The context is rank `rank`
  /// of `ranks`, or the only rank without it.
  Context(Session& session, Device device, engine::Fiber& fiber,
          const std::map<std::string, std::string>& parameters = {},
          std::shared_ptr<RegionBarrier> ranks = {}, std::uint32_t rank = 0);

  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] std::uint32_t cubes() const;
  [[nodiscard]] std::uint32_t pes() const;  ///< PEs of a cube
  [[nodiscard]] common::SimTime now() const;
  [[nodiscard]] const std::map<std::string, std::string>& parameters() const { return parameters_; }

  /// Returns a parameter of the bench, as text or converted. Throws BadParameter for an invalid
  /// value, and std::out_of_range for an unknown name.
  [[nodiscard]] const std::string& parameter(const std::string& name) const;
  [[nodiscard]] std::uint64_t number(const std::string& name, std::uint64_t least = 0) const;
  [[nodiscard]] std::string choice(const std::string& name,
                                   const std::vector<std::string_view>& values) const;
  [[nodiscard]] data::DataType type(const std::string& name) const;
  /// Returns a number, or nothing for "auto".
  [[nodiscard]] std::optional<std::uint64_t> number_or_auto(const std::string& name,
                                                            std::uint64_t least = 0) const;
  /// Converts "row" (rows distributed over all PEs), "column" (columns distributed over all PEs),
  /// "blocks" (rows distributed over the cubes, columns over the PEs of each cube), "replicated" (a
  /// copy in each cube, its rows distributed over the cube's PEs) or "everywhere" (a copy in each
  /// PE). With `automatic`, "auto" is valid too and means that.
  [[nodiscard]] DpPolicy policy(const std::string& name,
                                const std::optional<DpPolicy>& automatic = {}) const;

  /// Allocates a tensor, maps it on the PEs that may use it, and writes `data` to it if given.
  /// `rows` and `columns` may be 0. The data of an initial tensor, one created before the context's
  /// first launch or measured region, is in memory at once unless Session::upload(); later data
  /// travels in messages.
  [[nodiscard]] Tensor tensor(std::uint64_t rows, std::uint64_t columns, data::DataType type,
                              const DpPolicy& policy, HostData data = {},
                              data::SourceLine line = data::SourceLine::here());
  /// Copies a tensor to the host, from the first of its replicas.
  [[nodiscard]] HostCopy read(const Tensor& tensor);
  /// Unmaps a tensor and frees its memory when all earlier requests are complete.
  void free(const Tensor& tensor);

  /// Runs a kernel on every PE of the grid: the code of `body`, which the launch brings with it.
  void launch(const std::string& name, KernelBody body, const LaunchGrid& grid = {},
              LaunchHooks hooks = {});
  /// Runs a registered kernel on every PE of the grid. Arguments that do not fit it are refused at
  /// once; a name that the PEs do not know is their answer, which ends the run.
  void launch(const std::string& name, std::vector<KernelArgument> arguments,
              const LaunchGrid& grid = {});
  /// Returns a new stream. Without one, all requests are in one stream. Throws
  /// std::invalid_argument for more than kMaxStreams in all.
  [[nodiscard]] Stream add_stream();
  static constexpr std::uint32_t kMaxStreams = Session::kMaxKernelsOfAPe;
  /// Calls `work`, whose requests are in `stream`.
  void in(Stream stream, const std::function<void()>& work);
  /// Makes later requests those of `stream` in place of in(), for hosts whose code cannot be a
  /// function. Returns the stream before.
  Stream enter(Stream stream);
  /// Returns a mark after the requests made so far in the current stream.
  [[nodiscard]] Mark mark() const { return last_[current_]; }
  /// Lets later requests of the current stream wait for those before a mark of any stream, also of
  /// other contexts.
  void wait_for(const Mark& mark);

  /// Notes the values that a cube's copy of a replicated tensor has now, in no simulated time and
  /// without a message. Returns the number of the result in the replay.
  [[nodiscard]] std::uint32_t peek(const Tensor& tensor, std::uint32_t cube);

  /// Measures the time of `work`, including its requests. The region starts when the requests
  /// before it are complete in all ranks; the barrier itself takes no simulated time. Every rank
  /// must measure the same regions in the same order. Throws std::invalid_argument for an empty
  /// name, another rank's name, and a region inside another.
  void measure(const std::string& name, const std::function<void()>& work);
  /// Begin and end a region in place of measure(), for hosts whose code cannot be a function.
  void begin_region(const std::string& name);
  void end_region();
  /// Calls `work`, or as Session::repeat_work() says lets the time pass that earlier work of the
  /// key took; then it waits until all requests before and of the work are complete.
  void repeat(const RepeatedWork& what, const std::function<void()>& work);
  /// Returns the name of the region that is being measured, or an empty text.
  [[nodiscard]] std::string measured_region() const;

  /// Calls a function when all earlier requests are complete, in no simulated time.
  void notify(std::function<void()> function);
  /// Waits until all requests are complete.
  void synchronize();
  /// Waits for an event.
  void wait(engine::Event& event) { fiber_.wait(event); }

  /// Checks the values of a copy against `expected()` after the replay.
  void expect(std::string name, const HostCopy& copy, HostData expected,
              std::optional<Tolerance> tolerance = {});
  /// Adds a check that `judge` makes after the replay, for what no copy of a tensor shows.
  void expect(std::string name, std::function<CheckReport()> judge);

 private:
  void allocate_shards(DeviceTensor& tensor);
  /// Returns how many different offsets in the HBM of their PEs the regions have.
  [[nodiscard]] std::size_t offsets_of(const memory::Mappings& regions) const;
  /// Throws BadParameter for a tensor that does not fit, with the parameters that gave its size,
  /// the number of rows or columns that would fit, and `reason`.
  [[noreturn]] void refuse_size(const DeviceTensor& tensor, const data::SourceLine& line,
                                const std::string& reason) const;
  /// Returns true if the memory has room for a tensor of this layout.
  [[nodiscard]] bool has_room(const Layout& layout, data::DataType type) const;
  void free_memory(const DeviceTensor& tensor);
  /// Runs `work` after all earlier requests. `record` has no times yet.
  void enqueue(engine::Process work, RequestRecord record);
  static engine::Process end_of(Mark mark);
  engine::Process in_order(std::shared_ptr<engine::Event> before, engine::Process work,
                           std::shared_ptr<engine::Event> done, RequestRecord record);
  engine::Process deploy(Tensor tensor, HostData data);
  /// Logs the start of a host copy and returns the number of its record.
  std::uint32_t begin_copy(data::HostCopyParams params);
  /// Logs a write of `data` that is complete at once.
  void place(const DeviceTensor& tensor, HostData data);
  engine::Process copy_in(Tensor tensor, HostData data);
  engine::Process copy_out(Tensor tensor, HostCopy copy);
  engine::Process release(Tensor tensor);
  void launch(const std::string& name, Session::LaunchArguments arguments, const LaunchGrid& grid,
              LaunchHooks hooks);
  engine::Process run_kernel(components::KernelLaunch launch,
                             std::vector<memory::PeLocation> targets, std::uint64_t cubes,
                             std::optional<std::size_t> region, LaunchHooks hooks);
  /// Waits until `end` and adds the records of launches of the work that is repeated, which ended
  /// at `end_then`.
  engine::Process let_pass(common::SimTime end, common::SimTime end_then,
                           std::vector<std::size_t> launches);
  /// Maps or unmaps a tensor on the PEs that may use it.
  engine::Process change_maps(Tensor tensor, bool map);
  [[nodiscard]] components::HostCpu& host();

  Session& session_;
  Device device_;
  engine::Fiber& fiber_;
  std::map<std::string, std::string> parameters_;
  std::shared_ptr<RegionBarrier> ranks_;
  std::uint32_t rank_;
  std::optional<std::size_t> region_{};            ///< index of the region being measured
  bool initial_ = true;                            ///< no launch and no region so far
  std::vector<Mark> last_ = std::vector<Mark>(1);  ///< end of the latest request, by stream
  std::size_t current_ = 0;                        ///< the stream of requests
};

}  // namespace kernbench::model::runtime
