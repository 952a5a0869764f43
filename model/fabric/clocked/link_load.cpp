// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/link_load.hpp"

#include <algorithm>
#include <utility>

namespace kernbench::model::fabric {

namespace {

void add_links(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& packets) {
  sum.resize(std::max(sum.size(), packets.size()));
  for (std::size_t link = 0; link < packets.size(); ++link) sum[link] += packets[link];
}

}  // namespace

void LinkWindows::join_pairs() {
  for (std::size_t i = 1; i < packets.size(); i += 2) add_links(packets[i - 1], packets[i]);
  for (std::size_t i = 2; i < packets.size(); i += 2) packets[i / 2] = std::move(packets[i]);
  packets.resize((packets.size() + 1) / 2);
  cycles *= 2;
}

void LinkWindows::add(LinkWindows other) {
  while (cycles < other.cycles) join_pairs();
  while (other.cycles < cycles) other.join_pairs();
  packets.resize(std::max(packets.size(), other.packets.size()));
  for (std::size_t i = 0; i < other.packets.size(); ++i) add_links(packets[i], other.packets[i]);
}

LinkWindows LinkLoad::windows(const SteppedNetwork& network) const {
  LinkLoad all = *this;
  all.count(network);
  auto& packets = all.windows_.packets;
  const auto is_empty = [](const auto& links) {
    return std::all_of(links.begin(), links.end(), [](std::uint64_t n) { return n == 0; });
  };
  while (!packets.empty() && is_empty(packets.back())) packets.pop_back();
  for (auto& window : packets) window.resize(counted_.size());
  return std::move(all.windows_);
}

void LinkLoad::open_window(Edge edge, const SteppedNetwork& network) {
  count(network);
  while (edge >= windows_.cycles * kMostWindows) windows_.join_pairs();
  end_ = (edge / windows_.cycles + 1) * windows_.cycles;
}

void LinkLoad::count(const SteppedNetwork& network) {
  const std::size_t current = end_ / windows_.cycles - 1;
  windows_.packets.resize(std::max(windows_.packets.size(), current + 1));
  std::vector<std::uint64_t>& window = windows_.packets[current];
  window.resize(counted_.size());
  for (std::size_t link = 0; link < counted_.size(); ++link) {
    const std::uint64_t entered = network.entered_link(link);
    window[link] += entered - std::exchange(counted_[link], entered);
  }
}

}  // namespace kernbench::model::fabric
