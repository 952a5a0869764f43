// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/layer_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <stdexcept>
#include <utility>

#include "common/text_file.hpp"
#include "docs/generator/figure.hpp"
#include "plot/text_width.hpp"

namespace kernbench::docs {

using plot::PointPx;

namespace {

namespace fs = std::filesystem;

constexpr double kLeft = 20;
constexpr double kTop = 52;
constexpr double kHeight = 44;  // of a room
constexpr double kRow = 62;     // from one room to the one below
constexpr double kStep = 92;    // from one room to the right
constexpr double kPadding = 12;

/// Returns the room that a path lies in, or an empty text.
std::string room_of(const std::string& path, const std::vector<Room>& rooms) {
  for (const Room& room : rooms) {
    if (path.starts_with(room.folder + "/")) return room.folder;
  }
  return {};
}

/// Orders the rooms from the top: by the longest chain of dependencies below them, rooms of equal
/// height as they are listed.
std::vector<Room> from_the_top(const std::vector<Room>& rooms, const Dependencies& dependencies) {
  std::map<std::string, std::size_t> heights;
  std::set<std::string> under_way;
  const std::function<std::size_t(const std::string&)> height = [&](const std::string& folder) {
    if (const auto known = heights.find(folder); known != heights.end()) return known->second;
    if (!under_way.insert(folder).second) {
      throw std::invalid_argument(fmt::format("{} includes itself in a circle", folder));
    }
    std::size_t result = 0;
    if (const auto below = dependencies.find(folder); below != dependencies.end()) {
      for (const std::string& target : below->second) result = std::max(result, height(target) + 1);
    }
    return heights[folder] = result;
  };
  for (const Room& room : rooms) (void)height(room.folder);
  std::vector<Room> order = rooms;
  std::stable_sort(order.begin(), order.end(), [&](const Room& a, const Room& b) {
    return heights[a.folder] > heights[b.folder];
  });
  return order;
}

const std::vector<Room>& repository_rooms() {
  static const std::vector<Room> rooms = {
      {"cli", "the program kernbench"},
      {"cosim", "one workload, three fabrics"},
      {"model", "transactions, kernels, numbers"},
      {"sim", "the RTL bench"},
      {"topology", "YAML spec, graph, routes"},
      {"farm", "sweeps and their results"},
      {"maze", "cycle reference of the links"},
      {"plot", "SVG and charts"},
      {"common", "diagnostics, YAML, units, random numbers"},
  };
  return rooms;
}

const std::vector<Room>& model_rooms() {
  static const std::vector<Room> rooms = {
      {"model/chakra", "execution traces"},
      {"model/serving", "queues of requests"},
      {"model/bench", "benches and their runner"},
      {"model/ccl", "collectives"},
      {"model/runtime", "the host's program"},
      {"model/kernel", "tl, kernels on fibers"},
      {"model/probe", "latencies, closed form"},
      {"model/data", "op log and replay"},
      {"model/components", "parts of the machine"},
      {"model/transport", "flits on wires"},
      {"model/fabric", "transfers in packets"},
      {"model/memory", "allocators, page table"},
      {"model/trace", "hop records"},
      {"model/engine", "discrete events"},
  };
  return rooms;
}

}  // namespace

Dependencies read_dependencies(const fs::path& root, const std::vector<Room>& rooms) {
  const std::regex include("#[ \t]*include[ \t]*\"([^\"]+)\"");
  Dependencies dependencies;
  for (const Room& room : rooms) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / room.folder)) {
      const fs::path ending = entry.path().extension();
      if (ending != ".cpp" && ending != ".hpp") continue;
      const std::string text = common::read_text_file(entry.path().string());
      for (auto match = std::sregex_iterator(text.begin(), text.end(), include);
           match != std::sregex_iterator(); ++match) {
        const std::string target = room_of((*match)[1], rooms);
        if (!target.empty() && target != room.folder) dependencies[room.folder].insert(target);
      }
    }
  }
  return dependencies;
}

std::string layer_diagram(std::string_view title, const std::vector<Room>& rooms,
                          const Dependencies& dependencies) {
  const std::vector<Room> order = from_the_top(rooms, dependencies);
  std::map<std::string, std::size_t> place;
  double width = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i].folder] = i;
    width = std::max(
        {width, plot::text_width(order[i].folder + "/", 14), plot::text_width(order[i].holds, 11)});
  }
  width += 2 * kPadding;
  const auto left = [&](std::size_t i) { return kLeft + kStep * static_cast<double>(i); };
  const auto top = [&](std::size_t i) { return kTop + kRow * static_cast<double>(i); };

  std::vector<std::vector<std::size_t>> below(order.size());  // ascending
  std::vector<std::vector<std::size_t>> above(order.size());  // ascending
  for (const auto& [folder, targets] : dependencies) {
    for (const std::string& target : targets) {
      below[place.at(folder)].push_back(place.at(target));
      above[place.at(target)].push_back(place.at(folder));
    }
  }
  for (auto& list : below) std::sort(list.begin(), list.end());
  for (auto& list : above) std::sort(list.begin(), list.end());

  Figure figure(left(order.size() - 1) + width + kLeft, top(order.size() - 1) + kHeight + 42,
                title);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t out = 0; out < below[i].size(); ++out) {
      const std::size_t target = below[i][out];
      // The nearest room below leaves lowest and arrives leftmost, so that arrows of two rooms
      // cross at most once.
      const double y = top(i) + kHeight * (1 - static_cast<double>(out + 1) /
                                                   static_cast<double>(below[i].size() + 1));
      const auto& sources = above[target];
      const auto rank =
          static_cast<double>(sources.end() - std::find(sources.begin(), sources.end(), i));
      const double x =
          left(target) + width - kStep + kStep * rank / static_cast<double>(sources.size() + 1);
      figure.arrow({PointPx{left(i) + width, y}, {x, y}, {x, top(target)}}, "wire");
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    figure.canvas().rect(left(i), top(i), width, kHeight, {"box"}, 4);
    figure.text(left(i) + kPadding, top(i) + 19, order[i].folder + "/", "strong");
    figure.text(left(i) + kPadding, top(i) + 35, order[i].holds, "small");
  }
  figure.text(20, top(order.size() - 1) + kHeight + 28,
              "An arrow: files of the upper folder include files of the lower one. "
              "No arrow points up.",
              "note");
  return std::move(figure).finish();
}

std::string repository_layers(const fs::path& root) {
  return layer_diagram("The layers of the repository", repository_rooms(),
                       read_dependencies(root, repository_rooms()));
}

std::string model_layers(const fs::path& root) {
  return layer_diagram("The layers of model/", model_rooms(),
                       read_dependencies(root, model_rooms()));
}

}  // namespace kernbench::docs
