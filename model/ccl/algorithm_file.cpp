// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/algorithm_file.hpp"

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "model/ccl/algorithm.hpp"

namespace kernbench::model::ccl {
namespace {

ReadAlgorithm g_read = nullptr;

}  // namespace

void read_algorithms_by(ReadAlgorithm read) {
  g_read = read;
}

bool is_algorithm_file(std::string_view name) {
  return name.ends_with(".py");
}

void read_algorithm(const std::string& path, const std::string& name) {
  if (find_algorithm(name) != nullptr) return;
  if (g_read == nullptr) throw common::BadInput("files of algorithms need the benches");
  (void)common::read_text_file(path);  // throws for one that cannot be read
  g_read(path, name);
}

}  // namespace kernbench::model::ccl
