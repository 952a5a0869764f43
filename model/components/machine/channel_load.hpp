// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

struct RoutedAccess;

/// How evenly accesses of many short rows load the channels of the memories that they use.
struct ChannelLoad {
  std::uint64_t bytes = 0;  ///< sum over the accesses of two flits a channel and more
  /// Sum over the accesses of the bytes on the fullest channel times the number of channels.
  std::uint64_t fullest_bytes = 0;
  std::uint64_t all_bytes = 0;    ///< sum over all accesses to memories of several channels
  std::uint64_t short_bytes = 0;  ///< sum over those of fewer flits than the memory has channels

  /// Returns the load of the fullest channel of an access over the mean of the channels, averaged
  /// over the accesses by bytes; 0 without accesses.
  [[nodiscard]] double times_the_mean() const {
    return bytes == 0 ? 0.0 : static_cast<double>(fullest_bytes) / static_cast<double>(bytes);
  }
  /// Returns the share of the bytes that accesses move which leave channels idle, because they have
  /// fewer flits than the memory has channels; 0 without accesses.
  [[nodiscard]] double share_of_short() const {
    return all_bytes == 0 ? 0.0 : static_cast<double>(short_bytes) / static_cast<double>(all_bytes);
  }
  friend ChannelLoad operator-(const ChannelLoad& a, const ChannelLoad& b) {
    return {a.bytes - b.bytes, a.fullest_bytes - b.fullest_bytes, a.all_bytes - b.all_bytes,
            a.short_bytes - b.short_bytes};
  }
};

/// Adds up the channel loads of the accesses that each SIP's PEs make.
///
/// An access is looked at on its own, because its pieces are in flight together: if all of them are
/// on one channel, it gets that channel's bandwidth, whatever other accesses use. Accesses of fewer
/// than two pieces a channel are left out, since no interleave can spread them.
class ChannelLoads {
 public:
  explicit ChannelLoads(std::uint32_t sips) : by_sip_(sips) {}

  /// Adds an access to `memory` by a PE of `sip`, in flits of `flit_bytes`.
  void add(std::uint32_t sip, const RoutedAccess& access, const MemoryComponent& memory,
           std::uint32_t flit_bytes);
  [[nodiscard]] const ChannelLoad& of(std::uint32_t sip) const { return by_sip_.at(sip); }

 private:
  std::vector<ChannelLoad> by_sip_;
  std::vector<std::uint64_t> channel_bytes_;  ///< loads by the access being added
};

}  // namespace kernbench::model::components
