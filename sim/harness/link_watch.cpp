// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/link_watch.hpp"

#include "topology/maze_links.hpp"

namespace kernbench::sim {

LinkWatch::LinkWatch(MazeDut& dut, const LinkEnd& source)
    : dut_(dut),
      source_(source),
      sink_(topology::MazeLinks(dut.info().shape.nx, dut.info().shape.ny)
                .leaving(source.node, source.port)
                .to.node),
      reference_(dut.info().shape),
      expected_(dut.info().shape) {}

void LinkWatch::on_cycle(const CycleView& view) {
  if (view.in_reset) reference_.reset();
  reference_.evaluate(*view.driven, expected_);
  if (!view.in_reset) reference_.clock(*view.driven);
  const auto [node, port] = source_;
  dut_.annotate({view.intended->out_valid.test(port, node),
                 view.intended->in_ready.test(port, sink_),
                 view.observed->in_valid.test(port, sink_),
                 view.observed->out_ready.test(port, node), expected_.in_valid.test(port, sink_),
                 expected_.out_ready.test(port, node), view.intended->out_payload.at(port, node),
                 view.observed->in_payload.at(port, sink_), expected_.in_payload.at(port, sink_)});
}

}  // namespace kernbench::sim
