// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/pe_command.hpp"

#include <stdexcept>
#include <utility>

namespace kernbench::model::components {

namespace {

PeCommand::Work single_stage(TileStage stage, std::vector<TensorPlace> tensors) {
  TileSequence stages;
  stages.push_back(std::move(stage));
  return plan_work(TilePlan(std::move(stages)), std::move(tensors), 1);
}

}  // namespace

PeCommand::Work dma_work(bool write, std::uint64_t address, std::uint64_t bytes) {
  TileStage stage;
  stage.kind = write ? StageKind::DmaWrite : StageKind::DmaRead;
  stage.operands = {{0, {0, 0, 1, bytes}}};
  stage.bytes = bytes;
  return single_stage(std::move(stage), {{address, bytes, 1}});
}

PeCommand::Work gemm_work(std::uint64_t macs) {
  if (macs == 0) throw std::invalid_argument("a GEMM must have at least one multiply-add");
  TileStage stage;
  stage.kind = StageKind::Gemm;
  stage.macs = macs;
  return single_stage(std::move(stage), {});
}

PeCommand::Work math_work(MathOp op, std::uint64_t elements) {
  if (elements == 0) throw std::invalid_argument("a math op must have at least one element");
  TileStage stage;
  stage.kind = StageKind::Math;
  stage.op = op;
  stage.elements = elements;
  return single_stage(std::move(stage), {});
}

PeCommand::Work plan_work(TilePlan plan, std::vector<TensorPlace> tensors,
                          std::uint32_t tiles_in_flight) {
  if (tiles_in_flight == 0) throw std::invalid_argument("at least one tile must be in flight");
  return PipelineWork{std::move(plan), std::move(tensors), tiles_in_flight};
}

}  // namespace kernbench::model::components
