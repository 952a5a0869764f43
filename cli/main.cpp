// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/revision.hpp"
#include "cli/usage_error.hpp"
#include "common/activity.hpp"
#include "common/diagnostics.hpp"
#include "common/duration_text.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
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

/// Runs the command line. Turns usage errors and BadInput into a message and an outcome.
Outcome run(int argc, char** argv) {
  Outcome outcome = Outcome::Pass;
  CLI::App app("KernBench: RTL, cycle-accurate reference and system model of a chiplet fabric.");
  app.set_version_flag("--version", version_text, "Print version, revision and compiler and exit");
  const kernbench::common::DataFolder data = data_folder();
  const kernbench::cli::Invocation invocation{data.path.string(), models_folder(data), argv[0],
                                              quoted_command(argc, argv)};
  app.parse_complete_callback([&invocation] { require_data(invocation.root); });
  kernbench::cli::add_commands(app, invocation, outcome);
  const auto start = std::chrono::steady_clock::now();
  try {
    const kernbench::common::Progress working([] {
      return kernbench::common::ProgressState{std::nullopt, "working"};
    });
    app.parse(argc, argv);
    kernbench::common::report_activity(fmt::format(
        "took {}",
        kernbench::common::duration_text(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count())));
  } catch (const CLI::Success& help) {
    if (const auto wrong = kernbench::cli::wrong_help_text(app)) {
      kernbench::cli::print_error(*wrong);
      return Outcome::BadInput;
    }
    app.exit(help);
  } catch (const CLI::ParseError& error) {
    kernbench::cli::print_error(kernbench::cli::usage_error_text(app, error));
    fmt::print(stderr, "{}\n", kernbench::cli::usage_advice(app, error));
    return Outcome::BadInput;
  } catch (const kernbench::common::BadInput& error) {
    kernbench::cli::print_error(error);
    return Outcome::BadInput;
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return kernbench::common::exit_code(run(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: internal error: %s\n", error.what());
    return kernbench::common::exit_code(Outcome::InternalError);
  }
}
