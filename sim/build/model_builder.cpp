// SPDX-License-Identifier: Apache-2.0
#include "sim/build/model_builder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "common/activity.hpp"
#include "common/atomic_file.hpp"
#include "common/child_process.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"
#include "common/temporary_files.hpp"
#include "common/text_file.hpp"
#include "sim/build/model_members.hpp"
#include "sim/build/other_tools.hpp"
#include "sim/build/tool_text.hpp"
#include "sim/build/tools.hpp"
#include "sim/dut/build_log.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using Words = std::vector<std::string>;

constexpr const char* kModelArguments = "model.args";
constexpr const char* kDumpArguments = "dump.args";
constexpr const char* kTextArguments = "text.args";
constexpr const char* kText = "text.sv";
constexpr const char* kNotes = "notes";
constexpr const char* kGenerated = "gen";
/// Generated files of this size together are compiled as one unit, which reads their headers once.
/// A 6x2 TOPO, 2.5 MB in 16 files, takes 13 s of processor time in place of 28. An 8x3 one, 8.2 MB,
/// takes 22 s in place of 33, but longer on two processors.
constexpr std::uintmax_t kBytesOfOneUnit = 4'000'000;
constexpr const char* kPrivate = "build";
constexpr const char* kDump = "dump";
constexpr const char* kStamp = "stamp";
constexpr const char* kManifest = "manifest";
constexpr const char* kSettings = "settings";
constexpr const char* kLog = "build.log";
constexpr const char* kVerilateLog = "verilate.log";
constexpr const char* kDependLog = "depend.log";
constexpr const char* kDumpLog = "dump.log";
constexpr const char* kCompileLog = "compile.log";
/// How often a build starts again because a source changed meanwhile.
constexpr int kMostAttempts = 3;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Returns true for Verilator's own files, which its list names too; its version stands for them.
bool is_tool(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("verilator_bin") || name.starts_with("verilated_std");
}

/// Returns the size of all C++ files of a folder.
std::uintmax_t bytes_of_sources(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cpp") bytes += entry.file_size();
  }
  return bytes;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns true if the file has changed since `time`, as far as the file system tells.
bool changed_since(const fs::path& path, std::chrono::system_clock::time_point time) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return true;
  const auto when =
      std::chrono::seconds(file.st_ctim.tv_sec) + std::chrono::nanoseconds(file.st_ctim.tv_nsec);
  // File systems take their time from a clock that ticks every few milliseconds.
  constexpr auto kTick = std::chrono::milliseconds(10);
  return when >= time.time_since_epoch() - kTick;
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw BadInput(fmt::format("cannot write '{}': {}", to.string(), error.message()));
  }
}

}  // namespace

/// The folder in which a build runs. It is on the file system of the model, and is deleted with the
/// object, by a signal, or by the next run that needs the model if this one is killed.
class ModelBuilder::Private {
 public:
  /// Deletes what killed builds left in a folder whose model may be complete.
  static void remove_left(const fs::path& beside) {
    common::TemporaryFolder::remove_left(beside / kPrivate);
  }

  Private(const fs::path& beside, const SourceNames& names) try : folder_(beside / kPrivate) {
    for (const auto& [name, path] : names.all()) link(this->path() / name, path);
  } catch (const std::system_error& error) {
    throw BadInput(
        fmt::format("cannot create a folder in '{}': {}", beside.string(), error.code().message()));
  }

  [[nodiscard]] fs::path path() const { return folder_.path(); }

 private:
  /// Links a user's file or folder in, or copies it where the file system has no links.
  static void link(const fs::path& name, const fs::path& path) {
    std::error_code error;
    fs::create_directories(name.parent_path(), error);
    if (!error) fs::create_symlink(path, name, error);
    if (error == std::errc::operation_not_permitted || error == std::errc::function_not_supported ||
        error == std::errc::operation_not_supported) {
      error.clear();
      fs::copy(path, name, fs::copy_options::recursive, error);
    }
    if (error) {
      throw BadInput(fmt::format("cannot write '{}': {}", name.string(), error.message()));
    }
  }

  common::TemporaryFolder folder_;
};

ModelBuilder::ModelBuilder(const std::string& root, const fs::path& folder, BuildSettings settings,
                           std::string what)
    : folder_(fs::absolute(folder).lexically_normal()),
      settings_(std::move(settings)),
      plan_(plan_build(settings_, root)),
      what_(std::move(what)) {
  common::ensure_directory(folder_);
}

