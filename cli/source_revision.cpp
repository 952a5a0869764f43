#include "cli/source_revision.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>

namespace kernbench::cli {

std::string source_revision(const std::string& root) {
  // A checkout of another user's, as root in a container sees it, is a checkout all the same.
  const std::string command = fmt::format(
      "git -c safe.directory='*' -C '{}' describe --always --dirty --abbrev=10 2>/dev/null", root);
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<FILE, Close> pipe(popen(command.c_str(), "r"));  // NOLINT(cert-env33-c)
  std::array<char, 128> line{};
  if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return "unknown";
  std::string text = line.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "unknown" : text;
}

}  // namespace kernbench::cli
