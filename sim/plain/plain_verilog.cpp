// SPDX-License-Identifier: Apache-2.0
#include "sim/plain/plain_verilog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "sim/plain/bundles.hpp"
#include "sim/plain/module_text.hpp"

namespace kernbench::sim::plain {
namespace {

using structure::Design;
using structure::Module;

/// A text between its constants, which are apart.
struct Pieces {
  std::vector<std::string> texts;
  std::vector<std::string> constants;
  friend bool operator==(const Pieces&, const Pieces&) = default;
};

Pieces pieces_of(const std::string& text) {
  Pieces pieces;
  std::size_t from = 0;
  for (auto at = text.find(kConstantBegins); at != std::string::npos;
       at = text.find(kConstantBegins, from)) {
    const auto end = text.find(kConstantEnds, at);
    pieces.texts.push_back(text.substr(from, at - from));
    pieces.constants.push_back(text.substr(at + 1, end - at - 1));
    from = end + 1;
  }
  pieces.texts.push_back(text.substr(from));
  return pieces;
}

std::string joined(const Pieces& pieces) {
  std::string text = pieces.texts.front();
  for (std::size_t i = 0; i < pieces.constants.size(); ++i) {
    text += pieces.constants[i] + pieces.texts[i + 1];
  }
  return text;
}

/// The elaborated modules of one module of the sources, one for each set of parameters.
struct Family {
  std::vector<const Module*> members;           ///< in the order in which the design has them
  std::map<const Module*, const Module*> same;  ///< the first member with an equal text
  std::set<std::string> differing;              ///< parameters that have several values
  std::map<std::string, std::string> widths;    ///< widths in bits of the parameters that are kept
};

std::string constant_text(const std::string& width, std::int64_t value) {
  return fmt::format("{}'h{:x}", width, value);
}

/// Returns the names of the parameters that instances can set, in the order of the sources.
std::vector<std::string> settings_of(const Module& module) {
  std::vector<std::string> names;
  for (const structure::Variable& variable : module.variables) {
    if (variable.is_setting && module.parameters.count(variable.name) != 0) {
      names.push_back(variable.name);
    }
  }
  return names;
}

class Writer {
 public:
  Writer(const Design& design, const Module& root)
      : design_(design), bundles_(find_bundles(design, root)) {
    collect(root);
  }

  /// Returns the text of a family behind those of all families that it has instances of.
  [[nodiscard]] std::string write(const std::string& name) {
    if (!written_.insert(name).second) return {};
    Family& family = families_.at(name);
    std::string text;
    for (const Module* member : family.members) {
      for (const Module* child : children(*member)) text += write(child->orig);
    }
    return text + write(family);
  }

 private:
  [[nodiscard]] std::vector<const Module*> children(const Module& module) const {
    std::vector<const Module*> found;
    for (const structure::Instance& instance : module.instances) {
      const Module* child = design_.module(instance.module);
      if (!child->interface) found.push_back(child);
    }
    return found;
  }

  void collect(const Module& module) {
    if (!seen_.insert(&module).second) return;
    for (const Module* child : children(module)) collect(*child);
    Family& family = families_[module.orig];
    family.members.push_back(&module);
    for (const std::string& name : settings_of(module)) {
      const auto same = family.members.front()->parameters.find(name);
      if (same == family.members.front()->parameters.end() ||
          same->second != module.parameters.at(name)) {
        family.differing.insert(name);
      }
    }
  }

  [[nodiscard]] std::string write(Family& family) {
    std::vector<Pieces> all;
    for (const Module* member : family.members) {
      all.push_back(
          pieces_of(module_text(design_, *member, bundles_.at(member), [&](const Module& child) {
            if (child.orig == member->orig) refuse_copy(child);
            return instance_of(child);
          })));
    }
    merge(family, all);
    std::string text;
    if (family.members.size() > 1 && unite(family, all)) {
      std::string parameters;
      for (const auto& [name, width] : family.widths) {
        parameters += fmt::format("{}\n  parameter [{}:0] {} = {}", parameters.empty() ? "" : ",",
                                  std::stoi(width) - 1, name,
                                  constant_text(width, family.members[0]->parameters.at(name)));
      }
      return module(family, *family.members[0], family.members[0]->orig,
                    fmt::format(" #({}\n)", parameters), all[0]);
    }
    family.widths.clear();
    std::set<std::string> names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!names.insert(name_of(*family.members[i])).second) refuse_copy(*family.members[i]);
      text += module(family, *family.members[i], name_of(*family.members[i]), "", all[i]);
    }
    return text;
  }

  [[noreturn]] void refuse_copy(const Module& module) const {
    throw structure::NotUnderstood(fmt::format("{}: two modules {}, which no parameter tells apart",
                                               design_.at(module.place), module.orig));
  }