std::string ModelBuilder::recipe(bool dump) const {
  common::ByteHash hash;
  const auto add = [&](const Words& words) {
    for (const std::string& word : words) hash.add(word + '\0');
    hash.add("\n");
  };
  add(plan_.design);
  add({tool_version(settings_.verilator)});
  if (dump) {
    add(dump_arguments());
    add(plan_.design_sources);
    for (const ToolMacros& tool : tool_macros()) {
      add({tool.tool, fmt::format("{}", fmt::join(tool.macros, " "))});
    }
  } else {
    add(plan_.model);
    add(plan_.model_sources);
    add(plan_.compile);
    add(plan_.link);
    add(plan_.make);
    add({tool_version(settings_.cxx)});
  }
  return common::hex64(hash.value());
}

std::string ModelBuilder::source_hash() const {
  const auto manifest = read_manifest(folder_ / kManifest);
  return manifest && sim::is_current(*manifest, recipe(false), plan_.names) ? manifest->hash : "";
}

std::string ModelBuilder::current_hash() const {
  std::error_code error;
  return fs::is_regular_file(library(), error) ? source_hash() : "";
}

SourceState ModelBuilder::sources() const {
  SourceState state;
  const auto add = [&](const fs::path& file) { state[file] = content_hash(file).value_or(""); };
  for (const fs::path& manifest : {folder_ / kManifest, folder_ / kDump / kStamp}) {
    const auto known = read_manifest(manifest);
    if (!known) continue;
    for (const auto& [name, content] : known->files) add(plan_.names.path_of(name));
    for (const std::string& name : known->absent) add(plan_.names.path_of(name));
  }
  for (const auto& [name, path] : plan_.names.all()) {
    if (name != kRootName) add(path);
  }
  std::error_code error;
  for (const auto& entry :
       fs::recursive_directory_iterator(plan_.names.path_of(kRootName) / "rtl", error)) {
    add(entry.path());
  }
  return state;
}

void ModelBuilder::run(const Private& place, Words words, const char* log,
                       const fs::path& folder) const {
  common::ProgramCall call = tool_call(std::move(words));
  call.folder = place.path() / folder;
  call.log = place.path() / log;
  // A compiler that is killed leaves its temporary files in the folder of the build, which goes.
  call.environment.emplace_back("TMPDIR", ".");
  if (common::activity_is_shown()) {
    Words quoted;
    quoted.reserve(call.words.size());
    for (const std::string& word : call.words) quoted.push_back(common::shell_quote(word));
    common::report_activity(
        fmt::format("run in {}: {}", call.folder.string(), fmt::join(quoted, " ")));
  }
  common::ChildEnd end;
  try {
    end = common::run_program(call);
  } catch (const std::runtime_error& error) {
    throw BadInput(fmt::format("cannot build {}: {}; {}", what_, error.what(), kToolsNeeded));
  }
  if (end.exit_code != 0) fail(place, end);
}

std::string ModelBuilder::keep_log(const Private& place) const {
  std::string text;
  for (const char* log : {kVerilateLog, kDependLog, kDumpLog, kCompileLog})
    text += text_of(place.path() / log);
  text = plan_.names.user_text(text);
  common::write_file_atomically(folder_ / kLog, text);
  return text;
}

void ModelBuilder::fail(const Private& place, const common::ChildEnd& end) const {
  const std::string log = (folder_ / kLog).string();
  const std::string text = keep_log(place);
  if (const std::string missing = missing_in(text); !missing.empty()) {
    throw BadInput(fmt::format("cannot build {}: the RTL has no {} ({})", what_, missing, log));
  }
  std::string errors = errors_in(text);
  if (errors.empty() && end.signal != 0) errors = fmt::format(" signal {} ended it", end.signal);
  throw BadInput(fmt::format("cannot build {} ({}):{}{}", what_, log, errors, assertion_hint(log)));
}

std::string ModelBuilder::verilator_root() const {
  Words words = tool_words(settings_.verilator);
  append(words, {"--getenv", "VERILATOR_ROOT"});
  return tool_output(std::move(words));
}

void ModelBuilder::require_wave_library(const Private& place) const {
  if (!settings_.trace) return;
  std::error_code error;
  if (!fs::is_directory(fs::path(verilator_root()) / "include/fstcpp", error)) return;
  common::write_file_atomically(place.path() / "lz4.cpp", "#include <lz4.h>\n");
  common::ProgramCall call = tool_call(tool_words(settings_.cxx));
  call.words.insert(call.words.end(), {"-E", "lz4.cpp", "-o", "lz4.txt"});
  call.folder = place.path();
  if (common::run_program(call).exit_code == 0) return;
  throw BadInput("waves with this Verilator need lz4.h: install liblz4-dev");
}

