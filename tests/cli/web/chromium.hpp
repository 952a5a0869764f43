// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernbench::cli_test {

/// A headless Chromium with one page, controlled by DevTools messages over a pair of pipes.
class Chromium {
 public:
  /// Returns the path of the program, if it is installed.
  [[nodiscard]] static std::optional<std::string> find();

  /// Starts Chromium with its profile in `folder`. Throws std::runtime_error on failure.
  Chromium(const std::string& program, const std::filesystem::path& folder);
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  /// Loads a page, even if only the part behind '#' differs from the current one.
  void open(const std::string& url);
  /// Leaves the page for an empty one and ends its loads.
  void leave();
  /// Returns the value of a JavaScript expression; awaits a promise. Throws if the script throws.
  [[nodiscard]] nlohmann::json evaluate(const std::string& expression);
  /// Evaluates the expression until it is true. Returns false after 20 s.
  [[nodiscard]] bool wait_until(const std::string& expression);
  /// Clicks the centre of the first element that matches the selector, `clicks` times.
  void click(const std::string& selector, int clicks = 1);
  void drag(int from_x, int from_y, int to_x, int to_y);
  void wheel(int x, int y, int delta_y);
  /// Presses and releases a key: "Tab", "ArrowRight", "f".
  void press(const std::string& key);
  void prefer_dark();
  void resize(int width, int height);
  /// Selects the light scheme and a window of 1400x900 again.
  void reset();
  /// Returns the errors and policy violations of the page since the last call.
  [[nodiscard]] std::vector<std::string> take_complaints();

 private:
  void open_page();
  void stop() const;
  nlohmann::json call(const std::string& method,
                      nlohmann::json parameters = nlohmann::json::object(), bool of_page = true);
  void note(const nlohmann::json& event);
  void mouse(const char* type, double x, double y, int clicks);
  [[nodiscard]] std::string receive();

  pid_t child_ = -1;
  int to_ = -1;
  int from_ = -1;
  int last_id_ = 0;
  std::string received_;
  std::string session_;
  std::vector<std::string> complaints_;
};

}  // namespace kernbench::cli_test
