// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/atomic_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/interface_rows.hpp"
#include "sim/wave/packet_way.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::sim {

using maze::Shape;

namespace {

const std::string kNetworkBench = "TOP.network_tb_top";

/// Adds the rows of a failure at one port of a node.
class NodeRows {
 public:
  NodeRows(SaveFile& save, const maze::NetworkConfig& config)
      : save_(save), config_(config), shape_(config.shape), links_(shape_.nx, shape_.ny) {
    const std::string maze = kNetworkBench + ".u_maze";
    array_ = save.has(maze + ".u_array.clk") ? maze + ".u_array" : maze;
  }

  /// Adds all of one port, links first, so that they are in view.
  void add_port(const LinkEnd& at) {
    const bool is_link = at.port < shape_.ports();
    const std::string node = "node " + links_.coordinates(at.node);
    if (is_link) link(at);
    save_.comment(node + ", A");
    user(at.node, "a", "pkt_in_");
    if (!is_link) expected("in", "rdy");
    save_.comment(node + ", B");
    user(at.node, "b", "pkt_out_");
    if (!is_link) expected_output();
    queues(at);
    arbiter(at);
  }

  /// Adds the way of a packet that was at one port.
  void add_way(maze::Payload packet, const LinkEnd& at) {
    const std::vector<WayNode> way = way_past(packet, at);
    if (way.empty()) return;
    save_.comment("way of " + in_words(packet));
    for (const WayNode& hop : way) {
      const LinkEnd input{hop.node, hop.arrives};
      const LinkEnd output{hop.node, hop.leaves};
      const std::string node = "node " + links_.coordinates(hop.node);
      if (hop.arrives == shape_.ports()) {
        save_.comment(node + ", A");
        closed_user(hop.node, "a", "pkt_in_");
      } else {
        save_.comment(node + ", from " +
                      links_.coordinates(links_.arriving(hop.node, hop.arrives).from.node));
        closed_link(input, "i_");
      }
      queues(input);
      if (hop.leaves == shape_.ports()) {
        save_.comment(node + ", B");
        closed_user(hop.node, "b", "pkt_out_");
      } else {
        save_.comment(node + ", to " +
                      links_.coordinates(links_.leaving(hop.node, hop.leaves).to.node));
        closed_link(output, "o_");
      }
    }
  }

 private:
  /// Returns the way of a packet past a port or, if none of its ways goes there, the first.
  [[nodiscard]] std::vector<WayNode> way_past(maze::Payload packet, const LinkEnd& at) const {
    std::vector<WayNode> first;
    for (unsigned i = 0; i < shape_.nodes(); ++i) {
      const unsigned to = (at.node + i) % shape_.nodes();  // that of the failure first
      std::vector<WayNode> way = way_of(config_, packet, to);
      const bool is_past = std::any_of(way.begin(), way.end(), [&](const WayNode& hop) {
        return hop.node == at.node && (hop.arrives == at.port || hop.leaves == at.port);
      });
      if (is_past) return way;
      if (first.empty()) first = std::move(way);
    }
    return first;
  }

  /// Returns, for example, "high broadcast from [0,0], data 0x9b".
  [[nodiscard]] std::string in_words(maze::Payload packet) const {
    const maze::PacketLayout layout(shape_);
    const unsigned type = layout.type(packet);
    std::string text =
        fmt::format("{} {} from {}", layout.qos(packet) == 0 ? "low" : "high",
                    kPacketTypes.at(type), links_.coordinates(layout.node(layout.src(packet))));
    if (type == 0) text += " to " + links_.coordinates(layout.node(layout.tgt(packet)));
    return text + fmt::format(", data {:#x}", layout.data(packet));
  }

  [[nodiscard]] std::string core(unsigned node) const {
    return fmt::format("{}.g_y[{}].g_x[{}].u_node.u_core", array_, node / shape_.nx,
                       node % shape_.nx);
  }

  [[nodiscard]] InterfacePort link_port(const LinkEnd& at, const std::string& direction) const {
    return interface_port(shape_, array_ + ".links", {at.node, at.port}, direction);
  }

  void link(const LinkEnd& at) {
    save_.comment(fmt::format("link to {}", links_.end_name(links_.leaving(at.node, at.port).to)));
    const InterfacePort out = link_port(at, "o_");
    add_bit(save_, out, "vld");
    add_bit(save_, out, "rdy");
    add_packet(save_, shape_, out);
    expected("out", "rdy");
    expected_output();
    save_.comment(
        fmt::format("link from {}", links_.end_name(links_.arriving(at.node, at.port).from)));
    const InterfacePort in = link_port(at, "i_");
    add_bit(save_, in, "vld");
    expected("in", "vld");
    add_bit(save_, in, "rdy");
    expected("in", "rdy");
    add_packet(save_, shape_, in);
    expected_packet("in");
  }

