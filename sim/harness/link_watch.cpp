// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/link_watch.hpp"

#include "topology/maze_links.hpp"

namespace kernbench::sim {

LinkWatch::LinkWatch(const maze::Shape& shape, const LinkEnd& source)
    : source_(source),
      sink_(topology::MazeLinks(shape.nx, shape.ny).leaving(source.node, source.port).to.node),
      reference_(shape),
      expected_(shape) {}

LinkNote LinkWatch::note(const CycleView& view) {
  if (view.in_reset) reference_.reset();
  reference_.evaluate(*view.driven, expected_);
  if (!view.in_reset) reference_.clock(*view.driven);
  const auto [node, port] = source_;
  return {view.intended->out_valid.test(port, node), view.intended->in_ready.test(port, sink_),
          view.observed->in_valid.test(port, sink_), view.observed->out_ready.test(port, node),
          expected_.in_valid.test(port, sink_),      expected_.out_ready.test(port, node),
          view.intended->out_payload.at(port, node), view.observed->in_payload.at(port, sink_),
          expected_.in_payload.at(port, sink_)};
}

}  // namespace kernbench::sim
