// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "common/atomic_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/interface_rows.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::sim {

using maze::Shape;

namespace {

const std::string kNetworkBench = "TOP.network_tb_top";

/// Adds the rows of one node, and of one of its ports.
class NodeRows {
 public:
  NodeRows(SaveFile& save, const Shape& shape, const LinkEnd& at)
      : save_(save), shape_(shape), at_(at) {
    const std::string maze = kNetworkBench + ".u_maze";
    array_ = save.has(maze + ".u_array.clk") ? maze + ".u_array" : maze;
    core_ = fmt::format("{}.g_y[{}].g_x[{}].u_node.u_core", array_, at.node / shape.nx,
                        at.node % shape.nx);
  }

  void add() {
    const topology::MazeLinks links(shape_.nx, shape_.ny);
    const bool is_link = at_.port < shape_.ports();
    const std::string node = "node " + links.coordinates(at_.node);
    if (is_link) link(links);  // first, so that it is in view
    save_.comment(node + ", A");
    user("a", "pkt_in_");
    if (!is_link) expected("in", "rdy");
    save_.comment(node + ", B");
    user("b", "pkt_out_");
    if (!is_link) expected_output();
    queues();
    arbiter();
  }

 private:
  void link(const topology::MazeLinks& links) {
    const topology::MazePort port{at_.node, at_.port};
    save_.comment(fmt::format("link to {}", links.end_name(links.leaving(at_.node, at_.port).to)));
    const InterfacePort out = interface_port(shape_, array_ + ".links", port, "o_");
    add_bit(save_, out, "vld");
    add_bit(save_, out, "rdy");
    add_packet(save_, shape_, out);
    expected("out", "rdy");
    expected_output();
    save_.comment(
        fmt::format("link from {}", links.end_name(links.arriving(at_.node, at_.port).from)));
    const InterfacePort in = interface_port(shape_, array_ + ".links", port, "i_");
    add_bit(save_, in, "vld");
    expected("in", "vld");
    add_bit(save_, in, "rdy");
    expected("in", "rdy");
    add_packet(save_, shape_, in);
    expected_packet("in");
  }

  void user(const std::string& port, const std::string& prefix) {
    const std::string scope = fmt::format("{}.{}[{}].{}", kNetworkBench, port, at_.node, prefix);
    const auto slice = [&](const char* field, unsigned bits) {
      return SignalSlice{scope + field, 0, bits};
    };
    save_.row(prefix + "vld", slice("vld", 1), RowFormat::Bit);
    save_.row(prefix + "rdy", slice("rdy", 1), RowFormat::Bit);
    save_.row(prefix + "type", slice("type", 2), RowFormat::PacketType);
    save_.row(prefix + "qos", slice("qos", 1), RowFormat::Bit);
    for (const char* field : {"src", "tgt"}) save_.address(prefix + field, scope + field, 0);
    save_.row(prefix + "data", slice("data", shape_.flit_w), RowFormat::Hex);
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

  /// Adds the queues behind the port's input: [1] high, [0] low.
  void queues() {
    const std::string queue = fmt::format("{}.g_in[{}].u_queue.", core_, at_.port);
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

  void arbiter() {
    const std::string arbiter = fmt::format("{}.g_out[{}].u_arbiter.", core_, at_.port);
    if (!save_.has(arbiter + "ready_i")) return;
    const bool to_x = at_.port < shape_.x_ports();
    const unsigned inputs = to_x                        ? shape_.ny
                            : at_.port < shape_.ports() ? shape_.nx
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
  const Shape& shape_;
  LinkEnd at_;
  std::string array_, core_;  ///< scopes
};

}  // namespace

void write_network_setup(const std::string& path, const std::string& fst_path, const Shape& shape,
                         const Failure& failure) {
  SaveFile save = start_save(path, fst_path, shape, kNetworkBench, failure.cycle, failure.message);
  save.row("pg_en", {kNetworkBench + ".pg_en_q", 0, 1}, RowFormat::Bit);
  save.address("pg_node", kNetworkBench + ".pg_node_q", 0);
  NodeRows(save, shape, failure.link.value_or(LinkEnd{0, shape.ports()})).add();
  common::write_file_atomically(path, save.text());
}

}  // namespace kernbench::sim
