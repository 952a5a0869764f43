// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/recording_executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "topology/routing/phys_addr.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {

namespace {

std::string text_of_block(const data::Block& block) {
  return block.transposed
             ? fmt::format("({} x {})^T of {}", block.rows, block.columns, name_of(block.type))
             : fmt::format("{} x {} of {}", block.rows, block.columns, name_of(block.type));
}

std::string text_of_operand(const data::Operand& operand) {
  const auto* const block = std::get_if<data::Block>(&operand);
  return block != nullptr ? text_of_block(*block) : fmt::format("{}", std::get<double>(operand));
}

}  // namespace

RecordingExecutor::RecordingExecutor(const topology::TopologySpec& spec, const ProgramPlace& place)
    : RecordingPe(
          spec, {0, static_cast<std::uint32_t>(place.cube), static_cast<std::uint32_t>(place.pe)}),
      Executor(RecordingPe::activity, nullptr, table, allocator,
               spec.pe.pe_gemm_accumulator_bytes(), true),
      place_(place),
      slot_bytes_(spec.pe.pe_ipcq_slot_bytes) {}

void RecordingExecutor::resolve(std::uint64_t va, data::Block& block) {
  block.space = data::Space::Hbm;
  block.stretches = {{va, block.span_bytes()}};
}

void RecordingExecutor::find_channel(std::string_view /*direction*/, data::IpcqCopyParams& copy) {
  if (copy.local.bytes() > slot_bytes_) {
    throw std::invalid_argument(fmt::format("a {} has 1 to {} bytes (pe_ipcq.slot_bytes), not {}",
                                            copy.send ? "send" : "receive", slot_bytes_,
                                            copy.local.bytes()));
  }
}

data::Array RecordingExecutor::values(const data::Block& /*block*/) {
  throw std::invalid_argument("a recorded kernel has no numbers");
}

void RecordingExecutor::begin(Operation& operation) {
  data::OpRecord& record = operation.record.value();
  std::vector<std::uint32_t>& producers = record.dependencies;
  std::erase(producers, data::OpLog::kNone);  // a buffer itself
  std::sort(producers.begin(), producers.end());
  producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
  operation.command.operation = static_cast<std::uint32_t>(operations_.size());
  operations_.push_back(
      {operation.name, std::move(record.params), std::move(producers), operation.line});
}

std::vector<RecordedOperation> record_kernel(const std::function<void(Tl&)>& kernel,
                                             const topology::TopologySpec& spec,
                                             const ProgramPlace& place) {
  RecordingExecutor executor(spec, place);
  Tl tl(executor);
  kernel(tl);
  tl.end();
  return executor.operations();
}

std::string text_of(const data::Params& params) {
  std::vector<std::string> inputs;
  const data::Block* output = nullptr;
  if (const auto* const copy = std::get_if<data::CopyParams>(&params)) {
    inputs.push_back(text_of_block(copy->source));
    if (copy->rows) inputs.push_back(text_of_block(*copy->rows));
    output = &copy->target;
  } else if (const auto* const gemm = std::get_if<data::GemmParams>(&params)) {
    inputs = {text_of_block(gemm->a), text_of_block(gemm->b)};
    output = &gemm->c;
  } else if (const auto* const composite = std::get_if<data::CompositeGemmParams>(&params)) {
    inputs = {text_of_block(composite->a), text_of_block(composite->b)};
    for (const data::EpilogueOp& step : composite->epilogue) {
      inputs.push_back(std::string(components::name_of(step.op)));
      if (!step.operand) continue;
      if (const auto* const kept = std::get_if<data::Accumulated>(&*step.operand)) {
        inputs.push_back(fmt::format("the accumulator after {} steps", kept->steps));
      } else if (const auto* const block = std::get_if<data::Block>(&*step.operand)) {
        inputs.push_back(text_of_block(*block));
      } else {
        inputs.push_back(fmt::format("{}", std::get<double>(*step.operand)));
      }
    }
    output = &composite->c;
  } else if (const auto* const math = std::get_if<data::MathParams>(&params)) {
    for (const data::Operand& input : math->inputs) inputs.push_back(text_of_operand(input));
    if (math->axis) {
      inputs.emplace_back(*math->axis == data::Axis::Rows ? "along rows" : "along columns");
    }
    output = &math->output;
  } else if (const auto* const read = std::get_if<data::ReadParams>(&params)) {
    return fmt::format("{} of {}", data::op_name(params), text_of_block(read->source));
  } else if (const auto* const message = std::get_if<data::IpcqCopyParams>(&params)) {
    return fmt::format("{} {} {}", data::op_name(params), message->send ? "from" : "to",
                       text_of_block(message->local));
  }
  if (output == nullptr) return data::op_name(params);
  return fmt::format("{} {} -> {}", data::op_name(params), fmt::join(inputs, ", "),
                     text_of_block(*output));
}

}  // namespace kernbench::model::kernel
