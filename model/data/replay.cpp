// SPDX-License-Identifier: Apache-2.0
#include "model/data/replay.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/data/compute.hpp"
#include "model/data/copy_rows.hpp"

namespace kernbench::model::data {

namespace {

Value value_of(const Operand& operand, const MemoryStore& store) {
  if (const auto* const number = std::get_if<double>(&operand)) return *number;
  return store.read(std::get<Block>(operand));
}

/// Returns "softmax.cpp:31: exp at 12.000 ns", without a line for operations of the host.
std::string text_of(const OpRecord& record) {
  const std::string what =
      fmt::format("{} at {:.3f} ns", op_name(record.params), record.start.ns());
  if (record.line.line == 0) return what;
  return fmt::format("{}:{}: {}", record.line.file, record.line.line, what);
}

/// Runs a part of an operation. Throws ReplayError, with the operation, for its errors.
template <typename Work>
void within(const OpRecord& record, Work&& work) {
  try {
    work();
  } catch (const ReplayError& error) {
    throw ReplayError(fmt::format("{}: {}", text_of(record), error.what()));
  } catch (const std::invalid_argument& error) {
    throw ReplayError(fmt::format("{}: {}", text_of(record), error.what()));
  }
}

}  // namespace

void Replay::run(const OpLog& log) {
  for (const OpLog::Moment& moment : log.moments()) {
    const OpRecord& record = log.records()[moment.record];
    moment.end ? end(moment.record, record) : begin(moment.record, record);
  }
}

void Replay::begin(std::uint32_t number, const OpRecord& record) {
  within(record, [&] {
    const auto* const copy = std::get_if<IpcqCopyParams>(&record.params);
    if (copy != nullptr && !copy->send) {
      tickets_[number] = channels_[{copy->receiver.value(), copy->direction}].receives++;
    } else {
      open_.emplace(number, compute(record.params));
    }
  });
}

void Replay::end(std::uint32_t number, const OpRecord& record) {
  within(record, [&] {
    Outputs outputs;
    if (const auto ticket = tickets_.extract(number)) {
      outputs = receive(std::get<IpcqCopyParams>(record.params), ticket.mapped());
    } else {
      outputs = std::move(open_.extract(number).mapped());
    }
    for (const auto& [block, array] : outputs) store_.write(block, array);
  });
}

Replay::Outputs Replay::compute(const Params& params) {
  struct Computer {
    Replay& replay;
    MemoryStore& store;

    Outputs operator()(const UnknownParams& /*params*/) const {
      throw ReplayError("an operation without data semantics cannot be replayed");
    }
    Outputs operator()(const CopyParams& copy) const {
      if (copy.rows) return copy_rows(copy, store);
      return {{copy.target, store.read(copy.source)}};
    }
    Outputs operator()(const GemmParams& gemm) const {
      return {{gemm.c, compute_gemm(store.read(gemm.a), store.read(gemm.b), gemm.c.type)}};
    }
    Outputs operator()(const CompositeGemmParams& gemm) const {
      std::vector<components::MathOp> ops;
      std::vector<EpilogueValue> operands;
      for (const EpilogueOp& step : gemm.epilogue) {
        ops.push_back(step.op);
        if (!step.operand) continue;
        if (const auto* const block = std::get_if<Block>(&*step.operand)) {
          operands.emplace_back(store.read(*block));
        } else if (const auto* const number = std::get_if<double>(&*step.operand)) {
          operands.emplace_back(*number);
        } else {
          operands.emplace_back(std::get<Accumulated>(*step.operand));
        }
      }
      return {{gemm.c, compute_composite(store.read(gemm.a), store.read(gemm.b), ops, operands,
                                         gemm.c.type)}};
    }
    Outputs operator()(const ReadParams& /*read*/) const { return {}; }
    Outputs operator()(const MathParams& math) const {
      std::vector<Value> inputs;
      inputs.reserve(math.inputs.size());
      for (const Operand& input : math.inputs) inputs.push_back(value_of(input, store));
      return {{math.output, compute_math(math.op, inputs, math.axis, math.output)}};
    }
    Outputs operator()(const IpcqCopyParams& copy) const {
      Channel& channel = replay.channels_[{copy.receiver.value(), copy.direction}];
      channel.sent.emplace(channel.sends++, store.read(copy.local));
      return {};
    }
    Outputs operator()(const HostCopyParams& copy) const {
      Outputs outputs;
      if (copy.to_device) {
        const Array tensor = copy.data();
        if (tensor.rows() != copy.rows || tensor.columns() != copy.columns ||
            tensor.type() != copy.type) {
          throw ReplayError(
              fmt::format("the host data are {} x {} of {}, but the tensor is {} x {} of {}",
                          tensor.rows(), tensor.columns(), data::name_of(tensor.type()), copy.rows,
                          copy.columns, data::name_of(copy.type)));
        }
        for (const Placed& part : copy.parts) {
          outputs.emplace_back(
              part.block, tensor.block(part.row, part.column, part.block.rows, part.block.columns));
        }
        return outputs;
      }
      Bytes bytes(copy.rows * copy.columns * bytes_of(copy.type));
      const components::ElementSize size = bytes_of(copy.type);
      for (const Placed& part : copy.parts) {
        const Array array = store.read(part.block);
        const std::uint64_t width = part.block.columns * size;
        for (std::uint64_t row = 0; row < part.block.rows; ++row) {
          std::copy_n(array.bytes().data() + row * width, width,
                      bytes.data() + ((part.row + row) * copy.columns + part.column) * size);
        }
      }
      replay.results_[copy.result] =
          Array(copy.type, copy.rows, copy.columns, std::make_shared<Bytes>(std::move(bytes)));
      return outputs;
    }
  };
  return std::visit(Computer{*this, store_}, params);
}

Replay::Outputs Replay::receive(const IpcqCopyParams& copy, std::uint64_t ticket) {
  Channel& channel = channels_[{copy.receiver.value(), copy.direction}];
  const auto sent = channel.sent.find(ticket);
  if (sent == channel.sent.end()) throw ReplayError("no send matches the receive");
  Array array = std::move(sent->second);
  channel.sent.erase(sent);
  const Block& block = copy.local;
  if (array.type() != block.type || array.rows() != block.rows ||
      array.columns() != block.columns) {
    throw ReplayError(fmt::format("the receive expects {} x {} of {}, but {} x {} of {} were sent",
                                  block.rows, block.columns, data::name_of(block.type),
                                  array.rows(), array.columns(), data::name_of(array.type())));
  }
  return {{block, std::move(array)}};
}

}  // namespace kernbench::model::data
