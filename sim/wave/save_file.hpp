// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "maze/packet_layout.hpp"
#include "sim/wave/fst_signals.hpp"

namespace kernbench::sim {

/// How a row shows its value.
enum class RowFormat { Bit, Hex, Octal, PacketType };

/// Colours of GTKWave, by what a row shows: a signal of the design (its own colour), what the
/// reference expects, or what the bench has.
enum class RowColour { Signal = 0, Expected = 2, Bench = 3 };

/// Some bits of a signal, counted from its least significant one.
struct SignalSlice {
  std::string name;  ///< in the FST, without its range
  unsigned low = 0;
  unsigned bits = 1;
};

/// The rows of a GTKWave save file. Rows of signals that the FST lacks are left out.
class SaveFile {
 public:
  /// `type_names` is the path of the file that names the types of packets.
  SaveFile(const maze::Shape& shape, FstSignals signals, std::string type_names)
      : shape_(shape),
        layout_(shape),
        signals_(std::move(signals)),
        type_names_(std::move(type_names)) {}

  void add_raw(const std::string& line) { text_ += line + "\n"; }
  void comment(const std::string& words) { text_ += "@200\n-" + words + "\n"; }
  void begin_closed_group(const std::string& words) { text_ += "@c00200\n-" + words + "\n"; }
  void end_closed_group() { text_ += "@1401200\n-group_end\n"; }
  /// Sets the colour of the following rows.
  void set_colour(RowColour colour) { colour_ = colour; }

  [[nodiscard]] bool has(const std::string& name) const { return signals_.count(name) != 0; }
  void row(const std::string& label, const SignalSlice& slice, RowFormat format);
  /// Adds the row of a signal with all of its bits.
  void whole_row(const std::string& label, const std::string& name, RowFormat format);
  /// Adds each field of a packet that is one vector. `prefix` precedes the labels.
  void packet(const std::string& prefix, const std::string& name);
  /// Adds the rows of an address {y, x} whose lowest bit is bit `low` of the signal.
  void address(const std::string& label, const std::string& name, unsigned low);
  /// Returns element `index` of an array of `count` elements, packed or unpacked.
  [[nodiscard]] SignalSlice element(const std::string& array, unsigned index, unsigned count,
                                    unsigned bits) const;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  maze::Shape shape_;
  maze::PacketLayout layout_;
  FstSignals signals_;
  std::string type_names_;
  std::string text_;
  RowColour colour_ = RowColour::Signal;
};

}  // namespace kernbench::sim
