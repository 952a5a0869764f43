// SPDX-License-Identifier: Apache-2.0
#include "sim/check/output_hash.hpp"

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

void OutputHash::on_cycle(const CycleView& view) {
  for (unsigned port = 0; port < view.observed->in_valid.ports(); ++port) {
    const maze::Payload* payload = view.observed->in_payload.port(port);
    for (unsigned w = 0; w < shape_.words(); ++w) {
      hash_.add(view.observed->in_valid.port(port)[w]);
      hash_.add(view.observed->out_ready.port(port)[w]);
      // Distinct odd factors tell the nodes apart without a chain of dependent mixes.
      std::uint64_t moved = 0;
      maze::for_each_bit(view.sink_fired->port(port)[w], w, [&](unsigned node) {
        moved += payload[node] * (0x9e3779b97f4a7c15U + 2U * node);
      });
      hash_.add(moved);
    }
  }
}

}  // namespace kernbench::sim
