// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "model/runtime/context.hpp"

namespace kernbench::model::runtime {

namespace {

/// Returns true for the text of a whole number, which it stores in `number`.
bool is_number(const std::string& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Returns "parameter 'm' is too large: " for the parameters that are equal to `side`. If there are
/// none, lists all parameters that are whole numbers, because the bench computed the side from
/// them.
std::string blame(const std::map<std::string, std::string>& parameters, std::uint64_t side) {
  std::vector<std::string> equal;
  std::map<std::string, std::string> numbers;
  for (const auto& [name, text] : parameters) {
    std::uint64_t number = 0;
    if (!is_number(text, number)) continue;
    numbers.emplace(name, text);
    if (number == side) equal.push_back(fmt::format("'{}'", name));
  }
  if (equal.empty()) return fmt::format("too large for this system with {}: ", text_of(numbers));
  return fmt::format("parameter {} is too large: ", fmt::join(equal, " or "));
}

}  // namespace

bool Context::has_room(const Layout& layout, data::DataType type) const {
  for (std::uint32_t cube = 0; cube < layout.cubes(); ++cube) {
    for (std::uint32_t pe = 0; pe < layout.pes(); ++pe) {
      const Rectangle part = layout.shard(cube, pe).part;
      const std::uint64_t room =
          session_.allocator(device_.at(cube, pe)).hbm().largest_free() / bytes_of(type);
      if (part.columns != 0 && part.rows > room / part.columns) return false;
    }
  }
  return true;
}

void Context::refuse_size(const DeviceTensor& tensor, const data::SourceLine& line,
                          const std::string& reason) const {
  const Layout& layout = tensor.layout;
  // The longer side is the one that is too long.
  const bool by_rows = layout.rows() >= layout.columns();
  std::uint64_t fits = 0;
  for (std::uint64_t step = std::uint64_t{1} << 59U; step != 0; step /= 2) {
    const std::uint64_t side = fits + step;
    if (side > (by_rows ? layout.rows() : layout.columns())) continue;
    const Layout smaller(by_rows ? side : layout.rows(), by_rows ? layout.columns() : side,
                         layout.policy(), layout.cubes(), layout.pes());
    if (has_room(smaller, tensor.type)) fits = side;
  }
  throw BadParameter(
      fmt::format("{}a tensor of {} x {} of {}, made at {}:{}, does not fit into {}, which has "
                  "room left for "
                  "{} {} of it: {}",
                  blame(parameters_, by_rows ? layout.rows() : layout.columns()), layout.rows(),
                  layout.columns(), name_of(tensor.type), line.file, line.line, device_.name(),
                  fits, by_rows ? "rows" : "columns", reason));
}

}  // namespace kernbench::model::runtime
