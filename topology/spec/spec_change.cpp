// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_change.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "common/diagnostics.hpp"
#include "common/key_places.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/spec_description.hpp"
#include "topology/spec/spec_rules.hpp"

namespace kernbench::topology {
namespace {

void throw_if_any(const std::vector<std::string>& errors) {
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "\n")));
}

/// Multiplies the numbers that changes name.
class Changer : public SpecVisitor {
 public:
  explicit Changer(const std::vector<SpecChange>& changes)
      : changes_(changes), found_(changes.size()) {}

  void begin_section(std::string_view key, std::string_view /*meaning*/) override {
    sections_.push_back(full_name(key));
  }
  void end_section() override { sections_.pop_back(); }

  void integer(std::string_view key, std::uint32_t& value, common::Range<std::uint32_t> range,
               std::string_view /*meaning*/) override {
    keys_.push_back(full_name(key));
    for_changes(key, [&](const SpecChange& change) {
      const double changed = value * change.factor;
      if (changed != std::floor(changed)) {
        refuse(change, fmt::format("makes {} of {}, which must be a whole number", changed, value));
      } else if (fits(change, value, changed, range)) {
        value = static_cast<std::uint32_t>(changed);
      }
    });
  }
  void optional_integer(std::string_view key, std::optional<std::uint32_t>& /*value*/,
                        common::Range<std::uint32_t> /*range*/,
                        std::string_view /*meaning*/) override {
    refuse_changes(key);
  }
  void number(std::string_view key, double& value, common::NumberRange range,
              std::string_view /*meaning*/) override {
    keys_.push_back(full_name(key));
    for_changes(key, [&](const SpecChange& change) {
      const double changed = value * change.factor;
      if (fits(change, value, changed, range)) value = changed;
    });
  }
  void identifier(std::string_view key, std::string& /*value*/,
                  std::string_view /*meaning*/) override {
    refuse_changes(key);
  }
  void position(std::string_view key, PositionMm& /*value*/, common::NumberRange /*range*/,
                std::string_view /*meaning*/) override {
    refuse_changes(key);
  }
  void name(std::string_view key, std::size_t& /*value*/,
            std::span<const std::string_view> /*names*/, std::string_view /*meaning*/) override {
    refuse_changes(key);
  }
  void names(std::string_view key, std::vector<std::size_t>& /*values*/,
             std::span<const std::string_view> /*names*/, std::size_t /*min_length*/,
             std::string_view /*meaning*/) override {
    refuse_changes(key);
  }
  void io_chiplets(std::string_view key, std::vector<IoChipletSpec>& chiplets,
                   common::Range<std::size_t> /*length*/, std::string_view /*meaning*/) override {
    refuse_changes(key);
    for (std::size_t i = 0; i < chiplets.size(); ++i) {
      sections_.push_back(fmt::format("{}[{}]", full_name(key), i));
      describe(*this, chiplets[i]);
      end_section();
    }
  }

  [[nodiscard]] const common::KeyPlaces& places() const { return places_; }

  /// Throws std::invalid_argument with everything that is wrong.
  void finish() {
    const std::vector<std::string_view> keys(keys_.begin(), keys_.end());
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (found_[i]) continue;
      errors_.push_back(fmt::format("'{}': there is no number '{}'{}", changes_[i].text,
                                    changes_[i].key, common::did_you_mean(changes_[i].key, keys)));
    }
    throw_if_any(errors_);
  }

 private:
  [[nodiscard]] std::string full_name(std::string_view key) const {
    return sections_.empty() ? std::string(key) : fmt::format("{}.{}", sections_.back(), key);
  }
  /// Calls `apply` for each change of a key.
  template <typename Apply>
  void for_changes(std::string_view key, const Apply& apply) {
    const std::string name = full_name(key);
    places_.add(name, {{"--what-if", 0, 0}, true, true});
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (changes_[i].key != name) continue;
      found_[i] = true;
      apply(changes_[i]);
    }
  }
  void refuse_changes(std::string_view key) {
    for_changes(key, [&](const SpecChange& change) {
      refuse(change, "changes a key that is not a number");
    });
  }
  /// Returns whether a value is in its range, and refuses the change otherwise.
  template <typename T, typename R>
  [[nodiscard]] bool fits(const SpecChange& change, T value, double changed, const R& range) {
    if (changed >= range.min && changed <= range.max) return true;
    refuse(change, fmt::format("makes {} of {}, which must be {} to {}", changed, value, range.min,
                               range.max));
    return false;
  }
  void refuse(const SpecChange& change, const std::string& why) {
    errors_.push_back(fmt::format("'{}' {}", change.text, why));
  }

  const std::vector<SpecChange>& changes_;
  std::vector<bool> found_;
  std::vector<std::string> sections_;
  std::vector<std::string> keys_;  ///< keys of numbers
  std::vector<std::string> errors_;
  common::KeyPlaces places_;
};

}  // namespace

std::vector<SpecChange> parse_spec_changes(std::string_view text) {
  std::vector<SpecChange> changes;
  std::vector<std::string> errors;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = part.find_first_of("*/");
    double factor = 0.0;
    const char* const last = part.data() + part.size();
    const bool is_number = sign != std::string_view::npos && sign != 0 &&
                           std::from_chars(part.data() + sign + 1, last, factor).ptr == last &&
                           std::isfinite(factor) && factor > 0;
    if (!is_number) {
      errors.push_back(
          fmt::format("'{}' is not a key of a topology file, * or /, and a number above 0, such as "
                      "pe.clock_ghz*2",
                      part));
      continue;
    }
    changes.push_back({std::string(part), std::string(part.substr(0, sign)),
                       part[sign] == '*' ? factor : 1.0 / factor});
  }
  throw_if_any(errors);
  return changes;
}

bool changes_speed(const SpecChange& change) {
  static constexpr std::array kUnits = {"_ns",  "_gbs",      "distance_mm",
                                        "_ghz", "ns_per_mm", "_per_cycle"};
  return std::any_of(kUnits.begin(), kUnits.end(),
                     [&](const char* unit) { return change.key.ends_with(unit); });
}

TopologySpec changed_spec(const TopologySpec& spec, const std::vector<SpecChange>& changes) {
  TopologySpec changed = spec;
  Changer changer(changes);
  describe(changer, changed);
  changer.finish();
  common::Diagnostics diagnostics;
  check_spec_rules(changed, changer.places(), diagnostics);
  diagnostics.throw_if_any();
  return changed;
}

}  // namespace kernbench::topology
