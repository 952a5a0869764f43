// SPDX-License-Identifier: Apache-2.0
#include "maze/irs_model.hpp"

namespace kernbench::maze {

IrsModel::IrsModel(const IrsParams& params)
    : kind_(params.no_ready ? Kind::HalfNoReady
            : params.half   ? Kind::Half
                            : Kind::Skid),
      stages_(params.depth) {}

void IrsModel::reset() {
  stages_.assign(stages_.size(), Stage{});
}

IrsOutputs IrsModel::evaluate(const IrsInputs& inputs) const {
  if (stages_.empty()) {
    return {.ready_o = inputs.ready_i, .valid_o = inputs.valid_i, .payload_o = inputs.payload_i};
  }
  return {.ready_o = stages_.front().ready(kind_),
          .valid_o = stages_.back().valid(),
          .payload_o = stages_.back().first};
}

void IrsModel::clock(const IrsInputs& inputs) {
  // From the output back to the input: a stage still holds this cycle's valid and payload when the
  // next stage is clocked, and the next stage's ready was read before it was clocked.
  bool ready_i = inputs.ready_i;
  for (std::size_t s = stages_.size(); s-- > 0;) {
    Stage& stage = stages_[s];
    const bool ready_o = stage.ready(kind_);
    const bool first_stage = s == 0;
    stage.clock(kind_, {.valid_i = first_stage ? inputs.valid_i : stages_[s - 1].valid(),
                        .payload_i = first_stage ? inputs.payload_i : stages_[s - 1].first,
                        .ready_i = ready_i});
    ready_i = ready_o;
  }
}

unsigned IrsModel::stored() const {
  unsigned packets = 0;
  for (const Stage& stage : stages_) packets += stage.count;
  return packets;
}

bool IrsModel::Stage::ready(Kind kind) const {
  switch (kind) {
    case Kind::Skid:
      return count < 2;
    case Kind::Half:
      return count == 0;
    case Kind::HalfNoReady:
      break;
  }
  return true;
}

void IrsModel::Stage::clock(Kind kind, const IrsInputs& inputs) {
  if (kind == Kind::HalfNoReady) {
    // The held packet leaves, or is lost when the receiver is not ready.
    count = inputs.valid_i ? 1 : 0;
    if (inputs.valid_i) first = inputs.payload_i;
    return;
  }
  const bool push = inputs.valid_i && ready(kind);
  const bool pop = valid() && inputs.ready_i;
  if (pop) {
    first = second;
    --count;
  }
  if (push) {
    (count == 0 ? first : second) = inputs.payload_i;
    ++count;
  }
}

}  // namespace kernbench::maze
