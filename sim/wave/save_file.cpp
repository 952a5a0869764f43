// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/save_file.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace kernbench::sim {
namespace {

/// Flags of a trace: right-justified, with a base, and with values translated by a file.
const char* flags_of(RowFormat format) {
  switch (format) {
    case RowFormat::Bit:
      return "@28\n";
    case RowFormat::Octal:
      return "@30\n";
    case RowFormat::PacketType:
      return "@2022\n";
    case RowFormat::Hex:
      break;
  }
  return "@22\n";
}

}  // namespace

void SaveFile::whole_row(const std::string& label, const std::string& name, RowFormat format) {
  const auto found = signals_.find(name);
  if (found == signals_.end()) return;
  const SignalRange& range = found->second;
  row(label, {name, 0, static_cast<unsigned>(std::abs(range.left - range.right)) + 1}, format);
}

void SaveFile::row(const std::string& label, const SignalSlice& slice, RowFormat format) {
  const auto found = signals_.find(slice.name);
  if (found == signals_.end()) return;
  const SignalRange& range = found->second;
  const unsigned width = static_cast<unsigned>(std::abs(range.left - range.right)) + 1;
  if (slice.low + slice.bits > width) return;
  text_ += flags_of(format);
  if (format == RowFormat::PacketType) text_ += fmt::format("^1 {}\n", type_names_);
  if (colour_ != RowColour::Signal) {
    text_ += fmt::format("[color] {}\n", static_cast<int>(colour_));
  }
  const std::string full =
      range.vector ? fmt::format("{}[{}:{}]", slice.name, range.left, range.right) : slice.name;
  if (slice.bits == width) {
    text_ += fmt::format("+{{{}}} {}\n", label, full);
    return;
  }
  if (slice.bits == 1) {
    text_ += fmt::format("+{{{}}} ({}){}\n", label, width - 1 - slice.low, full);
    return;
  }
  text_ += fmt::format("#{{{}}}", label);
  for (unsigned bit = slice.low + slice.bits; bit-- > slice.low;) {
    text_ += fmt::format(" ({}){}", width - 1 - bit, full);  // (0) is the most significant bit
  }
  text_ += "\n";
}

void SaveFile::address(const std::string& label, const std::string& name, unsigned low) {
  const unsigned x_bits = shape_.x_addr_bits();
  const unsigned y_bits = shape_.node_addr_bits() - x_bits;
  if (x_bits == y_bits) {  // one digit each
    row(label + " (yx)", {name, low, x_bits + y_bits},
        x_bits == 3 ? RowFormat::Octal : RowFormat::Hex);
    return;
  }
  row(label + " y", {name, low + x_bits, y_bits}, RowFormat::Hex);
  row(label + " x", {name, low, x_bits}, RowFormat::Hex);
}

void SaveFile::packet(const std::string& prefix, const std::string& name) {
  row(prefix + "type", {name, layout_.type_shift(), 2}, RowFormat::PacketType);
  row(prefix + "qos", {name, layout_.qos_shift(), 1}, RowFormat::Bit);
  address(prefix + "src", name, layout_.src_shift());
  address(prefix + "tgt", name, layout_.tgt_shift());
  row(prefix + "data", {name, 0, shape_.flit_w}, RowFormat::Hex);
}

SignalSlice SaveFile::element(const std::string& array, unsigned index, unsigned count,
                              unsigned bits) const {
  // Newer versions of Verilator put the elements of an unpacked array into a scope of its name.
  const std::string name = array.substr(array.rfind('.') + 1);
  for (const std::string& unpacked :
       {fmt::format("{}[{}]", array, index), fmt::format("{}.{}[{}]", array, name, index)}) {
    if (has(unpacked)) return {unpacked, 0, bits};
  }
  const auto packed = signals_.find(array);
  const bool ascending = packed != signals_.end() && packed->second.left < packed->second.right;
  return {array, (ascending ? count - 1 - index : index) * bits, bits};
}

}  // namespace kernbench::sim
