// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "topology/exchange/edge_list_import.hpp"
#include "topology/exchange/import_report.hpp"

namespace kernbench::topology {

/// Nodes and links of a GraphML file by their ids, which become a graph of numbers.
class GraphmlGraph {
 public:
  explicit GraphmlGraph(ImportReport& report) : report_(report) {}

  /// Returns the index of an id, which a link may name before the node is read.
  std::uint32_t index_of(std::string_view id);
  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  [[nodiscard]] std::size_t links() const { return links_.size(); }

  /// Adds a node, and reports a second one with its id.
  void add_node(std::uint32_t index, std::size_t offset);
  /// Says that a node contains a graph.
  void set_group(std::uint32_t index) { names_[index].is_group = true; }
  /// Gives a node the label that an editor shows, unless it has one.
  void set_label(std::uint32_t index, std::string_view label);
  void set_endpoints(std::uint32_t index, std::uint32_t endpoints) {
    names_[index].endpoints = endpoints;
  }
  void add_link(std::uint32_t from, std::uint32_t to, std::size_t offset, bool directed);
  /// Turns the last link to the arrows that an editor draws at its ends.
  void set_arrows(bool at_source, bool at_target);

  /// Gives the last link its register stages, in each of its directions.
  void set_stages(std::uint32_t stages) { links_.back().stages = stages; }

  /// Reports links that do not join two nodes of the file, and returns the graph. Adds a line to
  /// `notes` for each kind of thing that is not in the graph.
  [[nodiscard]] ImportedGraph finish(std::vector<std::string>* notes);

 private:
  /// A node id in the file.
  struct Name {
    std::optional<std::uint32_t> place;  ///< among the nodes of the file, once it was read
    std::size_t offset = 0;
    bool is_group = false;  ///< contains a graph
    bool has_links = false;
    std::uint32_t number = 0;  ///< in the graph
    std::string label;
    std::optional<std::uint32_t> endpoints;
  };
  struct Link {
    std::uint32_t from;  ///< index into names_
    std::uint32_t to;
    std::size_t offset;
    bool directed;
    std::optional<std::uint32_t> stages = {};
  };

  void check_links();
  void check_numbers();
  void number_nodes();
  [[nodiscard]] std::vector<std::string> node_names();
  void add_notes(std::size_t parallel, std::vector<std::string>& notes) const;

  ImportReport& report_;
  std::uint32_t nodes_ = 0;            ///< in the file; without groups once they are numbered
  std::uint32_t groups_ = 0;           ///< left out
  std::size_t without_direction_ = 0;  ///< links whose arrows make them lead both ways
  bool labels_are_lost_ = false;
  std::unordered_map<std::string, std::uint32_t> index_;  ///< index into names_ and ids_, by id
  std::vector<Name> names_;
  std::vector<const std::string*> ids_;
  std::vector<Link> links_;
};

}  // namespace kernbench::topology
