// SPDX-License-Identifier: Apache-2.0
#include "sim/check/link_counter.hpp"

#include <algorithm>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

LinkCounter::LinkCounter(const maze::Shape& shape)
    : shape_(shape),
      stalled_(shape),
      since_(shape.links()),
      longest_(shape.links()),
      packets_(shape),
      stalls_(shape) {}

void LinkCounter::count(std::uint64_t cycle, const maze::BitPlane& offered,
                        const maze::BitPlane& taken) {
  for (std::size_t i = 0; i < stalled_.size(); ++i) {
    follow(i, offered[i] & ~taken[i], cycle);
  }
  stalls_.add(stalled_.data());
  packets_.add(taken.data());
}

void LinkCounter::after(const RunEnd& end) {
  for (std::size_t i = 0; i < stalled_.size(); ++i) follow(i, 0, end.cycles);
}

void LinkCounter::follow(std::size_t word, std::uint64_t stalled, std::uint64_t cycle) {
  const std::uint64_t before = stalled_.data()[word];
  stalled_.data()[word] = stalled;
  const std::size_t first = word / shape_.words() * shape_.nodes();
  maze::for_each_bit(before ^ stalled, static_cast<unsigned>(word % shape_.words()),
                     [&](unsigned node) {
                       std::uint64_t& since = since_[first + node];
                       std::uint64_t& longest = longest_[first + node];
                       if ((stalled >> (node % 64) & 1U) != 0) {
                         since = cycle;
                       } else {
                         longest = std::max(longest, cycle - since);
                       }
                     });
}

}  // namespace kernbench::sim
