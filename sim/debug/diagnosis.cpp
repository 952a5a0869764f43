// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/diagnosis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "sim/debug/conditions.hpp"
#include "sim/debug/drawn_states.hpp"
#include "sim/debug/found_lines.hpp"
#include "sim/debug/maze_follower.hpp"
#include "sim/debug/pin_recorder.hpp"
#include "sim/debug/scout.hpp"
#include "sim/debug/script_recorder.hpp"
#include "sim/debug/together.hpp"
#include "sim/debug/users_reference.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "sim/dut/source_names.hpp"
#include "sim/regression/suite_script.hpp"
#include "sim/report/number_text.hpp"
#include "sim/structure/structure_file.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

/// Cycles behind the first failure of a trial: that of the wanted kind may come later.
constexpr std::uint64_t kBehindTrial = 16;

/// Cycles before a failure in which the first wrong register of a network is looked for. If one is
/// wrong before, all are.
constexpr std::uint64_t kSearched = 2000;

/// Cycles before a failure from which on packets are followed: those of its window, and those that
/// the packets in the first of them may have been on their way.
constexpr std::uint64_t kFollowed = Recorder::kBefore + 200;

/// Packets that the text lists.
constexpr std::size_t kShownPackets = 8;

/// Cycles for which the traffic of all links of TOPO is written down.
constexpr std::uint64_t kMostWholeCycles = 2000;

/// Returns the first failure of a case whose unit is known.
const Failure* first_located(const CaseResult& result, const CaseRerun& rerun) {
  const auto found =
      std::find_if(result.failures.begin(), result.failures.end(), [&](const Failure& failure) {
        return unit_of(failure, rerun.config.shape, rerun.network).has_value();
      });
  return found == result.failures.end() ? nullptr : &*found;
}

/// Runs the case as it was, and finds the first unit that is wrong inside.
class Scouting final : public CaseObserver {
 public:
  Scouting(const CaseRerun& rerun, std::uint64_t from) : rerun_(rerun), from_(from) {}

  Extension* watch(Dut& dut) override {
    scout_.emplace(dut, rerun_.config, from_);
    if (scout_->sees_links()) return &*scout_;
    return &users_.emplace(rerun_.config);
  }
  [[nodiscard]] const Scout& scout() const { return *scout_; }
  /// Returns the first node that is wrong from outside, if the links cannot be seen.
  [[nodiscard]] std::optional<unsigned> wrong_users() const { return users_->wrong_node(); }

 private:
  const CaseRerun& rerun_;
  std::uint64_t from_;
  std::optional<Scout> scout_;
  std::optional<UsersScout> users_;
};

/// Runs the case as it was, records its unit, and writes down its stimulus.
class FirstLook final : public CaseObserver {
 public:
  FirstLook(const CaseRerun& rerun, const Unit& unit, std::uint64_t failure, bool whole)
      : rerun_(rerun), unit_(unit), failure_(failure) {
    const topology::MazeLinks links(rerun.config.shape.nx, rerun.config.shape.ny);
    if (rerun.network || whole) return;
    const topology::MazeLink& link = links.leaving(unit.at.node, unit.at.port);
    source_ = LinkEnd{link.from.node, link.from.port};
    sink_ = LinkEnd{link.to.node, link.to.port};
  }

  Stimulus& through(Stimulus& own) override {
    const maze::Shape& shape = rerun_.config.shape;
    const unsigned ports = rerun_.network ? 1 : shape.ports();
    return recorder_.emplace(own, shape, ports, source_ ? &*source_ : nullptr,
                             sink_ ? &*sink_ : nullptr);
  }
  void plan(RunPlan& plan) override {
    resets_ = plan.resets;
    plan.after_failure = std::max(plan.after_failure, Recorder::kBehind);
  }
  Extension* watch(Dut& dut) override {
    registers_ = find_registers(dut, *unit_reference(unit_, rerun_.config, rerun_.network));
    watch_.emplace(dut, unit_, rerun_.config, rerun_.network, failure_, &registers_);
    const std::uint64_t from = failure_ > kFollowed ? failure_ - kFollowed : 0;
    ways_.emplace(dut, rerun_.config, rerun_.network, from);
    return &together_.emplace(std::vector<Extension*>{&*watch_, &*ways_});
  }

