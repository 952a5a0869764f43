#include "model/kernel/commands.hpp"

#include <utility>

namespace kernbench::model::kernel {

using components::MathOp;
using components::PeCommand;
using components::StageKind;
using components::TilePlan;
using components::TileSequence;
using components::TileStage;

namespace {

TileStage bytes_stage(StageKind kind, std::uint64_t bytes) {
  TileStage stage;
  stage.kind = kind;
  stage.bytes = bytes;
  return stage;
}

PeCommand::Work compute_command(std::uint64_t in_bytes, TileStage compute,
                                std::uint64_t out_bytes) {
  TileSequence stages;
  stages.reserve(3);
  if (in_bytes != 0) stages.push_back(bytes_stage(StageKind::Fetch, in_bytes));
  stages.push_back(std::move(compute));
  stages.push_back(bytes_stage(StageKind::Store, out_bytes));
  return components::plan_work(TilePlan(std::move(stages)), {}, 1);
}

}  // namespace

PeCommand::Work dma_command(bool write, const TensorRef& ref) {
  TileStage stage;
  stage.kind = write ? StageKind::DmaWrite : StageKind::DmaRead;
  stage.operands = {{0, {0, 0, ref.rows, ref.columns}}};
  stage.bytes = ref.bytes();
  TileSequence stages;
  stages.push_back(std::move(stage));
  return components::plan_work(TilePlan(std::move(stages)),
                               {{ref.va, ref.row_stride, bytes_of(ref.type)}}, 1);
}

PeCommand::Work gemm_command(std::uint64_t in_bytes, std::uint64_t macs, std::uint64_t out_bytes) {
  TileStage stage;
  stage.kind = StageKind::Gemm;
  stage.macs = macs;
  return compute_command(in_bytes, std::move(stage), out_bytes);
}

PeCommand::Work math_command(std::uint64_t in_bytes, MathOp op, std::uint64_t elements,
                             std::uint64_t out_bytes) {
  TileStage stage;
  stage.kind = StageKind::Math;
  stage.elements = elements;
  stage.op = op;
  return compute_command(in_bytes, std::move(stage), out_bytes);
}

}  // namespace kernbench::model::kernel
