// SPDX-License-Identifier: Apache-2.0
// A kind of traffic: the butterfly permutation of Dally and Towles, which exchanges the highest and
// the lowest bit of a node's number.
#include <kernbench/traffic.hpp>

namespace {

using kernbench::topology::TrafficRegistration;
using kernbench::topology::TrafficShape;

bool is_power_of_2(std::uint32_t number) {
  return (number & (number - 1)) == 0;
}

std::string refuse(const TrafficShape& shape) {
  if (is_power_of_2(shape.count)) return "";
  return "needs 2^b endpoints; " + shape.topology + " has " + std::to_string(shape.count);
}

std::vector<std::uint32_t> destinations(std::uint32_t source, const TrafficShape& shape) {
  const std::uint32_t high = shape.count / 2;
  const bool differ = ((source & high) != 0) != ((source & 1U) != 0);
  return {differ ? source ^ (high | 1U) : source};
}

const TrafficRegistration kButterfly{{"butterfly",
                                      "i with its highest and lowest bit exchanged; 2^b endpoints",
                                      destinations, refuse}};

}  // namespace
