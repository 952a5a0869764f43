// SPDX-License-Identifier: Apache-2.0
#include "common/places.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

namespace fs = std::filesystem;

class PlacesTest : public ::testing::Test {
 protected:
  /// Makes an empty file and its folder.
  void make(const std::string& name) const {
    fs::create_directories(at(name).parent_path());
    (void)folder_.write(name, "");
  }
  void make_checkout(const std::string& name) const {
    make(name + "/Makefile.verilator");
    make(name + "/CMakeLists.txt");
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }

  TempFolder folder_;
};

/// Sets an environment variable, or removes it if `value` is null, while it exists.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) { value == nullptr ? unsetenv(name_) : setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_;
};

TEST_F(PlacesTest, AnInstalledProgramHasItsDataInShareOfItsPrefix) {
  make("usr/share/kernbench/Makefile.verilator");
  const auto data = find_data_folder(at("usr/bin/kernbench"), "");
  ASSERT_TRUE(data.has_value());
  EXPECT_EQ(data->path, at("usr/share/kernbench"));
  EXPECT_FALSE(data->checkout);
}

TEST_F(PlacesTest, AProgramInABuildFolderHasTheDataOfItsCheckout) {
  make_checkout("clone");
  const auto data = find_data_folder(at("clone/build/release/cli/kernbench"), "");
  ASSERT_TRUE(data.has_value());
  EXPECT_EQ(data->path, at("clone"));
  EXPECT_TRUE(data->checkout);
}

TEST_F(PlacesTest, TheInstallationAProgramIsInComesBeforeACheckoutAroundIt) {
  make_checkout("clone");
  make("clone/build/stage/share/kernbench/Makefile.verilator");
  const auto data = find_data_folder(at("clone/build/stage/bin/kernbench"), "");
  ASSERT_TRUE(data.has_value());
  EXPECT_EQ(data->path, at("clone/build/stage/share/kernbench"));
}

TEST_F(PlacesTest, TheNamedFolderIsTheDataOfAProgramOutsideOfBoth) {
  make_checkout("clone");
  make("data/Makefile.verilator");
  const auto checkout = find_data_folder(at("bin/kernbench"), at("clone"));
  ASSERT_TRUE(checkout.has_value());
  EXPECT_EQ(checkout->path, at("clone"));
  EXPECT_TRUE(checkout->checkout);
  const auto installed = find_data_folder(at("bin/kernbench"), at("data"));
  ASSERT_TRUE(installed.has_value());
  EXPECT_EQ(installed->path, at("data"));
  EXPECT_FALSE(installed->checkout);
}

TEST_F(PlacesTest, TheProgramsOwnDataComeBeforeTheNamedFolder) {
  make_checkout("clone");
  make_checkout("other");
  EXPECT_EQ(find_data_folder(at("clone/build/release/cli/kernbench"), at("other"))->path,
            at("clone"));
}

TEST_F(PlacesTest, AFolderWithoutTheMakefileHasNoData) {
  make("usr/share/kernbench/configs/topology.yaml");
  EXPECT_FALSE(find_data_folder(at("usr/bin/kernbench"), at("usr")).has_value());
}

TEST_F(PlacesTest, TheCacheFolderIsBelowXdgCacheHomeOrElseBelowHome) {
  const Environment home("HOME", "/home/me");
  {
    const Environment cache("XDG_CACHE_HOME", "/var/cache/me");
    EXPECT_EQ(user_cache_folder(), "/var/cache/me/kernbench");
  }
  {
    const Environment relative("XDG_CACHE_HOME", "cache");  // to be ignored, says the standard
    EXPECT_EQ(user_cache_folder(), "/home/me/.cache/kernbench");
  }
  const Environment none("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(user_cache_folder(), "/home/me/.cache/kernbench");
  const Environment homeless("HOME", nullptr);
  EXPECT_EQ(user_cache_folder(), std::nullopt);
}

TEST_F(PlacesTest, APathInsideTheCurrentFolderIsSeenFromThere) {
  const fs::path here = fs::current_path();
  EXPECT_EQ(seen_from_here(here / "build" / "models"), "build/models");
  EXPECT_EQ(seen_from_here(here.parent_path() / "elsewhere"), here.parent_path() / "elsewhere");
}

TEST_F(PlacesTest, AFolderThatDoesNotExistCannotBeWritten) {
  EXPECT_TRUE(is_writable_folder(folder_.path()));
  EXPECT_FALSE(is_writable_folder(at("missing")));
}

}  // namespace
}  // namespace kernbench::common
