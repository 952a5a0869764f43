// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "model/components/machine/machine.hpp"
#include "model/kernel/recording_executor.hpp"
#include "model/runtime/device.hpp"
#include "model/runtime/measured_region.hpp"
#include "model/runtime/request_record.hpp"
#include "model/runtime/start_delays.hpp"

namespace kernbench::model::runtime {

/// A number that a bench reports beside the times of its regions.
struct Figure {
  std::string name;  ///< for example "time per token"
  double value = 0.0;
  std::string unit;  ///< for example "us"
};

/// A completed kernel launch.
struct LaunchRecord {
  std::string kernel;
  Device device;
  std::uint64_t programs = 0;  ///< one for each PE
  std::uint64_t cubes = 0;     ///< cubes with these PEs, the first ones of `device`
  common::SimTime start;
  common::SimTime end;
  components::ChannelLoad channel_load{};  ///< load of the HBM channels by the SIP's PEs
  std::optional<std::size_t> region{};     ///< index of its measured region
  std::optional<std::size_t> repeats{};    ///< index of the launch whose time it was given
  /// Time in which the busiest wire of each kind carried flits; empty if causes are not recorded.
  std::map<topology::EdgeKind, common::SimTime> busiest_wires{};
};

/// The operations of one program of a launch, recorded instead of carried out.
struct RecordedLaunch {
  std::string kernel;
  Device device;
  std::vector<kernel::RecordedOperation> operations;
};

/// The algorithm that a group took for a collective, and the next by the formulas.
struct CollectiveChoice {
  std::string collective;
  std::string group;
  std::uint64_t bytes = 0;  ///< size of a block in each cube
  std::string algorithm;
  std::string neighbors;                     ///< neighbour kind
  std::optional<std::uint32_t> root_cube{};  ///< for members with several cubes
  std::string root_place;                    ///< "middle", "corner" or "side"
  double predicted_ns = 0.0;                 ///< by its formula
  std::string next;                          ///< empty if there is no other
  double next_ns = 0.0;
};

/// The results of a run besides its data. The run writes them as it goes on.
struct RunRecord {
  std::vector<LaunchRecord> launches;     ///< in the order of their ends
  StartRanges starts;                     ///< starts of the programs of each launch
  std::deque<MeasuredRegion> regions;     ///< in the order in which their first ranks entered
  std::vector<RequestRecord> requests;    ///< by their ends; empty unless they are kept
  std::vector<RecordedLaunch> recorded;   ///< launches that had the recorded program
  std::vector<CollectiveChoice> choices;  ///< chosen algorithms, in the order of first calls
  std::vector<Figure> figures;            ///< that the bench reported
  std::set<std::string> estimates;        ///< reasons why the times are an estimate, from benches
  /// Hashes of the files of algorithms that are files, by name.
  std::map<std::string, std::string> sources;
  std::uint64_t submissions = 0;  ///< copies and launches that benches requested
};

}  // namespace kernbench::model::runtime
