// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/utf8.hpp"
#include "topology/exchange/import_report.hpp"

namespace kernbench::topology {

/// Attributes of an element. finish() rejects all attributes that were not read before.
class Attributes {
 public:
  Attributes(const XML_Char** names_and_values, std::string_view element, std::size_t offset,
             ImportReport& report)
      : element_(element), offset_(offset), report_(report) {
    for (; *names_and_values != nullptr; names_and_values += 2) {
      all_.emplace_back(names_and_values[0], names_and_values[1]);
    }
  }

  std::optional<std::string_view> get(std::string_view name) {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == all_.end()) return std::nullopt;
    const std::string_view value = found->second;
    all_.erase(found);
    return value;
  }

  std::optional<std::string_view> required(std::string_view name) {
    const auto value = get(name);
    if (!value) report_.error(offset_, fmt::format("<{}> must have '{}'", element_, name));
    if (value && value->empty()) {
      report_.error(offset_, fmt::format("'{}' of <{}> must not be empty", name, element_));
      return std::nullopt;
    }
    return value;
  }

  /// Rejects the remaining attributes, except those of other namespaces and hints for parsers and
  /// editors, which have no effect.
  void finish() {
    for (const auto& [name, value] : all_) {
      const bool harmless = name == "xmlns" || name.find(':') != std::string_view::npos ||
                            name.starts_with("parse.") || name.starts_with("yfiles.");
      if (harmless) continue;
      report_.error(
          offset_, fmt::format("<{}> with {} is not supported", element_, common::in_quotes(name)));
    }
  }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> all_;
  std::string_view element_;
  std::size_t offset_;
  ImportReport& report_;
};

}  // namespace kernbench::topology
