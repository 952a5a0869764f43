#include "maze/irs_model.hpp"

namespace kernbench::maze {

IrsModel::IrsModel(const IrsParams& params)
    : kind_(params.no_ready ? Kind::kHalfNoReady
            : params.half   ? Kind::kHalf
                            : Kind::kSkid),
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
  // stage after it is clocked, and this cycle's ready of that one was read before.
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
    case Kind::kSkid:
      return count < 2;
    case Kind::kHalf:
      return count == 0;
    case Kind::kHalfNoReady:
      break;
  }
  return true;
}

void IrsModel::Stage::clock(Kind kind, const IrsInputs& inputs) {
  if (kind == Kind::kHalfNoReady) {
    // Whatever is here moves on or is lost; nothing waits for the receiver.
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
