// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/packet_log.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace kernbench::sim {

using maze::Payload;

void PacketLog::enter(std::size_t place, Payload packet, std::uint64_t cycle) {
  std::vector<Stay>& stays = stays_[{place, packet}];
  if (!stays.empty() && stays.back().waiting && stays.back().last + 1 == cycle) {
    stays.back() = {stays.back().first, cycle, true, false};
  } else {
    stays.push_back({cycle, cycle, true, false});
  }
}

void PacketLog::wait(std::size_t place, Payload packet, std::uint64_t cycle) {
  std::vector<Stay>& stays = stays_[{place, packet}];
  if (!stays.empty() && stays.back().waiting && stays.back().last + 1 == cycle) {
    stays.back().last = cycle;
  } else {
    stays.push_back({cycle, cycle, false, true});
  }
}

bool PacketLog::leave(std::size_t place, Payload packet, std::uint64_t last) {
  const auto found = stays_.find({place, packet});
  if (found == stays_.end()) return false;
  std::vector<Stay>& stays = found->second;
  const auto oldest =
      std::find_if(stays.begin(), stays.end(), [](const Stay& stay) { return stay.open; });
  if (oldest != stays.end()) {
    oldest->open = false;
    oldest->last = last;
    return true;
  }
  // A packet that forks leaves more than once.
  const auto latest =
      std::find_if(stays.rbegin(), stays.rend(), [](const Stay& stay) { return !stay.waiting; });
  if (latest == stays.rend()) return false;
  latest->last = std::max(latest->last, last);
  return true;
}

void PacketLog::leave_nearest(std::size_t place, Payload packet, int most, std::uint64_t last) {
  Stay* nearest = nullptr;
  std::pair<int, std::uint64_t> least{most + 1, 0};  // bits, then the first cycle
  for (auto at = stays_.lower_bound({place, 0}); at != stays_.end() && at->first.first == place;
       ++at) {
    const int bits = std::popcount(at->first.second ^ packet);
    for (Stay& stay : at->second) {
      if (!stay.open || bits > most || std::pair(bits, stay.first) >= least) continue;
      nearest = &stay;
      least = {bits, stay.first};
    }
  }
  if (nearest == nullptr) return;
  nearest->open = false;
  nearest->last = last;
}

void PacketLog::clear(std::uint64_t cycle) {
  for (auto& [key, stays] : stays_) {
    std::erase_if(stays, [&](const Stay& stay) { return stay.open && stay.first >= cycle; });
    for (Stay& stay : stays) {
      if (!stay.open) continue;
      stay.open = false;
      stay.last = cycle - 1;
    }
  }
}

void PacketLog::forget(std::uint64_t before) {
  for (auto& [key, stays] : stays_) {
    std::erase_if(stays, [&](const Stay& stay) { return !stay.open && stay.last < before; });
  }
  std::erase_if(stays_, [](const auto& item) { return item.second.empty(); });
}

std::vector<PacketStay> PacketLog::between(std::uint64_t first, std::uint64_t last) const {
  std::vector<PacketStay> found;
  for (const auto& [key, stays] : stays_) {
    for (const Stay& stay : stays) {
      const std::uint64_t begin = std::max(first, stay.first);
      const std::uint64_t end = stay.open ? last : std::min(last, stay.last);
      if (begin <= end) found.push_back({key.first, key.second, begin, end});
    }
  }
  std::sort(found.begin(), found.end(), [](const PacketStay& a, const PacketStay& b) {
    return std::tie(a.first, a.last, a.place, a.packet) <
           std::tie(b.first, b.last, b.place, b.packet);
  });
  return found;
}

}  // namespace kernbench::sim
