// SPDX-License-Identifier: Apache-2.0
#include "sim/build/build_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/text_distance.hpp"
#include "sim/build/one_line.hpp"

namespace kernbench::sim {
namespace {

using common::BadInput;

constexpr std::array<std::pair<const char*, Device>, 4> kDevices = {
    {{"topo", Device::Topo},
     {"network", Device::Network},
     {"noc", Device::Noc},
     {"irs_bench", Device::IrsBench}}};

/// Calls a visitor with each setting: its name, its member and its range, if it is a number.
template <class Visitor, class Settings>
void describe(Visitor&& visit, Settings& settings) {
  visit("DEVICE", settings.device);
  visit("NX", settings.shape.nx, 2, 16);
  visit("NY", settings.shape.ny, 2, 16);
  visit("FLIT_W", settings.shape.flit_w, 1, 32);
  visit("CHECKERS", settings.checkers);
  visit("TRACE", settings.trace);
  visit("ASSERT", settings.assertions);
  visit("BASELINE", settings.baseline);
  visit("PRIMITIVE", settings.primitive);
  visit("COVERAGE", settings.coverage);
  visit("HIGH_BOUND", settings.high_bound, 0, 1'000'000);
  visit("FIXED", settings.fixed);
  visit("LINKS", settings.links);
  visit("NODE_CHECKERS", settings.node_checkers);
  visit("NODES", settings.nodes, 1, 256);
  visit("CHANNELS", settings.channels, 0, 4096);
  visit("VCS", settings.vcs, 1, 64);
  visit("FLIT_BITS", settings.flit_bits, 3, 64);
  visit("IRS_PRIMITIVES", settings.irs_primitives);
  visit("OPT", settings.opt);
  visit("CXX", settings.cxx);
  visit("VERILATOR", settings.verilator);
  visit("FILE", settings.rtl.files);
  visit("INCLUDE_DIR", settings.rtl.include_dirs);
  visit("LIBRARY_FILE", settings.rtl.library_files);
  visit("LIBRARY_DIR", settings.rtl.library_dirs);
  visit("LIBRARY_SUFFIX", settings.rtl.library_suffixes);
  visit("DEFINE", settings.rtl.defines);
  visit("DPI_FILE", settings.rtl.dpi_files);
}

/// Sets the setting of a name.
class Setter {
 public:
  Setter(std::string_view name, const std::string& value) : name_(name), value_(value) {}

  void operator()(const char* name, bool& member) {
    if (!is(name)) return;
    if (value_ != "0" && value_ != "1") refuse("is not 0 or 1");
    member = value_ == "1";
  }
  void operator()(const char* name, unsigned& member, unsigned least, unsigned most) {
    if (!is(name)) return;
    const auto number = common::parse_u64(value_);
    if (!number || *number < least || *number > most) {
      refuse(fmt::format("is not a whole number from {} to {}", least, most));
    }
    member = static_cast<unsigned>(*number);
  }
  void operator()(const char* name, std::string& member) {
    if (is(name)) member = value_;
  }
  void operator()(const char* name, std::vector<std::string>& member) {
    if (is(name)) member.push_back(value_);
  }
  void operator()(const char* name, Device& member) {
    if (!is(name)) return;
    for (const auto& [text, device] : kDevices) {
      if (value_ == text) {
        member = device;
        return;
      }
    }
    refuse("is not topo, network, noc or irs_bench");
  }

  [[nodiscard]] bool found() const { return is_found_; }
  [[nodiscard]] const std::vector<std::string_view>& names() const { return names_; }

 private:
  bool is(const char* name) {
    names_.emplace_back(name);
    if (name_ != name) return false;
    is_found_ = true;
    return true;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw BadInput(fmt::format("{}: '{}' {}", name_, value_, what));
  }

