// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/export.hpp"

#include <execution_trace.pb.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <vector>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "model/chakra/rank_reader.hpp"
#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

using common::SimTime;
using runtime::CommunicationRecord;
using runtime::RequestKind;
using runtime::RequestRecord;

namespace {

using Groups = std::map<std::string, std::vector<std::uint32_t>>;

void append(const google::protobuf::MessageLite& message, std::string& text) {
  google::protobuf::io::StringOutputStream stream(&text);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.WriteVarint32(static_cast<std::uint32_t>(message.ByteSizeLong()));
  message.SerializeWithCachedSizes(&coded);
}

void set(kernbench::chakra::Node& node, const char* name, std::uint64_t value) {
  kernbench::chakra::AttributeProto& attribute = *node.add_attr();
  attribute.set_name(name);
  attribute.set_int64_val(static_cast<std::int64_t>(value));
}

std::uint64_t micros(SimTime time) {
  return static_cast<std::uint64_t>((time.ps() + 500'000) / 1'000'000);
}

std::uint64_t comm_type_of(const CommunicationRecord& communication) {
  const auto* const found = std::find_if(
      std::begin(kCollectives), std::end(kCollectives),
      [&](const CollectiveType& type) { return type.collective == communication.name; });
  if (found == std::end(kCollectives)) {
    throw common::BadInput(
        fmt::format("the collective {} cannot be exported: the format of "
                    "traces has no comm_type for it",
                    communication.name));
  }
  if (!communication.even) {
    throw common::BadInput(
        fmt::format("{} of group '{}' cannot be exported: its blocks have "
                    "different sizes",
                    communication.name, communication.group));
  }
  return static_cast<std::uint64_t>(found - std::begin(kCollectives));
}

/// Writes the trace of one rank.
class RankWriter {
 public:
  RankWriter(std::uint32_t rank, const Groups& groups) : rank_(rank), groups_(groups) {
    kernbench::chakra::GlobalMetadata metadata;
    metadata.set_version("0.0.4");
    for (const auto& [name, ranks] : groups) {
      kernbench::chakra::AttributeProto& attribute = *metadata.add_attr();
      attribute.set_name(std::string(kGroupAttribute) + name);
      for (const std::uint32_t one : ranks) attribute.mutable_uint32_list()->add_values(one);
    }
    append(metadata, text_);
  }

  /// Adds a request. `figures` are those of a launch.
  void add(const RequestRecord& request, const bench::LaunchFigures& figures) {
    if (request.start < end_ && request.kind != RequestKind::Other) {
      throw common::BadInput(fmt::format(
          "rank {} runs '{}' while an earlier request still runs; an execution trace can be "
          "exported of a bench with one stream",
          rank_, request.name));
    }
    if (request.start > end_) add_computation("pause", true, end_, request.start);
    switch (request.kind) {
      case RequestKind::Launch:
        add_computation(request.name, false, request.start, request.end, figures);
        break;
      case RequestKind::Other:
        if (request.end != request.start) {
          add_computation(request.name, true, request.start, request.end);
        }
        break;
      case RequestKind::CopyToDevice:
      case RequestKind::CopyToHost: {
        kernbench::chakra::Node node =
            make(request.name,
                 request.kind == RequestKind::CopyToDevice ? kernbench::chakra::MEM_STORE_NODE
                                                           : kernbench::chakra::MEM_LOAD_NODE,
                 request.start, request.end);
        set(node, "tensor_size", request.bytes);
        append(node, text_);
        break;
      }
      case RequestKind::Communication:
        add_communication(request);
        break;
    }
    end_ = std::max(end_, request.end);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  kernbench::chakra::Node make(const std::string& name, kernbench::chakra::NodeType type,
                               SimTime start, SimTime end) {
    kernbench::chakra::Node node;
    node.set_id(next_);
    node.set_name(name);
    node.set_type(type);
    if (next_ != 0) node.add_ctrl_deps(next_ - 1);
    ++next_;
    node.set_start_time_micros(micros(start));
    node.set_duration_micros(micros(end - start));
    return node;
  }

  void add_computation(const std::string& name, bool on_host, SimTime start, SimTime end,
                       const bench::LaunchFigures& figures = {}) {
    kernbench::chakra::Node node = make(name, kernbench::chakra::COMP_NODE, start, end);
    kernbench::chakra::AttributeProto& attribute = *node.add_attr();
    attribute.set_name("is_cpu_op");
    attribute.set_bool_val(on_host);
    set(node, "duration_ps", static_cast<std::uint64_t>((end - start).ps()));
    if (!on_host) {
      set(node, "num_ops", 2 * figures.macs);
      set(node, "tensor_size", figures.read.bytes + figures.written.bytes);
    }
    append(node, text_);
  }

  void add_communication(const RequestRecord& request) {
    const CommunicationRecord& communication = *request.communication;
    const bool sends = communication.name == "send";
    if (sends || communication.name == "receive") {
      kernbench::chakra::Node node =
          make(request.name,
               sends ? kernbench::chakra::COMM_SEND_NODE : kernbench::chakra::COMM_RECV_NODE,
               request.start, request.end);
      set(node, "comm_src", sends ? rank_ : communication.other);
      set(node, "comm_dst", sends ? communication.other : rank_);
      set(node, "comm_tag", 0);
      set(node, "comm_size", communication.bytes);
      append(node, text_);
      return;
    }
    kernbench::chakra::Node node =
        make(request.name, kernbench::chakra::COMM_COLL_NODE, request.start, request.end);
    const std::uint64_t type = comm_type_of(communication);
    set(node, "comm_type", type);
    if (kCollectives[type].has_bytes) set(node, "comm_size", communication.bytes);
    if (kCollectives[type].has_root) set(node, "comm_root", communication.other);
    if (groups_.count(communication.group) != 0) {
      kernbench::chakra::AttributeProto& attribute = *node.add_attr();
      attribute.set_name("pg_name");
      attribute.set_string_val(communication.group);
    }
    append(node, text_);
  }

  std::uint32_t rank_;
  const Groups& groups_;
  std::string text_;
  std::uint64_t next_ = 0;
  SimTime end_;  ///< end of the nodes so far
};

}  // namespace

std::size_t export_traces(const bench::RunResult& result,
                          const std::vector<bench::LaunchFigures>& figures,
                          const std::string& prefix) {
  Groups groups;
  std::uint32_t last = 0;
  for (const RequestRecord& request : result.requests) {
    last = std::max(last, request.rank);
    if (!request.communication) continue;
    for (const std::uint32_t rank : request.communication->ranks) last = std::max(last, rank);
    groups[request.communication->group] = request.communication->ranks;
  }
  std::vector<std::uint32_t> all(last + 1);
  std::iota(all.begin(), all.end(), 0U);
  std::erase_if(groups, [&](const auto& group) { return group.second == all; });

  // Requests of launches and the launches themselves are both in the order of their ends.
  std::vector<std::pair<const RequestRecord*, bench::LaunchFigures>> requests;
  std::size_t launch = 0;
  for (const RequestRecord& request : result.requests) {
    const bool launches =
        request.kind == RequestKind::Launch || request.kind == RequestKind::Communication;
    requests.emplace_back(&request, launches ? figures.at(launch++) : bench::LaunchFigures());
  }
  std::stable_sort(requests.begin(), requests.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first->start, a.first->end) < std::tie(b.first->start, b.first->end);
  });
  std::vector<RankWriter> writers;
  writers.reserve(all.size());
  for (const std::uint32_t rank : all) writers.emplace_back(rank, groups);
  for (const auto& [request, of_launch] : requests) writers[request->rank].add(*request, of_launch);
  std::vector<std::unique_ptr<common::AtomicFile>> files;
  for (const std::uint32_t rank : all) {
    files.push_back(std::make_unique<common::AtomicFile>(fmt::format("{}.{}.et", prefix, rank)));
    files.back()->stream() << writers[rank].text();
  }
  for (const auto& file : files) file->commit();
  return files.size();
}

}  // namespace kernbench::model::chakra
