// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_scoreboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

/// Deliveries come first: a packet takes two cycles or more.
void NetworkScoreboard::on_cycle(const CycleView& view) {
  if (view.in_reset && !in_reset_) oracle_.forget();
  in_reset_ = view.in_reset;
  if (view.in_reset) return;
  for (unsigned w = 0; w < view.sink_fired->size(); ++w) {
    maze::for_each_bit((*view.sink_fired)[w], w, [&](unsigned node) {
      deliver(view.cycle, node, view.observed->in_payload[node]);
    });
    maze::for_each_bit((*view.source_fired)[w], w, [&](unsigned node) {
      oracle_.accept(view.cycle, node, view.intended->out_payload[node]);
      ++traffic_.accepted[node];
    });
  }
}

void NetworkScoreboard::deliver(std::uint64_t cycle, unsigned node, maze::Payload packet) {
  ++deliveries_;
  if (std::string wrong = oracle_.deliver(cycle, node, packet); !wrong.empty()) {
    fail({"scoreboard", "delivery", cycle, LinkEnd{node, user_port_}, std::move(wrong), packet});
    return;
  }
  ++traffic_.delivered[node];
  traffic_.latency[2 * layout_.type(packet) + layout_.qos(packet)].add(oracle_.last_latency());
}

void NetworkScoreboard::after(const RunEnd& end) {
  if (!end.complete() || oracle_.owed() == 0) return;
  Failure lost = oracle_.owed_example();
  lost.cycle = end.cycles - 1;
  lost.message = fmt::format("{} copies are lost or stuck: {}", oracle_.owed(), lost.message);
  fail(std::move(lost));
}

void LoneLatency::on_cycle(const CycleView& view) {
  if (view.in_reset) return;
  for (unsigned w = 0; w < view.sink_fired->size(); ++w) {
    maze::for_each_bit((*view.sink_fired)[w], w, [&](unsigned node) {
      ++deliveries_;
      const unsigned expected = lone_latency(shape_, source_, node);
      if (view.cycle - sent_ == expected) return;
      fail({"latency", "latency", view.cycle, LinkEnd{node, shape_.ports()},
            fmt::format("node {} delivers {} cycles after node {} sent, not {}", node,
                        view.cycle - sent_, source_, expected)});
    });
    maze::for_each_bit((*view.source_fired)[w], w, [&](unsigned node) {
      source_ = node;
      sent_ = view.cycle;
      if (oracle_.owed() == 0) return;
      const Failure owed = oracle_.owed_example();
      fail({"latency", "overlap", view.cycle, owed.link, owed.message});
    });
  }
}

unsigned lone_latency(const maze::Shape& shape, unsigned from, unsigned to) {
  const auto hop = [](unsigned a, unsigned b, unsigned side) {
    const unsigned steps = (b + side - a) % side;
    return steps == 0 ? 0 : 2 + std::min(steps, side - steps) - 1;
  };
  return 2 + hop(from % shape.nx, to % shape.nx, shape.nx) +
         hop(from / shape.nx, to / shape.nx, shape.ny);
}

}  // namespace kernbench::sim
