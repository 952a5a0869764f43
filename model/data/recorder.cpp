#include "model/data/recorder.hpp"

#include <algorithm>

namespace kernbench::model::data {

namespace {

/// Blocks outside of TCM, whose producers are not known from handles.
struct MemoryUse {
  std::vector<const Block*> reads;
  std::vector<const Block*> writes;
};

MemoryUse memory_use(const Params& params) {
  MemoryUse use;
  const auto add = [](std::vector<const Block*>& list, const Block& block) {
    if (block.space != Space::Tcm) list.push_back(&block);
  };
  if (const auto* const copy = std::get_if<CopyParams>(&params)) {
    add(use.reads, copy->source);
    add(use.writes, copy->target);
  } else if (const auto* const gemm = std::get_if<CompositeGemmParams>(&params)) {
    add(use.reads, gemm->a);
    add(use.reads, gemm->b);
    add(use.writes, gemm->c);
  } else if (const auto* const host = std::get_if<HostCopyParams>(&params)) {
    for (const Placed& part : host->parts) {
      add(host->to_device ? use.writes : use.reads, part.block);
    }
  }
  return use;
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (!numbers.empty() && numbers.back() == OpLog::kNone) numbers.pop_back();
}

}  // namespace

std::uint32_t Recorder::begin(OpRecord record) {
  for (const Block* const block : memory_use(record.params).reads) {
    producers_.find(*block, record.dependencies);
  }
  sort_unique(record.dependencies);
  const auto* const copy = std::get_if<IpcqCopyParams>(&record.params);
  if (copy != nullptr) {
    const auto number = static_cast<std::uint32_t>(log_.records().size());
    Channel& channel = channels_[{copy->receiver.value(), copy->direction}];
    if (copy->send) {
      channel.sends.push_back(number);
    } else {
      receiving_[number] = channel.receives++;
    }
  }
  return log_.begin(std::move(record));
}

void Recorder::end(std::uint32_t number, common::SimTime now) {
  const Params& params = log_.records()[number].params;
  for (const Block* const block : memory_use(params).writes) producers_.set(*block, number);
  const auto* const copy = std::get_if<IpcqCopyParams>(&params);
  if (copy != nullptr && !copy->send) {
    const Channel& channel = channels_[{copy->receiver.value(), copy->direction}];
    log_.add_dependency(number, channel.sends.at(receiving_.at(number)));
    receiving_.erase(number);
  }
  log_.end(number, now);
}

void Recorder::on_stage(const components::TileToken& token, topology::NodeId engine,
                        common::SimTime now) {
  const components::TileStage& stage = token.at();
  log_.add_stage({token.served, now, engine, stage.kind, token.command->operation,
                  stage.bytes + stage.macs + stage.elements});
}

}  // namespace kernbench::model::data
