// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::common {

/// A rule for texts.
struct TextRule {
  std::string_view pattern;  ///< regular expression of exactly these texts, in schemas
  std::string_view words;    ///< as messages name such a text: "16 hexadecimal digits"
  bool (*holds)(std::string_view text);
  std::string_view hint{};  ///< says what would be right
};

extern const TextRule kHashRule;  ///< 16 hexadecimal digits

/// The form of a value in a report or an input, and what it is as a member of an object. A suffix
/// of a member's name is its unit: `_ps`, `_ns`, `_gbs` (GB/s), `_mm`; `bytes` and what ends in
/// `_bytes` are bytes.
struct ValueForm {
  enum class Kind : std::uint8_t {
    Text,
    Boolean,
    Integer,
    Number,
    List,
    Map,
    Object,
    Scalar,  ///< a text, a number or a boolean, as an input spells it
    Either,  ///< a value of one of `parts`, which differ in their types
    Again,   ///< a value of the form that `again` returns, which may contain this one
    Any,     ///< not checked
  };
  /// Another member of the object, a text, that has one of these values.
  struct Condition {
    std::string member{};
    std::vector<std::string> values{};

    friend bool operator==(const Condition&, const Condition&) = default;
  };

  /// Members of an object that exclude each other.
  struct Group {
    std::vector<std::string> names{};
    bool one_is_needed = true;
    std::optional<Condition> only_if{};  ///< when the group is checked
  };

  Kind kind = Kind::Object;
  std::optional<double> least{};  ///< smallest number, or shortest length of a text or list
  std::optional<double> most{};   ///< largest number, or longest length of a list
  bool above = false;             ///< numbers are above `least`, not equal to it
  std::uint64_t capacity = ~std::uint64_t{0};  ///< largest whole number that the program holds
  const TextRule* rule = nullptr;              ///< rule for a text
  std::vector<std::string> choices{};          ///< the texts that are allowed; empty for any
  std::string no_value{};  ///< text in place of a value, such as "none"; empty for null
  std::vector<std::string> placeholders{};  ///< each is somewhere in a text
  bool lines = false;                       ///< a text may have several lines
  bool different = false;                   ///< items of a list differ from each other
  /// Members of an object; the form of the items of a list or map, and then, if it differs, of the
  /// first item of a list.
  std::vector<ValueForm> parts{};
  const ValueForm& (*again)() = nullptr;
  const TextRule* names = nullptr;       ///< rule for the names of a map
  std::vector<std::string> ascending{};  ///< numbers of an object, in their order
  std::vector<Group> groups{};
  /// Path of the definition of an object in the schema of the envelope; the name of one of Again.
  std::string defined{};

  std::string name{};
  std::string meaning{};      ///< empty where the name says it
  std::string absent{};       ///< unless what the member is missing; empty if it never is
  bool nullable = false;      ///< null, or `no_value`, in place of a value
  bool computed = false;      ///< follows from other members, so a reader can do without it
  bool optional = false;      ///< an input can leave the member out
  bool converted = false;     ///< read by way of a new value, whose defaults are its own
  nlohmann::json fallback{};  ///< value of a member that an input leaves out; null if none
  std::optional<Condition> only_if{};  ///< when an object has the member

  [[nodiscard]] const ValueForm& items() const { return parts.at(0); }
  [[nodiscard]] ValueForm& items() { return parts.at(0); }
  /// Returns the form of an item of a list.
  [[nodiscard]] const ValueForm& item(std::size_t index) const {
    return parts.at(index == 0 && parts.size() > 1 ? 1 : 0);
  }
  /// Returns the member of an object. Throws std::out_of_range without one.
  [[nodiscard]] const ValueForm& member(std::string_view member_name) const;
  [[nodiscard]] ValueForm& member(std::string_view member_name);
  /// Lets an input leave out this member, which then has this value; null for none.
  void make_optional(nlohmann::json value);
  /// Gives the members of this object that an input can leave out their values in another one; if
  /// `whole`, all of them can be left out.
  void take_defaults(const nlohmann::json& object, bool whole);
  /// Returns whether JSON has the type of this form.
  [[nodiscard]] bool has_type(const nlohmann::json& value) const;
  /// Returns the smallest and the largest whole number of this form.
  [[nodiscard]] std::int64_t least_whole() const;
  [[nodiscard]] std::uint64_t most_whole() const;
  /// Returns whether a report, or an input, can be without this member.
  [[nodiscard]] bool can_be_missing_in_report() const {
    return computed || !absent.empty() || (optional && fallback.is_null());
  }
  [[nodiscard]] bool can_be_missing() const { return optional || can_be_missing_in_report(); }
};

/// Returns the text of a member by its name, empty for one that is missing or not a text.
using TextOfMember = std::function<std::string(const std::string& name)>;
/// Returns whether a condition for an object of this form holds; true for none, and nothing if
/// there is no text to judge by.
[[nodiscard]] std::optional<bool> holds(const std::optional<ValueForm::Condition>& condition,
                                        const ValueForm& object, const TextOfMember& text_of);

/// Calls `visit` for each value in an object of a form, with its full name, such as
/// "sip.cube_mesh.w". A list is a value, whose items follow if they are objects.
using VisitValue = std::function<void(const std::string& name, const ValueForm&, nlohmann::json&)>;
void for_each_value(const ValueForm& form, nlohmann::json& object, const VisitValue& visit,
                    const std::string& place = {});

/// Throws BadInput with all that is wrong with a report's value that must have a form. Checks all
/// that the form says, but not what the schema of the envelope defines. `file` is the name before
/// each message, and `place` begins the places in them, such as "data.points[3].m".
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
