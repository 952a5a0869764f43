// SPDX-License-Identifier: Apache-2.0
#include "chromium.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace kernbench::cli_test {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr int kPatienceMs = 30'000;

}  // namespace

std::optional<std::string> Chromium::find() {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): no threads yet
  std::stringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      const std::string program = folder + "/" + name;
      if (access(program.c_str(), X_OK) == 0) return program;
    }
  }
  return std::nullopt;
}

Chromium::Chromium(const std::string& program, const fs::path& folder) {
  std::array<int, 2> commands{};
  std::array<int, 2> answers{};
  if (pipe2(commands.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make pipes");
  }
  const std::string profile = "--user-data-dir=" + folder.string();
  // Options for containers, where Chromium may run as root and with little shared memory.
  const std::array<const char*, 10> arguments = {program.c_str(),
                                                 "--headless",
                                                 "--no-sandbox",
                                                 "--disable-gpu",
                                                 "--no-first-run",
                                                 "--disable-dev-shm-usage",
                                                 profile.c_str(),
                                                 "--window-size=1400,900",
                                                 "--remote-debugging-pipe",
                                                 nullptr};
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("cannot fork");
  if (child_ == 0) {
    setpgid(0, 0);  // a process group, because Chromium has child processes
    const int quiet = ::open("/dev/null", O_RDWR);
    dup2(quiet, STDOUT_FILENO);
    dup2(quiet, STDERR_FILENO);
    // The protocol uses descriptors 3 and 4, which the pipes may occupy themselves.
    const int in = fcntl(commands[0], F_DUPFD, 10);
    const int out = fcntl(answers[1], F_DUPFD, 10);
    dup2(in, 3);
    dup2(out, 4);
    execv(program.c_str(), const_cast<char* const*>(arguments.data()));
    _exit(127);
  }
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  try {
    open_page();
  } catch (...) {
    stop();
    throw;
  }
}

void Chromium::open_page() {
  const json target = call("Target.createTarget", {{"url", "about:blank"}}, false)["targetId"];
  session_ =
      call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}}, false)["sessionId"];
  call("Page.enable");
  call("Runtime.enable");
  call("Log.enable");
  reset();
}

Chromium::~Chromium() {
  stop();
}

void Chromium::stop() const {
  close(to_);
  close(from_);
  kill(-child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

std::string Chromium::receive() {
  for (;;) {
    const std::size_t end = received_.find('\0');
    if (end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    std::array<char, 65536> buffer{};
    pollfd waiting{from_, POLLIN, 0};
    if (poll(&waiting, 1, kPatienceMs) != 1) throw std::runtime_error("Chromium says nothing");
    const ssize_t got = read(from_, buffer.data(), buffer.size());
    if (got <= 0) throw std::runtime_error("Chromium has ended");
    received_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

json Chromium::call(const std::string& method, json parameters, bool of_page) {
  json command = {{"id", ++last_id_}, {"method", method}, {"params", std::move(parameters)}};
  if (of_page) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  if (write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("Chromium does not listen");
  }
  for (;;) {
    json message = json::parse(receive());
    if (message.value("id", 0) == last_id_) {
      if (message.contains("error")) throw std::runtime_error(message["error"].dump());
      return message["result"];
    }
    note(message);
  }
}

void Chromium::note(const json& event) {
  const std::string method = event.value("method", "");
  if (method == "Runtime.exceptionThrown") {
    complaints_.push_back(event["params"]["exceptionDetails"].dump());
  } else if (method == "Log.entryAdded" && event["params"]["entry"]["level"] == "error") {
    complaints_.push_back(event["params"]["entry"].dump());
  }
}

std::vector<std::string> Chromium::take_complaints() {
  (void)evaluate("0");  // all messages before the answer have been processed
  return std::exchange(complaints_, {});
}

void Chromium::open(const std::string& url) {
  leave();  // a change of '#' alone loads nothing
  call("Page.navigate", {{"url", url}});
}

void Chromium::leave() {
  call("Page.navigate", {{"url", "about:blank"}});
}

json Chromium::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    throw std::runtime_error(answer["exceptionDetails"].dump());
  }
  return answer["result"].value("value", json());
}

bool Chromium::wait_until(const std::string& expression) {
  for (int i = 0; i < 1000; ++i) {
    try {
      if (evaluate(expression) == true) return true;
    } catch (const std::runtime_error&) {  // the page has not loaded yet
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

void Chromium::mouse(const char* type, double x, double y, int clicks) {
  const bool moves = std::string_view(type) == "mouseMoved";
  call("Input.dispatchMouseEvent", {{"type", type},
                                    {"x", x},
                                    {"y", y},
                                    {"button", moves ? "none" : "left"},
                                    {"clickCount", clicks}});
}

void Chromium::click(const std::string& selector, int clicks) {
  // The page fits its diagram again at the end of the frame in which a line above it has wrapped.
  // The element is clicked where the second frame from now still shows it.
  const json at =
      evaluate("(async () => { const e = document.querySelector(" + json(selector).dump() +
               "); e.scrollIntoView({block: 'nearest'});"
               " const frame = () => new Promise((done) => requestAnimationFrame(() => done()));"
               " for (let last = '';;) { const b = e.getBoundingClientRect();"
               " const at = [b.x + b.width / 2, b.y + b.height / 2];"
               " if (String(at) === last) return at;"
               " last = String(at); await frame(); await frame(); } })()");
  mouse("mouseMoved", at[0], at[1], 0);
  for (int i = 1; i <= clicks; ++i) {
    mouse("mousePressed", at[0], at[1], i);
    mouse("mouseReleased", at[0], at[1], i);
  }
}

void Chromium::drag(int from_x, int from_y, int to_x, int to_y) {
  mouse("mouseMoved", from_x, from_y, 0);
  mouse("mousePressed", from_x, from_y, 1);
  call("Input.dispatchMouseEvent",
       {{"type", "mouseMoved"}, {"x", to_x}, {"y", to_y}, {"button", "left"}, {"buttons", 1}});
  mouse("mouseReleased", to_x, to_y, 1);
}

void Chromium::wheel(int x, int y, int delta_y) {
  call("Input.dispatchMouseEvent",
       {{"type", "mouseWheel"}, {"x", x}, {"y", y}, {"deltaX", 0}, {"deltaY", delta_y}});
}

void Chromium::press(const std::string& key) {
  json event = {{"type", "keyDown"}, {"key", key}};
  if (key == "Tab") event["windowsVirtualKeyCode"] = 9;
  if (key.size() == 1) event["text"] = key;
  if (key == "Enter") event["text"] = "\r";
  call("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  call("Input.dispatchKeyEvent", event);
}

void Chromium::prefer_dark() {
  call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-color-scheme"}, {"value", "dark"}}}}});
}

void Chromium::resize(int width, int height) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

void Chromium::reset() {
  call("Emulation.setEmulatedMedia", {{"features", json::array()}});
  resize(1400, 900);
}

}  // namespace kernbench::cli_test
