// SPDX-License-Identifier: Apache-2.0
#include "model/data/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/data/memory_blocks.hpp"

namespace kernbench::model::data {

namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (!numbers.empty() && numbers.back() == OpLog::kNone) numbers.pop_back();
}

}  // namespace

std::uint32_t Recorder::begin(OpRecord&& record) {
  const std::uint32_t number = operations_++;
  if (const auto* const copy = std::get_if<IpcqCopyParams>(&record.params)) {
    note_copy(number, *copy, record.line);
  }
  if (!keeps_operations_) return number;
  for_each_memory_block(record.params, [&](const Block& block, bool writes) {
    if (!writes) producers_.find(block, record.dependencies);
  });
  sort_unique(record.dependencies);
  log_.begin(std::move(record));
  if (live_) live_->begin(number, log_.records()[number]);
  return number;
}

void Recorder::note_copy(std::uint32_t number, const IpcqCopyParams& copy, const SourceLine& line) {
  Channel& channel = channels_[{copy.receiver.value(), copy.direction}];
  const Block& local = copy.local;
  End end{number, local.rows, local.columns, local.type, line};
  if (local.transposed) std::swap(end.rows, end.columns);
  if (copy.send) {
    channel.sends.emplace(channel.sends_begun++, end);
  } else {
    receiving_[number] = {end, &channel, channel.receives_begun++};
  }
}

std::uint32_t Recorder::take_send(const Receive& receive) {
  const End sent = receive.channel->sends.at(receive.index);
  receive.channel->sends.erase(receive.index);
  const End& wanted = receive.end;
  if (wanted.rows != sent.rows || wanted.columns != sent.columns || wanted.type != sent.type) {
    throw std::invalid_argument(fmt::format("{} x {} of {} were sent at {}:{}, not {} x {} of {}",
                                            sent.rows, sent.columns, name_of(sent.type),
                                            sent.line.file, sent.line.line, wanted.rows,
                                            wanted.columns, name_of(wanted.type)));
  }
  return sent.record;
}

void Recorder::end(std::uint32_t number, common::SimTime now) {
  const auto receive = receiving_.find(number);
  if (keeps_operations_) {
    for_each_memory_block(log_.records()[number].params, [&](const Block& block, bool writes) {
      if (writes) producers_.set(block, number);
    });
    log_.end(number, now);
  }
  if (receive != receiving_.end()) {
    const std::uint32_t send = take_send(receive->second);
    if (keeps_operations_) log_.add_dependency(number, send);
    receiving_.erase(receive);
  }
  if (live_) live_->end(number, log_.records()[number]);
}

void Recorder::on_stage(const components::TileToken& token, topology::NodeId engine,
                        common::SimTime now) {
  const components::TileStage& stage = token.at();
  log_.add_stage({token.served, now, engine, stage.kind, token.command->operation,
                  stage.bytes + stage.macs + stage.elements});
}

}  // namespace kernbench::model::data
