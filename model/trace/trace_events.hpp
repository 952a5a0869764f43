#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::trace {

/// A track of a process, both from 1 on.
struct Track {
  std::size_t process = 0;
  std::size_t track = 0;
};

/// Something on a track from `begin` to `end`.
struct Slice {
  Track track;
  std::string_view name;
  common::SimTime begin;
  common::SimTime end;
  std::string args;  ///< members of a JSON object
};

/// Writes Trace Event JSON, which Perfetto and chrome://tracing open. Times are microseconds, exact
/// to the picosecond.
class TraceEventWriter {
 public:
  /// `out` must outlive it.
  explicit TraceEventWriter(std::ostream& out);

  void name_process(std::size_t process, std::string_view name);
  void name_track(const Track& track, std::string_view name);
  void slice(const Slice& slice);
  /// An arrow from the slice of one track at one time to that of another.
  void arrow(const Track& from, common::SimTime from_time, const Track& to,
             common::SimTime to_time);
  /// No event can follow.
  void finish();

 private:
  void event(const std::string& fields);
  void name(std::string_view what, const Track& track, std::string_view name);
  void arrow_end(char phase, const Track& at, common::SimTime time);

  std::ostream& out_;
  bool first_ = true;
  std::uint64_t arrows_ = 0;
};

/// Slices that overlap cannot share a track: gives them tracks "name", "name #2", "name #3", ...
class TrackGroup {
 public:
  TrackGroup(TraceEventWriter& writer, std::size_t process, std::string name)
      : writer_(writer), process_(process), name_(std::move(name)) {}

  /// The first track that is free at `begin`; `tracks` are those that the process has so far.
  /// Slices come in the order in which they begin.
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
