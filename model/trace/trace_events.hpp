// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::trace {

/// A track of a process; both are numbered from 1.
struct Track {
  std::size_t process = 0;
  std::size_t track = 0;
};

/// An interval on a track.
struct Slice {
  Track track;
  std::string_view name;
  common::SimTime begin;
  common::SimTime end;
  std::string args;  ///< members of a JSON object, as JSON text
};

/// Writes a trace in the Trace Event JSON format of Perfetto and chrome://tracing. Times are in
/// microseconds, exact to the picosecond.
class TraceEventWriter {
 public:
  /// `out` must outlive the writer.
  explicit TraceEventWriter(std::ostream& out);

  void name_process(std::size_t process, std::string_view name);
  void name_track(const Track& track, std::string_view name);
  void slice(const Slice& slice);
  /// Draws an arrow from the slice on track `from` at `from_time` to the slice on `to` at
  /// `to_time`.
  void arrow(const Track& from, common::SimTime from_time, const Track& to,
             common::SimTime to_time);
  /// Sets a counter of a process to `value` from `time` on.
  void counter(std::size_t process, std::string_view name, std::string_view unit,
               common::SimTime time, double value);
  /// Ends the document, with a note for its readers unless it is empty. Call it last.
  void finish(std::string_view note = {});

 private:
  void event(const std::string& fields);
  void name(std::string_view what, const Track& track, std::string_view name);
  void arrow_end(char phase, const Track& at, common::SimTime time);

  std::ostream& out_;
  bool first_ = true;
  std::uint64_t arrows_ = 0;
};

/// Distributes slices that may overlap over the tracks "name", "name #2", "name #3", ...
class TrackGroup {
 public:
  TrackGroup(TraceEventWriter& writer, std::size_t process, std::string name)
      : writer_(writer), process_(process), name_(std::move(name)) {}

  /// Returns the first track that is free from `begin` on. If there is none, adds a track to the
  /// process, which has `tracks` so far. Call it in the order of `begin`.
  [[nodiscard]] Track place(common::SimTime begin, common::SimTime end, std::size_t& tracks);

 private:
  struct Lane {
    std::size_t track = 0;
    common::SimTime end;
  };
  TraceEventWriter& writer_;
  std::size_t process_;
  std::string name_;
  std::vector<Lane> lanes_;
};

}  // namespace kernbench::model::trace
