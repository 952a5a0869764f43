// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// A component that forwards a host command to the next components, each with its share of the
/// targets, and answers when all of them have answered (per-shard completion).
class KERNBENCH_API FanOut : public Component {
 public:
  using Component::Component;
  void on_message(Message message) override;

 protected:
  /// Returns the node that receives the command for a target.
  [[nodiscard]] virtual topology::NodeId next_for(const HostCommand& command,
                                                  const memory::PeLocation& target) const = 0;

 private:
  struct Pending {
    Message request;
    std::size_t missing = 0;  ///< outstanding answers
    std::string failure{};    ///< the first that came
  };
  void forward(Message message, const CommandRequest& request);
  void take_answer(const CommandDone& answer);

  std::map<std::uint64_t, Pending> pending_;  ///< by transaction
};

/// Returns the length of a message with this request: system.request_bytes, plus target_bytes for
/// each target and region_bytes for each region.
[[nodiscard]] KERNBENCH_API std::uint64_t request_bytes(const topology::TopologySpec& spec,
                                                        const CommandRequest& request);
/// Returns "launch", "map" or "unmap".
[[nodiscard]] KERNBENCH_API std::string_view action_name(const HostCommand& command);

}  // namespace kernbench::model::components
