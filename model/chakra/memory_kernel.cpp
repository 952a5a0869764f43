// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/memory_kernel.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace kernbench::model::chakra {

using kernel::TensorRef;
using kernel::Tl;

void move_bytes(Tl& tl, const runtime::TensorView& region, std::uint64_t bytes, bool stores) {
  constexpr std::uint64_t kPiece = 65536 / bytes_of(kMemoryElement);
  constexpr std::size_t kInFlight = 4;
  const std::uint64_t programs = tl.num_programs(0) * tl.num_programs(1);
  const std::uint64_t program = tl.program_id(1) * tl.num_programs(0) + tl.program_id(0);
  constexpr std::uint64_t kElementBytes = bytes_of(kMemoryElement).bytes;
  const std::uint64_t elements = (bytes + kElementBytes - 1) / kElementBytes;
  const std::uint64_t share = elements / programs + (program < elements % programs ? 1 : 0);
  if (share == 0) return;
  const TensorRef part = region.local(tl);
  std::optional<kernel::Tile> source;
  if (stores) source = tl.full(1, std::min(share, kPiece), 0.0, part.type);
  std::deque<kernel::PendingTile> loads;
  std::deque<kernel::Pending> writes;
  const auto wait_for_first = [&] {
    if (stores) {
      tl.wait(writes.front());
      writes.pop_front();
    } else {
      (void)tl.wait(loads.front());
      loads.pop_front();
    }
  };
  std::uint64_t at = 0;
  for (std::uint64_t left = share; left != 0;) {
    if (loads.size() + writes.size() == kInFlight) wait_for_first();
    if (at == part.columns) at = 0;
    const TensorRef piece = part.block(0, at, 1, std::min(left, kPiece));
    if (stores) {
      writes.push_back(tl.istore(piece, tl.part(*source, 0, piece.columns)));
    } else {
      loads.push_back(tl.iload(piece));
    }
    at += piece.columns;
    left -= piece.columns;
  }
  while (!loads.empty() || !writes.empty()) wait_for_first();
}

}  // namespace kernbench::model::chakra
