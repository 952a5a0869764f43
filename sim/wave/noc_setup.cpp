// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "common/atomic_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/save_file.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::sim {
namespace {

const std::string kNocBench = "TOP.noc_tb_top";

/// Adds a closed group with the rows of one link. `forward` ends the names of valid, vc and flit,
/// `back` that of the credits.
void add_link(SaveFile& save, const std::string& label, const std::string& prefix,
              const std::string& forward, const std::string& back) {
  save.begin_closed_group(label);
  save.whole_row("valid", prefix + "valid" + forward, RowFormat::Bit);
  save.whole_row("vc", prefix + "vc" + forward, RowFormat::Hex);
  save.whole_row("flit", prefix + "flit" + forward, RowFormat::Hex);
  save.whole_row("credit", prefix + "credit" + back, RowFormat::Hex);
  save.end_closed_group();
}

}  // namespace

void write_noc_setup(const std::string& path, const std::string& fst_path,
                     const std::vector<std::string>& nodes,
                     const std::vector<std::string>& channels, const Failure& failure) {
  SaveFile save = start_save(path, fst_path, {}, kNocBench, failure.cycle, failure.message);
  const std::string network = kNocBench + ".u_noc.";
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const std::string in = fmt::format("_i[{}]", n);
    const std::string out = fmt::format("_o[{}]", n);
    add_link(save, fmt::format("node {}, A", nodes[n]), network + "a_", in, out);
    add_link(save, fmt::format("node {}, B", nodes[n]), network + "b_", out, in);
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    add_link(save, channels[i], fmt::format("{}ch{}_", network, i), "", "");
  }
  common::write_file_atomically(path, save.text());
}

}  // namespace kernbench::sim
