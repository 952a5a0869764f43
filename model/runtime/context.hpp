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

#include "model/components/parts/host_cpu.hpp"
#include "model/data/array.hpp"
#include "model/engine/event.hpp"
#include "model/engine/fiber.hpp"
#include "model/runtime/device_tensor.hpp"
#include "model/runtime/session.hpp"

namespace kernbench::model::runtime {

/// Numbers for a tensor, made only when they are computed with.
using HostData = std::function<data::Array()>;

/// A tensor that was copied to the host; its numbers are there after the replay.
struct HostCopy {
  std::uint32_t result = 0;
  data::DataType type = data::DataType::F32;
};

/// The first PEs of the first cubes of a SIP; all without counts.
struct LaunchGrid {
  std::optional<std::uint32_t> cubes{};
  std::optional<std::uint32_t> pes{};
};

/// A parameter of a bench that cannot be what was given.
class BadParameter : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The host's side of a SIP: the one argument of a bench. It makes tensors, launches kernels and
/// copies results back. Nothing here knows routes: everything travels as messages of the host.
///
/// Copies, launches and frees are done in the order in which they were asked for, each when the one
/// before it has ended; synchronize() waits for all. What is wrong with a request is
/// std::invalid_argument or memory::OutOfMemory at once; what fails later ends the run.
class Context {
 public:
  /// All must outlive it. `fiber` is the one that calls it.
  Context(Session& session, std::uint32_t sip, engine::Fiber& fiber,
          const std::map<std::string, std::string>& parameters = {});

  [[nodiscard]] std::uint32_t sip() const { return sip_; }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] std::uint32_t cubes() const;
  [[nodiscard]] std::uint32_t pes() const;  ///< of a cube
  [[nodiscard]] common::SimTime now() const;
  [[nodiscard]] const std::map<std::string, std::string>& parameters() const { return parameters_; }

  /// A parameter of the bench, and what it stands for: BadParameter when that is not what was
  /// given. Throws std::out_of_range for one that the bench does not have.
  [[nodiscard]] const std::string& parameter(const std::string& name) const;
  [[nodiscard]] std::uint64_t number(const std::string& name, std::uint64_t least = 0) const;
  [[nodiscard]] std::string choice(const std::string& name,
                                   const std::vector<std::string_view>& values) const;
  [[nodiscard]] data::DataType type(const std::string& name) const;
  /// "row": rows over all PEs; "column": columns over all PEs; "replicated": a copy in each cube,
  /// its rows over the PEs there; "everywhere": a copy for each PE.
  [[nodiscard]] DpPolicy policy(const std::string& name) const;

  /// Allocates a tensor, maps it on the PEs that may use it, and writes `data` to it if there are
  /// any. A row or column count of 0 is an empty tensor.
  [[nodiscard]] Tensor tensor(std::uint64_t rows, std::uint64_t columns, data::DataType type,
                              const DpPolicy& policy, HostData data = {});
  /// Copies a tensor to the host: of replicas the first one.
  [[nodiscard]] HostCopy read(const Tensor& tensor);
  /// Unmaps it, and gives its memory back when all before it has been done.
  void free(const Tensor& tensor);

  /// Runs a kernel on every PE of the grid.
  void launch(const std::string& name, KernelBody body, const LaunchGrid& grid = {});

  /// Waits until all that was asked for has been done.
  void synchronize();
  /// Waits for something else.
  void wait(engine::Event& event) { fiber_.wait(event); }

  /// Says what numbers a copy has to have. `expected` is called after the replay.
  void expect(std::string name, const HostCopy& copy, HostData expected,
              std::optional<Tolerance> tolerance = {});

 private:
  void allocate_shards(DeviceTensor& tensor);
  void give_back(const DeviceTensor& tensor);
  void enqueue(engine::Process work, std::string name);
  engine::Process in_order(std::shared_ptr<engine::Event> before, engine::Process work,
                           std::shared_ptr<engine::Event> done);
  engine::Process deploy(Tensor tensor, HostData data);
  /// Notes in the log that the host begins to copy; the number of the record.
  std::uint32_t begin_copy(data::HostCopyParams params);
  engine::Process copy_in(Tensor tensor, HostData data);
  engine::Process copy_out(Tensor tensor, HostCopy copy);
  engine::Process release(Tensor tensor);
  engine::Process run_kernel(components::KernelLaunch launch,
                             std::vector<memory::PeLocation> targets);
  /// Maps or unmaps a tensor on the PEs that may use it.
  engine::Process change_maps(Tensor tensor, bool map);
  [[nodiscard]] components::HostCpu& host();

  Session& session_;
  std::uint32_t sip_;
  engine::Fiber& fiber_;
  std::map<std::string, std::string> parameters_;
  std::shared_ptr<engine::Event> last_;  ///< the end of what was enqueued last
};

}  // namespace kernbench::model::runtime
