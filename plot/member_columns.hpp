// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/value_form.hpp"

namespace kernbench::plot {

/// A column of a table: a member of a row, or one of an object in it.
struct Column {
  common::ValueForm form;  ///< with the name that the heading is made of
  nlohmann::json::json_pointer place;
};

/// Returns whether values of a form stand on the right of their column: numbers, and the number of
/// objects in a list.
[[nodiscard]] bool is_number(const common::ValueForm& form);
/// Returns the class of a cell of such values, as an attribute; empty for others.
[[nodiscard]] const char* side_of(const common::ValueForm& form);
[[nodiscard]] bool is_list_of_objects(const common::ValueForm& form);

/// Returns a value as the text of a cell, in the unit of the heading of its member; empty for null.
[[nodiscard]] std::string text_of_value(const common::ValueForm& form, const nlohmann::json& value);

/// Returns the columns of a table of `rows`, objects of a form, that have a value in any row. A
/// list of objects inside a row becomes columns if no row has several.
[[nodiscard]] std::vector<Column> columns_of(const common::ValueForm& row_form,
                                             const nlohmann::json& rows);

}  // namespace kernbench::plot