  [[nodiscard]] const UnitRegisters& registers() const { return registers_; }
  [[nodiscard]] Recording take() { return watch_->take(); }
  [[nodiscard]] const PacketLog& packets() const { return ways_->log(); }
  [[nodiscard]] Script script() const { return recorder_->script(resets_); }

 private:
  const CaseRerun& rerun_;
  Unit unit_;
  std::uint64_t failure_;
  std::optional<LinkEnd> source_, sink_;
  std::optional<ScriptRecorder> recorder_;
  std::optional<Recorder> watch_;
  std::optional<MazeFollower> ways_;
  std::optional<Together> together_;
  std::vector<ResetEvent> resets_;
  UnitRegisters registers_;
};

/// A MAZE on which scripts are tried, and the unit that is watched.
struct TrialPlace {
  const CaseRerun* rerun = nullptr;
  Unit unit;
  std::optional<UnitRegisters> registers;  ///< found by the first trial
};

/// Runs the case with a script in place of its stimulus. The last trial is the one that is shown:
/// its pins and the ways of its packets are recorded.
class Trial final : public CaseObserver {
 public:
  Trial(TrialPlace& place, const Script& script, std::uint64_t behind, bool is_last)
      : place_(place),
        rerun_(*place.rerun),
        script_(script),
        behind_(behind),
        ports_(rerun_.network ? 1 : rerun_.config.shape.ports()),
        is_last_(is_last) {}

  Stimulus& through(Stimulus& /*own*/) override {
    return stimulus_.emplace(script_, rerun_.config.shape, ports_);
  }
  void plan(RunPlan& plan) override {
    plan.cycles = script_.cycles;
    plan.resets = script_.resets;
    plan.after_failure = behind_;
    plan.drain_limit = std::min<std::uint64_t>(plan.drain_limit, 400);
  }
  Extension* watch(Dut& dut) override {
    if (!place_.registers) {
      place_.registers =
          find_registers(dut, *unit_reference(place_.unit, rerun_.config, rerun_.network));
    }
    watch_.emplace(dut, place_.unit, rerun_.config, rerun_.network, ~std::uint64_t{0} >> 1U,
                   &*place_.registers);
    if (!is_last_) return &*watch_;
    pins_.emplace(rerun_.config.shape, ports_);
    ways_.emplace(dut, rerun_.config, rerun_.network, 0);
    return &together_.emplace(std::vector<Extension*>{&*watch_, &*pins_, &*ways_});
  }

  [[nodiscard]] Recording take() { return watch_->take(); }
  [[nodiscard]] const PinRecorder& pins() const { return *pins_; }
  [[nodiscard]] const PacketLog& packets() const { return ways_->log(); }

 private:
  TrialPlace& place_;
  const CaseRerun& rerun_;
  const Script& script_;
  std::uint64_t behind_;
  unsigned ports_;
  bool is_last_;
  std::optional<ScriptStimulus> stimulus_;
  std::optional<Recorder> watch_;
  std::optional<PinRecorder> pins_;
  std::optional<MazeFollower> ways_;
  std::optional<Together> together_;
};

/// Sets the map of a recording, and the ways of the packets in the cycles that are drawn.
void set_ways(Diagnosis& diagnosis, const Recording& recording, const PacketLog& packets,
              const maze::Shape& shape) {
  const WaveRange range = range_around(recording, kDrawnCycles);
  const std::vector<PacketStay> stays = packets.between(range.first, range.last);
  std::set<std::size_t> places;
  for (const PacketStay& stay : stays) places.insert(stay.place);
  diagnosis.map = maze_map(shape, recording.unit, places);
  diagnosis.packets = map_packets(stays, recording,
                                  [&](std::size_t place) { return maze_place_name(shape, place); });
}

Reason reason_of(const Failure& failure, const Recording& recording) {
  return {failure.checker, failure.kind,
          recording.wrong ? recording.signals[recording.wrong->signal].label : ""};
}

/// Returns a reason whose signal lacks its port, which has another name on another MAZE.
Reason without_port(Reason reason) {
  reason.signal.erase(0, reason.signal.rfind(' ') + 1);
  return reason;
}

/// Returns whether a trial failed for this reason. Ports of other units may fail first.
bool fails_for(const Reason& reason, const CaseResult& result, const TrialPlace& place,
               const Recording& recording, bool has_moved) {
  return std::any_of(result.failures.begin(), result.failures.end(), [&](const Failure& failure) {
    const Reason found = reason_of(failure, recording);
    if (has_moved ? without_port(found) != without_port(reason) : found != reason) return false;
    return !reason.signal.empty() ||
           unit_of(failure, place.rerun->config.shape, place.rerun->network) == place.unit;
  });
}

