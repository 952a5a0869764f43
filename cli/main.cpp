// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/revision.hpp"
#include "common/diagnostics.hpp"
#include "common/places.hpp"
#include "common/shell_quote.hpp"

namespace {

using kernbench::common::Outcome;

/// Returns the command line, quoted so that it can be pasted into a shell.
std::string quoted_command(int argc, char** argv) {
  std::string text = "kernbench";
  for (int i = 1; i < argc; ++i) text += " " + kernbench::common::shell_quote(argv[i]);
  return text;
}

/// Finds the data folder; the path is empty if there is none.
kernbench::common::DataFolder data_folder() {
  const char* named =
      std::getenv("KERNBENCH_ROOT");  // NOLINT(concurrency-mt-unsafe): no threads yet
  return kernbench::common::find_data_folder(kernbench::common::running_program(),
                                             named == nullptr ? "" : named)
      .value_or(kernbench::common::DataFolder{});
}

/// Returns where models are built by default: in a checkout beside what else is built, for an
/// installed program, or a checkout that cannot be written, in the user's cache folder.
std::string models_folder(const kernbench::common::DataFolder& data) {
  namespace common = kernbench::common;
  const auto cache = common::user_cache_folder();
  const bool beside = data.checkout && common::is_writable_folder(data.path);
  if (beside || !cache) return common::seen_from_here(data.path / "build" / "models");
  return common::seen_from_here(*cache / "models");
}

/// Throws BadInput if there is no data folder.
void require_data(const std::string& root) {
  if (!root.empty()) return;
  const std::string program = kernbench::common::running_program().string();
  throw kernbench::common::BadInput(fmt::format(
      "the data of this program was not found: {} is neither in the bin folder of an installation "
      "nor in a checkout; set KERNBENCH_ROOT to a checkout or to share/kernbench of an "
      "installation",
      program));
}

/// Returns, for example, "kernbench 0.2.0, revision 1a2b3c4d5e, GCC 12.2.0".
std::string version_text() {
#ifdef __clang__
  const std::string compiler =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler =
      fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("kernbench {}, revision {}, {}", kernbench::cli::version(),
                     kernbench::cli::revision(), compiler);
}

/// Returns the message for an unknown command; empty if the error is a different one.
std::string unknown_command_message(const CLI::App& app) {
  const std::vector<std::string> remaining = app.remaining(true);
  if (remaining.empty()) return {};
  const CLI::App* parent = &app;
  while (!parent->get_subcommands().empty()) parent = parent->get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::App* command : parent->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (names.empty()) return {};  // the command has no subcommands; another argument is missing
  return fmt::format("unknown command '{}'; expected one of {}", remaining.front(),
                     fmt::join(names, ", "));
}

/// Runs the command line. Turns usage errors and BadInput into a message and an outcome.
Outcome run(int argc, char** argv) {
  Outcome outcome = Outcome::Pass;
  CLI::App app("KernBench: RTL, cycle-accurate reference and system model of a chiplet fabric.");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text, "Print version, revision and compiler and exit");
  app.footer(
      "Examples:\n"
      "  kernbench sim                       verify the MAZE Topo RTL; reports in build/reports/\n"
      "  kernbench sim --help                options of one command\n"
      "  kernbench coverage report build/reports/coverage.json\n"
      "  kernbench topology build            compile configs/topology.yaml and draw its views\n"
      "  kernbench web                       show the topology and the reports in a browser");
  const kernbench::common::DataFolder data = data_folder();
  const kernbench::cli::Invocation invocation{data.path.string(), models_folder(data), argv[0],
                                              quoted_command(argc, argv)};
  app.parse_complete_callback([&invocation] { require_data(invocation.root); });
  kernbench::cli::add_sim_command(app, invocation, outcome);
  kernbench::cli::add_soak_command(app, invocation, outcome);
  kernbench::cli::add_coverage_command(app, invocation, outcome);
  kernbench::cli::add_topology_command(app, invocation, outcome);
  kernbench::cli::add_probe_command(app, invocation, outcome);
  kernbench::cli::add_run_command(app, invocation, outcome);
  kernbench::cli::add_evaluate_command(app, invocation, outcome);
  kernbench::cli::add_traffic_command(app, invocation, outcome);
  kernbench::cli::add_cosim_command(app, invocation, outcome);
  kernbench::cli::add_web_command(app, invocation, outcome);
  kernbench::cli::add_doctor_command(app, invocation, outcome);
  kernbench::cli::add_reference_commands(app, outcome);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
  } catch (const CLI::RequiredError& error) {
    const std::string unknown = unknown_command_message(app);
    if (unknown.empty()) {
      app.exit(error);
    } else {
      fmt::print(stderr, "{}\nRun with --help for more information.\n", unknown);
    }
    return Outcome::BadInput;
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return Outcome::BadInput;
  } catch (const kernbench::common::BadInput& error) {
    fmt::print(stderr, "{}\n", error.what());
    return Outcome::BadInput;
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return kernbench::common::exit_code(run(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernbench: internal error: %s\n", error.what());
    return kernbench::common::exit_code(Outcome::InternalError);
  }
}
