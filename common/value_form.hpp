// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::common {

/// The form of a value in a report, and what it is as a member of an object. A suffix of a member's
/// name is its unit: `_ps`, `_ns`, `_gbs` (GB/s), `_mm`; `bytes` and what ends in `_bytes` are
/// bytes.
struct ValueForm {
  enum class Kind : std::uint8_t { Text, Boolean, Integer, Number, List, Map, Object, Defined };

  Kind kind = Kind::Object;
  std::optional<std::int64_t> least{};  ///< smallest number, or shortest length of a text or list
  std::optional<std::int64_t> most{};   ///< largest number, or longest length of a list
  bool above = false;                   ///< numbers are above `least`, not equal to it
  std::uint64_t capacity = ~std::uint64_t{0};  ///< largest whole number that the program holds
  bool hash = false;                           ///< a text of 16 hexadecimal digits
  std::vector<std::string> choices{};          ///< the texts that are allowed; empty for any
  std::vector<ValueForm> parts{};  ///< members of an object; the form of the items of a list or map
  std::vector<std::string> ascending{};            ///< numbers of an object, in their order
  std::vector<std::vector<std::string>> either{};  ///< groups of members; one of each is there
  std::string defined{};  ///< path of a definition in the schema of the envelope

  std::string name{};
  std::string meaning{};  ///< empty where the name says it
  std::string absent{};   ///< unless what the member is missing; empty if it never is
  bool nullable = false;  ///< null in place of a value
  bool computed = false;  ///< follows from other members, so a reader can do without it

  [[nodiscard]] const ValueForm& items() const { return parts.at(0); }
  /// Returns the member of an object. Throws std::out_of_range without one.
  [[nodiscard]] const ValueForm& member(std::string_view member_name) const;
};

/// Throws BadInput with all that is wrong with a value that must have a form. Checks all that the
/// form says, but not what the schema of the envelope defines. `file` is the name before each
/// message, and `place` begins the places in them, such as "data.points[3].m".
void require_form(const ValueForm& form, const nlohmann::json& value, const std::string& file,
                  const std::string& place = "data");

/// A unit, and how pages show values that reports give in it.
struct ShownUnit {
  std::string_view suffix;  ///< end of the names of members
  std::string_view name;    ///< as pages show it
  double factor = 1.0;      ///< from the report's number to the page's
  int decimals = 0;
};
/// Returns the unit of a member by its name, or null.
[[nodiscard]] const ShownUnit* unit_of(std::string_view name);
/// Returns the name of a member of a member, with the unit of the outer one if it has none:
/// "first_token_p50_ps" for "first_token_ps" and "p50".
[[nodiscard]] std::string inner_name(std::string_view outer, std::string_view name);
/// Returns the words of a member's name without its unit: "read" for `read_gbs`.
[[nodiscard]] std::string title_of_member(std::string_view name);
/// Returns the heading of a member on pages: "read GB/s" for `read_gbs`, "time us" for `time_ps`.
[[nodiscard]] std::string heading_of_member(std::string_view name);
/// Returns the text of a single value of a member on pages, in the unit of the heading: "1.250".
[[nodiscard]] std::string text_of_member(std::string_view name, const nlohmann::json& value);

/// The members that the envelope of a kind of report always has.
struct EnvelopeForm {
  bool grade = true;
  bool seed = false;
};

/// Returns the JSON Schema of the reports of a kind, whose `data` have this form, with a reference
/// to the schema of the envelope.
[[nodiscard]] std::string report_schema(std::string_view kind, std::string_view title,
                                        const ValueForm& data, const EnvelopeForm& envelope);

}  // namespace kernbench::common