/// Returns a script as a regression file, whose watchdog allows its stalls.
std::string regression_of(const Script& script, const Diagnosis& diagnosis,
                          const CaseRerun& rerun) {
  std::uint64_t longest = 0;
  for (const ScriptStall& stall : script.stalls)
    longest = std::max(longest, stall.end - stall.first);
  return regression_text(
      {.name = fmt::format("{}-seed{}", diagnosis.suite, diagnosis.seed),
       .comment =
           fmt::format("Fails as {} with seed {} does; its suite fits into other regressions "
                       "of this size.",
                       diagnosis.suite, diagnosis.seed),
       .config = rerun.config,
       .network = rerun.network,
       .watchdog_cycles =
           std::max(rerun.watchdog_cycles, least_watchdog_of_stall(longest, rerun.network)),
       .after_failure = kBehindTrial},
      script);
}

bool fails_at(TrialPlace& place, const Script& script, const Reason& reason, bool has_moved) {
  Trial trial(place, script, kBehindTrial, /*is_last=*/false);
  const CaseResult result = place.rerun->run(trial);
  return fails_for(reason, result, place, trial.take(), has_moved);
}

/// Looks for the smallest MAZE on which what is left of a case fails for the same reason, and
/// shrinks it there. Says in `diagnosis` what was tried.
std::optional<TrialPlace> move_to_smaller(Diagnosis& diagnosis, const CaseRerun& rerun,
                                          const Reason& reason, ShrunkScript& shrunk,
                                          ShrinkLimits limits) {
  limits.cycles -= std::min(limits.cycles, shrunk.cycles);
  std::vector<std::string> tried;
  std::optional<TrialPlace> found;
  for (const CaseRerun& one : *rerun.smaller) {
    const maze::Shape& shape = one.config.shape;
    const std::vector<MovedScript> scripts = moved_scripts(
        shrunk.script, diagnosis.recording.unit, rerun.config.shape, shape, rerun.network);
    for (const MovedScript& moved : scripts) {
      TrialPlace place{&one, moved.unit, std::nullopt};
      ++shrunk.trials;
      if (!fails_at(place, moved.script, reason, /*has_moved=*/true)) continue;
      found.emplace(std::move(place));
      const unsigned trials = shrunk.trials;
      shrunk = shrink(
          moved.script,
          [&](const Script& script) { return fails_at(*found, script, reason, true); }, limits);
      shrunk.trials += trials;
      break;
    }
    tried.push_back(fmt::format("{}x{} {}", shape.nx, shape.ny,
                                found             ? "fails in the same way"
                                : scripts.empty() ? "has too few nodes"
                                                  : "does not"));
    if (found) break;
  }
  diagnosis.smaller = fmt::format(
      "in {}; smaller MAZEs: {}", counted(shrunk.trials, "trial"),
      tried.empty() ? "no model of one was built" : fmt::format("{}", fmt::join(tried, ", ")));
  return found;
}

