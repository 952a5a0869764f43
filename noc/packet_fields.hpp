// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "noc/network.hpp"

namespace kernbench::noc {

/// The fields by which users tell packets apart, which routers do not read: above the destination
/// of a flit, the source and the virtual channel of its injection. All bits above them are the
/// sender's.
class PacketFields {
 public:
  /// `network` must outlive the object. Its flits have at least least_flit_bits().
  explicit PacketFields(const Network& network);

  /// Returns the least number of bits of a flit with room for these fields.
  [[nodiscard]] static std::uint32_t least_flit_bits(std::uint32_t nodes, std::uint32_t vcs);

  struct Origin {
    std::uint32_t src = 0;
    std::uint32_t vc = 0;
    std::uint32_t dst = 0;
  };
  /// Returns a flit. `rest` fills the bits above the fields.
  [[nodiscard]] Flit flit(bool head, bool tail, const Origin& origin, std::uint64_t rest) const {
    return network_.flit(
        head, tail, origin.dst,
        rest << rest_at_ | Flit{origin.vc} << vc_at_ | Flit{origin.src} << source_at_ | origin.dst);
  }
  [[nodiscard]] Origin origin(Flit flit) const {
    return {static_cast<std::uint32_t>(flit >> source_at_ & source_mask_),
            static_cast<std::uint32_t>(flit >> vc_at_ & vc_mask_), network_.destination(flit)};
  }
  /// Returns the lowest of the sender's bits.
  [[nodiscard]] std::uint32_t rest_at() const { return rest_at_; }

 private:
  const Network& network_;
  std::uint32_t source_at_, vc_at_, rest_at_;
  std::uint64_t source_mask_, vc_mask_;
};

}  // namespace kernbench::noc
