// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/described.hpp"
#include "common/described_values.hpp"
#include "common/input_kind.hpp"
#include "topology/zoo/zoo_kinds.hpp"

namespace kernbench::topology::zoo {

struct ZooPart;

/// A topology that is joined to a node of another.
struct ZooChild {
  std::uint32_t base_node = 0;
  std::uint32_t child_node = 0;
  std::unique_ptr<ZooPart> topology;
};

/// A topology as a file describes it.
struct ZooPart {
  const ZooKind* kind = nullptr;                            ///< null for an unknown one
  std::map<std::string, std::uint32_t, std::less<>> sizes;  ///< by the names of ZooKind::sizes
  std::unique_ptr<ZooPart> base;
  std::vector<ZooChild> children;
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::uint32_t> stages;  ///< stages of each of the edges; may be empty
  std::string edges_from;             ///< path relative to the file
  std::vector<std::string> names;
  std::vector<std::uint32_t> endpoints;
  bool partial = false;
};

/// The content of a file.
struct ZooFile {
  std::unique_ptr<ZooPart> topology;
  std::string routes;   ///< path relative to the file; empty for the routes of the kind
  std::string routing;  ///< name of a relation; empty for that of the kind
};
extern const common::InputKind kZooFile;

}  // namespace kernbench::topology::zoo

template <>
inline constexpr const char* kernbench::common::kNameOfForm<kernbench::topology::zoo::ZooPart> =
    "topology";
template <>
const kernbench::common::Description<kernbench::topology::zoo::ZooChild>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::topology::zoo::ZooPart>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::topology::zoo::ZooFile>&
kernbench::common::description_of();
