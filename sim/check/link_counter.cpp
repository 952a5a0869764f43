#include "sim/check/link_counter.hpp"

namespace kernbench::sim {

LinkCounter::LinkCounter(const maze::Shape& shape)
    : stalled_(shape), packets_(shape), stalls_(shape) {}

void LinkCounter::on_cycle(const CycleView& view) {
  for (std::size_t i = 0; i < stalled_.size(); ++i) {
    stalled_.data()[i] = view.observed->in_valid.data()[i] & ~view.sink_fired->data()[i];
  }
  stalls_.add(stalled_.data());
  packets_.add(view.sink_fired->data());
}

}  // namespace kernbench::sim
