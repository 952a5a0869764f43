// SPDX-License-Identifier: Apache-2.0
#include "cli/sim_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/console.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "sim/dut/model_store.hpp"
#include "sim/network/network_run.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using sim::NetworkCase;
using sim::NetworkResult;

/// Bins without a hit that are listed.
constexpr std::size_t kMostHoles = 10;

/// Returns the cases that --suite selects: a suite, or one case.
std::vector<NetworkCase> selected(const SimOptions& options, const maze::Shape& shape) {
  std::vector<NetworkCase> all = sim::network_cases(shape, options.seed.value_or(1));
  if (options.suites.empty()) return all;
  std::vector<std::string_view> known;
  for (const NetworkCase& one : all) {
    if (std::find(known.begin(), known.end(), one.suite) == known.end()) known.push_back(one.suite);
  }
  for (const NetworkCase& one : all) known.push_back(one.name);
  for (const std::string& name : options.suites) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw common::BadInput(fmt::format("--suite: the network regression has no suite '{}'{}", name,
                                       common::did_you_mean(name, known)));
  }
  std::vector<NetworkCase> cases;
  for (const NetworkCase& one : all) {
    const auto asked = [&](const std::string& name) {
      return name == one.suite || name == one.name;
    };
    if (std::any_of(options.suites.begin(), options.suites.end(), asked)) cases.push_back(one);
  }
  return cases;
}

/// Runs the cases in threads. A case that was not started is vacuous: the run was interrupted.
std::vector<NetworkResult> run_all(const sim::NetworkLibrary& library,
                                   const std::vector<NetworkCase>& cases, unsigned threads) {
  std::vector<NetworkResult> results(cases.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < cases.size() && !common::interrupted(); at = next++) {
        results[at] = sim::run_network_case(library, cases[at]);
      }
    });
  }
  workers.clear();
  return results;
}

std::string mean(const sim::LatencySum& latency) {
  if (latency.packets == 0) return "-";
  return fmt::format("{:.1f}",
                     static_cast<double>(latency.cycles) / static_cast<double>(latency.packets));
}

/// Returns the shell command that runs one case again.
std::string rerun(const SimOptions& options, const maze::Shape& shape, const NetworkCase& one) {
  const std::string network =
      options.model.empty() ? fmt::format("--fabric {}x{}x{}", shape.nx, shape.ny, shape.flit_w)
                            : "--model " + common::shell_quote(options.model);
  return fmt::format("{} sim --network {} --suite {} --seed {}",
                     common::shell_quote(options.program), network, one.name, one.seed);
}

/// Prints one row for the cases of each suite, with latencies from A to B in cycles.
void print_suites(const std::vector<NetworkCase>& cases,
                  const std::vector<NetworkResult>& results) {
  print("{:<14} {:>5} {:>12} {:>12} {:>9}  {:>8} {:>8} {:>8}\n", "suite", "cases", "accepted at A",
        "copies at B", "cycles", "low", "high", "longest");
  for (std::size_t first = 0; first < cases.size();) {
    NetworkResult sum;
    std::size_t at = first;
    for (; at < cases.size() && cases[at].suite == cases[first].suite; ++at) {
      sum.add(results[at]);
    }
    print("{:<14} {:>5} {:>13} {:>12} {:>9}  {:>8} {:>8} {:>8}\n", cases[first].suite, at - first,
          sim::grouped(sum.accepted), sim::grouped(sum.delivered), sim::grouped(sum.cycles),
          mean(sum.latency[0]), mean(sum.latency[1]),
          std::max(sum.latency[0].longest, sum.latency[1].longest));
    first = at;
  }
}

/// Prints the bins of all cases. Returns the bins without a hit.
std::uint64_t print_coverage(const sim::NetworkCoverage& coverage) {
  std::uint64_t missed = 0;
  print("\n{:<30} {:>7} {:>7}\n", "coverage", "hit", "bins");
  for (const sim::NetworkBins& group : coverage.bins()) {
    print("{:<30} {:>7} {:>7}\n", group.name, sim::grouped(group.hit), sim::grouped(group.bins));
    missed += group.bins - group.hit;
  }
  for (const std::string& hole : coverage.holes(kMostHoles)) print("  not covered: {}\n", hole);
  print("\n");
  return missed;
}

}  // namespace

Outcome simulate_network(const SimOptions& options, const std::string& root) {
  const maze::Shape asked = options.fabric.value_or(maze::Shape{});
  if (options.list) {
    for (const NetworkCase& one : selected(options, asked)) fmt::print("{}\n", one.name);
    return Outcome::Pass;
  }
  (void)selected(options, asked);  // before the build, which takes a minute
  const common::InterruptGuard guard;
  const sim::NetworkLibrary library(
      options.model.empty()
          ? sim::ModelStore(root, options.models).ensure_network(asked, options.node_checkers)
          : options.model);
  const maze::Shape shape = library.create(1)->info().config.shape;
  if (options.fabric && shape != asked) {
    throw common::BadInput(fmt::format("--fabric: the model {} has {}x{}x{}, not {}x{}x{}",
                                       options.model, shape.nx, shape.ny, shape.flit_w, asked.nx,
                                       asked.ny, asked.flit_w));
  }
  const std::vector<NetworkCase> cases = selected(options, shape);
  const std::vector<NetworkResult> results = run_all(library, cases, options.threads());
  print_suites(cases, results);
  NetworkResult all;
  all.outcome = Outcome::Pass;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    all.add(results[i]);
    if (results[i].failure.empty()) continue;
    ++failed;
    print_error(fmt::format("{}: {}", cases[i].name, results[i].failure));
    print("again: {}\n", rerun(options, shape, cases[i]));
  }
  if (common::interrupted()) return Outcome::Interrupted;
  const std::uint64_t missed = all.coverage ? print_coverage(*all.coverage) : 0;
  if (missed > 0 && options.suites.empty() && all.outcome == Outcome::Pass) {
    print("FAIL  {} not covered\n", sim::counted(missed, "bin"));
    return Outcome::Mismatch;
  }
  if (all.outcome == Outcome::Pass) {
    print(
        "PASS  {} copies from A to B, all ports of {} nodes equal to the reference in {} cycles\n",
        sim::grouped(all.delivered), shape.nodes(), sim::grouped(all.cycles));
  } else {
    print("FAIL  {} of {} failed\n", failed, sim::counted(cases.size(), "case"));
  }
  return all.outcome;
}

}  // namespace kernbench::cli
