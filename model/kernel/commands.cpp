// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/commands.hpp"

namespace kernbench::model::kernel {

using components::MathOp;
using components::PeCommand;
using components::PipelineWork;
using components::StageKind;
using components::TileSequence;
using components::TileStage;

namespace {

/// Sets the stages Fetch (unless `in_bytes` is 0), `kind` and Store. Returns the stage `kind`,
/// which the caller completes.
TileStage& set_computation(PeCommand& command, std::uint64_t in_bytes, StageKind kind,
                           std::uint64_t out_bytes) {
  PipelineWork& work = command.pipeline();
  work.tiles_in_flight = 1;
  const bool fetches = in_bytes != 0;
  TileStage* stage = work.plan.renew(fetches ? 3 : 2).data();
  if (fetches) {
    stage->renew(StageKind::Fetch);
    stage->bytes = in_bytes;
    ++stage;
  }
  stage[0].renew(kind);
  stage[1].renew(StageKind::Store);
  stage[1].bytes = out_bytes;
  return stage[0];
}

}  // namespace

void set_dma(PeCommand& command, bool write, const TensorRef& ref) {
  PipelineWork& work = command.pipeline();
  work.tiles_in_flight = 1;
  work.tensors.assign(1, {ref.va, ref.row_stride, bytes_of(ref.type)});
  TileStage& stage = work.plan.renew(1).front();
  stage.renew(write ? StageKind::DmaWrite : StageKind::DmaRead);
  stage.operands.push_back({0, {0, 0, ref.rows, ref.columns}});
  stage.bytes = ref.bytes();
}

void set_fetch(PeCommand& command, std::uint64_t bytes) {
  PipelineWork& work = command.pipeline();
  work.tiles_in_flight = 1;
  TileStage& stage = work.plan.renew(1).front();
  stage.renew(StageKind::Fetch);
  stage.bytes = bytes;
}

void set_dma_of_rows(PeCommand& command, bool write, const TensorRef& matrix, std::uint64_t rows) {
  PipelineWork& work = command.pipeline();
  work.tiles_in_flight = 1;
  work.tensors.assign(1, {matrix.va, matrix.row_stride, bytes_of(matrix.type)});
  TileSequence& stages = work.plan.renew(2);
  stages[0].renew(StageKind::Fetch);
  stages[0].bytes = rows * bytes_of(data::DataType::I32);
  stages[1].renew(write ? StageKind::DmaWrite : StageKind::DmaRead);
  for (std::uint64_t row = 0; row < rows; ++row) {
    stages[1].operands.push_back({0, {row * matrix.rows / rows, 0, 1, matrix.columns}});
  }
  stages[1].bytes = rows * matrix.columns * bytes_of(matrix.type);
}

void set_gemm(PeCommand& command, std::uint64_t in_bytes, std::uint64_t macs,
              std::uint64_t out_bytes) {
  set_computation(command, in_bytes, StageKind::Gemm, out_bytes).macs = macs;
}

void set_math(PeCommand& command, std::uint64_t in_bytes, MathOp op, std::uint64_t elements,
              std::uint64_t out_bytes) {
  TileStage& stage = set_computation(command, in_bytes, StageKind::Math, out_bytes);
  stage.elements = elements;
  stage.op = op;
}

}  // namespace kernbench::model::kernel
