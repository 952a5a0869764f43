// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "common/places.hpp"
#include "farm/child.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::Outcome;

/// A program or header that some commands need.
struct Need {
  std::string name;      ///< as typed; a header contains a '.'
  std::string package;   ///< Debian package
  std::string least;     ///< oldest version that works; empty if any does
  std::string used_for;  ///< sentence for the table
};

/// A need, looked up on this computer.
struct Finding {
  Need need;
  std::string version;  ///< "found" if it does not tell
  bool present = false;
  bool too_old = false;

  [[nodiscard]] bool usable() const { return present && !too_old; }
};

/// A row of commands, with the needs for them.
struct Purpose {
  std::string name;
  std::vector<std::string> needs;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no threads yet
  return value == nullptr ? std::string() : std::string(value);
}

/// Returns the programs and headers that a command or a target of make may need. VERILATOR and CXX
/// replace the programs as they do for the build of a model.
std::vector<Need> needs() {
  const std::string verilator = variable("VERILATOR");
  const std::string compiler = variable("CXX");
  return {
      {verilator.empty() ? "verilator" : verilator, "verilator", "5.006", "models of the RTL"},
      {compiler.empty() ? "g++" : compiler, "g++", "12", "models of the RTL"},
      {"make", "make", "", "models of the RTL"},
      {"zlib.h", "zlib1g-dev", "", "models with waves"},
      {"ccache", "ccache", "", "optional; builds a known model again in seconds"},
      {"gtkwave", "gtkwave", "", "looking at waves"},
      {"dot", "graphviz", "", "optional; draws what topology export --format dot writes"},
      {"yosys", "yosys", "", "proofs"},
      {"berkeley-abc", "berkeley-abc", "", "proofs"},
  };
}

std::vector<Purpose> purposes(const std::vector<Finding>& found) {
  const std::string& verilator = found.at(0).need.name;
  const std::string& compiler = found.at(1).need.name;
  return {
      {"coverage, evaluate, list, probe, run, sweep, topology, traffic, web", {}},
      {"cosim without --fabric rtl", {}},
      {"sim, soak, cosim", {verilator, compiler, "make"}},
      {"waves of a failure", {verilator, compiler, "make", "zlib.h"}},
      {"make wave", {"gtkwave"}},
      {"make prove", {verilator, compiler, "make", "yosys", "berkeley-abc"}},
  };
}

bool is_header(const std::string& name) {
  return name.ends_with(".h");
}

/// Returns the path of a program as the shell finds it, or of a header; empty if there is none.
std::string find(const std::string& name) {
  std::istringstream folders(is_header(name) ? "/usr/include:/usr/local/include"
                                             : variable("PATH"));
  if (name.find('/') != std::string::npos) return fs::exists(name) ? name : std::string();
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path path = fs::path(folder) / name;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return {};
}

/// Returns the first number with a point in what `program --version` prints, or "found".
std::string version_of(const std::string& program) {
  farm::Child child({"/bin/sh", "-c", R"(exec "$0" --version >&3 3>&- 2>/dev/null)", program},
                    fs::current_path());
  (void)child.wait();
  const std::string& text = child.report_text();
  const char* digits = "0123456789";
  for (std::size_t at = text.find_first_of(digits); at != std::string::npos;
       at = text.find_first_of(digits, at)) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    std::string number = text.substr(at, end - at);
    while (number.ends_with('.')) number.pop_back();
    if (number.find('.') != std::string::npos) return number;
    at = end;
  }
  return "found";
}

/// Returns true if version `a` is older than `b`; parts are compared as numbers.
bool older(const std::string& a, const std::string& b) {
  std::istringstream left(a);
  std::istringstream right(b);
  std::string need;
  while (std::getline(right, need, '.')) {
    std::string have;
    std::getline(left, have, '.');
    const int difference =
        std::atoi(have.c_str()) - std::atoi(need.c_str());  // NOLINT(cert-err34-c)
    if (difference != 0) return difference < 0;
  }
  return false;
}

Finding look_up(Need need) {
  Finding finding{std::move(need), "", false, false};
  const std::string path = find(finding.need.name);
  finding.present = !path.empty();
  if (!finding.present) return finding;
  // A header has no version to ask for, and gtkwave asks for a display first.
  const bool silent = is_header(finding.need.name) || finding.need.name == "gtkwave" ||
                      finding.need.name == "berkeley-abc" || finding.need.name == "dot";
  finding.version = silent ? "found" : version_of(path);
  finding.too_old = !finding.need.least.empty() && finding.version != "found" &&
                    older(finding.version, finding.need.least);
  return finding;
}

std::string line_of(const Finding& finding) {
  std::string note = finding.need.used_for;
  if (!finding.present) note += "; to install it: apt-get install " + finding.need.package;
  if (finding.too_old) {
    note += fmt::format("; too old, expected {} or newer", finding.need.least);
  }
  return fmt::format("  {:<14} {:<9} {}\n", finding.need.name,
                     finding.present ? finding.version : "missing", note);
}

/// Returns "PATH, writable", or what else is the case. A folder that is missing is writable if it
/// can be made.
std::string place(const fs::path& path) {
  fs::path nearest = path;
  std::error_code error;
  while (!nearest.empty() && !fs::exists(nearest, error)) nearest = nearest.parent_path();
  return fmt::format("{}, {}", path.string(),
                     common::is_writable_folder(nearest) ? "writable" : "NOT writable");
}

Outcome examine(const Invocation& invocation) {
  std::vector<Finding> found;
  for (Need& need : needs()) found.push_back(look_up(std::move(need)));
  print("tools\n");
  for (const Finding& finding : found) print("{}", line_of(finding));

  print("\nplaces\n  {:<14} {}\n", "data", invocation.root);
  print("  {:<14} {}\n", "models", place(invocation.models));
  const auto cache = common::user_cache_folder();
  print("  {:<14} {}\n", "cache",
        cache ? place(*cache) : "none: neither HOME nor XDG_CACHE_HOME is set");
  print("  {:<14} {}\n", "reports", place("build/reports"));

  print("\ncommands\n");
  std::size_t unready = 0;
  for (const Purpose& purpose : purposes(found)) {
    std::vector<std::string> lacking;
    for (const Finding& finding : found) {
      const bool needed = std::find(purpose.needs.begin(), purpose.needs.end(),
                                    finding.need.name) != purpose.needs.end();
      if (needed && !finding.usable()) lacking.push_back(finding.need.name);
    }
    if (!lacking.empty()) ++unready;
    print("  {:<60} {}\n", purpose.name,
          lacking.empty() ? "ready" : fmt::format("needs {}", fmt::join(lacking, ", ")));
  }
  if (unready == 0) {
    print("\nAll are ready.\n");
    return Outcome::Pass;
  }
  print("\n{} of these {} not ready.\n", unready, unready == 1 ? "is" : "are");
  return Outcome::Mismatch;
}

}  // namespace

void add_doctor_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command(
      "doctor", "Look up the tools, places and versions that the commands need");
  command.footer =
      "Ends with 1 if a row of commands is not ready.\n"
      "Example:\n  kernbench doctor";
  command.run = [&invocation] { return examine(invocation); };
}

}  // namespace kernbench::cli
