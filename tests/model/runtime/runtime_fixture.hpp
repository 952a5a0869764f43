// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "model/components/parts/pe_mmu.hpp"
#include "model/data/recorder.hpp"
#include "model/data/replay.hpp"
#include "model/engine/fiber.hpp"
#include "model/runtime/context.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::runtime {

using data::DataType;
using kernel::Tl;
using memory::PeLocation;

inline constexpr DpPolicy kByRows{Placement::RowWise, Placement::RowWise, {}, {}};
inline constexpr Placement kPlacements[] = {Placement::Replicate, Placement::RowWise,
                                            Placement::ColumnWise};

/// Two SIPs of 2 x 2 cubes of 4 PEs.
inline const topology::TopologyGraph& runtime_graph() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.sip.cube_mesh_w = 2;
    spec.sip.cube_mesh_h = 2;
    spec.cube.pe_per_corner = 1;
    spec.cube.memory_map.slices_per_cube = 4;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// A session on a machine of runtime_graph() whose parts are accessible.
class RuntimeMachine {
 public:
  explicit RuntimeMachine(SessionOptions options = {})
      : machine_(*simulation_, runtime_graph(), machine_options()),
        session_(machine_, recorder_, record_, std::move(options)) {}
  ~RuntimeMachine() { simulation_.reset(); }  // running kernels use the other members
  RuntimeMachine(const RuntimeMachine&) = delete;
  RuntimeMachine& operator=(const RuntimeMachine&) = delete;

  /// Adds a host program for a SIP.
  void add(std::uint32_t sip, std::function<void(Context&)> program) {
    add(sip, {}, std::move(program));
  }
  /// Adds a host program as the rank `sip` of `ranks`.
  void add(std::uint32_t sip, const std::shared_ptr<RegionBarrier>& ranks,
           std::function<void(Context&)> program) {
    simulation_->spawn("host",
                       engine::run_on_fiber(
                           [this, sip, ranks, program = std::move(program)](engine::Fiber& fiber) {
                             Context context(session_, Device::of_sip(session_.spec(), sip), fiber,
                                             {}, ranks, ranks ? sip : 0);
                             program(context);
                             context.synchronize();
                           }));
  }
  void run() { simulation_->run(); }
  void run(std::function<void(Context&)> program) {
    add(0, std::move(program));
    run();
  }

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] const data::OpLog& log() const { return recorder_.log(); }
  [[nodiscard]] std::int64_t now() const { return simulation_->now().ps(); }
  [[nodiscard]] const memory::PageTable& table(const PeLocation& pe) {
    return machine_.component_as<components::PeMmu>(machine_.pe_part(pe, topology::NodeKind::PeMmu))
        .table();
  }
  /// Returns the PE whose HBM slice holds the address `va` of `pe`.
  [[nodiscard]] PeLocation home(const PeLocation& pe, std::uint64_t va) {
    const topology::PhysAddr address = topology::decode_phys_addr(table(pe).translate(va).value());
    const std::uint64_t slice = runtime_graph().spec().cube.memory_map.hbm_slice_bytes();
    return {address.sip, address.cube, static_cast<std::uint32_t>(address.hbm_offset / slice)};
  }
  [[nodiscard]] std::vector<CheckReport> evaluate() const {
    data::Replay replay;
    replay.run(recorder_.log());
    return runtime::evaluate(session_.checks(), replay);
  }

 private:
  [[nodiscard]] components::MachineOptions machine_options() {
    components::MachineOptions options;
    options.stages = &recorder_;
    return options;
  }

  std::unique_ptr<engine::Simulation> simulation_ = std::make_unique<engine::Simulation>();
  data::Recorder recorder_;
  RunRecord record_;
  components::Machine machine_;
  Session session_;
};

/// Returns host data with the values 0, 1, 2, ...
inline HostData counting(std::uint64_t rows, std::uint64_t columns) {
  return [=] {
    data::MatrixF values(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(i);
    return data::Array::from(DataType::F32, values);
  };
}

}  // namespace kernbench::model::runtime
