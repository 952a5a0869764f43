// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/fabric_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace kernbench::sim::structure {
namespace {

constexpr std::array<const char*, kFields> kFieldNames = {"vld", "rdy", "type", "qos",
                                                          "src", "tgt", "data"};

}  // namespace

const char* field_name(Field field) {
  return kFieldNames.at(static_cast<std::size_t>(field));
}

FabricView::FabricView(const Netlist& netlist, const maze::Shape& shape)
    : netlist_(netlist), shape_(shape), links_(shape.nx, shape.ny) {
  places_.resize(std::size_t{links_.nodes()} * links_.ports() * 2 * kFields);
  find_instances();
  if (topo_) read_nodes();
}

void FabricView::find_instances() {
  const Design& design = netlist_.design();
  inside_.resize(netlist_.placed().size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < netlist_.placed().size(); ++i) {
    const Placed& one = netlist_.placed()[i];
    if (one.module->orig == "TOPO") {
      ++count;
      topo_ = i;
      inside_[i] = true;
    } else {
      inside_[i] = i != 0 && inside_[one.parent];
    }
    if (inside_[i] && one.opaque) instances_.push_back(i);
  }
  if (count != 1) {
    topo_.reset();
    findings_.push_back({Rule::Content, design.at(design.top().place),
                         fmt::format("{} instances of TOPO, expected 1", count)});
  }
}

void FabricView::read_nodes() {
  const Placed& topo = netlist_.placed()[*topo_];
  for (unsigned node = 0; node < links_.nodes(); ++node) {
    const auto found = topo.interfaces.find(fmt::format("node_if[{}]", node));
    if (found == topo.interfaces.end()) {
      findings_.push_back({Rule::Content, netlist_.design().at(topo.module->place),
                           fmt::format("TOPO has no port node_if[{}]", node)});
      nodes_.clear();
      return;
    }
    nodes_.push_back(found->second);
  }
  for (unsigned node = 0; node < links_.nodes(); ++node) {
    for (const bool x : {true, false}) {
      for (const bool outgoing : {true, false}) {
        for (std::size_t f = 0; f < kFields; ++f) {
          read_signal(node, x, outgoing, static_cast<Field>(f));
        }
      }
    }
  }
}

unsigned FabricView::bits_of(Field field) const {
  const unsigned address = shape_.x_addr_bits() + shape_.y_addr_bits();
  switch (field) {
    case Field::Vld:
    case Field::Rdy:
    case Field::Qos:
      return 1;
    case Field::Type:
      return 2;
    case Field::Src:
    case Field::Tgt:
      return address;
    case Field::Data:
      return shape_.flit_w;
  }
  return 0;
}

void FabricView::read_signal(unsigned node, bool x, bool outgoing, Field field) {
  const Placed& interface = netlist_.placed()[nodes_[node]];
  const std::string name =
      fmt::format("{}{}_{}", x ? 'x' : 'y', outgoing ? 'o' : 'i', field_name(field));
  const Variable* variable = interface.module->variable(name);
  const unsigned count = x ? links_.x_ports() : links_.ports() - links_.x_ports();
  const auto report = [&](const Place& place, std::string message) {
    if (node == 0) {  // the interface is the same for all
      findings_.push_back({Rule::Modport, netlist_.design().at(place), std::move(message)});
    }
  };
  if (variable == nullptr) {
    report(interface.module->place, fmt::format("{} has no {}", interface.module->orig, name));
    return;
  }
  if (variable->type.bits() != count * bits_of(field)) {
    report(variable->place, fmt::format("{} has {} bits, expected {} x {}", name,
                                        variable->type.bits(), count, bits_of(field)));
    return;
  }
  const auto& dimensions = variable->type.dimensions;
  for (unsigned at = 0; at < count; ++at) {
    // The outermost dimension counts the links; a single link may have none.
    const int index = !dimensions.empty() && dimensions.front().size() == count
                          ? dimensions.front().index_at(at)
                          : static_cast<int>(at);
    if (index < 0 || index >= static_cast<int>(count)) {
      report(variable->place, fmt::format("{} has no element 0", name));
      return;
    }
    NodeBit bit{node, static_cast<unsigned>(index) + (x ? 0 : links_.x_ports()), outgoing, field,
                0};
    std::vector<BitId>& place = places_[slot(bit)];
    for (; bit.bit < bits_of(field); ++bit.bit) {
      const BitId id = interface.base + variable->base + at * bits_of(field) + bit.bit;
      place.push_back(id);
      node_bits_.emplace(id, bit);
    }
  }
}

std::size_t FabricView::slot(const NodeBit& bit) const {
  const std::size_t port = std::size_t{bit.node} * links_.ports() + bit.port;
  return (port * 2 + (bit.outgoing ? 0 : 1)) * kFields + static_cast<std::size_t>(bit.field);
}

const NodeBit* FabricView::node_bit(BitId bit) const {
  const auto found = node_bits_.find(bit);
  return found == node_bits_.end() ? nullptr : &found->second;
}

std::optional<BitId> FabricView::bit_of(const NodeBit& wanted) const {
  const std::vector<BitId>& bits = places_.at(slot(wanted));
  if (wanted.bit >= bits.size()) return std::nullopt;
  return bits[wanted.bit];
}

std::optional<BitId> FabricView::port(std::size_t placed, const std::string& name,
                                      unsigned bit) const {
  const Placed& one = netlist_.placed()[placed];
  const Variable* variable = one.module->variable(name);
  if (variable == nullptr || bit >= variable->type.bits()) return std::nullopt;
  return one.base + variable->base + bit;
}

std::string FabricView::text(const NodeBit& bit) const {
  const bool x = bit.port < links_.x_ports();
  std::string text =
      fmt::format("node {} {}{}_{}[{}]", bit.node, x ? 'x' : 'y', bit.outgoing ? 'o' : 'i',
                  field_name(bit.field), x ? bit.port : bit.port - links_.x_ports());
  if (bits_of(bit.field) > 1) text += fmt::format(" bit {}", bit.bit);
  return text;
}

bool FabricView::inside_topo(std::size_t placed) const {
  return inside_[placed];
}

}  // namespace kernbench::sim::structure
