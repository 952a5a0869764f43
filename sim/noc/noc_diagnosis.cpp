// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/debug/shrink.hpp"
#include "sim/debug/together.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "sim/noc/noc_drawn_states.hpp"
#include "sim/noc/noc_follower.hpp"
#include "sim/noc/noc_links.hpp"
#include "sim/noc/noc_node_reference.hpp"
#include "sim/noc/noc_script.hpp"
#include "sim/noc/noc_suite_script.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

/// Cycles behind the first failure of a trial: that of the wanted kind may come later.
constexpr std::uint64_t kBehindTrial = 16;

/// Links of a recording: each has up to eight rows.
constexpr std::size_t kMostPlaces = 8;

/// Cycles before a failure from which on flits are followed.
constexpr std::uint64_t kFollowed = Recorder::kBefore + 500;

/// Cycles of a recording behind the last movement in a network that stands still.
constexpr std::uint64_t kStillShown = 16;

/// Window of the watchdog in trials. A network whose receivers take flits moves one in every few
/// cycles.
constexpr std::uint64_t kWatchdogOfTrial = 400;

/// Packets whose bits are simplified one by one.
constexpr std::size_t kSimplifiedPackets = 16;

void add(std::vector<NocPlace>& places, const std::vector<NocPlace>& more) {
  for (const NocPlace& place : more) {
    if (places.size() == kMostPlaces) return;
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
}

/// Features that two runs share that fail for the same reason.
Reason reason_of(const Failure& failure, const std::optional<NocDifference>& difference,
                 const NocDevice& device) {
  return {failure.checker, failure.kind,
          difference ? fmt::format("{} {}", device.link_name(difference->link), difference->signal)
                     : ""};
}

/// Returns false for events that no suite has: nothing is sent, or something begins too late.
bool is_suite(const Script& events) {
  const auto is_late = [&](std::uint64_t cycle) { return cycle >= events.cycles; };
  return !events.packets.empty() &&
         std::none_of(events.packets.begin(), events.packets.end(),
                      [&](const ScriptPacket& packet) { return is_late(packet.at); }) &&
         std::none_of(events.stalls.begin(), events.stalls.end(),
                      [&](const ScriptStall& stall) { return is_late(stall.first); }) &&
         std::none_of(events.resets.begin(), events.resets.end(),
                      [&](const ResetEvent& reset) { return is_late(reset.at); });
}

class Search {
 public:
  Search(const CaseResult& failed, const NocRerun& rerun)
      : failed_(failed), rerun_(rerun), device_(rerun.bins.device()), fields_(device_.network) {}

  Diagnosis run() {
    const Failure& failure = failed_.failures.front();
    Diagnosis diagnosis;
    diagnosis.suite = failed_.title();
    diagnosis.seed = failed_.seed;
    diagnosis.command = failed_.command;
    diagnosis.failure = failure;
    NocScout scout(device_);
    const NocScript script = look(scout);
    reason_ = reason_of(failure, scout.difference(), device_);
    diagnosis.recording = record(rerun_.spec, places_of(scout), end_of(scout), diagnosis).recording;
    find_lines(diagnosis, scout);
    NocWays ways = ways_of(scout);
    shrink_case(diagnosis, script, ways);
    diagnosis.map = way_map(ways, device_);
    return diagnosis;
  }

 private:
  /// Runs the case as it was, and writes down what its users do.
  NocScript look(NocScout& scout) const {
    NocCase again = rerun_.spec;
    again.after_failure = std::max(again.after_failure, kBehindTrial);
    const std::unique_ptr<NocStimulus> own = noc_users(device_, again);
    NocScriptRecorder recorder(device_);
    RecordedNocUsers users(*own, recorder);
    NocCaseOptions options;
    options.users = &users;
    options.recorder = &scout;
    const CaseResult result = run_noc_case(again, rerun_.bins, *rerun_.create(), options).result;
    const Failure& wanted = failed_.failures.front();
    const Failure* const same = result.failures.empty() ? nullptr : &result.failures.front();
    if (same == nullptr || same->cycle != wanted.cycle || same->message != wanted.message) {
      throw std::logic_error(fmt::format(
          "{} seed {}: the case does not fail again as it did: cycle {}, {}; now {}",
          failed_.title(), failed_.seed, wanted.cycle, wanted.message,
          same == nullptr ? "it passes" : fmt::format("cycle {}, {}", same->cycle, same->message)));
    }
    return recorder.script(resets_of(again));
  }

  /// Returns the source, channel and destination of the packet that the failure is about.
  [[nodiscard]] std::optional<noc::PacketFields::Origin> origin_of(const NocScout& scout) const {
    if (!scout.difference() || !scout.difference()->head) return std::nullopt;
    return fields_.origin(*scout.difference()->head);
  }

  [[nodiscard]] std::vector<noc::Link> links_of(const noc::PacketFields::Origin& origin) const {
    std::vector<noc::Link> links;
    for (const NocPlace& place : way_of(origin, device_)) links.push_back(place.link);
    return links;
  }

  /// Returns what is wrong on the drawn network.
  [[nodiscard]] NocWays ways_of(const NocScout& scout) const {
    NocWays ways = {.picture = rerun_.picture};
    if (scout.difference()) {
      ways.wrong.push_back(scout.difference()->link);
      ways.words = fmt::format("Red: the first link that is wrong, {}.",
                               device_.link_name(scout.difference()->link));
    } else if (const auto circle = scout.circle(); !circle.empty()) {
      for (const noc::LinkCredit& one : circle) ways.wrong.push_back(one.link);
      ways.words = "Red: links whose virtual channels wait for each other.";
    }
    if (const auto origin = origin_of(scout)) ways.failing = links_of(*origin);
    return ways;
  }

  /// Returns the links that are recorded: that of the first difference and the way of its packet,
  /// the circle of a network that stands still, or the users of the first nodes.
  [[nodiscard]] std::vector<NocPlace> places_of(const NocScout& scout) const {
    const auto channels = static_cast<noc::Link>(device_.network.channels().size());
    std::vector<NocPlace> places;
    if (const auto& difference = scout.difference()) {
      const bool is_credit = difference->signal == "credit" && difference->link >= channels;
      places.push_back({difference->link, is_credit});
      std::vector<NocPlace> way;
      if (const auto origin = origin_of(scout)) way = way_of(*origin, device_);
      // Show the part of a long way that ends behind the link.
      const auto at = std::find(way.begin(), way.end(), places.front());
      if (at != way.end()) {
        places.clear();
        const auto last =
            std::min<std::ptrdiff_t>(at - way.begin() + 2, static_cast<std::ptrdiff_t>(way.size()));
        const auto first =
            std::max<std::ptrdiff_t>(0, last - static_cast<std::ptrdiff_t>(kMostPlaces));
        add(places, {way.begin() + first, way.end()});
      } else {
        add(places, way);
      }
      return places;
    }
    for (const noc::LinkCredit& one : scout.circle()) add(places, {{one.link, false}});
    for (noc::Link node = 0; places.empty() && node < device_.network.nodes(); ++node) {
      for (const bool is_a : {true, false}) add(places, {{channels + node, is_a}});
      if (places.size() < kMostPlaces && node + 1 < device_.network.nodes()) continue;
      break;
    }
    return places;
  }

  /// Returns the cycle around which a window lies.
  [[nodiscard]] static std::uint64_t end_of(const NocScout& scout) {
    if (scout.difference()) return scout.difference()->cycle;
    const std::uint64_t last = scout.last_movement();
    const std::uint64_t hidden = Recorder::kBehind - kStillShown;
    return last > hidden ? last - hidden : 0;
  }

  struct Recorded {
    Recording recording;
    CaseResult result;
  };
  /// Runs a case, long enough behind its failure for a recording.
  [[nodiscard]] CaseResult run_watched(NocCase one, NocDut& dut, Extension& watch) const {
    one.after_failure = std::max(one.after_failure, Recorder::kBehind);
    NocCaseOptions options;
    options.recorder = &watch;
    return run_noc_case(one, rerun_.bins, dut, options).result;
  }
  /// Records links, and sets the ways of the packets in the cycles that are drawn.
  [[nodiscard]] Recorded record(const NocCase& one, std::vector<NocPlace> places,
                                std::uint64_t failure, Diagnosis& diagnosis) const {
    Recorder recorder(std::make_unique<NocLinksReference>(device_, std::move(places)),
                      {.kind = Unit::Kind::Links}, failure);
    NocFollower packets(device_, failure > kFollowed ? failure - kFollowed : 0);
    Together together({&recorder, &packets});
    Recorded recorded;
    recorded.result = run_watched(one, *rerun_.create(), together);
    recorded.recording = recorder.take();
    const WaveRange range = range_around(recorded.recording, kDrawnCycles);
    diagnosis.packets =
        map_packets(packets.log().between(range.first, range.last), recorded.recording,
                    [&](std::size_t place) { return noc_place_name(device_, place); });
    return recorded;
  }
  /// Records a node with the registers that the model has.
  [[nodiscard]] Recording record_node(std::uint32_t node, std::uint64_t failure) const {
    const std::shared_ptr<NocDut> dut = rerun_.create();
    Recorder recorder(std::make_unique<NocNodeReference>(device_, node),
                      {.kind = Unit::Kind::Node, .at = {node, 0}}, failure, dut.get());
    (void)run_watched(rerun_.spec, *dut, recorder);
    return recorder.take();
  }

  /// Finds the first wrong register or port of the node that drives the first wrong link, and the
  /// lines in front of it.
  void find_lines(Diagnosis& diagnosis, const NocScout& scout) const {
    const std::optional<NocDifference>& difference = scout.difference();
    if (!difference) {
      diagnosis.suspects = suspects_of(diagnosis.recording, {}, rerun_.design, rerun_.findings);
      return;
    }
    const std::uint32_t node = driver_of(*difference, device_);
    Recording recording = record_node(node, difference->cycle);
    if (recording.wrong && recording.wrong->cycle <= recording.cycles.front().cycle) {
      recording = record_node(node, recording.wrong->cycle);
    }
    const auto flops = recording.is_seen.begin() + static_cast<std::ptrdiff_t>(recording.ports);
    if (std::find(flops, recording.is_seen.end(), true) == recording.is_seen.end()) {
      recording.instance.clear();  // other RTL
    }
    const bool has_states = !rerun_.design.empty() && !recording.instance.empty();
    diagnosis.suspects = suspects_of(
        recording, has_states ? draw_noc_states(device_, recording) : std::vector<Recording>(),
        rerun_.design, rerun_.findings);
    if (!recording.instance.empty()) diagnosis.node = std::move(recording);
  }

  /// Returns the case with a script in place of its users.
  [[nodiscard]] NocCase case_of(const NocScript& script) const {
    NocCase one = rerun_.spec;
    one.alone = false;
    one.script = std::make_shared<NocScript>(script);
    one.cycles = script.events.cycles;
    std::uint64_t longest = 0;
    for (const ScriptStall& stall : script.events.stalls) {
      longest = std::max(longest, stall.end - stall.first);
    }
    one.watchdog_cycles = std::max(std::min(one.watchdog_cycles, kWatchdogOfTrial),
                                   least_watchdog_of_stall(longest, /*network=*/true));
    one.after_failure = kBehindTrial;
    return one;
  }

  /// Runs a script with a scout. Returns the failure if it is of the wanted reason.
  std::optional<Failure> try_script(const NocScript& script, NocScout& scout) const {
    if (rerun_.interrupted && rerun_.interrupted()) return std::nullopt;
    NocCaseOptions options;
    options.recorder = &scout;
    const CaseResult result =
        run_noc_case(case_of(script), rerun_.bins, *rerun_.create(), options).result;
    for (const Failure& failure : result.failures) {
      if (reason_of(failure, scout.difference(), device_) == reason_) return failure;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool fails(const NocScript& script) const {
    if (!is_suite(script.events)) return false;
    NocScout scout(device_);
    return try_script(script, scout).has_value();
  }

  void shrink_case(Diagnosis& diagnosis, NocScript script, NocWays& ways) {
    if (rerun_.shrink_cycles == 0) {
      diagnosis.why_not_shrunk = "it was not asked for";
      return;
    }
    if (!fails(script)) {
      diagnosis.why_not_shrunk =
          "the packets of the case alone do not fail in the same way; the failure depends on more, "
          "such as how the registers start";
      return;
    }
    ShrinkLimits limits;
    limits.cycles = rerun_.shrink_cycles;
    ShrunkScript shrunk = shrink(
        script.events,
        [&](const Script& events) {
          return fails({events, script.packets});
        },
        limits);
    script.events = shrunk.script;
    script = with_used_packets(script);
    if (shrunk.ended) simplify(script);
    shrunk.script = script.events;
    NocScout scout(device_);
    const std::optional<Failure> failure = try_script(script, scout);
    if (!failure) return;  // interrupted
    ShrunkCase& one = diagnosis.shrunk.emplace();
    one.script = std::move(shrunk);
    one.pins_are_exact = false;
    std::vector<NocPlace> places = places_of(scout);
    for (const ScriptPacket& packet : script.events.packets) {
      add(places, way_of(origin_of(script, packet), device_));
    }
    Recorded last = record(case_of(script), std::move(places), end_of(scout), diagnosis);
    one.recording = std::move(last.recording);
    one.failure = *failure;
    one.packets = lines_of(script);
    if (!rerun_.network.topology.empty()) {
      NocCase suite = case_of(script);
      suite.name = fmt::format("{}-seed{}", diagnosis.suite, diagnosis.seed);
      one.regression = noc_regression_text(
          suite, rerun_.network, device_,
          fmt::format(
              "Fails as {} with seed {} does; its suite fits into other regressions of this "
              "network.",
              diagnosis.suite, diagnosis.seed));
    }
    ways = ways_of(scout);
    for (const ScriptPacket& packet : script.events.packets) {
      std::vector<noc::Link> way = links_of(origin_of(script, packet));
      if (std::find(ways.ways.begin(), ways.ways.end(), way) == ways.ways.end()) {
        ways.ways.push_back(std::move(way));
      }
    }
  }

  [[nodiscard]] noc::PacketFields::Origin origin_of(const NocScript& script,
                                                    const ScriptPacket& packet) const {
    return fields_.origin(script.packets[packet.packet].flits.front());
  }

  /// Returns a script without the packets that it does not send.
  static NocScript with_used_packets(const NocScript& script) {
    NocScript used{script.events, {}};
    for (ScriptPacket& packet : used.events.packets) {
      used.packets.push_back(script.packets[packet.packet]);
      packet.packet = used.packets.size() - 1;
    }
    return used;
  }

  /// Takes a script over if it still fails for the same reason.
  bool accept(NocScript& best, NocScript tried) const {
    if (tried == best || !fails(tried)) return false;
    best = std::move(tried);
    return true;
  }

  /// Makes packets shorter and leaves out their pauses; numbers their bits where these do not
  /// matter.
  void simplify(NocScript& script) const {
    const noc::Flit tail = noc::Flit{1} << (device_.network.sizes().flit_bits - 2);
    for (std::size_t i = 0; i < script.packets.size(); ++i) {
      for (std::size_t flits = 1; flits < script.packets[i].flits.size(); flits *= 2) {
        NocScript shorter = script;
        NocScriptPacket& packet = shorter.packets[i];
        packet.flits.resize(flits);
        packet.after.resize(flits);
        packet.flits.back() |= tail;
        if (accept(script, std::move(shorter))) break;
      }
      NocScript dense = script;
      std::vector<std::uint64_t>& after = dense.packets[i].after;
      for (std::size_t flit = 0; flit < after.size(); ++flit) after[flit] = flit;
      (void)accept(script, std::move(dense));
    }
    NocScript plain = script;
    for (std::size_t i = 0; i < plain.packets.size(); ++i) number(plain.packets[i], i + 1);
    if (accept(script, std::move(plain))) return;
    for (std::size_t i = 0; i < std::min(script.packets.size(), kSimplifiedPackets); ++i) {
      NocScript one = script;
      number(one.packets[i], i + 1);
      (void)accept(script, std::move(one));
    }
  }

  /// Gives a packet its number as payload.
  void number(NocScriptPacket& packet, noc::Flit number) const {
    for (noc::Flit& flit : packet.flits) {
      const bool is_head = device_.network.is_head(flit);
      const bool is_tail = device_.network.is_tail(flit);
      flit = is_head ? fields_.flit(true, is_tail, fields_.origin(flit), number)
                     : device_.network.flit(false, is_tail, 0, number);
    }
  }

  [[nodiscard]] std::vector<std::string> lines_of(const NocScript& script) const {
    std::vector<std::string> lines;
    for (const ScriptPacket& packet : script.events.packets) {
      const noc::PacketFields::Origin origin = origin_of(script, packet);
      lines.push_back(fmt::format(
          "cycle {}: node {} to node {}, {} on vc {}", packet.at,
          device_.node_name(packet.from.node), device_.node_name(origin.dst),
          counted(script.packets[packet.packet].flits.size(), "flit"), packet.from.port));
    }
    return lines;
  }

  const CaseResult& failed_;
  const NocRerun& rerun_;
  const NocDevice& device_;
  noc::PacketFields fields_;
  Reason reason_;
};

}  // namespace

Diagnosis diagnose_noc(const CaseResult& failed, const NocRerun& rerun) {
  return Search(failed, rerun).run();
}

}  // namespace kernbench::sim
