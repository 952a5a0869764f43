// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/process_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/ccl/algorithm_file.hpp"
#include "model/ccl/call_watch.hpp"
#include "model/ccl/pe_grid.hpp"
#include "model/ccl/rounds.hpp"
#include "model/engine/occurrence.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {

using runtime::Placement;
using runtime::Tensor;

namespace {

/// Returns the devices of the first ranks.
std::vector<runtime::Device> devices_of(const topology::TopologySpec& spec, const CclConfig& config,
                                        const runtime::DevicePart& part) {
  std::vector<runtime::Device> devices;
  for (std::uint32_t sip = 0; sip < spec.system.sips; ++sip) {
    if (config.rank == RankKind::Sip) {
      devices.push_back(runtime::Device::of_sip(spec, sip, part));
      continue;
    }
    if (part != runtime::DevicePart()) {
      throw runtime::BadParameter("'cubes' and 'pes' need ranks that are SIPs");
    }
    const runtime::Device whole = runtime::Device::of_sip(spec, sip);
    for (const std::uint32_t cube : whole.cubes) {
      if (config.rank == RankKind::Cube) {
        devices.push_back({sip, {cube}, whole.pes});
        continue;
      }
      for (const std::uint32_t pe : whole.pes) devices.push_back({sip, {cube}, {pe}});
    }
  }
  devices.resize(config.world_size);
  return devices;
}

/// Joins the adjacent cubes of a SIP by N, E, S and W.
void join_cubes(runtime::Session& session, const CclConfig& config, const runtime::Device& device) {
  const Grid grid = session.options().part.grid(session.spec());
  GroupShape mesh = GroupShape::of(grid.nodes());
  mesh.grid = grid;
  std::vector<components::NeighborLink> links;
  for (const Join& join : joins_of(*find_neighbor_kind("mesh"), mesh)) {
    for (std::uint32_t pe = 0; pe < device.pes.size(); ++pe) {
      links.push_back(
          {device.at(join.a, pe), join.a_direction, device.at(join.b, pe), join.b_direction});
    }
  }
  session.install_neighbors(links, config.slot_memory);
}

/// Joins the PEs of each cube, which are the ranks, by N, E, S and W.
void join_pes(runtime::Session& session, const CclConfig& config,
              const std::vector<runtime::Device>& devices) {
  const std::vector<Join> joins = pe_joins(session.spec().cube);
  const std::uint32_t pes = session.spec().cube.pes();
  std::vector<components::NeighborLink> links;
  for (std::size_t first = 0; first < devices.size(); first += pes) {
    for (const Join& join : joins) {
      if (first + std::max(join.a, join.b) >= devices.size()) continue;
      links.push_back({devices[first + join.a].at(0, 0), join.a_direction,
                       devices[first + join.b].at(0, 0), join.b_direction});
    }
  }
  session.install_neighbors(links, config.slot_memory);
}

/// Returns why a collective cannot use a tensor, or an empty text.
std::string unfit(const Tensor& tensor, std::uint32_t cubes, std::size_t blocks) {
  const runtime::Layout& layout = tensor->layout;
  if (layout.policy().cube != Placement::Replicate || layout.cubes() != cubes) {
    return "has to be replicated over all cubes of the rank";
  }
  if (blocks > 1 && layout.policy().pe == Placement::RowWise && layout.pes() > 1) {
    return "has to be column_wise or replicated over PEs, as ranks share its rows";
  }
  return {};
}

/// Completes and checks the rows of the blocks of a tensor.
void divide(const Collective& collective, const Tensor& tensor, const char* what,
            std::uint32_t blocks, std::uint32_t cubes, std::vector<std::uint64_t>& rows) {
  if (blocks == 0) {
    rows.clear();
    return;
  }
  if (!tensor) {
    throw std::invalid_argument(fmt::format("{} needs an {} tensor", collective.name, what));
  }
  if (const std::string why = unfit(tensor, cubes, blocks); !why.empty()) {
    throw std::invalid_argument(fmt::format("a tensor of {} {}", collective.name, why));
  }
  const std::uint64_t all = tensor->layout.rows();
  if (rows.empty() && all % blocks == 0) {
    rows.assign(blocks, all / blocks);
    return;
  }
  const std::uint64_t sum = std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
  const bool even = std::all_of(rows.begin(), rows.end(),
                                [&rows](std::uint64_t one) { return one == rows.front(); });
  if (rows.empty() || !(collective.uneven || even) || rows.size() != blocks || sum != all) {
    throw std::invalid_argument(
        rows.empty() ? fmt::format("the {} of {} has {} rows, which {} members cannot share evenly",
                                   what, collective.name, all, blocks)
                     : fmt::format("the {} of {} has {} rows, which is not the sum of the {} given "
                                   "blocks, {}",
                                   what, collective.name, all, rows.size(), sum));
  }
}

}  // namespace

