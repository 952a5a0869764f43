#pragma once

#include <map>
#include <vector>

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// Hands a command of the host on to those below it, each with its share of the targets, and
/// answers when all of them have (per-shard completion).
class FanOut : public Component {
 public:
  using Component::Component;
  void on_message(Message message) override;

 protected:
  /// Who gets the command for a target.
  [[nodiscard]] virtual topology::NodeId next_for(const HostCommand& command,
                                                  const memory::PeLocation& target) const = 0;

 private:
  struct Pending {
    Message request;
    std::size_t missing = 0;  ///< answers
  };
  void hand_on(Message message, const CommandRequest& request);
  void take_answer(std::uint64_t request);

  std::map<std::uint64_t, Pending> pending_;  ///< by transaction
};

/// How long a message with this request is: system.request_bytes, and kTargetBytes and kRegionBytes
/// for each of its targets and regions.
[[nodiscard]] std::uint64_t request_bytes(const topology::TopologySpec& spec,
                                          const CommandRequest& request);
/// "launch", "map" or "unmap"
[[nodiscard]] std::string_view action_name(const HostCommand& command);

}  // namespace kernbench::model::components
