// SPDX-License-Identifier: Apache-2.0
#include "noc/waits.hpp"

#include <algorithm>
#include <cstdint>

namespace kernbench::noc {
namespace {

/// A walk along the waits: from each virtual channel to one that it waits for. A packet that waits
/// for one of several lanes waits for all of them; all lanes of a circle are in it, so that the
/// first one does.
class Walk {
 public:
  explicit Walk(const NetworkModel& model) : model_(model), network_(model.network()) {}

  [[nodiscard]] std::vector<LinkCredit> circle() const {
    const std::uint32_t vcs = network_.sizes().vcs();
    std::vector<std::uint32_t> seen(network_.channels().size() * vcs, 0);
    std::uint32_t walk = 0;
    for (std::uint32_t start = 0; start < seen.size(); ++start) {
      ++walk;
      std::vector<LinkCredit> path;
      LinkCredit at{start / vcs, start % vcs};
      while (is_waiting(at)) {
        std::uint32_t& mark = seen[at.link * vcs + at.vc];
        if (mark == walk) {
          const auto first = std::find(path.begin(), path.end(), at);
          return {first, path.end()};
        }
        if (mark != 0) break;
        mark = walk;
        path.push_back(at);
        at = next(at);
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::uint32_t input_vc(const LinkCredit& at) const {
    return network_.input_of(at.link) * network_.sizes().vcs() + at.vc;
  }

  /// Returns true if the packet in front can get no slot of a channel.
  [[nodiscard]] bool is_waiting(const LinkCredit& at) const {
    if (at.link >= network_.channels().size()) return false;
    const std::uint32_t node = network_.channels()[at.link].dst;
    const std::vector<std::uint32_t> wanted = model_.wanted(node, input_vc(at));
    const std::uint32_t vcs = network_.sizes().vcs();
    return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](std::uint32_t place) {
      const std::uint32_t output = place / vcs;
      if (output + 1 == network_.outputs(node)) return false;
      const std::uint32_t holder = model_.holder(node, output, place % vcs);
      return model_.credits_of(node, output, place % vcs) == 0 ||
             (holder != NetworkModel::kNobody && holder != input_vc(at));
    });
  }

  [[nodiscard]] LinkCredit next(const LinkCredit& at) const {
    const std::uint32_t node = network_.channels()[at.link].dst;
    const std::uint32_t place = model_.wanted(node, input_vc(at)).front();
    const std::uint32_t vcs = network_.sizes().vcs();
    return {network_.outgoing(node)[place / vcs], place % vcs};
  }

  const NetworkModel& model_;
  const Network& network_;
};

}  // namespace

std::vector<LinkCredit> circle_of_waits(const NetworkModel& model) {
  return Walk(model).circle();
}

}  // namespace kernbench::noc