ProcessGroup::ProcessGroup(runtime::Session& session, std::string_view backend)
    : session_(session) {
  if (backend != "ahbm") {
    throw std::invalid_argument(fmt::format("unknown backend '{}'; the only one is ahbm", backend));
  }
  const runtime::CclSource& source = session.options().ccl;
  config_ = std::make_shared<const CclConfig>(
      source.text.empty() ? read_ccl_config(source.name, session.spec())
                          : parse_ccl_config(source.text, source.name, session.spec()));
  for (const auto& [collective, algorithm] : config_->algorithms) {
    if (algorithm != nullptr) session.record().sources.merge(sources_of(*algorithm));
  }
  devices_ = devices_of(session.spec(), *config_, session.options().part);
  if (config_->rank == RankKind::Sip) {
    for (const runtime::Device& device : devices_) join_cubes(session, *config_, device);
  } else if (config_->rank == RankKind::Pe) {
    join_pes(session, *config_, devices_);
  }
  std::vector<std::uint32_t> all(world_size());
  std::iota(all.begin(), all.end(), 0U);
  (void)group("world", all);
}

Group& ProcessGroup::group(const std::string& name, const std::vector<std::uint32_t>& ranks) {
  const bool valid = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  if (!valid) {
    throw std::invalid_argument(
        fmt::format("'{}' is not a valid name of a group; use letters, digits, - and _", name));
  }
  for (const auto& known : groups_) {
    if (known->name() != name) continue;
    if (known->ranks() == ranks) return *known;
    throw std::invalid_argument(fmt::format("group '{}' has the ranks {}, not {}", name,
                                            fmt::join(known->ranks(), ", "),
                                            fmt::join(ranks, ", ")));
  }
  groups_.push_back(std::make_shared<Group>(session_, config_, name, ranks, devices_));
  session_.add_wait_report([group = groups_.back()] { return group->unfinished(); });
  return *groups_.back();
}

void Member::check_member(std::string_view what, std::uint32_t member) const {
  if (member < size()) return;
  throw std::invalid_argument(fmt::format("unknown {} {}; group '{}' has members 0 to {}", what,
                                          member, group_->name(), size() - 1));
}

void Member::all_reduce(const Tensor& tensor) {
  run("all_reduce", tensor, tensor);
}

void Member::reduce(const Tensor& output, const Tensor& input, std::uint32_t root) {
  run("reduce", output, input, root);
}

void Member::reduce_scatter(const Tensor& output, const Tensor& input) {
  run("reduce_scatter", output, input);
}

void Member::all_gather(const Tensor& output, const Tensor& input) {
  run("all_gather", output, input);
}

void Member::gather(const Tensor& output, const Tensor& input, std::uint32_t root) {
  run("gather", output, input, root);
}

void Member::broadcast(const Tensor& tensor, std::uint32_t root) {
  run("broadcast", tensor, tensor, root);
}

void Member::scatter(const Tensor& output, const Tensor& input, std::uint32_t root) {
  run("scatter", output, input, root);
}

void Member::all_to_all(const Tensor& output, const Tensor& input) {
  run("all_to_all", output, input);
}

void Member::all_to_all(const Tensor& output, const Tensor& input, std::vector<std::uint64_t> sent,
                        std::vector<std::uint64_t> received) {
  run("all_to_all", output, input, 0, std::move(sent), std::move(received));
}

void Member::barrier() {
  run("barrier", {}, {});
  kb().synchronize();
}

void Member::run(std::string_view name, const Tensor& output, const Tensor& input,
                 std::uint32_t root, std::vector<std::uint64_t> input_rows,
                 std::vector<std::uint64_t> output_rows) {
  const Collective* const collective = find_collective(name);
  if (collective == nullptr) {
    throw std::invalid_argument(fmt::format("unknown collective '{}'", name));
  }
  check_member("root", root);
  const CallShape shape{size(), root};
  const std::uint32_t inputs = collective->input_blocks(index_, shape);
  const std::uint32_t outputs = collective->output_blocks(index_, shape);
  const bool even = input_rows.empty() && output_rows.empty();
  divide(*collective, input, "input", inputs, kb().cubes(), input_rows);
  divide(*collective, output, "output", outputs, kb().cubes(), output_rows);
  CallArguments given{collective, inputs == 0 ? Tensor() : input, outputs == 0 ? Tensor() : output,
                      root,       std::move(input_rows),          std::move(output_rows),
                      even};
  if (given.input && given.output) {
    const bool fits = are_alike(input, output) &&
                      (collective->uneven || given.input_rows[0] == given.output_rows[0]);
    if (!fits) {
      throw std::invalid_argument(fmt::format(
          "the tensors of {} do not fit: {} x {} of {} and {} x {} of {} in a group of {}", name,
          input->layout.rows(), input->layout.columns(), name_of(input->type),
          output->layout.rows(), output->layout.columns(), name_of(output->type), size()));
    }
  }
  GroupCall& call = group_->call(index_, given);
  const CollectiveArgs args = group_->arguments_of(call, index_);
  runtime::LaunchHooks hooks;
  if (kb().session().options().verifies) {
    if (!call.watch) call.watch = std::make_shared<CallWatch>(*collective, shape);
    hooks = call.watch->member(
        kb(), index_,
        fmt::format("{} {} of group '{}' at member {}", name, call.number, group_->name(), index_),
        given);
  }
  if (kb().session().options().keeps_requests) {
    const Tensor& tensor = given.tensor();
    runtime::CommunicationRecord record{collective->name, group_->name(), group_->ranks(),
                                        group_->ranks()[root]};
    if (tensor) {
      const std::uint64_t blocks = collective->input_blocks(root, shape);
      record.bytes =
          blocks * given.rows().front() * tensor->layout.columns() * bytes_of(tensor->type);
    }
    record.even = given.even;
    hooks.communication = std::make_shared<const runtime::CommunicationRecord>(std::move(record));
  }
  const auto kernel = call.plan.algorithm->kernel;
  kb().launch(
      call.plan.algorithm->name, [kernel, args](kernel::Tl& tl) { kernel(tl, args); },
      {.stack_bytes = call.plan.algorithm->stack_bytes}, std::move(hooks));
}

