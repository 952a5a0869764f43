#include "common/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "common/diagnostics.hpp"

namespace kernbench::common {

std::string read_text_file(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& reason) {
    throw BadInput(fmt::format("cannot read '{}': {}", path.string(), reason));
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error) refuse(error.message());
  if (std::filesystem::is_directory(status)) refuse("it is a folder");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(std::generic_category().message(errno));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) refuse(std::generic_category().message(errno));
  return text;
}

}  // namespace kernbench::common
