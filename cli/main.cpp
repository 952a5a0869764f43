// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "cli/envelope.hpp"
#include "cli/paths.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/shell_quote.hpp"
#include "common/utf8.hpp"

namespace {

using kernbench::common::Outcome;

/// Returns the command line, quoted so that it can be pasted into a shell.
std::string quoted_command(int argc, char** argv) {
  std::string text = "kernbench";
  for (int i = 1; i < argc; ++i) text += " " + kernbench::common::shell_quote(argv[i]);
  return text;
}

std::string repository_root() {
  const char* root =
      std::getenv("KERNBENCH_ROOT");  // NOLINT(concurrency-mt-unsafe): no threads yet
  return root != nullptr ? root : KERNBENCH_SOURCE_DIR;
}

/// Returns, for example, "kernbench 0.2.0, revision 1a2b3c4d5e, GCC 12.2.0".
std::string version_text(const std::string& root) {
#ifdef __clang__
  const std::string compiler =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler =
      fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("kernbench {}, revision {}, {}", KERNBENCH_VERSION,
                     kernbench::cli::source_revision(root), compiler);
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
  app.option_defaults()->disable_flag_override();  // --list=5 would be accepted as --list
  app.parse_complete_callback([&app] { kernbench::cli::check_files(app); });
  app.set_version_flag(
      "--version", [] { return version_text(repository_root()); },
      "Print version, revision and compiler and exit");
  app.footer(
      "Examples:\n"
      "  kernbench sim                       verify the MAZE Topo RTL; reports in build/reports/\n"
      "  kernbench sim --help                options of one command\n"
      "  kernbench coverage report build/reports/coverage.json\n"
      "  kernbench topology build            compile configs/topology.yaml and draw its views\n"
      "  kernbench web                       show the topology and the reports in a browser");
  const kernbench::cli::Invocation invocation{repository_root(), argv[0],
                                              quoted_command(argc, argv)};
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
    // The text may quote names of a file, which must not control the terminal.
    fmt::print(stderr, "{}\n", kernbench::common::without_controls(error.what()));
    return Outcome::BadInput;
  }
  return outcome;
}

/// Opens the standard streams that the caller has closed, so that no other file takes their
/// numbers. Writing to a closed standard output remains an error.
void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number, which is `descriptor`.
    (void)open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Reports output that was lost, for example because the disk is full.
Outcome flushed_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return Outcome::Pass;
  const std::string reason = std::generic_category().message(errno == 0 ? EIO : errno);
  std::fprintf(stderr, "error: cannot write to standard output: %s\n", reason.c_str());
  return Outcome::BadInput;
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  kernbench::common::clean_up_on_signals();
  Outcome outcome = Outcome::InternalError;
  try {
    outcome = run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: there is not enough memory for this run\n");
    outcome = Outcome::BadInput;
  } catch (const std::exception& error) {
    // A failed write to a standard stream throws too.
    if (std::ferror(stdout) != 0 || std::ferror(stderr) != 0) {
      outcome = Outcome::BadInput;
    } else {
      std::fprintf(stderr, "kernbench: internal error: %s\n", error.what());
    }
  }
  return kernbench::common::exit_code(kernbench::common::worst(outcome, flushed_output()));
}
