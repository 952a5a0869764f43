// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/channel_load.hpp"

#include <algorithm>

#include "model/components/machine/memory_access.hpp"

namespace kernbench::model::components {

void ChannelLoads::add(std::uint32_t sip, const RoutedAccess& access, const MemoryComponent& memory,
                       std::uint32_t flit_bytes) {
  const std::uint32_t channels = memory.channels();
  if (channels == 1) return;
  ChannelLoad& load = by_sip_.at(sip);
  load.all_bytes += access.bytes;
  if (access.row_bytes >= access.bytes) {  // contiguous: every channel in turn
    if (access.bytes <= std::uint64_t{flit_bytes} * (channels - 1))
      load.short_bytes += access.bytes;
    load.bytes += access.bytes;
    load.fullest_bytes += access.bytes;
    return;
  }
  channel_bytes_.assign(channels, 0);
  std::uint64_t pieces = 0;
  for (std::uint64_t offset = 0; offset < access.bytes; ++pieces) {
    const RoutedAccess::Run rest = access.rest_of_row(offset);
    const std::uint64_t part = std::min(rest.bytes, flit_bytes - offset % flit_bytes);
    channel_bytes_[memory.channel_of(rest.address)] += part;
    offset += part;
  }
  if (pieces < channels) load.short_bytes += access.bytes;
  if (pieces < 2 * std::uint64_t{channels}) return;
  load.bytes += access.bytes;
  load.fullest_bytes += *std::max_element(channel_bytes_.begin(), channel_bytes_.end()) * channels;
}

}  // namespace kernbench::model::components
