// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

namespace kernbench::common {

/// A new folder named after the running test; the destructor removes it.
class TempFolder {
 public:
  TempFolder() {
    static int folders = 0;  // a test may use several folders
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::ostringstream name;
    name << "kb-" << info->test_suite_name() << '-' << info->name() << '-' << getpid() << '-'
         << folders++;
    std::string flat = name.str();
    std::replace(flat.begin(), flat.end(), '/', '-');  // in names of parametrised tests
    path_ = testing::TempDir() + flat;
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    // A program that was just killed may still write to the folder.
    std::error_code error;
    for (int attempt = 0; attempt < 100; ++attempt) {
      std::filesystem::remove_all(path_, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
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
