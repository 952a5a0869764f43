// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/gtkwave_setup.hpp"

#include <fmt/format.h>

#include "common/atomic_file.hpp"
#include "sim/wave/interface_rows.hpp"
#include "sim/wave/save_file.hpp"
#include "sim/wave/wave_window.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

using maze::Shape;

namespace {

constexpr const char* kBench = "TOP.maze_tb_top";
/// Adds the rows of one link.
class LinkRows {
 public:
  LinkRows(SaveFile& save, const Shape& shape, const LinkEnd& source, bool fault_injected)
      : save_(save),
        shape_(shape),
        links_(shape.nx, shape.ny),
        link_(links_.leaving(source.node, source.port)),
        fault_injected_(fault_injected) {}

  void add() {
    const std::string nodes = std::string(kBench) + ".node_if";
    const InterfacePort source = interface_port(shape_, nodes, link_.from, "o_");
    const InterfacePort sink = interface_port(shape_, nodes, link_.to, "i_");
    save_.comment("source: " + links_.end_name(link_.from));
    if (fault_injected_) wanted();
    add_bit(save_, source, "vld");
    add_bit(save_, source, "rdy");
    note("seen", "rdy", fault_injected_);
    note("expected", "rdy", true);
    add_packet(save_, shape_, source);
    for (unsigned stage = 0; stage < link_.depth; ++stage) add_stage(stage);
    save_.comment("sink: " + links_.end_name(link_.to));
    add_bit(save_, sink, "vld");
    note("expected", "vld", !fault_injected_);
    add_bit(save_, sink, "rdy");
    add_packet(save_, shape_, sink);
    if (fault_injected_) offered("seen");
    offered("expected");
  }

 private:
  /// Adds a value that the bench wrote beside the signals.
  void note(const std::string& who, const std::string& what, bool shown) {
    if (!shown) return;
    save_.set_colour(colour_of(who));
    save_.row(fmt::format("{} {}", who, what), {fmt::format("{}.{}_{}_i", kBench, who, what), 0, 1},
              RowFormat::Bit);
    save_.set_colour(RowColour::Signal);
  }

  void note_packet(const std::string& who) {
    save_.set_colour(colour_of(who));
    save_.packet(who + " ", fmt::format("{}.{}_pkt_i", kBench, who));
    save_.set_colour(RowColour::Signal);
  }

  static RowColour colour_of(const std::string& who) {
    return who == "expected" ? RowColour::Expected : RowColour::Bench;
  }

  void wanted() {
    save_.begin_closed_group("wanted by the node");
    note_packet("want");
    save_.end_closed_group();
    note("want", "vld", true);
  }

  void offered(const std::string& who) {
    note(who, "vld", fault_injected_);
    note_packet(who);
  }

  void add_stage(unsigned stage) {
    const bool is_x = link_.from.port < shape_.x_ports();
    const std::string irs = fmt::format(
        "{}.u_topo.g_y[{}].g_x[{}].{}[{}].u_irs.g_stage[{}].g_lp.u_irs", kBench,
        link_.from.node / shape_.nx, link_.from.node % shape_.nx, is_x ? "g_xlink" : "g_ylink",
        link_.from.port - (is_x ? 0 : shape_.x_ports()), stage);
    if (!save_.has(irs + ".valid_o")) return;
    // The packet's addresses seldom matter here: the group opens with a click. Where a fault was
    // injected beside the fabric, the whole stage is in the group.
    const auto handshake = [&] {
      const std::string label = fmt::format("stage {} ", stage + 1);
      save_.row(label + "valid_o", {irs + ".valid_o", 0, 1}, RowFormat::Bit);
      save_.row(label + "ready_i", {irs + ".ready_i", 0, 1}, RowFormat::Bit);
      save_.row(label + "data", {irs + ".payload_o", 0, shape_.flit_w}, RowFormat::Hex);
    };
    save_.begin_closed_group(fmt::format("IRS stage {} of {}", stage + 1, link_.depth));
    if (fault_injected_) handshake();
    save_.packet("", irs + ".payload_o");
    save_.end_closed_group();
    if (!fault_injected_) handshake();
  }

  SaveFile& save_;
  const Shape& shape_;
  topology::MazeLinks links_;
  topology::MazeLink link_;
  bool fault_injected_;
};

SaveFile start_bench(const std::string& path, const std::string& fst_path, const Shape& shape,
                     const Failure& failure) {
  return start_save(path, fst_path, shape, kBench, failure.cycle,
                    fmt::format("cycle {}: {}: {}", failure.cycle, failure.checker, failure.kind));
}

}  // namespace

void write_gtkwave_setup(const std::string& path, const std::string& fst_path, const Shape& shape,
                         const Failure& failure, bool fault_injected) {
  SaveFile save = start_bench(path, fst_path, shape, failure);
  if (failure.link) LinkRows(save, shape, *failure.link, fault_injected).add();
  common::write_file_atomically(path, save.text());
}

void write_primitive_setup(const std::string& path, const std::string& fst_path,
                           unsigned payload_bits, unsigned depth, const Failure& failure) {
  SaveFile save = start_bench(path, fst_path, {2, 2, 8}, failure);
  const std::string chain = std::string(kBench) + ".u_irs";
  const auto bit = [&](const std::string& label, const std::string& name) {
    save.row(label, {name, 0, 1}, RowFormat::Bit);
  };
  const auto payload = [&](const std::string& label, const std::string& name) {
    save.row(label, {name, 0, payload_bits}, RowFormat::Hex);
  };
  const auto expected = [&](const char* what) {
    save.set_colour(RowColour::Expected);
    const std::string name = fmt::format("{}.expected_{}_i", kBench, what);
    const std::string label = fmt::format("expected {}", what);
    what == std::string("pkt") ? payload(label, name) : bit(label, name);
    save.set_colour(RowColour::Signal);
  };
  save.comment("input");
  bit("valid_i", chain + ".valid_i");
  bit("ready_o", chain + ".ready_o");
  expected("rdy");
  payload("payload_i", chain + ".payload_i");
  for (unsigned stage = 0; stage < depth; ++stage) {
    for (const char* kind : {"g_lp", "g_half"}) {
      const std::string irs = fmt::format("{}.g_stage[{}].{}.u_irs", chain, stage, kind);
      const std::string label = fmt::format("stage {} ", stage + 1);
      bit(label + "valid_o", irs + ".valid_o");
      bit(label + "ready_i", irs + ".ready_i");
      payload(label + "payload_o", irs + ".payload_o");
    }
  }
  save.comment("output");
  bit("valid_o", chain + ".valid_o");
  expected("vld");
  bit("ready_i", chain + ".ready_i");
  payload("payload_o", chain + ".payload_o");
  expected("pkt");
  common::write_file_atomically(path, save.text());
}

}  // namespace kernbench::sim
