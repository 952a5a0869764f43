// SPDX-License-Identifier: Apache-2.0
#include "plot/html_text.hpp"

#include "common/markup.hpp"

namespace kernbench::plot {

void print_fact(std::string& out, const std::string& name, const std::string& value) {
  print(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", name, common::escape_markup(value));
}

void print_tile(std::string& out, bool complete, const std::string& value,
                const std::string& label) {
  print(out, "<div class=\"tile{}\"><b>{}</b><span>{}</span></div>\n", complete ? "" : " short",
        value, label);
}

std::string outcome_badge(common::Outcome outcome) {
  return fmt::format("<span class=\"badge {}\">{}</span>",
                     outcome == common::Outcome::Pass ? "good" : "bad", common::name(outcome));
}

}  // namespace kernbench::plot
