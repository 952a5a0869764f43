// SPDX-License-Identifier: Apache-2.0
#include "cli/base/router_options.hpp"

#include <fmt/format.h>

#include "cli/base/options.hpp"
#include "topology/rtl/noc_plan.hpp"

namespace kernbench::cli {

void add_router_options(Command& command, std::uint32_t& lanes, std::uint32_t& slots,
                        std::uint32_t& stages) {
  command
      .add_option(
          "--lanes", lanes,
          "Virtual channels of each class of the routes; packets of one source can overtake "
          "each other if there are several")
      .check(whole_number(1, topology::kMaxNocInputVcs));
  command.add_option("--slots", slots, "Flits that an input holds for a virtual channel")
      .check(whole_number(1, topology::kMaxNocSlots));
  command
      .add_option("--stages", stages, "Register stages of each link to which its file gives none")
      .check(whole_number(0, topology::kMaxNocStages));
}

void add_link_options(Command& command, std::uint32_t& flit_bits, double& wire) {
  command
      .add_option("--flit-bits", flit_bits,
                  fmt::format("Bits of a flit; by default head, tail, destination and {} more",
                              topology::kNocPayloadBits))
      .check(whole_number(2, topology::kMaxNocFlitBits));
  command
      .add_option("--wire", wire,
                  "Longest wire between registers of a channel, in distances of adjacent nodes of "
                  "the picture; the length of a channel gives its register stages")
      .check(real_number(1e-3, 1e9));
}

}  // namespace kernbench::cli
