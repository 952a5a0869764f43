// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/rank_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "common/utf8.hpp"
#include "model/chakra/attributes.hpp"
#include "model/chakra/dependencies.hpp"
#include "model/chakra/trace_file.hpp"

namespace kernbench::model::chakra {

using kernbench::chakra::AttributeProto;

namespace {

constexpr std::uint64_t kPsPerMicrosecond = 1'000'000;

NodeKind kind_of_type(int type) {
  switch (type) {
    case kernbench::chakra::METADATA_NODE:
      return NodeKind::Metadata;
    case kernbench::chakra::MEM_LOAD_NODE:
      return NodeKind::Load;
    case kernbench::chakra::MEM_STORE_NODE:
      return NodeKind::Store;
    case kernbench::chakra::COMP_NODE:
      return NodeKind::Computation;
    case kernbench::chakra::COMM_SEND_NODE:
      return NodeKind::Send;
    case kernbench::chakra::COMM_RECV_NODE:
      return NodeKind::Receive;
    case kernbench::chakra::COMM_COLL_NODE:
      return NodeKind::Collective;
    default:
      return NodeKind::Unknown;
  }
}

}  // namespace

void RankReader::error(const std::string& text) {
  const std::string node =
      in_node_ ? fmt::format("node {} {}: ", message_.id(), common::in_quotes(message_.name()))
               : std::string();
  errors_.error({file_}, fmt::format("byte {}: {}{}", position_, node, text));
}

RankTrace RankReader::read() {
  TraceFile file(file_);
  std::string message;
  TraceFile::Next next = file.next(message);
  position_ = file.position();
  if (next == TraceFile::Next::Message && !read_metadata(message)) return {};
  if (next == TraceFile::Next::End) error("the file is empty; expected a GlobalMetadata message");
  const std::size_t errors_before = errors_.size();
  while (next == TraceFile::Next::Message &&
         errors_.size() - errors_before < common::Diagnostics::kShownErrors) {
    next = file.next(message);
    position_ = file.position();
    if (next == TraceFile::Next::Message) read_node(message);
  }
  if (next == TraceFile::Next::Broken) error(file.problem());
  if (errors_.size() == errors_before) {
    const Links links = link_nodes(trace_, dependencies_, file_, errors_);
    set_.absent_dependencies += links.absent;
    set_.dropped_dependencies += links.dropped;
  }
  return std::move(trace_);
}

bool RankReader::read_metadata(const std::string& message) {
  set_.hash.add(message);
  // Converters write no version. A node has a type, which metadata have not.
  kernbench::chakra::GlobalMetadata metadata;
  const bool is_node = message_.ParseFromString(message) && message_.type() != 0;
  if (is_node || !metadata.ParseFromString(message)) {
    error("expected a GlobalMetadata message before the nodes");
    return false;
  }
  for (const AttributeProto& attribute : metadata.attr()) {
    if (!attribute.name().starts_with(kGroupAttribute)) {
      ++set_.unknown_attributes[attribute.name()];
      continue;
    }
    const std::string name = attribute.name().substr(kGroupAttribute.size());
    if (const auto ranks = numbers_in(attribute)) {
      groups_.list(name, *ranks, file_, errors_);
    } else {
      error(fmt::format("attribute '{}' must be a list of ranks", attribute.name()));
    }
  }
  return true;
}

void RankReader::read_node(const std::string& message) {
  set_.hash.add(message);
  if (!message_.ParseFromString(message)) {
    errors_.error({file_}, fmt::format("byte {}: expected a Node message, but its {} bytes are not "
                                       "one",
                                       position_, message.size()));
    return;
  }
  in_node_ = true;
  Node node;
  node.id = message_.id();
  node.position = position_;
  node.kind = kind_of_type(message_.type());
  if (node.kind == NodeKind::Unknown) ++set_.unknown_types[message_.type()];
  Attributes found;
  read_attributes(found);
  node.on_host = found.is_cpu_op.value_or(0) != 0;
  // The host's part in a communication, which a node of the device carries out.
  const bool is_call = node.kind == NodeKind::Collective && !found.comm_type;
  if (node.on_host && is_call) node.kind = NodeKind::Computation;
  switch (node.kind) {
    case NodeKind::Computation:
      read_computation(node, found);
      break;
    case NodeKind::Load:
    case NodeKind::Store:
      node.bytes = required(found.tensor_size, "tensor_size", 0);
      break;
    case NodeKind::Send:
    case NodeKind::Receive:
      read_message(node, found);
      break;
    case NodeKind::Collective:
      read_collective(node, found);
      break;
    case NodeKind::Metadata:
    case NodeKind::Unknown:
      break;
  }
  node.name = static_cast<std::uint32_t>(trace_.names.size());
  trace_.names.append(message_.name(), 0, message_.name().find('\0'));
  trace_.names += '\0';
  std::vector<std::uint64_t>& ids = dependencies_.ids;
  node.first_child = static_cast<std::uint32_t>(ids.size());
  ids.insert(ids.end(), message_.ctrl_deps().begin(), message_.ctrl_deps().end());
  dependencies_.is_control.resize(ids.size(), true);
  ids.insert(ids.end(), message_.data_deps().begin(), message_.data_deps().end());
  dependencies_.is_control.resize(ids.size(), false);
  node.dependencies = static_cast<std::uint32_t>(ids.size()) - node.first_child;
  trace_.nodes.push_back(node);
  in_node_ = false;
}

void RankReader::read_attributes(Attributes& found) {
  static constexpr std::array<std::pair<std::string_view, Number>, 10> kNumbers = {
      {{"is_cpu_op", &Attributes::is_cpu_op},
       {"comm_type", &Attributes::comm_type},
       {"comm_size", &Attributes::comm_size},
       {"comm_src", &Attributes::comm_src},
       {"comm_dst", &Attributes::comm_dst},
       {"comm_tag", &Attributes::comm_tag},
       {"comm_root", &Attributes::comm_root},
       {"num_ops", &Attributes::num_ops},
       {"tensor_size", &Attributes::tensor_size},
       {"duration_ps", &Attributes::duration_ps}}};
  for (const AttributeProto& attribute : message_.attr()) {
    const std::string& name = attribute.name();
    if (name == "pg_name") {
      if (attribute.value_case() == AttributeProto::kStringVal) {
        found.group = attribute.string_val();
      } else if (const auto number = number_in(attribute)) {
        found.group = fmt::format("{}", *number);
      } else {
        error("attribute 'pg_name' must be a text");
      }
      continue;
    }
    const auto* const known = std::find_if(kNumbers.begin(), kNumbers.end(),
                                           [&](const auto& one) { return one.first == name; });
    if (known == kNumbers.end()) {
      ++set_.unknown_attributes[name];
      continue;
    }
    found.*known->second = number_in(attribute);
    if (!(found.*known->second)) {
      error(fmt::format("attribute '{}' must be a whole number", name));
    }
  }
}

std::uint64_t RankReader::required(const std::optional<std::int64_t>& value, const char* name,
                                   std::int64_t least) {
  if (!value) {
    error(
        fmt::format("a {} needs the attribute '{}'", name_of(kind_of_type(message_.type())), name));
  } else if (*value < least) {
    error(fmt::format("attribute '{}' is {}; it must be {} or more", name, *value, least));
  } else {
    return static_cast<std::uint64_t>(*value);
  }
  return 0;
}

void RankReader::read_computation(Node& node, const Attributes& found) {
  node.operations = amount(found.num_ops, "num_ops");
  node.bytes = amount(found.tensor_size, "tensor_size");
  const bool exact = found.duration_ps.has_value();
  const std::uint64_t unit = exact ? 1 : kPsPerMicrosecond;
  const std::uint64_t duration =
      exact ? amount(found.duration_ps, "duration_ps") : message_.duration_micros();
  if (duration > kLongestComputationPs / unit) {
    error(fmt::format("{} is {}; it must be at most {}",
                      exact ? "attribute 'duration_ps'" : "duration_micros", duration,
                      kLongestComputationPs / unit));
  } else if (exact || duration != 0) {
    node.duration_ps = static_cast<std::int64_t>(duration * unit);
  }
}

void RankReader::read_message(Node& node, const Attributes& found) {
  const bool sends = node.kind == NodeKind::Send;
  node.bytes = required(found.comm_size, "comm_size", 1);
  const auto& own = sends ? found.comm_src : found.comm_dst;
  if (own && *own != rank_) {
    error(fmt::format("attribute '{}' is {}, but the trace is that of rank {}",
                      sends ? "comm_src" : "comm_dst", *own, rank_));
  }
  const char* const peer_name = sends ? "comm_dst" : "comm_src";
  const std::uint64_t peer = required(sends ? found.comm_dst : found.comm_src, peer_name, 0);
  if (peer >= ranks_) {
    error(fmt::format("attribute '{}' is {}, but the ranks are 0 to {}", peer_name, peer,
                      ranks_ - 1));
  } else if (peer == rank_ && (sends ? found.comm_dst : found.comm_src)) {
    error(fmt::format("attribute '{}' is {}, the rank itself", peer_name, peer));
  }
  node.detail = static_cast<std::uint32_t>(trace_.messages.size());
  trace_.messages.push_back({static_cast<std::uint32_t>(peer), found.comm_tag.value_or(0)});
}

void RankReader::read_collective(Node& node, const Attributes& found) {
  const std::uint64_t type = required(found.comm_type, "comm_type", 0);
  if (type >= std::size(kCollectives)) {
    error(fmt::format("attribute 'comm_type' is {}; the types are 0 to {}", type,
                      std::size(kCollectives) - 1));
    return;
  }
  const CollectiveType& collective = kCollectives[type];
  if (collective.has_bytes) node.bytes = required(found.comm_size, "comm_size", 1);
  CollectiveCall call;
  call.collective = static_cast<std::uint32_t>(type);
  call.group = groups_.called(found.group, rank_);
  if (found.comm_root) call.root = static_cast<std::uint32_t>(amount(found.comm_root, "comm_root"));
  call.has_root = found.comm_root.has_value();
  node.detail = static_cast<std::uint32_t>(trace_.calls.size());
  trace_.calls.push_back(call);
}

}  // namespace kernbench::model::chakra
