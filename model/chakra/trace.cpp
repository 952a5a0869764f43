// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/trace.hpp"

#include <fmt/format.h>

#include <array>

#include "common/utf8.hpp"

namespace kernbench::model::chakra {

std::string_view name_of(NodeKind kind) {
  constexpr std::array<std::string_view, kNodeKinds> kNames = {
      "metadata", "load", "store", "computation", "send", "receive", "collective", "unknown"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string RankTrace::describe(const Node& node) const {
  return fmt::format("node {} {}", node.id, common::in_quotes(name(node)));
}

}  // namespace kernbench::model::chakra
