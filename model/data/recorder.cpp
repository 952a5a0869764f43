#include "model/data/recorder.hpp"

#include <algorithm>

namespace kernbench::model::data {

namespace {

/// Calls `visit(block, writes)` for the blocks outside of TCM, whose producers are not known from
/// handles.
template <typename Visitor>
void for_each_memory_block(const Params& params, Visitor&& visit) {
  const auto pass_on = [&](const Block& block, bool writes) {
    if (block.space != Space::Tcm) visit(block, writes);
  };
  if (const auto* const copy = std::get_if<CopyParams>(&params)) {
    pass_on(copy->source, false);
    pass_on(copy->target, true);
  } else if (const auto* const gemm = std::get_if<CompositeGemmParams>(&params)) {
    pass_on(gemm->a, false);
    pass_on(gemm->b, false);
    pass_on(gemm->c, true);
  } else if (const auto* const host = std::get_if<HostCopyParams>(&params)) {
    for (const Placed& part : host->parts) pass_on(part.block, host->to_device);
  }
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (!numbers.empty() && numbers.back() == OpLog::kNone) numbers.pop_back();
}

}  // namespace

std::uint32_t Recorder::begin(OpRecord record) {
  for_each_memory_block(record.params, [&](const Block& block, bool writes) {
    if (!writes) producers_.find(block, record.dependencies);
  });
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
  for_each_memory_block(params, [&](const Block& block, bool writes) {
    if (writes) producers_.set(block, number);
  });
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
