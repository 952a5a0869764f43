// SPDX-License-Identifier: Apache-2.0
#include "farm/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace kernbench::farm {
namespace {

/// Less than the time after which an interrupted process is ended (common/interrupt.hpp).
constexpr int kGraceMs = 1000;

std::array<int, 2> new_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make a pipe: " + std::generic_category().message(errno));
  }
  return ends;
}

}  // namespace

Child::Child(std::vector<std::string> words, const std::filesystem::path& folder) {
  // A name is that of a file in the folder; PATH is not searched.
  if (words.at(0).find('/') == std::string::npos) words[0].insert(0, "./");
  const std::array<int, 2> error = new_pipe();
  const std::array<int, 2> report = new_pipe();
  error_.descriptor = error[0];
  report_.descriptor = report[0];
  const common::ProgramStreams streams{.error = error[1], .report = report[1]};
  try {
    program_ = std::make_unique<common::SupervisedProgram>(
        std::move(words), folder, std::vector<std::pair<std::string, std::string>>(), streams,
        common::ProgramEnding{.grace_ms = kGraceMs});
  } catch (...) {
    for (const int descriptor : {error[0], error[1], report[0], report[1]}) close(descriptor);
    throw;
  }
  close(error[1]);
  close(report[1]);
}

Child::~Child() {
  for (const Stream* stream : {&error_, &report_}) {
    if (stream->descriptor >= 0) close(stream->descriptor);
  }
}

void Child::collect(Stream& stream) {
  std::array<char, 65'536> buffer{};
  const ssize_t count = read(stream.descriptor, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) {
    close(stream.descriptor);
    stream.descriptor = -1;
    return;
  }
  const std::size_t kept =
      std::min(static_cast<std::size_t>(count), stream.limit - stream.text.size());
  stream.text.append(buffer.data(), kept);
}

void Child::collect_of_any(const std::vector<Child*>& children, int timeout_ms) {
  std::vector<pollfd> polled;
  std::vector<Stream*> streams;
  for (Child* child : children) {
    for (Stream* stream : {&child->error_, &child->report_}) {
      if (stream->descriptor < 0) continue;
      polled.push_back({stream->descriptor, POLLIN, 0});
      streams.push_back(stream);
    }
  }
  if (poll(polled.data(), polled.size(), timeout_ms) <= 0) return;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents != 0) collect(*streams[i]);
  }
}

ChildEnd Child::wait() {
  while (!closed()) collect_of_any({this}, -1);
  const common::ProgramEnd end = program_->wait();
  if (!end.not_started.empty()) error_.text = "error: " + end.not_started + "\n";
  return {end.exit_code, end.signal};
}

}  // namespace kernbench::farm
