// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/gtkwave_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/atomic_file.hpp"
#include "common/shell_quote.hpp"
#include "sim/wave/save_file.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

using maze::Shape;

namespace {

constexpr const char* kBench = "TOP.maze_tb_top";
// Time shown before the marker: 20 cycles, and the room of a label.
constexpr std::uint64_t kBefore = 220;
// Time that a window of the size below shows at this zoom (a power of two), rounded up. GTKWave
// ignores a start from which its window would reach beyond the end of the dump.
constexpr const char* kZoom = "-6.600000";
constexpr std::uint64_t kWindow = 650;

/// One end of a link at its node_if.
struct NodePort {
  std::string scope;   ///< the node's interface
  std::string prefix;  ///< "xo_", "yi_", ...
  unsigned index = 0;
  unsigned count = 0;  ///< links of this direction
};

NodePort node_port(const Shape& shape, const topology::MazePort& end, const char* direction) {
  const bool is_x = end.port < shape.x_ports();
  return {fmt::format("{}.node_if[{}]", kBench, end.node),
          std::string(is_x ? "x" : "y") + direction, is_x ? end.port : end.port - shape.x_ports(),
          is_x ? shape.x_ports() : shape.ports() - shape.x_ports()};
}

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
    const NodePort source = node_port(shape_, link_.from, "o_");
    const NodePort sink = node_port(shape_, link_.to, "i_");
    save_.comment("source: " + links_.end_name(link_.from));
    if (fault_injected_) wanted();
    bit(source, "vld");
    bit(source, "rdy");
    note("seen", "rdy", fault_injected_);
    note("expected", "rdy", true);
    packet(source);
    for (unsigned stage = 0; stage < link_.depth; ++stage) add_stage(stage);
    save_.comment("sink: " + links_.end_name(link_.to));
    bit(sink, "vld");
    note("expected", "vld", !fault_injected_);
    bit(sink, "rdy");
    packet(sink);
    if (fault_injected_) offered("seen");
    offered("expected");
  }

 private:
  void bit(const NodePort& end, const char* field) {
    save_.row(fmt::format("{}{}[{}]", end.prefix, field, end.index),
              save_.element(fmt::format("{}.{}{}", end.scope, end.prefix, field), end.index,
                            end.count, 1),
              RowFormat::Bit);
  }

  void packet(const NodePort& end) {
    const auto slice = [&](const char* field, unsigned bits) {
      return save_.element(fmt::format("{}.{}{}", end.scope, end.prefix, field), end.index,
                           end.count, bits);
    };
    const auto label = [&](const char* field) {
      return fmt::format("{}{}[{}]", end.prefix, field, end.index);
    };
    save_.row(label("type"), slice("type", 2), RowFormat::PacketType);
    save_.row(label("qos"), slice("qos", 1), RowFormat::Bit);
    for (const char* field : {"src", "tgt"}) {
      const SignalSlice address = slice(field, shape_.node_addr_bits());
      save_.address(label(field), address.name, address.low);
    }
    save_.row(label("data"), slice("data", shape_.flit_w), RowFormat::Hex);
  }

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
    const NodePort source = node_port(shape_, link_.from, "o_");
    const std::string irs =
        fmt::format("{}.u_topo.g_y[{}].g_x[{}].{}[{}].u_irs.g_stage[{}].g_lp.u_irs", kBench,
                    link_.from.node / shape_.nx, link_.from.node % shape_.nx,
                    source.prefix[0] == 'x' ? "g_xlink" : "g_ylink", source.index, stage);
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

/// Returns the time at the left edge of the window.
std::uint64_t start_time(std::uint64_t cursor, const FstContent& fst) {
  const std::uint64_t wanted = cursor > kBefore ? cursor - kBefore : 0;
  const std::uint64_t latest = fst.last > kWindow ? fst.last - kWindow : 0;
  return std::max(fst.first, std::min(wanted, latest));
}

/// Starts a save file: window, marker and comment, clock and reset.
SaveFile start_save(const std::string& path, const std::string& fst_path, const Shape& shape,
                    const Failure& failure) {
  namespace fs = std::filesystem;
  const std::uint64_t cursor = trace_time(failure.cycle);
  const FstContent fst = read_fst(fst_path);
  const fs::path names = fs::absolute(path).parent_path() / "packet-types.txt";
  common::write_file_atomically(names, "0 unicast\n1 x_multicast\n2 y_multicast\n3 broadcast\n");
  SaveFile save(shape, fst.signals, names.string());
  save.add_raw(
      fmt::format("[dumpfile] \"{}\"", fs::absolute(fst_path).lexically_normal().string()));
  save.add_raw("[size] 1600 1000");
  save.add_raw(fmt::format("[timestart] {}", start_time(cursor, fst)));
  // Zoom, time of the primary marker, and the 26 named markers, which are not set.
  std::string markers = fmt::format("*{} {}", kZoom, cursor);
  for (int i = 0; i < 26; ++i) markers += " -1";
  save.add_raw(markers);
  save.add_raw("[sst_width] 20");
  save.add_raw("[signals_width] 340");
  save.add_raw("[sst_expanded] 0");
  save.comment(fmt::format("cycle {}: {}: {}", failure.cycle, failure.checker, failure.kind));
  save.row("clk", {std::string(kBench) + ".clk_i", 0, 1}, RowFormat::Bit);
  save.row("rst_n", {std::string(kBench) + ".rst_ni", 0, 1}, RowFormat::Bit);
  return save;
}

}  // namespace

void write_gtkwave_setup(const std::string& path, const std::string& fst_path, const Shape& shape,
                         const Failure& failure, bool fault_injected) {
  SaveFile save = start_save(path, fst_path, shape, failure);
  if (failure.link) LinkRows(save, shape, *failure.link, fault_injected).add();
  common::write_file_atomically(path, save.text());
}

void write_primitive_setup(const std::string& path, const std::string& fst_path,
                           unsigned payload_bits, unsigned depth, const Failure& failure) {
  SaveFile save = start_save(path, fst_path, {2, 2, 8}, failure);
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

std::string view_command(const std::string& setup_path) {
  return "gtkwave " +
         common::shell_quote(std::filesystem::absolute(setup_path).lexically_normal().string());
}

}  // namespace kernbench::sim
