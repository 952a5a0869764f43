#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/units.hpp"
#include "model/components/tiling/tiling.hpp"
#include "model/engine/event.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

/// Where a tensor of a plan is: rows of `columns` elements, one after the other.
struct TensorPlace {
  std::uint64_t address = 0;  ///< virtual, or physical where nothing maps it
  std::uint64_t columns = 0;
  std::uint32_t element_bytes = 1;
};

/// Tiles for the engines; the tensors are in the order of TileOperand::tensor.
struct PipelineWork {
  TilePlan plan;
  std::vector<TensorPlace> tensors;
  std::uint32_t tiles_in_flight = 2;  ///< at least 1; 2 is double buffering
};
/// To the neighbour in a direction, from this PE's TCM.
struct IpcqSend {
  std::string direction;
  std::uint64_t bytes = 0;
};
/// From the neighbour in a direction, into this PE's TCM.
struct IpcqRecv {
  std::string direction;
  std::uint64_t bytes = 0;
};

/// What a kernel asks of its PE. It must live until it is done.
class PeCommand {
 public:
  using Work = std::variant<PipelineWork, IpcqSend, IpcqRecv>;
  /// `name` is for wait-for lists and traces.
  PeCommand(std::string name, Work&& to_do) : work(std::move(to_do)), done(std::move(name)) {}
  /// To be renewed.
  PeCommand() : done("") {}

  /// Makes it another command, after it was done; the work is to be written over. `name` is a
  /// literal.
  void renew(const char* name) {
    done.reset();
    done.rename(name);
    next_tile = 0;
    tiles_done = 0;
  }
  /// Its work for the engines, which becomes that if it was something else.
  [[nodiscard]] PipelineWork& pipeline() {
    auto* const tiles = std::get_if<PipelineWork>(&work);
    return tiles != nullptr ? *tiles : work.emplace<PipelineWork>();
  }

  Work work;
  engine::Event done;
  std::uint64_t transaction = 0;  ///< given when it starts
  std::uint32_t operation = 0;    ///< whatever who gave it wants a StageObserver to know

  std::uint64_t next_tile = 0;  ///< not dispatched yet
  std::uint64_t tiles_done = 0;
};

/// Reads or writes HBM (or any other memory) by the DMA, as one tile of one stage.
[[nodiscard]] PeCommand::Work dma_work(bool write, std::uint64_t address, std::uint64_t bytes);
/// Multiply-adds on registers.
[[nodiscard]] PeCommand::Work gemm_work(std::uint64_t macs);
/// An element-wise op or a reduction on registers.
[[nodiscard]] PeCommand::Work math_work(MathOp op, std::uint64_t elements);
/// A composite command: all tiles of a plan.
[[nodiscard]] PeCommand::Work plan_work(TilePlan plan, std::vector<TensorPlace> tensors,
                                        std::uint32_t tiles_in_flight = 2);

/// A tile on its way through the engines.
struct TileToken {
  std::uint32_t slot = 0;  ///< number in the pool of the pe_scheduler
  PeCommand* command = nullptr;
  TileSequence own_stages;  ///< none when the command's plan keeps them
  std::span<const TileStage> stages;
  std::size_t stage = 0;  ///< that it is at
  std::uint64_t transaction = 0;
  common::SimTime served;  ///< since when the engine works on the stage

  [[nodiscard]] const TileStage& at() const { return stages[stage]; }
};

/// Hears of every stage that an engine has done.
class StageObserver {
 public:
  virtual ~StageObserver() = default;
  /// The token's stage at `engine` ends now; it was worked on since token.served.
  virtual void on_stage(const TileToken& token, topology::NodeId engine, common::SimTime now) = 0;
};

}  // namespace kernbench::model::components
