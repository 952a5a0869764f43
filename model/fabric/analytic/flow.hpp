// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/fabric/analytic/link_server.hpp"

namespace kernbench::model::fabric {

using FlowId = LinkServer::FlowId;
using LegId = std::uint32_t;
/// Means "no flow" or "no leg".
inline constexpr std::uint32_t kNoId = 0xFFFFFFFF;

/// Relation of a flow to its link.
///
///            start_flow()                 on_flow_served(), all packets sent
///     +---------+ ------> +--------+ ------------------------------------------> +----------+
///     | Stopped |         | Served |                                             | Finished |
///     +---------+ <------ +--------+                                             +----------+
///            stop_flow(), or
///            on_flow_served(), more packets to send
enum class FlowState : std::uint8_t {
  Stopped,   ///< not at the link: its leg is not sending, or send_limit() is reached
  Served,    ///< at the link, which moves packets until `target` are sent
  Finished,  ///< all packets sent
};

/// Room for the last packet of a flow that leaves its source, at the far end of the channel. It is
/// always Available with endless queues.
///
///                                      grant_room(), last packet is far off
///                  +---------------------------------------------------------------+
///                  v                                                               |
///           +-----------+  reserve_room(), none left                         +---------+
///           | Available | -------------------------------------------------> | Awaited |
///           +-----------+                                                    +---------+
///                  ^        RoomSeen        +---------+       grant_room()         |
///                  +----------------------- | Granted | <--------------------------+
///                                           +---------+
enum class LastPacketRoom : std::uint8_t {
  Available,  ///< the last packet may be sent
  Awaited,    ///< packets ahead must be forwarded first; the flow is LinkQueue::waiter
  Granted,    ///< packets ahead have been forwarded; the source has not seen it yet
};

/// The leg at the next node, for a flow whose packets do not end there.
///
///     None        Pending --- on_flow_served(), first packet sent ---> Started
enum class NextLeg : std::uint8_t {
  None,     ///< packets end at the next node
  Pending,  ///< the first packet has not been sent
  Started,  ///< the first packet has been sent: the leg exists or has finished
};

/// The packets of a leg that leave its node by one output.
struct Flow {
  LegId leg = kNoId;
  std::uint32_t link = 0;
  std::uint32_t vc = 0;
  FlowState state = FlowState::Stopped;
  std::uint64_t sent = 0;    ///< packets sent when the flow last entered or left the link
  std::uint64_t target = 0;  ///< packets sent when the link has served the flow
  LastPacketRoom room = LastPacketRoom::Available;
  NextLeg next_leg = NextLeg::None;
  LegId supplies = kNoId;  ///< leg at the next node, while the flow supplies it
};

}  // namespace kernbench::model::fabric
