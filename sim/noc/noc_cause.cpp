// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

constexpr std::uint64_t kShortestSuffix = 16;  ///< cycles of a suffix that are tried first
constexpr std::uint64_t kMostTrials = 1500;
constexpr std::size_t kShownPackets = 8;

/// Returns the cycle behind the last flit that is to be sent.
std::uint64_t end_of(const NocScript& script) {
  std::uint64_t end = 1;
  for (const NocScriptPacket& one : script.packets) end = std::max(end, one.at.back() + 1);
  return end;
}

/// Looks for a smaller script that fails in the same way.
class Search {
 public:
  Search(const NocCase& failed, const CaseResult& result, const NocBins& bins,
         const std::function<std::shared_ptr<NocDut>()>& create, std::uint64_t cycles,
         const std::function<bool()>& interrupted)
      : case_(failed),
        wanted_(result.failures.front()),
        bins_(bins),
        create_(create),
        most_cycles_(cycles),
        interrupted_(interrupted) {
    case_.resets = 0;
    case_.after_failure = 0;
  }

  NocCause run(const NocCase& failed) {
    NocScriptRecorder recorder(bins_.device());
    NocCase again = failed;
    again.after_failure = 0;
    NocCaseOptions options;
    options.recorder = &recorder;
    (void)run_noc_case(again, bins_, *create_(), options);
    if (!accept(recorder.script())) {
      best_.why_not = "it does not fail so after what the users have done since the last reset";
      return best_;
    }
    NocScript ready = best_.script;
    ready.takes_all = true;
    ready.takes.clear();
    (void)accept(std::move(ready));
    keep_last();
    for (std::size_t before = 0; before != best_.script.packets.size();) {
      before = best_.script.packets.size();
      leave_out();
    }
    shorten();
    begin_at_once();
    best_.trials = trials_;
    best_.cycles = cycles_;
    best_.ended = !is_over();
    return best_;
  }

 private:
  [[nodiscard]] bool is_over() const {
    return trials_ >= kMostTrials || cycles_ >= most_cycles_ || (interrupted_ && interrupted_());
  }

  /// Takes a script over if it fails in the same way.
  bool accept(NocScript script) {
    if (trials_ != 0 && is_over()) return false;
    ++trials_;
    ScriptedNocUsers users(bins_.device(), script);
    case_.cycles = end_of(script) + case_.watchdog_cycles;
    NocCaseOptions options;
    options.users = &users;
    const CaseResult result = run_noc_case(case_, bins_, *create_(), options).result;
    cycles_ += result.cycles;
    if (result.failures.empty()) return false;
    const Failure& first = result.failures.front();
    if (first.checker != wanted_.checker || first.kind != wanted_.kind) return false;
    best_.script = std::move(script);
    best_.failure = first;
    return true;
  }

  /// Leaves out the packets that begin before the last cycles: few of them first, then more.
  void keep_last() {
    std::uint64_t end = 0;
    for (const NocScriptPacket& one : best_.script.packets) end = std::max(end, one.at.front());
    for (std::uint64_t length = kShortestSuffix; length <= end; length *= 2) {
      NocScript rest = best_.script;
      std::erase_if(rest.packets,
                    [&](const NocScriptPacket& one) { return one.at.front() + length <= end; });
      if (accept(std::move(rest))) return;
    }
  }

  /// Leaves out ever smaller parts of the packets.
  void leave_out() {
    for (std::size_t part = best_.script.packets.size(); part != 0; part /= 2) {
      for (std::size_t first = 0; first < best_.script.packets.size() && !is_over();) {
        NocScript rest = best_.script;
        const std::size_t end = std::min(first + part, rest.packets.size());
        rest.packets.erase(rest.packets.begin() + static_cast<std::ptrdiff_t>(first),
                           rest.packets.begin() + static_cast<std::ptrdiff_t>(end));
        if (!accept(std::move(rest))) first += part;
      }
    }
  }

  /// Makes packets of several flits shorter: one flit, else half of them, and so on.
  void shorten() {
    for (std::size_t i = 0; i < best_.script.packets.size(); ++i) {
      for (std::size_t flits = 1; flits < best_.script.packets[i].flits.size(); flits *= 2) {
        NocScript rest = best_.script;
        NocScriptPacket& packet = rest.packets[i];
        const noc::Flit tail = noc::Flit{1} << (bins_.device().network.sizes().flit_bits - 2);
        packet.flits.resize(flits);
        packet.at.resize(flits);
        packet.flits.back() |= tail;
        if (accept(std::move(rest))) break;
      }
    }
  }

  /// Leaves out the cycles before the first packet.
  void begin_at_once() {
    if (best_.script.packets.empty()) return;
    NocScript rest = best_.script;
    std::uint64_t first = rest.packets.front().at.front();
    for (const NocScriptPacket& one : rest.packets) first = std::min(first, one.at.front());
    for (NocScriptPacket& one : rest.packets) {
      for (std::uint64_t& at : one.at) at -= first;
    }
    std::erase_if(rest.takes, [&](const NocScriptTake& take) { return take.at < first; });
    for (NocScriptTake& take : rest.takes) take.at -= first;
    (void)accept(std::move(rest));
  }

  NocCase case_;
  const Failure& wanted_;
  const NocBins& bins_;
  const std::function<std::shared_ptr<NocDut>()>& create_;
  std::uint64_t most_cycles_;
  const std::function<bool()>& interrupted_;
  NocCause best_;
  std::uint64_t trials_ = 0;
  std::uint64_t cycles_ = 0;
};

}  // namespace

NocCause find_noc_cause(const NocCase& failed, const CaseResult& result, const NocBins& bins,
                        const std::function<std::shared_ptr<NocDut>()>& create,
                        std::uint64_t cycles, const std::function<bool()>& interrupted) {
  return Search(failed, result, bins, create, cycles, interrupted).run(failed);
}

std::vector<std::string> cause_text(const NocCause& cause, const NocDevice& device) {
  if (!cause.why_not.empty()) return {"no smaller run: " + cause.why_not};
  const std::vector<NocScriptPacket>& packets = cause.script.packets;
  std::vector<std::string> lines = {fmt::format(
      "{} {} to it, with receivers that {}: {}{}", counted(packets.size(), "packet"),
      packets.size() == 1 ? "leads" : "lead",
      cause.script.takes_all ? "take every flit at once" : "wait as in the case",
      cause.failure.message, cause.ended ? "" : " (the search ended at its limit; fewer may do)")};
  for (std::size_t i = 0; i < packets.size() && i < kShownPackets; ++i) {
    const NocScriptPacket& one = packets[i];
    lines.push_back(fmt::format("cycle {}: node {} to node {}, {} on vc {}", one.at.front(),
                                device.node_name(one.node),
                                device.node_name(device.network.destination(one.flits.front())),
                                counted(one.flits.size(), "flit"), one.vc));
  }
  if (packets.size() > kShownPackets) {
    lines.push_back(fmt::format("and {} more", packets.size() - kShownPackets));
  }
  return lines;
}

}  // namespace kernbench::sim
