// SPDX-License-Identifier: Apache-2.0
#include "farm/cluster_parts.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/progress.hpp"
#include "common/text_file.hpp"

namespace kernbench::farm {
namespace {

namespace fs = std::filesystem;

std::string name_of(std::size_t loop, std::size_t number) {
  return fmt::format("{}.{}", loop, number);
}

/// Returns the file with the result of a part.
fs::path result_of(const fs::path& folder, const std::string& name) {
  return folder / (name + kPartExtension);
}

/// Waits until this host sees a file that a node has written. Throws std::runtime_error if it does
/// not.
bool is_seen(const fs::path& file, double late_s) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(late_s);
  while (!fs::exists(file)) {
    if (std::chrono::steady_clock::now() > until) {
      throw std::runtime_error(fmt::format(
          "a node has written '{}', which is not seen here after {} s", file.string(), late_s));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

}  // namespace

ClusterParts::ClusterParts(Work work, std::vector<std::string> command, ClusterSettings settings,
                           const fs::path& output)
    : work_(std::move(work)),
      command_(std::move(command)),
      settings_(std::move(settings)),
      jobs_(output) {
  cancel_left_tasks(jobs_);
  jobs_.clear();
}

ClusterParts::~ClusterParts() {
  try {
    jobs_.clear(!gave_up_);
  } catch (const fs::filesystem_error&) {  // the next run clears the folder
  }
}

bool ClusterParts::run(const common::PartLoop& loop) {
  const std::size_t number = loop_++;
  work_.points.clear();
  std::map<std::string, std::size_t> parts;
  for (std::size_t part = 0; part < loop.count; ++part) {
    const std::string name = name_of(number, part);
    parts.emplace(name, part);
    JobPoint& point = work_.points.emplace_back();
    point.key = name;
    point.command = command_;
    point.command.push_back(fmt::format("--part={}:{}", name, jobs_.path().string()));
    point.result = result_of(jobs_.path(), name).string();
  }
  std::atomic<std::size_t> done{0};
  std::map<std::string, std::string> given_up;  ///< why, by name
  const auto take = [&](const std::vector<PointResult>& results) {
    for (const PointResult& result : results) {
      if (!result.outcome) continue;
      ++done;
      if (result.worker.empty()) given_up.emplace(result.key, result.message);
    }
  };
  const common::Progress progress([&] {
    return common::ProgressState{static_cast<double>(done) / static_cast<double>(loop.count),
                                 fmt::format("{}/{} parts", done.load(), loop.count)};
  });
  const bool complete =
      run_on_cluster(work_, jobs_, settings_, take) != common::Outcome::Interrupted;
  gave_up_ = gave_up_ || !given_up.empty();
  for (const auto& [name, part] : parts) {
    const fs::path file = result_of(jobs_.path(), name);
    if (const auto reason = given_up.find(name); reason != given_up.end()) {
      if (loop.give_up == nullptr) {
        throw std::runtime_error(fmt::format("part {} has no result: {}", part, reason->second));
      }
      loop.give_up(part, reason->second);
    } else if (complete ? is_seen(file, settings_.engine.late_files_s) : fs::exists(file)) {
      loop.take(part, common::read_text_file(file.string()));
    }
  }
  return complete;
}

OnePart::OnePart(const std::string& text) {
  const std::size_t dot = text.find('.');
  const std::size_t colon = text.find(':');
  const auto loop = common::parse_u64(text.substr(0, dot));
  const auto number = dot < colon && colon != std::string::npos
                          ? common::parse_u64(text.substr(dot + 1, colon - dot - 1))
                          : std::nullopt;
  if (!loop || !number || !fs::is_directory(text.substr(colon + 1))) {
    throw common::BadInput(
        fmt::format("--part: '{}' is not LOOP.NUMBER:FOLDER with a folder that exists", text));
  }
  wanted_loop_ = *loop;
  number_ = *number;
  folder_ = text.substr(colon + 1);
}

bool OnePart::run(const common::PartLoop& loop) {
  const std::size_t number = loop_++;
  if (number < wanted_loop_) {
    for (std::size_t part = 0; part < loop.count; ++part) {
      const fs::path file = result_of(folder_, name_of(number, part));
      loop.take(part, common::read_text_file(file.string()));
    }
    return true;
  }
  if (number_ >= loop.count) {
    throw common::BadInput(fmt::format("--part: the command has {} parts in loop {}, not {}",
                                       loop.count, number, number_ + 1));
  }
  (void)loop.compute(number_);
  common::write_file_atomically(result_of(folder_, name_of(number, number_)),
                                loop.bytes_of(number_));
  throw common::PartComputed();
}

}  // namespace kernbench::farm