ModelBuilder::Reading ModelBuilder::read_by(const Private& place, const fs::path& list,
                                            const Words& more, bool dump,
                                            Clock::time_point since) const {
  const Words read = files_read(place.path() / list);
  std::set<std::string> names(read.begin(), read.end());
  names.insert(more.begin(), more.end());
  Reading reading;
  Manifest& manifest = reading.manifest;
  manifest.recipe = recipe(dump);
  std::set<std::string> absent;
  for (const std::string& name : names) {
    const fs::path path = plan_.names.path_of(name);
    // Other relative names are files of the build folder.
    if (path.is_relative() || is_tool(path)) continue;
    const auto content = content_hash(path);
    if (!content) continue;  // looked for, and not found
    reading.changed = reading.changed || changed_since(path, since);
    manifest.files.emplace_back(name, *content);
    for (std::string& candidate : names_before(name, plan_.searched, plan_.suffixes)) {
      std::error_code error;
      if (!fs::exists(plan_.names.path_of(candidate), error)) absent.insert(std::move(candidate));
    }
  }
  manifest.absent.assign(absent.begin(), absent.end());
  manifest.hash = build_hash(manifest.recipe, manifest.files);
  return reading;
}

Manifest ModelBuilder::settled(const std::function<Reading(Clock::time_point)>& read) const {
  std::optional<Manifest> before;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Reading reading = read(Clock::now());
    // Two runs that saw the same content: nothing changed between them, whatever the clocks say.
    if (!reading.changed || (before && before->hash == reading.manifest.hash)) {
      return std::move(reading.manifest);
    }
    before = std::move(reading.manifest);
  }
  throw BadInput(fmt::format("cannot build {}: its sources change while they are read", what_));
}

Manifest ModelBuilder::verilate(const Private& place) const {
  Words arguments = plan_.model;
  append(arguments, plan_.design);
  append(arguments, {"--prefix", plan_.prefix, "--Mdir", kGenerated, "--exe", "-o", plan_.library,
                     "-CFLAGS", fmt::format("{}", fmt::join(plan_.compile, " ")), "-LDFLAGS",
                     fmt::format("{}", fmt::join(plan_.link, " "))});
  append(arguments, plan_.model_sources);
  if (!plan_.adapter.empty()) arguments.push_back("../" + plan_.adapter);
  common::write_file_atomically(place.path() / kModelArguments, argument_file(arguments));

  Words verilator = tool_words(settings_.verilator);
  append(verilator, {"-f", kModelArguments});
  return settled([&](Clock::time_point since) {
    run(place, verilator, kVerilateLog, {});
    Words headers = bench_headers(place);
    for (std::size_t i = 0; i < plan_.dpi.size(); ++i) append(headers, compile_dpi(place, i));
    return read_by(place, fs::path(kGenerated) / (plan_.prefix + "__verFiles.dat"), headers, false,
                   since);
  });
}

ModelBuilder::Words ModelBuilder::bench_headers(const Private& place) const {
  if (plan_.adapter.empty()) return {};
  // Headers of the bench alone: -MG takes the headers of Verilator for files that are still to
  // come.
  Words depend = tool_words(settings_.cxx);
  append(depend, plan_.compile);
  append(depend, {"-MM", "-MG", "-MF", "depend", "../" + plan_.adapter});
  run(place, std::move(depend), kDependLog, kGenerated);
  return headers_in(text_of(place.path() / kGenerated / "depend"));
}

ModelBuilder::Words ModelBuilder::compile_dpi(const Private& place, std::size_t index) const {
  const std::string& name = plan_.dpi[index];
  Words compile = tool_words(settings_.cxx);
  // Verilator's makefile would take C for C++.
  if (name.ends_with(".c")) append(compile, {"-x", "c"});
  append(compile, {"-c", "-fPIC", "-O2", "-w", "-fvisibility=hidden", "-I.",
                   "-I../kb_dpi/" + std::to_string(index), "-I" + verilator_root() + "/include",
                   "-I" + verilator_root() + "/include/vltstd", "-MMD", "-MF", "depend",
                   "../" + name, "-o", dpi_object(index)});
  run(place, std::move(compile), kDependLog, kGenerated);
  return headers_in(text_of(place.path() / kGenerated / "depend"));
}

