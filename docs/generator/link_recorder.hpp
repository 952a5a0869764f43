// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/failure.hpp"

namespace kernbench::docs {

/// The actions of both ends of a link in one cycle, and the reset. A sender keeps a packet until
/// the link takes it.
struct LinkStimulus {
  unsigned packets = 0;  ///< new packets to send from this cycle on
  bool ready = true;     ///< the receiver is ready
  bool reset = false;    ///< rst_n is 0; the sender forgets its packets and holds valid low
};

/// The signals at both ends of a link in one cycle, as sampled before the rising edge that ends it.
struct LinkSample {
  bool rst_n = true;
  bool out_valid = false, out_ready = false;
  bool in_valid = false, in_ready = false;
  maze::Payload out_packet = 0, in_packet = 0;  ///< meaningful only while their valid is 1
  unsigned held = 0;  ///< packets inside the link: accepted earlier, not delivered
  [[nodiscard]] bool accepted() const { return rst_n && out_valid && out_ready; }
  [[nodiscard]] bool delivered() const { return rst_n && in_valid && in_ready; }
};

/// A small experiment on one link of an 8x8 TOPO.
struct Scenario {
  std::string name;     ///< part of the file names
  std::string title;    ///< heading of the picture
  sim::LinkEnd source;  ///< the link
  std::vector<LinkStimulus> cycles;
};

/// The shipped diagrams: a wire, the latency of three stages, a full link that is released, a reset
/// under traffic.
[[nodiscard]] const std::vector<Scenario>& shipped_scenarios();

/// Plays the scenario on a fabric, after a reset of two cycles that is not recorded. The k-th
/// packet carries the data byte 0xA0 + k. Throws std::invalid_argument unless the fabric is 8x8
/// with 8 data bits.
[[nodiscard]] std::vector<LinkSample> record(sim::MazeDut& dut, const Scenario& scenario);

/// Returns the record as text: a line for every signal and a column for every cycle. A packet is
/// shown by its data byte where its valid is 1.
[[nodiscard]] std::string waveform_text(const Scenario& scenario,
                                        const std::vector<LinkSample>& samples);

/// Returns the name of an interface signal: signal_name(3, 'o', "vld") is "xo_vld[3]".
[[nodiscard]] std::string signal_name(unsigned port, char side, const std::string& field);

}  // namespace kernbench::docs