  /// Adds one direction of a link, with its packet in a closed group.
  void closed_link(const LinkEnd& at, const std::string& direction) {
    const InterfacePort port = link_port(at, direction);
    add_bit(save_, port, "vld");
    add_bit(save_, port, "rdy");
    save_.begin_closed_group("packet");
    add_packet(save_, shape_, port);
    save_.end_closed_group();
  }

  void handshake(unsigned node, const std::string& port, const std::string& prefix) {
    for (const char* signal : {"vld", "rdy"}) {
      save_.row(prefix + signal,
                {fmt::format("{}.{}[{}].{}{}", kNetworkBench, port, node, prefix, signal), 0, 1},
                RowFormat::Bit);
    }
  }

  void users_packet(unsigned node, const std::string& port, const std::string& prefix) {
    const std::string scope = fmt::format("{}.{}[{}].{}", kNetworkBench, port, node, prefix);
    save_.row(prefix + "type", {scope + "type", 0, 2}, RowFormat::PacketType);
    save_.row(prefix + "qos", {scope + "qos", 0, 1}, RowFormat::Bit);
    for (const char* field : {"src", "tgt"}) save_.address(prefix + field, scope + field, 0);
    save_.row(prefix + "data", {scope + "data", 0, shape_.flit_w}, RowFormat::Hex);
  }

  void user(unsigned node, const std::string& port, const std::string& prefix) {
    handshake(node, port, prefix);
    users_packet(node, port, prefix);
  }

  void closed_user(unsigned node, const std::string& port, const std::string& prefix) {
    handshake(node, port, prefix);
    save_.begin_closed_group("packet");
    users_packet(node, port, prefix);
    save_.end_closed_group();
  }

  void expected(const std::string& direction, const std::string& what) {
    save_.set_colour(RowColour::Expected);
    save_.row(fmt::format("expected {} {}", direction, what),
              {fmt::format("{}.expected_{}_{}_i", kNetworkBench, direction, what), 0, 1},
              RowFormat::Bit);
    save_.set_colour(RowColour::Signal);
  }

  void expected_packet(const std::string& direction) {
    save_.set_colour(RowColour::Expected);
    save_.packet("expected " + direction + " ",
                 fmt::format("{}.expected_{}_pkt_i", kNetworkBench, direction));
    save_.set_colour(RowColour::Signal);
  }

  void expected_output() {
    expected("out", "vld");
    expected_packet("out");
  }

  /// Adds the queues behind an input: [1] high, [0] low.
  void queues(const LinkEnd& at) {
    const std::string queue = fmt::format("{}.g_in[{}].u_queue.", core(at.node), at.port);
    if (!save_.has(queue + "valid_o")) return;
    save_.comment("queues of the input");
    save_.row("first entry", {queue + "head_q", 0, 2}, RowFormat::Hex);
    save_.row("second entry", {queue + "next_q", 0, 2}, RowFormat::Hex);
    save_.row("pop", {queue + "pop_i", 0, 2}, RowFormat::Hex);
    save_.begin_closed_group("low packet");
    save_.packet("", queue + "low_o");
    save_.end_closed_group();
    save_.begin_closed_group("high packet");
    save_.packet("", queue + "high_o");
    save_.end_closed_group();
  }

  void arbiter(const LinkEnd& at) {
    const std::string arbiter = fmt::format("{}.g_out[{}].u_arbiter.", core(at.node), at.port);
    if (!save_.has(arbiter + "ready_i")) return;
    const bool to_x = at.port < shape_.x_ports();
    const unsigned inputs = to_x                       ? shape_.ny
                            : at.port < shape_.ports() ? shape_.nx
                                                       : shape_.ports() + 1;
    save_.comment("arbiter of the output");
    save_.row("stage is ready", {arbiter + "ready_i", 0, 1}, RowFormat::Bit);
    for (const char* level : {"low", "high"}) {
      save_.row(fmt::format("{} requests", level), {arbiter + level + "_i", 0, inputs},
                RowFormat::Hex);
      save_.row(fmt::format("{} grants", level), {arbiter + level + "_o", 0, inputs},
                RowFormat::Hex);
    }
  }

  SaveFile& save_;
  const maze::NetworkConfig& config_;
  const Shape& shape_;
  topology::MazeLinks links_;
  std::string array_;  ///< scope
};

}  // namespace

void write_network_setup(const std::string& path, const std::string& fst_path,
                         const maze::NetworkConfig& config, const Failure& failure) {
  SaveFile save =
      start_save(path, fst_path, config.shape, kNetworkBench, failure.cycle, failure.message);
  save.row("pg_en", {kNetworkBench + ".pg_en_q", 0, 1}, RowFormat::Bit);
  save.address("pg_node", kNetworkBench + ".pg_node_q", 0);
  const LinkEnd at = failure.link.value_or(LinkEnd{0, config.shape.ports()});
  NodeRows rows(save, config);
  rows.add_port(at);
  if (failure.packet) rows.add_way(*failure.packet, at);
  common::write_file_atomically(path, save.text());
}

}  // namespace kernbench::sim
