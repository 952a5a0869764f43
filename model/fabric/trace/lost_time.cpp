// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/trace/lost_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kernbench::model::fabric {

namespace {

/// Returns the steps of the last packet in order of time.
std::vector<PacketStep> way_of_last_packet(const TracedTransfer& transfer) {
  const std::vector<PacketStep>& steps = transfer.steps;
  const auto delivered = std::find_if(steps.rbegin(), steps.rend(), [&](const PacketStep& step) {
    return step.kind == PacketStep::Kind::Delivered && step.packet + 1 == transfer.packets;
  });
  if (delivered == steps.rend()) throw std::logic_error("a complete transfer has no last packet");
  std::vector<PacketStep> way{*delivered};
  while (way.back().before != PacketStep::kNone) way.push_back(steps[way.back().before]);
  std::reverse(way.begin(), way.end());
  return way;
}

/// Returns `time` minus `least`, which the transfer cannot undercut.
Edge beyond(Edge time, Edge least, const Transfer& transfer) {
  if (time >= least) return time - least;
  throw std::logic_error(fmt::format(
      "the last packet of transfer {} took {} edges; the minimum is {}", transfer.id, time, least));
}

std::string cycles(Edge count) {
  return fmt::format("{} cycle{}", count, count == 1 ? "" : "s");
}

}  // namespace

LostTime lost_time(const TracedTransfer& traced, const topology::MazeLinks& links) {
  const Transfer& transfer = traced.transfer;
  if (transfer.type != TransferType::Unicast || traced.missing != 0) {
    throw std::invalid_argument(fmt::format(
        "transfer {} is not a complete unicast; its latency cannot be split", transfer.id));
  }
  const std::vector<PacketStep> way = way_of_last_packet(traced);
  LostTime lost;
  lost.src = transfer.src;
  lost.dst = transfer.dst;
  lost.latency = traced.last - traced.seen + 1;
  lost.serialization = traced.packets - 1;
  lost.minimum = 1;
  lost.behind_others = traced.behind_others;
  lost.source_output =
      beyond(way.front().edge - traced.seen, lost.serialization + lost.behind_others, transfer);
  // An ideal source sends into the link; any other has an input stage and output stages.
  const bool staged = way.front().kind == PacketStep::Kind::Accepted;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const PacketStep& step = way[i];
    const Edge took = step.edge - way[i - 1].edge;
    if (step.kind == PacketStep::Kind::Forwarded) {
      const bool to_b = staged && step.port == links.ports();
      const bool at_source = staged && i == 1;
      (to_b        ? lost.exit
       : at_source ? lost.source_output
                   : lost.corner) += beyond(took, 1, transfer);
      lost.minimum += 1;
    } else if (step.leaves()) {
      const topology::MazeLink& link = links.arriving(step.node, step.port);
      const Edge least = link.depth + (staged ? 1 : 0);
      (lost.outputs.empty() ? lost.first_link : lost.second_link) = beyond(took, least, transfer);
      lost.minimum += least;
      lost.outputs.push_back(link.from);
    } else if (staged) {
      lost.exit += beyond(took, 1, transfer);
      lost.minimum += 1;
    }
  }
  return lost;
}

std::string LostTime::path(const topology::MazeLinks& links) const {
  std::string text;
  for (const topology::MazePort& output : outputs) {
    text += fmt::format("{} {} -> ", links.coordinates(output.node), links.port_name(output.port));
  }
  return text + links.coordinates(dst);
}

std::string LostTime::place(const topology::MazeLinks& links) const {
  const std::array<Edge, 6> waits = {behind_others, source_output, first_link,
                                     corner,        second_link,   exit};
  const auto longest = std::max_element(waits.begin(), waits.end());
  if (*longest == 0) return "did not wait";
  const std::string time = cycles(*longest);
  const auto port = [&](std::size_t hop) { return links.port_name(outputs[hop].port); };
  const auto link = [&](std::size_t hop) {
    return links.link_name(links.leaving(outputs[hop].node, outputs[hop].port));
  };
  switch (longest - waits.begin()) {
    case 0:
      return fmt::format("waited {} at the source {} behind other transfers", time,
                         links.coordinates(src));
    case 1:
      return fmt::format("waited {} at the source {} for {}", time, links.coordinates(src),
                         port(0));
    case 2:
      return fmt::format("stalled {} in {}", time, link(0));
    case 3:
      return fmt::format("waited {} at the corner {} for {}", time,
                         links.coordinates(outputs[1].node), port(1));
    case 4:
      return fmt::format("stalled {} in {}", time, link(1));
    default:
      return fmt::format("waited {} at the destination {} for port B", time,
                         links.coordinates(dst));
  }
}

}  // namespace kernbench::model::fabric
