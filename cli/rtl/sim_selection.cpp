// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "common/diagnostics.hpp"
#include "common/text_distance.hpp"
#include "sim/build/delays.hpp"
#include "sim/build/model_store.hpp"
#include "sim/fault/fault_spec.hpp"
#include "sim/regression/shortened.hpp"
#include "sim/stimulus/traffic_names.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using sim::RegressionSpec;
using sim::SuiteSpec;

[[noreturn]] void refuse_name(const std::string& what, const std::string& name,
                              const std::vector<std::string_view>& known) {
  throw BadInput(fmt::format("{} '{}' is not in the configuration{}", what, name,
                             common::did_you_mean(name, known)));
}

/// Gives all suites the cycles of --cycles. Names what they leave out, or refuses when it was asked
/// for by name or nothing else is left.
void apply_cycles(RegressionSpec& spec, const SimOptions& options) {
  const std::vector<sim::LeftOut> left_out = sim::set_cycles(spec, *options.cycles);
  const bool asked = !options.suites.empty() || !options.fault.empty() || spec.suites.empty();
  common::Diagnostics errors;
  for (const sim::LeftOut& left : left_out) {
    if (asked && left.whole) {
      errors.error(
          {}, fmt::format("--cycles {}: suite {}: {}", *options.cycles, left.suite, left.reason));
    } else {
      print_note(
          fmt::format("left out with {} cycles: {}: {}", *options.cycles, left.suite, left.reason));
    }
  }
  errors.throw_if_any();
}

/// Applies the overrides of the command line. A partial regression does not require full coverage.
RegressionSpec narrowed(RegressionSpec spec, const SimOptions& options) {
  if (options.seed) spec.seed = *options.seed;
  check_fault_name(options.fault);
  const std::vector<SuiteSpec> all = std::move(spec.suites);
  spec.suites.clear();
  for (const std::string& name : options.suites) {
    std::vector<std::string_view> known;
    known.reserve(all.size());
    for (const SuiteSpec& suite : all) known.push_back(suite.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_name("suite", name, known);
  }
  for (const SuiteSpec& suite : all) {
    const auto& wanted = options.suites;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), suite.name) == wanted.end()) {
      continue;
    }
    spec.suites.push_back(suite);
    SuiteSpec& kept = spec.suites.back();
    if (options.seeds) kept.seeds = *options.seeds;
    if (!options.fault.empty()) {
      std::erase_if(kept.faults, [&](const sim::FaultCase& fault) {
        return sim::fault_name(fault.fault.kind) != options.fault;
      });
      if (kept.faults.empty()) spec.suites.pop_back();
    }
  }
  if (spec.suites.empty()) {
    throw BadInput(options.fault.empty() ? fmt::format("no suite of {} is left to run", spec.path)
                                         : fmt::format("no suite of {} injects the fault '{}'",
                                                       spec.path, options.fault));
  }
  if (options.cycles) apply_cycles(spec, options);
  if (!options.suites.empty() || options.cycles || options.seeds || !options.fault.empty()) {
    spec.full_coverage = false;
  }
  return spec;
}

}  // namespace

void check_sources(const SimOptions& options, const std::string& root) {
  const sim::RtlRequest& rtl = options.rtl;
  const int sources =
      static_cast<int>(!rtl.files.empty()) + static_cast<int>(!rtl.filelist.empty()) +
      static_cast<int>(!rtl.folder.empty()) + static_cast<int>(!options.model.empty());
  if (sources > 1) {
    throw BadInput("--rtl, --filelist, --rtl-dir and --model exclude each other: name one");
  }
  if (rtl.shipped() &&
      !(rtl.include_dirs.empty() && rtl.defines.empty() && rtl.dpi_files.empty())) {
    throw BadInput("-I, -D and --dpi need RTL of --rtl, --filelist or --rtl-dir");
  }
  if (rtl.shipped() && !rtl.assertions) {
    throw BadInput("--no-assertions needs RTL of --rtl, --filelist or --rtl-dir");
  }
  if (rtl.shipped()) return;
  const sim::RtlSources found = sim::find_rtl(rtl, root + "/rtl/topo.f");
  if (!found.ignored.empty()) print_note(found.ignored);
  if (const std::string delays = sim::delays_text(sim::delays_of(found)); !delays.empty()) {
    print_note(delays);
  }
}

bool is_asked(const SimOptions& options, const std::string& suite, const std::string& name) {
  return options.suites.empty() || std::ranges::any_of(options.suites, [&](const auto& asked) {
           return asked == suite || asked == name;
         });
}

void check_fault_name(const std::string& name, const std::vector<std::string_view>& known) {
  if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string nearest = common::did_you_mean(name, known);
  throw BadInput(fmt::format(
      "--fault: there is no fault '{}'{}", name,
      nearest.empty() ? fmt::format("; expected one of {}", fmt::join(known, ", ")) : nearest));
}

void check_fault_name(const std::string& name) {
  const auto names = common::names_of(sim::kFaultNames);
  check_fault_name(name, {names.begin(), names.end()});
}

RegressionSpec selected_regression(const SimOptions& options, const std::string& text) {
  RegressionSpec loaded = sim::parse_regression(text, options.config);
  if (options.fabric) {
    const maze::Shape shape = *options.fabric;
    for (const sim::LeftOut& left : sim::move_to_fabric(loaded, shape)) {
      const auto& asked = options.suites;
      if (!asked.empty() && std::find(asked.begin(), asked.end(), left.suite) == asked.end()) {
        continue;
      }
      print_note(fmt::format("left out on a {}x{} fabric: {}: {}", shape.nx, shape.ny, left.suite,
                             left.reason));
    }
  }
  return narrowed(std::move(loaded), options);
}

void list_suites(const RegressionSpec& spec) {
  fmt::print("{:<22} {:<18} {:<12} {:>9} {:>6} {:>7}\n", "suite", "traffic", "receivers", "cycles",
             "seeds", "faults");
  for (const SuiteSpec& suite : spec.suites) {
    if (suite.kind == sim::SuiteKind::Connectivity) {
      fmt::print("{:<22} {:<18}\n", suite.name, "probes every link");
      continue;
    }
    fmt::print("{:<22} {:<18} {:<12} {:>9} {:>6} {:>7}\n", suite.name, suite.traffic_name(),
               suite.back_pressure_name(), suite.cycles, suite.seeds, suite.faults.size());
  }
}

}  // namespace kernbench::cli
