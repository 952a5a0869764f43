// SPDX-License-Identifier: Apache-2.0
#include "noc/packet_fields.hpp"

namespace kernbench::noc {

PacketFields::PacketFields(const Network& network)
    : network_(network),
      source_at_(network.address_bits()),
      vc_at_(2 * source_at_),
      rest_at_(vc_at_ + Network::bits_for(network.sizes().vcs())),
      source_mask_((std::uint64_t{1} << source_at_) - 1),
      vc_mask_((std::uint64_t{1} << (rest_at_ - vc_at_)) - 1) {}

std::uint32_t PacketFields::least_flit_bits(std::uint32_t nodes, std::uint32_t vcs) {
  return 2 + 2 * Network::bits_for(nodes) + Network::bits_for(vcs) + 1;
}

}  // namespace kernbench::noc
