#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kernbench::common {

/// A fresh folder of the running test's own, removed afterwards.
class TempFolder {
 public:
  TempFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::ostringstream folder;
    folder << testing::TempDir() << "kb-" << info->test_suite_name() << '-' << info->name() << '-'
           << getpid();
    path_ = folder.str();
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& content) const {
    std::ofstream(path_ / name) << content;
    return path_ / name;
  }
  [[nodiscard]] std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      count += entry.exists() ? 1 : 0;
    }
    return count;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace kernbench::common