void shrink_case(Diagnosis& diagnosis, const CaseRerun& rerun, const UnitRegisters& registers,
                 const Script& script) {
  if (rerun.shrink_cycles == 0) {
    diagnosis.why_not_shrunk = "it was not asked for";
    return;
  }
  TrialPlace own{&rerun, diagnosis.recording.unit, registers};
  const Reason reason = reason_of(diagnosis.failure, diagnosis.recording);
  const auto same = [&](const Script& tried) { return fails_at(own, tried, reason, false); };
  Script start = script;
  if (!same(start) && !rerun.network && diagnosis.failure.cycle <= kMostWholeCycles) {
    // Links that are crossed need the traffic of others.
    FirstLook look(rerun, own.unit, diagnosis.failure.cycle, /*whole=*/true);
    (void)rerun.run(look);
    start = look.script();
  }
  if (!same(start)) {
    diagnosis.why_not_shrunk =
        "the packets of the case alone do not fail in the same way; the failure depends on more, "
        "such as traffic on other links or how the registers start";
    return;
  }
  ShrinkLimits limits;
  limits.cycles = rerun.shrink_cycles;
  limits.plain = (maze::Payload{1} << rerun.config.shape.flit_w) - 1;
  ShrunkScript shrunk = shrink(start, same, limits);
  std::optional<TrialPlace> smaller;
  if (rerun.smaller) smaller = move_to_smaller(diagnosis, rerun, reason, shrunk, limits);
  TrialPlace& place = smaller ? *smaller : own;
  Trial last(place, shrunk.script, Recorder::kBehind, /*is_last=*/true);
  const CaseResult result = place.rerun->run(last);
  ShrunkCase& one = diagnosis.shrunk.emplace();
  one.script = std::move(shrunk);
  one.config = place.rerun->config;
  one.recording = last.take();
  set_ways(diagnosis, one.recording, last.packets(), one.config.shape);
  if (const Failure* failure = first_located(result, *place.rerun)) one.failure = *failure;
  one.pins = last.pins().trace(rerun.network ? PinBench::Network : PinBench::Topo);
  one.pins.failed_node = rerun.config.failed;
  one.pins_are_exact = last.pins().exact();
  one.regression = regression_of(one.script.script, diagnosis, *place.rerun);
  if (one.failure.cycle < one.pins.cycles.size()) {
    one.pins.fails = PinFailure{one.failure.cycle, one.failure.kind};
  }
}

/// Returns a recording with the first wrong signal, which may lie before the window of the failure.
Recording around_first_wrong(const Recording& recording, const CaseRerun& rerun) {
  const bool is_shown = !recording.wrong || recording.cycles.empty() ||
                        recording.wrong->cycle > recording.cycles.front().cycle;
  if (is_shown) return recording;
  FirstLook look(rerun, recording.unit, recording.wrong->cycle, /*whole=*/false);
  (void)rerun.run(look);
  return look.take();
}

}  // namespace

SuspectList suspects_of(const Recording& recording, const std::vector<Recording>& drawn,
                        const std::string& design_folder,
                        const std::vector<structure::Finding>& findings) {
  SuspectList list;
  if (design_folder.empty()) {
    list.why_not = "the model has no dump of its design beside it";
  } else {
    const structure::Design design(structure::read_dump(structure::dump_path(design_folder)));
    list = rank_suspects(recording, drawn, design);
    const SourceNames names = SourceNames::read(design_folder);
    for (Suspect& one : list.lines) one.file = names.user_text(one.file);
    list.why_not = names.user_text(list.why_not);
    list.lines = with_conditions(std::move(list.lines));
  }
  // A line whose other values would explain all, without another signal, comes before what the
  // check found: a wrong connection, instance or parameter.
  std::vector<Suspect> found = lines_of_findings(findings);
  const bool is_explained =
      !list.lines.empty() && list.lines.front().explains && list.lines.front().missing == 0;
  const auto at = is_explained ? list.lines.end() : list.lines.begin();
  list.lines.insert(at, std::make_move_iterator(found.begin()),
                    std::make_move_iterator(found.end()));
  return list;
}

std::optional<Diagnosis> diagnose(const CaseResult& failed, const CaseRerun& rerun) {
  const Failure* failure = first_located(failed, rerun);
  if (failure == nullptr) return std::nullopt;
  Unit unit = *unit_of(*failure, rerun.config.shape, rerun.network);
  if (rerun.network) {
    // Ports show what is wrong inside later, and perhaps elsewhere.
    const std::uint64_t late = failure->cycle > kSearched ? failure->cycle - kSearched : 0;
    for (const std::uint64_t from : {late, std::uint64_t{0}}) {
      Scouting search(rerun, from);
      (void)rerun.run(search);
      if (!search.scout().sees_links()) {
        unit = {Unit::Kind::Users, {search.wrong_users().value_or(unit.at.node), 0}};
        break;
      }
      unit = search.scout().wrong().value_or(unit);
      if (from == 0 || !search.scout().was_wrong_before()) break;
    }
  }
  FirstLook look(rerun, unit, failure->cycle, /*whole=*/false);
  const CaseResult again = rerun.run(look);
  const Failure* same = first_located(again, rerun);
  if (same == nullptr || same->cycle != failure->cycle || same->message != failure->message) {
    throw std::logic_error(fmt::format(
        "{} seed {}: the case does not fail again as it did: cycle {}, {}; now {}", failed.title(),
        failed.seed, failure->cycle, failure->message,
        same == nullptr ? "it passes" : fmt::format("cycle {}, {}", same->cycle, same->message)));
  }
  Diagnosis diagnosis;
  diagnosis.suite = failed.title();
  diagnosis.seed = failed.seed;
  diagnosis.command = failed.command;
  diagnosis.failure = *failure;
  diagnosis.config = rerun.config;
  diagnosis.recording = look.take();
  set_ways(diagnosis, diagnosis.recording, look.packets(), rerun.config.shape);
  const Recording around = around_first_wrong(diagnosis.recording, rerun);
  const bool has_states = !rerun.design.empty() && !around.instance.empty();
  const auto drawn =
      has_states ? draw_states(around, rerun.config, rerun.network) : std::vector<Recording>();
  diagnosis.suspects = suspects_of(around, drawn, rerun.design, rerun.findings);
  shrink_case(diagnosis, rerun, look.registers(), look.script());
  return diagnosis;
}

