// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::runtime {

/// The part of a rank in a collective or a message.
struct CommunicationRecord {
  std::string name;                  ///< name of the collective, or "send" or "receive"
  std::string group;                 ///< name of the group
  std::vector<std::uint32_t> ranks;  ///< members of the group
  std::uint32_t other = 0;           ///< rank that is the root, or the other end of a message
  std::uint64_t bytes = 0;           ///< bytes of a member's input in each of its cubes
  bool even = true;                  ///< blocks have equal sizes
};

enum class RequestKind : std::uint8_t {
  Launch,
  Communication,
  CopyToDevice,
  CopyToHost,
  Other,  ///< such as mapping a tensor
};

/// A completed request of a context.
struct RequestRecord {
  RequestKind kind = RequestKind::Other;
  std::string name;
  std::uint64_t bytes = 0;                                     ///< bytes of a copy
  std::shared_ptr<const CommunicationRecord> communication{};  ///< set for a Communication
  std::uint32_t rank = 0;
  common::SimTime start{};
  common::SimTime end{};
};

}  // namespace kernbench::model::runtime
