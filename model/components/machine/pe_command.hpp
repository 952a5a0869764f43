// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/components/tiling/tiling.hpp"
#include "model/engine/cause.hpp"
#include "model/engine/event.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

/// Location of a tensor of a plan: contiguous rows of `columns` elements.
struct TensorPlace {
  std::uint64_t address = 0;  ///< virtual, or physical if unmapped
  std::uint64_t columns = 0;
  ElementSize element_bytes = 1;
};

/// Tiles for the engines. TileOperand::tensor is an index into `tensors`.
struct PipelineWork {
  TilePlan plan;
  std::vector<TensorPlace> tensors;
  std::uint32_t tiles_in_flight = 2;  ///< at least 1; 2 is double buffering
};
/// Sends from this PE's TCM to the neighbour in a direction.
struct IpcqSend {
  std::string direction;
  std::uint64_t bytes = 0;
};
/// Receives from the neighbour in a direction into this PE's TCM.
struct IpcqRecv {
  std::string direction;
  std::uint64_t bytes = 0;
};

/// A command of a kernel for its PE. It must live until it is done.
class KERNBENCH_API PeCommand {
 public:
  using Work = std::variant<PipelineWork, IpcqSend, IpcqRecv>;
  /// `name` appears in wait-for lists and traces.
  PeCommand(std::string name, Work&& to_do) : work(std::move(to_do)), done(std::move(name)) {}
  /// A command to be filled with renew().
  PeCommand() : done("") {}

  /// Resets a completed command for reuse. The caller must overwrite `work`. `name` must be a
  /// literal.
  void renew(const char* name) {
    done.reset();
    done.rename(name);
    next_tile = 0;
    tiles_done = 0;
  }
  /// Returns the work as PipelineWork. Replaces work of another kind by an empty PipelineWork.
  [[nodiscard]] PipelineWork& pipeline() {
    auto* const tiles = std::get_if<PipelineWork>(&work);
    return tiles != nullptr ? *tiles : work.emplace<PipelineWork>();
  }

  Work work;
  engine::Event done;
  std::uint64_t transaction = 0;  ///< assigned when the command starts
  std::uint32_t operation = 0;    ///< opaque tag from the issuer, passed on to the StageObserver

  std::uint64_t next_tile = 0;  ///< first tile not yet dispatched
  std::uint64_t tiles_done = 0;
};

/// Returns a DMA read or write of HBM or another memory, as one tile of one stage.
[[nodiscard]] KERNBENCH_API PeCommand::Work dma_work(bool write, std::uint64_t address,
                                                     std::uint64_t bytes);
/// Returns `macs` multiply-adds on registers. Throws std::invalid_argument for 0.
[[nodiscard]] KERNBENCH_API PeCommand::Work gemm_work(std::uint64_t macs);
/// Returns an element-wise op or a reduction on registers. Throws std::invalid_argument for 0
/// elements.
[[nodiscard]] KERNBENCH_API PeCommand::Work math_work(MathOp op, std::uint64_t elements);
/// Returns a composite command: all tiles of a plan. Throws std::invalid_argument when
/// `tiles_in_flight` is 0.
[[nodiscard]] KERNBENCH_API PeCommand::Work plan_work(TilePlan plan,
                                                      std::vector<TensorPlace> tensors,
                                                      std::uint32_t tiles_in_flight = 2);

/// A tile in flight.
struct TileToken {
  std::uint32_t slot = 0;  ///< number in the pool of the pe_scheduler
  PeCommand* command = nullptr;
  TileSequence own_stages;  ///< empty when the command's plan keeps the stages
  std::span<const TileStage> stages;
  std::size_t stage = 0;  ///< index of the current stage
  std::uint64_t transaction = 0;
  common::SimTime served;  ///< start of the engine's work on the stage
  engine::Cause cause;     ///< the work of the engine

  [[nodiscard]] const TileStage& at() const { return stages[stage]; }
};

/// Receives the completion of every stage.
class StageObserver {
 public:
  virtual ~StageObserver() = default;
  /// Called when the token's stage at `engine` ends. The work began at token.served.
  virtual void on_stage(const TileToken& token, topology::NodeId engine, common::SimTime now) = 0;
};

}  // namespace kernbench::model::components