Diagnosis diagnose_structure(const CaseResult& failed,
                             const std::vector<structure::Finding>& findings) {
  Diagnosis diagnosis;
  diagnosis.suite = failed.title();
  diagnosis.command = failed.command;
  diagnosis.failure = failed.failures.front();
  diagnosis.suspects.lines = lines_of_findings(findings);
  if (diagnosis.suspects.lines.empty()) {
    diagnosis.suspects.why_not = "the findings name no line of the RTL";
  }
  return diagnosis;
}

std::string from_here(const std::string& file) {
  const std::filesystem::path path =
      std::filesystem::path(file).lexically_proximate(std::filesystem::current_path());
  return path.empty() || *path.begin() == ".." ? file : path.string();
}

std::string place_text(const Suspect& one) {
  const std::string end = one.last_line == 0 ? "" : fmt::format("-{}", one.last_line);
  return fmt::format("{}:{}{}", from_here(one.file), one.line, end);
}

std::string value_text(const UnitSignal& signal, maze::Payload value, const PacketTexts& texts) {
  if (signal.packet) return texts.whole(value);
  return signal.bits == 1 ? std::to_string(value) : fmt::format("0b{:0{}b}", value, signal.bits);
}

std::vector<std::string> diagnosis_text(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  const auto add = [&](const Recording& recording, const char* where) {
    if (!recording.wrong) return;
    const FirstWrong& wrong = *recording.wrong;
    const UnitSignal& signal = recording.signals[wrong.signal];
    lines.push_back(fmt::format("{}first wrong: {} {} in cycle {} is {}, the reference has {}",
                                where, recording.name, signal.label, grouped(wrong.cycle),
                                value_text(signal, wrong.seen, recording.texts),
                                value_text(signal, wrong.expected, recording.texts)));
    if (recording.history) lines.push_back(recording.history->text());
  };
  add(diagnosis.recording, "");
  if (diagnosis.node) add(*diagnosis.node, "inside, ");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, diagnosis.suspects.lines.size()); ++i) {
    const Suspect& one = diagnosis.suspects.lines[i];
    lines.push_back(fmt::format("line {}: {} {}", i + 1, place_text(one),
                                one.finding.empty() ? "drives " + one.signal : one.finding));
  }
  if (diagnosis.suspects.lines.empty() && !diagnosis.suspects.why_not.empty()) {
    lines.push_back("no lines: " + diagnosis.suspects.why_not);
  }
  if (!diagnosis.shrunk) {
    if (!diagnosis.why_not_shrunk.empty()) {
      lines.push_back("not shrunk: " + diagnosis.why_not_shrunk);
    }
    return lines;
  }
  const Script& script = diagnosis.shrunk->script.script;
  lines.push_back(
      fmt::format("shrunk to {}, {}, {} and {}", counted(script.packets.size(), "packet"),
                  counted(script.stalls.size(), "stall"), counted(script.resets.size(), "reset"),
                  counted(script.cycles, "cycle")));
  if (!diagnosis.smaller.empty()) lines.push_back(diagnosis.smaller);
  const std::vector<std::string>& packets = diagnosis.shrunk->packets;
  for (std::size_t i = 0; i < packets.size() && i < kShownPackets; ++i) lines.push_back(packets[i]);
  if (packets.size() > kShownPackets) {
    lines.push_back(fmt::format("and {} more", packets.size() - kShownPackets));
  }
  add(diagnosis.shrunk->recording, "shrunk, ");
  return lines;
}

}  // namespace kernbench::sim