Manifest ModelBuilder::dump(const Private& place) const {
  Words verilator = tool_words(settings_.verilator);
  Words arguments = {tool_knows(settings_.verilator, "--xml-only") ? "--xml-only" : "--json-only"};
  append(arguments, dump_arguments());
  append(arguments, plan_.design);
  append(arguments, plan_.design_sources);
  append(arguments, {"--Mdir", kDump, "--MMD"});
  common::write_file_atomically(place.path() / kDumpArguments, argument_file(arguments));
  append(verilator, {"-f", kDumpArguments, "--prefix"});
  return settled([&](Clock::time_point since) {
    Words design = verilator;
    design.emplace_back("design");
    run(place, design, kDumpLog, {});
    return read_by(place, fs::path(kDump) / "design__verFiles.dat",
                   dump_for_other_tools(place, verilator), true, since);
  });
}

ModelBuilder::Words ModelBuilder::dump_for_other_tools(const Private& place,
                                                       const Words& verilator) const {
  const fs::path folder = place.path() / kDump;
  OtherTools others;
  others.conditionals = conditionals_of(files_read(folder / "design__verFiles.dat"), plan_.names);
  Words defined = plan_.design;
  append(defined, plan_.design_sources);
  others.dumps = other_dumps(others.conditionals, defined);
  Words read;
  for (OtherDump& other : others.dumps) {
    common::ProgramCall call = tool_call(verilator);
    call.words.push_back(other.stem);
    for (const std::string& macro : other.undefined) call.words.push_back("-U" + macro);
    for (const std::string& macro : other.defined) call.words.push_back("-D" + macro);
    call.folder = place.path();
    call.log = folder / (other.stem + ".log");
    if (common::run_program(call).exit_code == 0) {
      append(read, files_read(folder / (other.stem + "__verFiles.dat")));
      continue;
    }
    const std::string errors = errors_in(text_of(call.log));
    const std::size_t first = errors.find_first_not_of(" \n");
    other.failure = first == std::string::npos
                        ? "Verilator fails"
                        : errors.substr(first, errors.find('\n', first) - first);
  }
  write_other_tools(folder, others);
  return read;
}

AssertionCount ModelBuilder::assertions(const Private& place) const {
  if (plan_.rtl.empty()) return {};
  Words arguments = {"-E"};
  append(arguments, plan_.design);
  append(arguments, plan_.rtl);
  common::write_file_atomically(place.path() / kTextArguments, argument_file(arguments));
  Words verilator = tool_words(settings_.verilator);
  append(verilator, {"-f", kTextArguments});
  run(place, std::move(verilator), kText, {});
  const std::string text = text_of(place.path() / kText);
  std::string notes;
  for (const std::string& call : run_time_readers(text)) {
    notes += call + " reads a file when the model runs; the hash of the model does not cover it\n";
  }
  common::write_file_atomically(place.path() / kNotes, notes);
  return count_assertions(text);
}

void ModelBuilder::compile(const Private& place, const std::string& hash) const {
  const fs::path generated = place.path() / kGenerated;
  const AssertionCount checks = assertions(place);
  common::write_file_atomically(
      generated / "kb_build.hpp",
      fmt::format(
          "#define KB_BUILD_HASH \"{}\"\n#define KB_ASSERT {}\n#define KB_RTL_ASSERTIONS {}\n"
          "#define KB_RTL_UNIQUE {}\n",
          hash, settings_.assertions ? 1 : 0, checks.assertions, checks.unique));
  if (!plan_.adapter.empty()) {
    common::write_file_atomically(generated / "kb_members.hpp",
                                  members_header(generated, plan_.prefix));
  }
  std::string exports = "{ global:";
  for (const std::string& symbol : plan_.exports) exports += " " + symbol + ";";
  common::write_file_atomically(generated / "exports.map", exports + " local: *; };\n");
  Words make = {
      "make", "--no-print-directory",
      fmt::format("-j{}", std::max(1U, std::thread::hardware_concurrency())), "-f",
      plan_.prefix + ".mk",
      // Verilator's makefile refuses a current folder with a blank, but has no other use for it.
      "CURDIR=."};
  append(make, plan_.make);
  make.push_back(has_tool("ccache") ? "OBJCACHE=ccache" : "OBJCACHE=");
  if (bytes_of_sources(generated) <= kBytesOfOneUnit) make.emplace_back("VM_PARALLEL_BUILDS=0");
  run(place, std::move(make), kCompileLog, kGenerated);
}