  std::string_view name_;
  const std::string& value_;
  std::vector<std::string_view> names_;
  bool is_found_ = false;
};

/// Writes settings, one on a line. A line break in a path is "\n".
class Writer {
 public:
  void operator()(const char* name, bool member) { line(name, member ? "1" : "0"); }
  void operator()(const char* name, unsigned member, unsigned /*least*/, unsigned /*most*/) {
    line(name, std::to_string(member));
  }
  void operator()(const char* name, const std::string& member) { line(name, member); }
  void operator()(const char* name, const std::vector<std::string>& member) {
    for (const std::string& one : member) line(name, one);
  }
  void operator()(const char* name, Device member) {
    for (const auto& [device_name, device] : kDevices) {
      if (device == member) line(name, device_name);
    }
  }
  std::string text;

 private:
  void line(const char* name, const std::string& value) {
    text += name;
    text += '=';
    text += one_line(value);
    text += '\n';
  }
};

/// Sets NAME to VALUE. Returns false if there is no such setting.
bool set(BuildSettings& settings, const std::string& name, const std::string& value,
         std::vector<std::string_view>& names) {
  Setter setter(name, value);
  describe(setter, settings);
  names = setter.names();
  return setter.found();
}

/// The name of a tool stands in a makefile, which has no way to quote it.
void check_tool(const char* setting, const std::string& value) {
  const bool is_plain = std::all_of(value.begin(), value.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./+= ").find(c) != std::string_view::npos;
  });
  if (value.empty() || !is_plain) {
    throw BadInput(fmt::format(
        "{}: '{}' has characters that a makefile cannot have; letters, digits and \"-_./+= \" are "
        "possible",
        setting, value));
  }
}

}  // namespace

BuildSettings settings_of_environment() {
  BuildSettings settings;
  const auto take = [](const char* variable, std::string& member) {
    const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing sets it
    if (value != nullptr && *value != '\0') member = value;
  };
  take("CXX", settings.cxx);
  take("VERILATOR", settings.verilator);
  return settings;
}

void set(BuildSettings& settings, const std::string& word, const std::string& topo_f) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) {
    throw BadInput(fmt::format("'{}' is not a setting; expected NAME=VALUE, such as NX=4", word));
  }
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  RtlRequest request;
  if (name == "RTL") {
    std::istringstream files(value);
    for (std::string file; files >> file;) request.files.push_back(file);
  } else if (name == "RTL_DIR") {
    request.folder = value;
  } else if (name == "NETWORK_DIR") {
    request.filelist = value + "/maze.f";
  } else {
    std::vector<std::string_view> names;
    if (set(settings, name, value, names)) return;
    names.insert(names.end(), {"RTL", "RTL_DIR", "NETWORK_DIR"});
    throw BadInput(
        fmt::format("'{}' is not a setting of a model{}", name, common::did_you_mean(name, names)));
  }
  settings.rtl = find_rtl(request, topo_f);
  settings.assertions = true;
}

std::string to_text(const BuildSettings& settings) {
  Writer writer;
  describe(writer, settings);
  return writer.text;
}

BuildSettings parse_settings(const std::string& text, const std::string& where) {
  BuildSettings settings;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t equals = line.find('=');
    std::vector<std::string_view> names;
    if (equals == std::string::npos ||
        !set(settings, line.substr(0, equals),
             from_one_line(std::string_view(line).substr(equals + 1)), names)) {
      throw BadInput(fmt::format("{}:{}: '{}' is not a setting of a model; build it again", where,
                                 number, line));
    }
  }
  if (number == 0) throw BadInput(fmt::format("{}: the file is empty", where));
  return settings;
}

void check(const BuildSettings& settings) {
  check_tool("CXX", settings.cxx);
  check_tool("VERILATOR", settings.verilator);
  check_tool("OPT", settings.opt);
  if (!settings.coverage.empty() && settings.coverage != "none" && settings.coverage != "line" &&
      settings.coverage != "toggle" && settings.coverage != "line,toggle") {
    throw BadInput(
        fmt::format("COVERAGE: '{}' is not none, line, toggle or line,toggle", settings.coverage));
  }
}

}  // namespace kernbench::sim
