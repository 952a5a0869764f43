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

/// Returns the time at the left edge of the window.
std::uint64_t start_time(std::uint64_t cursor, const FstContent& fst) {
  const std::uint64_t wanted = cursor > kBefore ? cursor - kBefore : 0;
  const std::uint64_t latest = fst.last > kWindow ? fst.last - kWindow : 0;
  return std::max(fst.first, std::min(wanted, latest));
}

}  // namespace

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
