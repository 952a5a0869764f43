// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/wave_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/atomic_file.hpp"
#include "common/shell_quote.hpp"
#include "sim/wave/fst_signals.hpp"

namespace kernbench::sim {
namespace {

// Time shown before the marker: 20 cycles, and the room of a label.
constexpr std::uint64_t kBefore = 220;
// Time that a window of the size below shows at this zoom (a power of two), rounded up. GTKWave
// ignores a start from which its window would reach beyond the end of the dump.
constexpr const char* kZoom = "-6.600000";
constexpr std::uint64_t kWindow = 650;

}  // namespace

std::string window_head(const std::string& dump, const WaveTimes& times) {
  const std::uint64_t before = times.marker > kBefore ? times.marker - kBefore : 0;
  const std::uint64_t wanted = times.begin.value_or(before);
  const std::uint64_t latest = times.last > kWindow ? times.last - kWindow : 0;
  const std::uint64_t start = std::max(times.first, std::min(wanted, latest));
  // Zoom, time of the primary marker, and the 26 named markers, which are not set.
  std::string markers = fmt::format("*{} {}", kZoom, times.marker);
  for (int i = 0; i < 26; ++i) markers += " -1";
  return fmt::format(
      "[dumpfile] \"{}\"\n[size] 1600 1000\n[timestart] {}\n{}\n[sst_width] 20\n"
      "[signals_width] 340\n[sst_expanded] 0",
      std::filesystem::absolute(dump).lexically_normal().string(), start, markers);
}

SaveFile start_save(const std::string& path, const std::string& fst_path, const maze::Shape& shape,
                    const std::string& bench, std::uint64_t cycle, const std::string& words) {
  namespace fs = std::filesystem;
  const std::uint64_t cursor = trace_time(cycle);
  const FstContent fst = read_fst(fst_path);
  const fs::path names = fs::absolute(path).parent_path() / "packet-types.txt";
  std::string types;
  for (std::size_t i = 0; i < kPacketTypes.size(); ++i) {
    types += fmt::format("{} {}\n", i, kPacketTypes[i]);
  }
  common::write_file_atomically(names, types);
  SaveFile save(shape, fst.signals, names.string());
  save.add_raw(window_head(fst_path, {cursor, fst.first, fst.last}));
  save.comment(words);
  save.row("clk", {bench + ".clk_i", 0, 1}, RowFormat::Bit);
  save.row("rst_n", {bench + ".rst_ni", 0, 1}, RowFormat::Bit);
  return save;
}

std::string view_command(const std::string& setup_path) {
  return "gtkwave " +
         common::shell_quote(std::filesystem::absolute(setup_path).lexically_normal().string());
}

}  // namespace kernbench::sim
