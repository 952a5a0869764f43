#include "sim/wave/gtkwave_setup.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "common/atomic_file.hpp"
#include "maze/packet_layout.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

using maze::Shape;

namespace {

// GTKWave's trace flags for the signals that follow.
constexpr const char* kBit = "@28\n";
constexpr const char* kHex = "@22\n";
constexpr const char* kComment = "@200\n";
constexpr const char* kBench = "TOP.maze_tb_top";

/// Collects the lines of a save file.
class SaveFile {
 public:
  explicit SaveFile(const Shape& shape) : shape_(shape), layout_(shape) {}

  void add_raw(const std::string& line) { text_ += line + "\n"; }
  void comment(const std::string& words) { text_ += kComment + ("-" + words + "\n"); }
  void bit(const std::string& signal) { text_ += kBit + signal + "\n"; }

  /// Adds each field of a packet signal as a vector.
  void packet(const std::string& signal) {
    const unsigned width = shape_.payload_w();
    const unsigned y_bits = shape_.node_addr_bits() - shape_.x_addr_bits();
    const unsigned x_bits = shape_.x_addr_bits();
    field("type", signal, width, layout_.type_shift(), 2);
    field("qos", signal, width, layout_.qos_shift(), 1);
    field("src_y", signal, width, layout_.src_shift() + x_bits, y_bits);
    field("src_x", signal, width, layout_.src_shift(), x_bits);
    field("tgt_y", signal, width, layout_.tgt_shift() + x_bits, y_bits);
    field("tgt_x", signal, width, layout_.tgt_shift(), x_bits);
    field("data", signal, width, 0, shape_.flit_w);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void field(const std::string& name, const std::string& signal, unsigned width, unsigned low,
             unsigned bits) {
    text_ += kHex;
    text_ += fmt::format("#{{{}[{}:0]}}", name, bits - 1);
    for (unsigned bit = low + bits; bit-- > low;) {  // (0) is the most significant bit
      text_ += fmt::format(" ({}){}[{}:0]", width - 1 - bit, signal, width - 1);
    }
    text_ += "\n";
  }

  Shape shape_;
  maze::PacketLayout layout_;
  std::string text_;
};

std::string link_scope(const Shape& shape, const LinkEnd& end) {
  const bool is_x = end.port < shape.x_ports();
  return fmt::format("{}.u_topo.g_y[{}].g_x[{}].{}[{}].u_irs", kBench, end.node / shape.nx,
                     end.node % shape.nx, is_x ? "g_xlink" : "g_ylink",
                     is_x ? end.port : end.port - shape.x_ports());
}

void add_link(SaveFile& save, const Shape& shape, const LinkEnd& end) {
  const topology::MazeLinks links(shape.nx, shape.ny);
  const topology::MazeLink& link = links.leaving(end.node, end.port);
  const std::string scope = link_scope(shape, end);
  save.comment("source: " + links.end_name(link.from));
  save.bit(scope + ".valid_i");
  save.bit(scope + ".ready_o");
  save.packet(scope + ".payload_i");
  for (unsigned stage = 0; stage < link.depth; ++stage) {
    const std::string lp = fmt::format("{}.g_stage[{}].g_lp.u_irs", scope, stage);
    save.comment(fmt::format("IRS stage {} of {}", stage + 1, link.depth));
    save.bit(lp + ".valid_o");
    save.bit(lp + ".ready_i");
    save.bit(lp + ".ready_o");
    save.packet(lp + ".payload_o");
  }
  save.comment("sink: " + links.end_name(link.to));
  save.bit(scope + ".valid_o");
  save.bit(scope + ".ready_i");
  save.packet(scope + ".payload_o");
}

}  // namespace

void write_gtkwave_setup(const std::string& path, const std::string& fst_path, const Shape& shape,
                         const Failure& failure) {
  namespace fs = std::filesystem;
  const std::uint64_t cursor = trace_time(failure.cycle);
  SaveFile save(shape);
  save.add_raw(fmt::format(
      "[dumpfile] \"{}\"",
      fs::absolute(fst_path).lexically_relative(fs::absolute(path).parent_path()).string()));
  save.add_raw("[size] 1600 900");
  save.add_raw(fmt::format("[timestart] {}", cursor > 150 ? cursor - 150 : 0));
  // Zoom (a power of two), time of the primary marker, and the 26 named markers, which are not set.
  std::string markers = fmt::format("*-6.000000 {}", cursor);
  for (int i = 0; i < 26; ++i) markers += " -1";
  save.add_raw(markers);
  save.add_raw("[sst_width] 220");
  save.add_raw("[signals_width] 420");
  save.add_raw("[sst_expanded] 0");
  save.comment(fmt::format("cycle {}: {}: {}", failure.cycle, failure.checker, failure.kind));
  save.bit(std::string(kBench) + ".clk_i");
  save.bit(std::string(kBench) + ".rst_ni");
  if (failure.link) add_link(save, shape, *failure.link);
  common::write_file_atomically(path, save.text());
}

}  // namespace kernbench::sim
