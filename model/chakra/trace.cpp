// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/trace.hpp"

#include <fmt/format.h>

#include "common/utf8.hpp"

namespace kernbench::model::chakra {

std::string RankTrace::describe(const Node& node) const {
  return fmt::format("node {} {}", node.id, common::in_quotes(name(node)));
}

}  // namespace kernbench::model::chakra
