// SPDX-License-Identifier: Apache-2.0
#include "cli/sim_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/numbers.hpp"
#include "common/shell_quote.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/report/regression_progress.hpp"

namespace kernbench::cli {

using common::shell_quote;

namespace {

std::string again_below(const std::string& folder) {
  return shell_quote((std::filesystem::path(folder) / "again").string());
}

}  // namespace

sim::RunOptions run_options(const SimOptions& options, common::Parts* parts,
                            sim::RegressionProgress& done) {
  sim::RunOptions run;
  run.jobs = options.threads();
  run.parts = parts;
  run.interrupted = common::interrupted;
  run.fail_fast = options.fail_fast;
  run.code_coverage = options.code_coverage;
  run.progress = [&done](std::uint64_t new_cycles) { done.add_cycles(new_cycles); };
  run.case_done = [&done](const sim::CaseResult& result) {
    done.case_done(result.outcome == common::Outcome::Pass, result.delivered);
  };
  return run;
}

maze::Shape parse_fabric(const std::string& text) {
  const auto refuse = [&](const char* what) {
    throw common::BadInput(fmt::format(
        "--fabric: '{}' {}: columns x rows, each 2 to 16, and optionally data bits, 1 to "
        "32 (default 8), such as 3x5 or 16x16x32",
        text, what));
  };
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    const auto number = common::parse_u64(text.substr(at, end - at));
    if (!number) refuse("is not a fabric");
    numbers.push_back(*number);
    at = end + 1;
  }
  if (numbers.size() == 2) numbers.push_back(8);
  if (numbers.size() != 3) refuse("is not a fabric");
  const auto within = [](std::uint64_t n, std::uint64_t low, std::uint64_t high) {
    return n >= low && n <= high;
  };
  if (!within(numbers[0], 2, 16) || !within(numbers[1], 2, 16) || !within(numbers[2], 1, 32)) {
    refuse("is out of range");
  }
  return {static_cast<unsigned>(numbers[0]), static_cast<unsigned>(numbers[1]),
          static_cast<unsigned>(numbers[2])};
}

std::string case_options(const SimOptions& options, const sim::CaseSpec& spec) {
  std::string text =
      fmt::format("--config {} --suite {} --seed {} --seeds 1", shell_quote(options.config),
                  shell_quote(spec.suite->name), spec.seed);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", name, shell_quote(value));
  };
  if (const auto& fabric = options.fabric) {
    text += fmt::format(" --fabric {}x{}x{}", fabric->nx, fabric->ny, fabric->flit_w);
  }
  if (options.cycles) text += fmt::format(" --cycles {}", *options.cycles);
  if (spec.fault != nullptr) add("--fault", std::string(fault_name(spec.fault->fault.kind)));
  add("--model", options.model);
  text += rtl_options(options.rtl) + plusarg_options(options.plusargs);
  if (options.no_checkers) text += " --no-checkers";
  if (options.no_structure) text += " --no-structure";
  return text;
}

std::string rtl_options(const sim::RtlRequest& rtl) {
  std::string text;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", name, shell_quote(value));
  };
  if (!rtl.files.empty()) text += " --rtl";
  for (const std::string& file : rtl.files) text += " " + shell_quote(file);
  add("--filelist", rtl.filelist);
  add("--rtl-dir", rtl.folder);
  for (const std::string& folder : rtl.include_dirs) add("-I", folder);
  for (const std::string& define : rtl.defines) add("-D", define);
  for (const std::string& file : rtl.dpi_files) add("--dpi", file);
  if (!rtl.assertions) text += " --no-assertions";
  return text;
}

std::string plusarg_options(const std::vector<std::string>& plusargs) {
  std::string text;
  for (const std::string& plusarg : plusargs) text += " --plusarg " + shell_quote(plusarg);
  return text;
}

std::string rerun_command(const SimOptions& options, const sim::CaseSpec& spec) {
  const SimOptions defaults;
  std::string text =
      fmt::format("{} sim {}", shell_quote(options.program), case_options(options, spec));
  if (options.models != options.default_models) text += " --models " + shell_quote(options.models);
  if (options.waves != defaults.waves) text += " --waves " + shell_quote(options.waves);
  if (options.jobs) text += fmt::format(" --jobs {}", *options.jobs);
  if (!options.code_coverage.empty()) {
    text += " --code-coverage " + again_below(options.code_coverage);
  }
  return text + report_again(options);
}

std::string report_again(const SimOptions& options) {
  return " --report " + again_below(options.report);
}

std::string command_as_typed(const SimOptions& options, const std::string& command_line) {
  return shell_quote(options.program) + command_line.substr(std::string_view("kernbench").size());
}

void require_writable(const std::string& folder, std::span<const char* const> reports) {
  common::ensure_directory(folder);
  for (const char* name : reports) {
    const common::AtomicFile probe(std::filesystem::path(folder) / name);
  }
}

void remove_reports(const std::string& folder, std::span<const char* const> reports) {
  for (const char* name : reports) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code ignored;  // a link or a device is written to, and stays
    if (std::filesystem::symlink_status(path, ignored).type() ==
        std::filesystem::file_type::regular) {
      std::filesystem::remove(path, ignored);
    }
  }
}

std::string replay_command(const SimOptions& options) {
  const SimOptions defaults;
  std::string text =
      fmt::format("{} sim --replay {}", shell_quote(options.program), shell_quote(options.replay));
  if (!options.model.empty()) text += " --model " + shell_quote(options.model);
  text += plusarg_options(options.plusargs);
  if (options.no_checkers) text += " --no-checkers";
  if (options.models != options.default_models) text += " --models " + shell_quote(options.models);
  if (options.report != defaults.report) text += " --report " + shell_quote(options.report);
  return text;
}

}  // namespace kernbench::cli
