// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_forms.hpp"

#include <optional>

#include "common/description.hpp"
#include "common/grade.hpp"

// Forms of the work of a run and of its checks. An object is described before what holds it.
namespace kernbench::common {

using model::bench::LaunchFigures;
using model::report::ContractSum;
using model::report::LaunchRow;
using model::report::RaceSum;
using model::report::RaceText;
using model::report::RegionRow;
using model::runtime::CheckReport;
using model::runtime::CollectiveChoice;
using model::runtime::Figure;
using model::runtime::LaunchRecord;
using model::runtime::MeasuredRegion;
using model::runtime::RegionRank;
using model::runtime::RepeatSample;
using model::runtime::RepeatSummary;

template <>
const Description<RegionRank>& description_of() {
  static const auto kAll = Description<RegionRank>()
                               .add("sip", [](const auto& rank) { return rank.device.sip; })
                               .add("end_ps", &RegionRank::end);
  return kAll;
}

template <>
const Description<MeasuredRegion>& description_of() {
  static const auto kAll =
      Description<MeasuredRegion>()
          .add("name", &MeasuredRegion::name, "as the bench gives it")
          .not_empty()
          .add("start_ps", &MeasuredRegion::start, "when all ranks had entered it")
          .add("time_ps", &MeasuredRegion::time, "from the start to the end of the last rank")
          .add("skew_ps", &MeasuredRegion::skew, "from the first rank's end to the last rank's")
          .add("ranks", &MeasuredRegion::ranks)
          .not_empty();
  return kAll;
}

template <>
const Description<RegionRow>& description_of() {
  static const auto kAll =
      Description<RegionRow>()
          .add_members([](const auto& row) -> auto& { return *row.region; })
          .add(
              "read_bytes", [](const auto& row) { return row.sums->read.bytes; },
              "from HBM by the DMAs of PEs, over its launches")
          .add("written_bytes", [](const auto& row) { return row.sums->written.bytes; })
          .add(
              "macs", [](const auto& row) { return row.sums->macs; }, "multiply-adds");
  return kAll;
}

template <>
const Description<LaunchRecord>& description_of() {
  static const auto kAll =
      Description<LaunchRecord>()
          .add("kernel", &LaunchRecord::kernel)
          .add("region", &LaunchRecord::region, "index in `regions`, or null")
          .or_null()
          .add("repeats", &LaunchRecord::repeats,
               "index of the simulated launch whose time and figures this one was given")
          .absent_unless("it was repeated")
          .add("sip", [](const auto& one) { return one.device.sip; })
          .add("programs", &LaunchRecord::programs, "one for each PE")
          .add("cubes", &LaunchRecord::cubes, "those of the PEs")
          .add("start_ps", &LaunchRecord::start)
          .add("end_ps", &LaunchRecord::end)
          .add(
              "hbm_fullest_channel",
              [](const auto& one) { return one.channel_load.times_the_mean(); },
              "load of the fullest HBM channel of an access over the mean")
          .at_least(0)
          .add(
              "hbm_short_accesses",
              [](const auto& one) { return one.channel_load.share_of_short(); },
              "share of the bytes in accesses of fewer flits than a slice has channels")
          .within(0, 1);
  return kAll;
}

template <>
const Description<LaunchFigures>& description_of() {
  static const auto kAll =
      Description<LaunchFigures>()
          .add(
              "read_bytes", [](const auto& one) { return one.read.bytes; },
              "from HBM by the DMAs of its PEs")
          .add(
              "read_gbs", [](const auto& one) { return one.read.gbs(); },
              "from the start of the first read to the end of the last")
          .at_least(0)
          .add("written_bytes", [](const auto& one) { return one.written.bytes; })
          .add("written_gbs", [](const auto& one) { return one.written.gbs(); })
          .at_least(0)
          .add("macs", &LaunchFigures::macs, "multiply-adds");
  return kAll;
}

template <>
const Description<LaunchRow>& description_of() {
  static const auto kAll = Description<LaunchRow>()
                               .add_members([](const auto& row) -> auto& { return *row.launch; })
                               .add_members([](const auto& row) -> auto& { return *row.figures; });
  return kAll;
}

template <>
const Description<CheckReport>& description_of() {
  static const auto kAll =
      Description<CheckReport>()
          .add("name", &CheckReport::name)
          .add("elements", &CheckReport::elements)
          .add("wrong", &CheckReport::wrong)
          .add("worst", &CheckReport::worst, "the largest error over the tolerance")
          .at_least(0)
          .add(
              "first_wrong",
              [](const auto& one) {
                return one.wrong == 0 ? std::nullopt : std::optional(one.first_wrong);
              },
              "place, value and expected value")
          .absent_unless("one is wrong");
  return kAll;
}

template <>
const Description<ContractSum>& description_of() {
  static const auto kAll =
      Description<ContractSum>()
          .add("calls", &ContractSum::calls)
          .at_least(1)
          .add("elements", [](const auto& sum) { return sum.all.elements; })
          .add("wrong", [](const auto& sum) { return sum.all.wrong; })
          .add(
              "worst", [](const auto& sum) { return sum.all.worst; },
              "the largest error over the rounding bound")
          .at_least(0)
          .add(
              "first_wrong",
              [](const auto& sum) {
                return sum.all.wrong == 0
                           ? std::nullopt
                           : std::optional(sum.all.name + ": " + sum.all.first_wrong);
              },
              "call, place, value and expected value")
          .absent_unless("one is wrong");
  return kAll;
}

template <>
const Description<RaceText>& description_of() {
  static const auto kAll = Description<RaceText>()
                               .add("bytes", &RaceText::bytes)
                               .at_least(1)
                               .add("place", &RaceText::place, "of the first of these bytes")
                               .add("earlier", &RaceText::earlier)
                               .add("later", &RaceText::later);
  return kAll;
}

template <>
const Description<RaceSum>& description_of() {
  static const auto kAll =
      Description<RaceSum>()
          .add(
              "accesses", [](const auto& one) { return one.report->result.races.accesses; },
              "reads and writes that were compared")
          .add(
              "pes", [](const auto& one) { return one.report->result.races.pes; },
              "number of those that made them")
          .add("count", [](const auto& one) { return one.report->result.races.races.size(); })
          .add(
              "shown", [](const auto& one) { return one.report->shown_races(); }, "the first ten");
  return kAll;
}

template <>
const Description<Figure>& description_of() {
  static const auto kAll = Description<Figure>()
                               .add("name", &Figure::name)
                               .add("value", &Figure::value)
                               .add("unit", &Figure::unit);
  return kAll;
}

template <>
const Description<CollectiveChoice>& description_of() {
  const auto next = [](auto value) {
    return [value](const CollectiveChoice& choice) {
      return choice.next.empty() ? std::nullopt : std::optional(choice.*value);
    };
  };
  static const auto kAll =
      Description<CollectiveChoice>()
          .add("collective", &CollectiveChoice::collective)
          .add("group", &CollectiveChoice::group)
          .add("bytes", &CollectiveChoice::bytes, "of a block in each cube")
          .add("algorithm", &CollectiveChoice::algorithm)
          .add("neighbors", &CollectiveChoice::neighbors, "how the SIPs are arranged")
          .add("root_cube", &CollectiveChoice::root_cube,
               "the cube of each member that exchanges data with other members")
          .absent_unless("members have several cubes")
          .add("predicted_ns", &CollectiveChoice::predicted_ns, "by its formula")
          .at_least(0)
          .add("next", next(&CollectiveChoice::next), "the next algorithm by the formulas")
          .absent_unless("there is one")
          .add("next_predicted_ns", next(&CollectiveChoice::next_ns))
          .at_least(0)
          .absent_unless("there is one")
          .add(
              "grade", [](const auto&) { return Grade::estimate("by its formula"); },
              "of predicted_ns and next_predicted_ns");
  return kAll;
}

template <>
const Description<RepeatSample>& description_of() {
  static const auto kAll =
      Description<RepeatSample>()
          .add("work", &RepeatSample::key)
          .add("index", &RepeatSample::index, "among the works of this name")
          .at_least(1)
          .add("simulated_ps", &RepeatSample::simulated, "time in full")
          .add("repeated_ps", &RepeatSample::repeated, "time that it would have been given");
  return kAll;
}

template <>
const Description<RepeatSummary>& description_of() {
  static const auto kAll =
      Description<RepeatSummary>()
          .add("simulated", &RepeatSummary::simulated, "works, samples included")
          .add("repeated", &RepeatSummary::repeated)
          .add("samples", &RepeatSummary::samples,
               "works that were drawn to be simulated in full although their time was known");
  return kAll;
}

}  // namespace kernbench::common
