// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/options.hpp"
#include "cli/base/picture_file.hpp"
#include "cli/model/evaluations.hpp"
#include "cli/model/spread.hpp"
#include "common/diagnostics.hpp"
#include "plot/svg_canvas.hpp"

namespace kernbench::cli {
namespace {

/// An evaluation, and the options that it does not have.
struct Evaluation {
  std::string_view name;
  common::Outcome (*run)(const EvaluateOptions& options, const Invocation& invocation);
  std::vector<const char*> lacks;
};

const std::array<Evaluation, 4> kEvaluations = {{
    {"gemm", evaluate_gemm, {"--plot", "--fail-fast", "--ccl"}},
    {"all-reduce", evaluate_all_reduce, {"--plots", "--figures", "--ccl"}},
    {"collectives", evaluate_collectives, {"--plots", "--figures"}},
    {"topologies",
     evaluate_topologies,
     {"--plot", "--plots", "--figures", "--ccl", "--fail-fast", "--fabric", "--spread"}},
}};

const std::string& report_of(const EvaluateOptions& options) {
  return options.figures.empty() ? options.files.json : options.figures;
}

/// Returns NAME and `ending` for a report NAME.json, or nothing if plots are not to be beside it.
std::string beside_report(const EvaluateOptions& options, const char* ending) {
  const std::string& report = report_of(options);
  if (options.no_plots || report.empty() || report == kStandardOutput) return {};
  std::filesystem::path name(report);
  if (name.extension() == ".json") name.replace_extension();
  return name.string() + ending;
}

/// Returns the file of the plot of a collective that is not named; "" for none.
std::string plot_beside_report(const EvaluateOptions& options) {
  const bool draws = options.name == "all-reduce" || options.name == "collectives";
  return draws ? beside_report(options, ".svg") : std::string();
}

/// Returns the folder of the figures of gemm that is not named; "" for none.
std::string plots_beside_report(const EvaluateOptions& options) {
  return options.name == "gemm" ? beside_report(options, "-plots") : std::string();
}

/// Fills in where plots go that are not named. Throws common::BadInput if something else is there.
EvaluateOptions with_plots(const EvaluateOptions& options, const Command& command) {
  EvaluateOptions all = options;
  const auto require = [&](const std::filesystem::path& path, const char* option, auto is_own) {
    std::error_code unreadable;
    if (!std::filesystem::exists(path, unreadable) || is_own(path)) return;
    throw common::BadInput(
        fmt::format("'{}', where the plots of '{}' would be, exists and is none: name another "
                    "place with {}, or give --no-plots",
                    path.string(), report_of(options), option));
  };
  const auto is_folder = [](const std::filesystem::path& path) {
    std::error_code unreadable;
    return std::filesystem::is_directory(path, unreadable);
  };
  const auto is_plot = [](const std::filesystem::path& path) {
    std::error_code unreadable;
    return std::filesystem::is_regular_file(path, unreadable) && plot::is_own_svg(path);
  };
  if (all.plot.empty() && !command.given("--plot")) {
    all.plot = plot_beside_report(options);
    require(all.plot, "--plot", is_plot);
  }
  if (all.plots.empty() && !command.given("--plots")) {
    all.plots = plots_beside_report(options);
    require(all.plots, "--plots", is_folder);
    for (const char* const name : kGemmPlots) {
      if (!all.plots.empty()) {
        require(std::filesystem::path(all.plots) / name, "--plots", is_plot);
      }
    }
  }
  return all;
}

void describe(Command& command, EvaluateOptions& options, const Invocation& invocation) {
  std::vector<std::string_view> names;
  names.reserve(kEvaluations.size());
  for (const Evaluation& evaluation : kEvaluations) names.push_back(evaluation.name);
  command
      .add_option("name", options.name,
                  "gemm: latency, utilization and roofline by size and mapping; all-reduce: "
                  "latency by size, slot memory, number and topology of SIPs; collectives: latency "
                  "of all collectives and algorithms, compared with their formulas; topologies: "
                  "networks of cubes at equal bisection and at equal wire")
      .check(one_of(names))
      .required();
  add_topology_option(command, options.spec, invocation);
  add_topology_set_option(command, options.set);
  add_fabric_option(command, options.set);
  command.add_flag("--quick", options.quick,
                   "Small sizes and few systems only; takes up to a minute");
  command.add_flag("--fail-fast", options.fail_fast,
                   "Start no point of a collective after the first that is wrong");
  command
      .add_option("--ccl", options.ccl,
                  "Process-group file (YAML): also evaluate its algorithms that are files, such as "
                  "center.py")
      .check(input_file());
  add_report_files(command, options.files);
  command
      .add_option("--plot", options.plot,
                  "File for the plot of a collective's latency by size (.svg, .pdf or .png); by "
                  "default beside that of --json, NAME.svg for NAME.json")
      .check(output_picture())
      .following([&options] { return plot_beside_report(options); });
  command
      .add_option("--figures", options.figures,
                  "Draw the sweep of gemm in this file without simulating")
      .check(input_file())
      .excludes({"--json", "--html", "--quick"});
  command
      .add_option("--plots", options.plots,
                  "Folder for the figures of gemm (SVG); by default beside the file of --json or "
                  "--figures, NAME-plots for NAME.json")
      .check(output_folder({"*.svg"}))
      .following([&options] { return plots_beside_report(options); });
  command.add_flag("--no-plots", options.no_plots, "Write no plots beside the report")
      .excludes({"--plot", "--plots", "--figures"});
  add_jobs_option(command, options.jobs);
  add_evaluation_spread(command, options.spread);
  add_part_options(command, options.parts);
  command.exclude({"--fail-fast"}, {"--engine"});
  command.exclude({"--figures"}, {"--spread", "--engine", "--ccl"});
}

}  // namespace

void add_evaluate_command(Command& program, const Invocation& invocation) {
  Command& command =
      program.add_command("evaluate", "Sweep a bench over sizes and variants and draw figures");
  const auto options = std::make_shared<EvaluateOptions>();
  describe(command, *options, invocation);
  command.footer =
      "Exit code 1 if a result is wrong, a point is faster than its bound or, of collectives, "
      "more\n"
      "than 20 % off its formula, or `algorithm: auto` takes more than 10 % longer than the best.\n"
      "Examples:\n"
      "  kernbench evaluate gemm --json gemm.json\n"
      "  kernbench evaluate gemm --figures gemm.json --plots figures\n"
      "  kernbench evaluate all-reduce --quick --plot all-reduce.svg\n"
      "  kernbench evaluate collectives --quick --plot collectives.svg\n"
      "  kernbench evaluate topologies --quick";
  command.run = [&command, options, &invocation] {
    const auto* const evaluation =
        std::find_if(kEvaluations.begin(), kEvaluations.end(),
                     [&](const Evaluation& known) { return known.name == options->name; });
    for (const char* const lacking : evaluation->lacks) {
      if (!command.given(lacking)) continue;
      throw common::BadInput(fmt::format("evaluate {} has no {}", options->name, lacking));
    }
    return evaluation->run(with_plots(*options, command), invocation);
  };
}

}  // namespace kernbench::cli
