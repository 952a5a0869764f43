// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "common/atomic_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/save_file.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::sim {
namespace {

const std::string kNocBench = "TOP.noc_tb_top";
constexpr unsigned kMostFlitBits = 64;
constexpr unsigned kMostVcs = 64;

/// Adds a closed group with the rows of one link, whose signals begin with `prefix`.
void add_link(SaveFile& save, const std::string& label, const std::string& prefix,
              const std::string& suffix) {
  save.begin_closed_group(label);
  save.row("valid", {prefix + "valid" + suffix, 0, 1}, RowFormat::Bit);
  save.row("vc", {prefix + "vc" + suffix, 0, 6}, RowFormat::Hex);
  save.row("flit", {prefix + "flit" + suffix, 0, kMostFlitBits}, RowFormat::Hex);
  save.row("credit", {prefix + "credit" + suffix, 0, kMostVcs}, RowFormat::Hex);
  save.end_closed_group();
}

}  // namespace

void write_noc_setup(const std::string& path, const std::string& fst_path,
                     const std::vector<std::string>& nodes,
                     const std::vector<std::string>& channels, const Failure& failure) {
  SaveFile save = start_save(path, fst_path, {}, kNocBench, failure.cycle, failure.message);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (const char* port : {"a", "b"}) {
      add_link(save, fmt::format("node {}, {}", nodes[n], port[0] == 'a' ? "A" : "B"),
               fmt::format("{}.{}_", kNocBench, port), fmt::format("[{}]", n));
    }
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    add_link(save, channels[i], fmt::format("{}.u_noc.ch{}_", kNocBench, i), "");
  }
  common::write_file_atomically(path, save.text());
}

}  // namespace kernbench::sim