void Member::repeat(const std::string& key, std::uint64_t index, std::uint64_t count,
                    const std::function<void()>& work) {
  kb().repeat({fmt::format("{} of group '{}'", key, group_->name()), index, count, index_, size()},
              work);
}

void Member::send(const Tensor& tensor, std::uint32_t to) {
  transfer(tensor, to, true);
}

void Member::receive(const Tensor& tensor, std::uint32_t from) {
  transfer(tensor, from, false);
}

void Member::transfer(const Tensor& tensor, std::uint32_t peer, bool sends) {
  check_member("member", peer);
  if (peer == index_) {
    throw std::invalid_argument(
        fmt::format("member {} of group '{}' cannot send to itself", peer, group_->name()));
  }
  if (const std::string why = unfit(tensor, kb().cubes(), 1); !why.empty()) {
    throw std::invalid_argument(fmt::format("a tensor of a message {}", why));
  }
  const std::string direction = group_->connect(index_, peer);
  const std::uint64_t message = group_->message_bytes();
  CollectiveArgs args{nullptr, tensor->view(), tensor->view()};
  args.cubes = group_->cubes();
  args.root_cube = center_of(args.cubes);
  runtime::LaunchHooks hooks;
  if (kb().session().options().keeps_requests) {
    hooks.communication = std::make_shared<const runtime::CommunicationRecord>(
        runtime::CommunicationRecord{sends ? "send" : "receive", group_->name(), group_->ranks(),
                                     group_->ranks()[peer], tensor->bytes});
  }
  const auto kernel = [=](kernel::Tl& tl) {
    const kernel::TensorRef row = as_row(args.input.local(tl));
    const Tree tree = Tree::of_cubes(tl, args);
    if (sends && !tree.is_root()) return;
    const Groups groups(row.columns, 1, message / whole_bytes_of(row.type));
    for (std::uint64_t group = 0; group < groups.count(); ++group) {
      const Piece piece = groups.piece(group, 0);
      const kernel::TensorRef part = row.block(0, piece.begin, 1, piece.size);
      if (sends) {
        tl.send(direction, tl.load(part));
        continue;
      }
      Tiles tiles(1);
      if (tree.is_root()) tiles[0] = tl.recv(direction, 1, piece.size, row.type);
      broadcast_from_root(tl, tree, tiles, {piece.size}, row.type);
      tl.store(part, *tiles[0]);
    }
  };
  kb().launch(sends ? "send" : "receive", kernel, {}, std::move(hooks));
}

Member Worker::in(Group& group) {
  const std::optional<std::uint32_t> index = group.index_of(rank());
  if (!index) {
    throw std::invalid_argument(
        fmt::format("rank {} is not a member of group '{}'", rank(), group.name()));
  }
  return {group, *index, context_};
}

void spawn(runtime::Context& kb, ProcessGroup& group,
           const std::function<void(Worker& worker)>& body, std::size_t stack_bytes) {
  if (const std::string region = kb.measured_region(); !region.empty()) {
    throw std::invalid_argument(fmt::format(
        "ranks begin inside the measured region '{}'; let each rank measure it instead", region));
  }
  engine::Simulation& simulation = group.session().machine().simulation();
  const auto ranks = std::make_shared<runtime::RegionBarrier>(group.session(), group.devices());
  std::vector<std::unique_ptr<engine::Event>> ends;
  for (std::uint32_t rank = 0; rank < group.world_size(); ++rank) {
    ends.push_back(std::make_unique<engine::Event>(fmt::format("the end of rank {}", rank)));
    engine::Event& end = *ends.back();
    simulation.spawn(fmt::format("rank {}", rank),
                     engine::run_on_fiber(
                         [&group, &body, &end, &kb, &ranks, rank](engine::Fiber& fiber) {
                           Worker worker(group, rank, fiber, kb.parameters(), ranks);
                           body(worker);
                           worker.kb().synchronize();
                           end.trigger();
                         },
                         stack_bytes));
  }
  for (const auto& end : ends) kb.wait(*end);
}

}  // namespace kernbench::model::ccl
