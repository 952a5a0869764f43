// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "common/described.hpp"
#include "common/form_reader.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// A link as a file names it.
struct GivenLink {
  unsigned node = 0;
  std::string port;  ///< "x[3]", or kUserPort in a network: A and B
};
inline constexpr std::string_view kUserPort = "user";

/// The ports of a device: those of links and, in a network, of users.
struct DevicePorts {
  maze::Shape shape;
  bool users = false;
};

/// Returns the number of a port with this name, or nothing.
[[nodiscard]] std::optional<unsigned> find_port(std::string_view name, const DevicePorts& ports);

/// Checks the link at `path` of a file, and returns the number of its port, or nothing.
template <class File>
std::optional<unsigned> check_link(common::Input<File>& file, const std::string& path,
                                   const GivenLink& link, const DevicePorts& ports) {
  file.check_within(path + ".node", link.node, 0, ports.shape.nodes() - 1);
  const auto port = find_port(link.port, ports);
  if (!port && file.places().sound({path + ".port"})) {
    file.error(path + ".port", fmt::format("'{}' is not a port of a node", link.port),
               fmt::format("x[0] to x[{}]{} y[0] to y[{}]{}", ports.shape.x_ports() - 1,
                           ports.users ? "," : " or", ports.shape.y_ports() - 1,
                           ports.users ? ", or user" : ""));
  }
  return port;
}

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::GivenLink>&
kernbench::common::description_of();