  /// Returns the text of a module behind a line with its origin and parameters.
  [[nodiscard]] std::string module(const Family& family, const Module& member,
                                   const std::string& name, const std::string& parameters,
                                   const Pieces& pieces) const {
    const std::filesystem::path file = design_.dump().files.at(member.place.file);
    std::string settings;
    for (const std::string& setting : settings_of(member)) {
      if (family.widths.count(setting) != 0) continue;
      settings += fmt::format("{}{} = {}", settings.empty() ? ": " : ", ", setting,
                              member.parameters.at(setting));
    }
    return fmt::format("\n// {}, {}{}\nmodule {}{}{}", file.filename().string(), member.orig,
                       settings, identifier(name), parameters, joined(pieces));
  }

  /// Keeps one of the members of each text.
  static void merge(Family& family, std::vector<Pieces>& all) {
    std::vector<const Module*> members;
    std::vector<Pieces> texts;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at =
          static_cast<std::size_t>(std::find(texts.begin(), texts.end(), all[i]) - texts.begin());
      if (at == texts.size()) {
        members.push_back(family.members[i]);
        texts.push_back(std::move(all[i]));
      }
      family.same[family.members[i]] = members[at];
    }
    family.members = std::move(members);
    all = std::move(texts);
  }

  /// Makes the members one module, in whose text parameters stand for the constants that differ.
  /// Returns false if they differ in more.
  [[nodiscard]] static bool unite(Family& family, std::vector<Pieces>& all) {
    for (const Pieces& pieces : all) {
      if (pieces.texts != all[0].texts) return false;
    }
    Pieces common = all[0];
    for (std::size_t i = 0; i < common.constants.size(); ++i) {
      const std::string width = common.constants[i].substr(0, common.constants[i].find('\''));
      if (std::all_of(all.begin(), all.end(), [&](const Pieces& pieces) {
            return pieces.constants[i] == common.constants[i];
          })) {
        continue;
      }
      const auto parameter = std::find_if(
          family.differing.begin(), family.differing.end(), [&](const std::string& name) {
            for (std::size_t m = 0; m < all.size(); ++m) {
              const auto& values = family.members[m]->parameters;
              const auto value = values.find(name);
              if (value == values.end() ||
                  all[m].constants[i] != constant_text(width, value->second)) {
                return false;
              }
            }
            const auto known = family.widths.find(name);
            return known == family.widths.end() || known->second == width;
          });
      if (parameter == family.differing.end()) return false;
      family.widths[*parameter] = width;
      common.constants[i] = *parameter;
    }
    if (family.widths.empty()) return false;  // they would be equal: two sets of one module
    all[0] = std::move(common);
    return true;
  }

  /// Returns the name of a module that does not share its text: that of the sources, and the
  /// parameters that differ, the first alone if it tells all members apart.
  [[nodiscard]] std::string name_of(const Module& module) const {
    const Family& family = families_.at(module.orig);
    if (family.members.size() == 1) return module.orig;
    const auto value = [](const Module& member, const std::string& name) {
      const auto found = member.parameters.find(name);
      return found == member.parameters.end() ? std::optional<std::int64_t>{} : found->second;
    };
    for (const std::string& name : family.differing) {
      std::set<std::optional<std::int64_t>> values;
      for (const Module* member : family.members) values.insert(value(*member, name));
      if (values.size() != family.members.size()) continue;
      return fmt::format("{}_{}_{}", module.orig, name, value(module, name).value_or(0));
    }
    std::string text = module.orig;
    for (const std::string& name : family.differing) {
      text += fmt::format("_{}_{}", name, value(module, name).value_or(0));
    }
    return text;
  }

  [[nodiscard]] std::string instance_of(const Module& module) const {
    const Family& family = families_.at(module.orig);
    if (family.widths.empty()) return identifier(name_of(*family.same.at(&module)));
    std::string values;
    for (const auto& [name, width] : family.widths) {
      values += fmt::format("{}.{}({}{}{})", values.empty() ? "" : ", ", name, kConstantBegins,
                            constant_text(width, module.parameters.at(name)), kConstantEnds);
    }
    return fmt::format("{} #({})", identifier(module.orig), values);
  }

  const Design& design_;
  std::unordered_map<const Module*, Bundles> bundles_;
  std::set<const Module*> seen_;
  std::map<std::string, Family> families_;  ///< by name in the sources
  std::set<std::string> written_;
};

const Module& module_named(const Design& design, const std::string& name) {
  const Module* found = nullptr;
  for (const auto& [id, module] : design.modules()) {
    if (module.orig != name || module.interface) continue;
    if (found != nullptr) {
      throw common::BadInput(
          fmt::format("{}: {} with several sets of parameters", design.at(module.place), name));
    }
    found = &module;
  }
  if (found == nullptr) throw common::BadInput("the design has no module " + name);
  return *found;
}

}  // namespace

std::string plain_verilog(const Design& design, const std::string& root) {
  try {
    return Writer(design, module_named(design, root)).write(root);
  } catch (const structure::NotUnderstood& error) {
    throw common::BadInput(fmt::format(
        "{}: cannot be written as Verilog-2005; rewrite it, or leave out --write-verilog",
        error.what()));
  }
}

}  // namespace kernbench::sim::plain