void ModelBuilder::install_dump(const Private& place, Manifest manifest,
                                const std::string& hash) const {
  manifest.hash = hash;
  write_manifest(place.path() / kDump / kStamp, manifest);
  move(place.path() / kDumpLog, place.path() / kDump / kVerilateLog);
  std::error_code error;
  if (fs::exists(folder_ / kDump, error)) move(folder_ / kDump, place.path() / "former");
  move(place.path() / kDump, folder_ / kDump);
}

bool ModelBuilder::build_once() const {
  const Private place(folder_, plan_.names);
  require_wave_library(place);
  const Manifest manifest = verilate(place);
  std::optional<Manifest> design;
  if (plan_.has_dump) {
    try {
      design = dump(place);
    } catch (const BadInput&) {  // a model without a dump is still a model
    }
  }
  compile(place, manifest.hash);
  if (!sim::is_current(manifest, manifest.recipe, plan_.names)) return false;

  std::error_code error;
  fs::remove(folder_ / kManifest, error);
  move(place.path() / kGenerated / plan_.library, library());
  common::write_file_atomically(folder_ / kSettings, to_text(settings_));
  plan_.names.write(folder_);
  (void)keep_log(place);
  move(place.path() / kVerilateLog, folder_ / kVerilateLog);
  if (fs::exists(place.path() / kNotes, error)) move(place.path() / kNotes, folder_ / kNotes);
  if (plan_.keeps_headers) {
    for (const auto& entry : fs::directory_iterator(place.path() / kGenerated)) {
      if (entry.path().extension() != ".h") continue;
      common::ensure_directory(folder_ / kGenerated);
      move(entry.path(), folder_ / kGenerated / entry.path().filename());
    }
  }
  if (design) install_dump(place, std::move(*design), manifest.hash);
  write_manifest(folder_ / kManifest, manifest);
  return true;
}

void ModelBuilder::build() {
  Private::remove_left(folder_);
  for (int attempt = 0; !is_current(); ++attempt) {
    if (attempt == kMostAttempts) {
      throw BadInput(fmt::format("cannot build {}: its sources change while it is built", what_));
    }
    (void)build_once();
  }
  plan_.names.write(folder_);
  require_one_definition((folder_ / kVerilateLog).string(), what_, plan_.names);
  if (!plan_.has_dump) return;
  try {
    (void)current_dump();
  } catch (const BadInput&) {  // as above
  }
}

std::string ModelBuilder::current_dump() {
  Private::remove_left(folder_);
  const std::string model = current_hash();
  const auto known = read_manifest(folder_ / kDump / kStamp);
  if (known && sim::is_current(*known, recipe(true), plan_.names) &&
      (model.empty() || known->hash == model)) {
    plan_.names.write(folder_);
    return known->hash;
  }
  const Private place(folder_, plan_.names);
  Manifest manifest = dump(place);
  std::string hash = model.empty() ? manifest.hash : model;
  plan_.names.write(folder_);
  install_dump(place, std::move(manifest), hash);
  return hash;
}

std::string ModelBuilder::elaborate() {
  std::string hash = current_dump();
  require_one_definition((folder_ / kDump / kVerilateLog).string(), what_, plan_.names);
  return hash;
}

bool ModelBuilder::adopt(const fs::path& other) const {
  const auto manifest = read_manifest(other / kManifest);
  std::error_code error;
  if (!manifest || !fs::is_regular_file(other / plan_.library, error) ||
      !sim::is_current(*manifest, recipe(false), plan_.names)) {
    return false;
  }
  const Private place(folder_, plan_.names);
  fs::copy_file(other / plan_.library, place.path() / plan_.library, error);
  if (error) return false;
  if (plan_.has_dump) fs::copy(other / kDump, place.path() / kDump, error);
  for (const char* file : {kVerilateLog, kNotes}) {
    fs::copy_file(other / file, place.path() / file, error);
    if (error) return false;
  }
  // The other folder may have been built again meanwhile.
  const auto still = read_manifest(other / kManifest);
  if (!still || still->hash != manifest->hash) return false;
  fs::remove(folder_ / kManifest, error);
  move(place.path() / plan_.library, library());
  common::write_file_atomically(folder_ / kSettings, to_text(settings_));
  plan_.names.write(folder_);
  for (const char* file : {kVerilateLog, kNotes}) move(place.path() / file, folder_ / file);
  if (fs::exists(place.path() / kDump, error)) {
    if (fs::exists(folder_ / kDump, error)) move(folder_ / kDump, place.path() / "former");
    move(place.path() / kDump, folder_ / kDump);
  }
  write_manifest(folder_ / kManifest, *manifest);
  return true;
}

}  // namespace kernbench::sim
