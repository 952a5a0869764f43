// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/given_link.hpp"

#include <charconv>

#include "common/description.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {
namespace {

bool is_port(std::string_view text) {
  if (text == "user") return true;
  unsigned number = 0;
  if (text.size() < 4 || (text[0] != 'x' && text[0] != 'y') || text[1] != '[') return false;
  const char* const end = text.data() + text.size() - 1;
  return *end == ']' && std::from_chars(text.data() + 2, end, number).ptr == end;
}

constexpr common::TextRule kPortRule = {R"(^([xy]\[[0-9]+\]|user)$)",
                                        "a port, such as x[3] or y[0]", is_port};

}  // namespace

std::optional<unsigned> find_port(std::string_view name, const DevicePorts& ports) {
  for (unsigned port = 0; port < ports.shape.ports(); ++port) {
    if (name == trace_port_name(port, ports.shape)) return port;
  }
  if (ports.users && name == kUserPort) return ports.shape.ports();
  return std::nullopt;
}

}  // namespace kernbench::sim

namespace kernbench::common {

template <>
const Description<sim::GivenLink>& description_of() {
  using Link = sim::GivenLink;
  static const auto kAll = Description<Link>()
                               .add("node", &Link::node)
                               .within(0, 255)
                               .add("port", &Link::port)
                               .rule(sim::kPortRule);
  return kAll;
}

}  // namespace kernbench::common
