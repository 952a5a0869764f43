// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/activity.hpp"

#include <fmt/format.h>

namespace kernbench::model::kernel {

std::string Activity::kernel() const {
  const char* const name = kernel_.load(kOrder);
  return name == nullptr ? std::string() : std::string(name);
}

std::string Activity::last_operation() const {
  const char* const op = op_.load(kOrder);
  if (op == nullptr) return {};
  return fmt::format("tl.{} at {}:{}", op, file_.load(kOrder), line_.load(kOrder));
}

bool Activity::describe_crash(common::FixedText& text) const {
  const char* const name = kernel_.load(kOrder);
  if (name == nullptr) return false;
  text.add("kernel '");
  text.add(name);
  text.add("' on sip");
  text.add_number(pe_.sip);
  text.add(".cube");
  text.add_number(pe_.cube);
  text.add(".pe");
  text.add_number(pe_.pe);
  const char* const op = op_.load(kOrder);
  if (op == nullptr) {
    text.add(" crashed before its first operation");
    return true;
  }
  text.add(" crashed after tl.");
  text.add(op);
  text.add(" at ");
  text.add(file_.load(kOrder));
  text.add(":");
  text.add_number(static_cast<std::uint64_t>(line_.load(kOrder)));
  return true;
}

}  // namespace kernbench::model::kernel
