// SPDX-License-Identifier: Apache-2.0
#include "cli/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/revision.hpp"
#include "cli/line/files.hpp"
#include "cli/line/old_spellings.hpp"
#include "cli/line/parser.hpp"
#include "common/activity.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/duration_text.hpp"
#include "common/interrupt.hpp"
#include "common/parts.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/utf8.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

/// Returns the value of KERNBENCH_ROOT, empty if it is not set.
std::string named_root() {
  const char* named =
      std::getenv("KERNBENCH_ROOT");  // NOLINT(concurrency-mt-unsafe): no threads yet
  return named == nullptr ? "" : named;
}

/// Finds the data folder; the path is empty if there is none.
common::DataFolder data_folder() {
  return common::find_data_folder(common::running_program(), named_root())
      .value_or(common::DataFolder{});
}

/// Throws BadInput if there is no data folder.
void require_data(const std::string& root) {
  if (!root.empty()) return;
  const std::string named = named_root();
  throw common::BadInput(fmt::format(
      "the data of this program was not found: {} is neither in the bin folder of an "
      "installation nor in a checkout, {}; set KERNBENCH_ROOT to a checkout or to share/kernbench "
      "of an installation",
      common::running_program().string(),
      named.empty()
          ? "and KERNBENCH_ROOT is not set"
          : fmt::format("and KERNBENCH_ROOT is '{}', which has no Makefile.verilator", named)));
}

/// Returns, for example, "kernbench 0.3.0, revision 1a2b3c4d5e, GCC 12.2.0".
std::string version_text() {
#ifdef __clang__
  const std::string compiler =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler =
      fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("kernbench {}, revision {}, {}", version(), revision(), compiler);
}

/// Returns true if the command has the option --bench-dir.
bool takes_benches(const Command& command) {
  return command.find_option("--bench-dir") != nullptr;
}

/// Returns the folders of a list with ':' between them.
std::vector<std::string_view> split_path(std::string_view list) {
  std::vector<std::string_view> folders;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end != 0) folders.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

/// Does what the options say that all commands have. Throws BadInput.
void use_common_options(const Invocation& invocation) {
  const CommonOptions& common = *invocation.common;
  if (common.quiet && common.verbose) {
    throw common::BadInput("--quiet and --verbose cannot be combined");
  }
  if (common.quiet) set_verbosity(Verbosity::Quiet);
  if (common.verbose) set_verbosity(Verbosity::Verbose);
  if (!common.plugins.empty()) {
    if (!invocation.parts.load_plugins) fail_not_in_this_build("--plugin");
    invocation.parts.load_plugins(common.plugins);
  }
  std::vector<std::string> folders = common.bench_folders;
  const char* const named = std::getenv("KERNBENCH_BENCHES");
  if (named != nullptr && takes_benches(*invocation.command)) {
    for (const std::string_view folder : split_path(named)) folders.emplace_back(folder);
  }
  if (folders.empty()) return;
  if (!invocation.parts.read_benches) fail_not_in_this_build("--bench-dir");
  invocation.parts.read_benches(folders);
}

/// Parses the words behind the name of the program, and runs their command.
Outcome parse_and_run(const Words& words, Invocation& invocation) {
  Command program("kernbench",
                  "KernBench: RTL, cycle-accurate reference and system model of a chiplet fabric.");
  program.add(std::string(kVersionName), shorthand([](const Words&) {}, ""),
              "Print version, revision and compiler and exit");
  add_commands(program, invocation);
  const Respelled given = with_new_spellings(words);
  for (const std::string& note : given.notes) print_warning(note);
  const Asked asked = parse(program, given.words, version_text);
  if (asked.command == nullptr) {
    fmt::print("{}", asked.text);
    return Outcome::Pass;
  }
  invocation.command = asked.command;
  require_data(invocation.root);
  check_files(*asked.command);
  use_common_options(invocation);
  return asked.command->run();
}

/// Runs the command line. Turns usage errors and BadInput into a message and an outcome.
Outcome run(const Words& words, Invocation invocation) {
  try {
    const common::Progress working([] { return common::ProgressState{std::nullopt, "working"}; });
    return parse_and_run(words, invocation);
  } catch (const common::PartComputed&) {
    return Outcome::Pass;
  } catch (const common::PartsInterrupted&) {
    print_error("interrupted; nothing was written");
    return Outcome::Interrupted;
  } catch (const common::Interrupted&) {
    print_error("interrupted");
    return Outcome::Interrupted;
  } catch (const UsageError& error) {
    print_error(error.what());
    fmt::print(stderr, "{}\n", error.advice());
    return Outcome::BadInput;
  } catch (const common::BadInput& error) {
    print_error(error);
    return Outcome::BadInput;
  }
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

/// Puts the declared outputs in place unless the command has failed with exit code 2 or an internal
/// error.
Outcome with_written_outputs(Outcome outcome) {
  if (outcome == Outcome::BadInput || outcome == Outcome::InternalError) return outcome;
  try {
    common::commit_declared_outputs();
  } catch (const common::BadInput& error) {
    print_error(error);
    return Outcome::BadInput;
  }
  return outcome;
}

}  // namespace

int run_program(int argc, char** argv, Parts parts) {
  const auto start = std::chrono::steady_clock::now();
  open_standard_streams();
  common::clean_up_on_signals();
  Outcome outcome = Outcome::InternalError;
  try {
    const common::DataFolder data = data_folder();
    outcome = run({argv + 1, argv + argc}, {.root = data.path.string(),
                                            .models = common::default_models_folder(data),
                                            .program = argv[0],
                                            .parts = std::move(parts)});
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: there is not enough memory for this run\n");
    outcome = Outcome::BadInput;
  } catch (const std::exception& error) {
    // A failed write to a standard stream throws too.
    if (std::ferror(stdout) != 0 || std::ferror(stderr) != 0) {
      outcome = Outcome::BadInput;
    } else {
      std::fprintf(stderr, "error: internal error: %s\n", error.what());
    }
  }
  outcome = with_written_outputs(common::worst(outcome, flushed_output()));
  common::report_activity(fmt::format(
      "took {}",
      common::duration_text(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count())));
  return common::exit_code(outcome);
}

}  // namespace kernbench::cli
