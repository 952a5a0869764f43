// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "chromium.hpp"
#include "running_viewer.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::cli_test {

/// Shares one browser among all tests, because starting it takes longer than any of them.
class ViewerPage : public ::testing::Test {
 protected:
  static void TearDownTestSuite() { shared().reset(); }

  void SetUp() override {
    const auto program = Chromium::find();
    if (!program) {
      GTEST_SKIP() << "SKIPPED: no Chromium here; scripts/install-deps.sh test installs it";
    }
    if (!shared()) shared() = std::make_unique<Chromium>(*program, profile_folder());
  }
  void TearDown() override {
    if (!shared()) return;
    page().reset();
    EXPECT_THAT(page().take_complaints(), ::testing::IsEmpty());
  }

  /// A viewer that the shared browser leaves before it stops, so that no load of the page is cut
  /// off: the browser asks for the icon of a page after the page itself has been shown.
  class ShownViewer : public RunningViewer {
   public:
    using RunningViewer::RunningViewer;
    ShownViewer(const ShownViewer&) = delete;
    ShownViewer& operator=(const ShownViewer&) = delete;
    ~ShownViewer() {
      if (shared()) page().leave();
    }
  };

  static std::unique_ptr<Chromium>& shared() {
    static std::unique_ptr<Chromium> browser;
    return browser;
  }
  static std::filesystem::path profile_folder() {
    static const common::TempFolder folder;
    return folder.path();
  }
  [[nodiscard]] static Chromium& page() { return *shared(); }

  /// Loads the viewer with this address after the '#' and waits until the diagram is drawn and the
  /// page painted: a browser drops the input to a page that it has not painted.
  void open(const ShownViewer& viewer, const std::string& hash) {
    page().open("http://127.0.0.1:" + std::to_string(viewer.port()) + "/#" + hash);
    ASSERT_TRUE(
        page().wait_until("['diagram', 'first-contentful-paint'].every((name) => "
                          "performance.getEntriesByName(name).length > 0)"));
  }
  /// Opens a page of the reports, such as "report=a.json", and waits until its heading is shown.
  void open_reports(const ShownViewer& viewer, const std::string& hash) {
    page().open("http://127.0.0.1:" + std::to_string(viewer.port()) + "/#" + hash);
    ASSERT_TRUE(page().wait_until(
        "document.querySelector('.report h1') && !document.body.textContent.includes('Loading')"));
  }
  [[nodiscard]] static std::string text(const std::string& selector) {
    return page().evaluate("document.querySelector('" + selector + "')?.textContent ?? ''");
  }
  [[nodiscard]] static bool shows(const std::string& selector, const std::string& part) {
    return page().wait_until("document.querySelector('" + selector + "')?.textContent.includes(" +
                             nlohmann::json(part).dump() + ") === true");
  }
  [[nodiscard]] static int count(const std::string& selector) {
    return page().evaluate("document.querySelectorAll('" + selector + "').length");
  }
  /// Returns the texts of all elements that match the selector.
  [[nodiscard]] static nlohmann::json texts(const std::string& selector) {
    return page().evaluate("[...document.querySelectorAll(" + nlohmann::json(selector).dump() +
                           ")].map((e) => e.textContent)");
  }
  [[nodiscard]] static std::string box(const std::string& name) {
    return "[aria-label$=\"" + name + "\"] > rect";
  }
  [[nodiscard]] static std::string transform() {
    return page().evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
        "done(document.querySelector('svg.diagram > g').getAttribute('transform')))))");
  }

  common::TempFolder folder_;
};

}  // namespace kernbench::cli_test
