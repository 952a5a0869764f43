// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/process_group.hpp"

#include <fmt/format.h>

#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "model/ccl/neighbors.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/engine/occurrence.hpp"

namespace kernbench::model::ccl {

using runtime::Placement;
using runtime::Tensor;

namespace {

Grid cube_grid(const runtime::Session& session) {
  const topology::SipSpec& sip = session.spec().sip;
  return {sip.cube_mesh_w, sip.cube_mesh_h};
}

std::uint32_t root_cube(const Algorithm& algorithm, const Grid& cubes) {
  return algorithm.root_cube == Root::Center ? center_of(cubes) : 0;
}

/// Returns why a collective cannot use a tensor, or an empty text.
std::string unfit(const Tensor& tensor, std::uint32_t cubes, bool by_rows) {
  const runtime::Layout& layout = tensor->layout;
  if (layout.policy().cube != Placement::Replicate || layout.cubes() != cubes) {
    return "has to be replicated over all cubes of the SIP";
  }
  if (by_rows && layout.policy().pe == Placement::RowWise && layout.pes() > 1) {
    return "has to be column_wise or replicated over PEs, as ranks share its rows";
  }
  return {};
}

}  // namespace

ProcessGroup::ProcessGroup(runtime::Session& session, std::string_view backend)
    : session_(session) {
  if (backend != "ahbm") {
    throw std::invalid_argument(fmt::format("unknown backend '{}'; the only one is ahbm", backend));
  }
  const runtime::CclSource& source = session.ccl();
  config_ = source.text.empty() ? read_ccl_config(source.name, session.spec())
                                : parse_ccl_config(source.text, source.name, session.spec());
  install();
}

void ProcessGroup::install() {
  const Grid cubes = cube_grid(session_);
  const std::uint32_t pes = session_.spec().cube.pes();
  std::vector<components::NeighborLink> links = mesh_links(config_.world_size, cubes, pes);
  std::set<std::pair<SipTopology, std::uint32_t>> joined;
  for (const auto& [collective, choice] : config_.choices) {
    const std::uint32_t root = root_cube(*choice.algorithm, cubes);
    if (!joined.emplace(choice.topology, root).second) continue;
    const auto more =
        sip_links(choice.topology, config_.world_size, config_.sips, cubes, root, pes);
    links.insert(links.end(), more.begin(), more.end());
  }
  session_.install_neighbors(links, config_.slot_memory);
}

void Worker::all_reduce(const Tensor& tensor) {
  run(Collective::AllReduce, tensor, tensor);
}

void Worker::all_gather(const Tensor& output, const Tensor& input) {
  run(Collective::AllGather, input, output);
}

void Worker::reduce_scatter(const Tensor& output, const Tensor& input) {
  run(Collective::ReduceScatter, input, output);
}

void Worker::broadcast(const Tensor& tensor, std::uint32_t root) {
  if (root >= world_size()) {
    throw std::invalid_argument(
        fmt::format("unknown rank {}; the world has {} ranks", root, world_size()));
  }
  run(Collective::Broadcast, tensor, tensor, root);
}

void Worker::barrier() {
  if (!token_) token_ = context_.tensor(0, 0, data::DataType::I32, {});
  run(Collective::Barrier, token_, token_);
  context_.synchronize();
}

void Worker::run(Collective collective, const Tensor& tensor, const Tensor& output,
                 std::uint32_t root) {
  const Choice& choice = group_.config().choices.at(collective);
  const bool by_rows =
      collective == Collective::AllGather || collective == Collective::ReduceScatter;
  for (const Tensor& one : {tensor, output}) {
    const std::string why = unfit(one, context_.cubes(), by_rows);
    if (!why.empty()) {
      throw std::invalid_argument(fmt::format("a tensor of {} {}", name_of(collective), why));
    }
  }
  const std::uint64_t parts = by_rows ? world_size() : 1;
  const Tensor& whole = collective == Collective::AllGather ? output : tensor;
  const Tensor& part = collective == Collective::AllGather ? tensor : output;
  if (whole->layout.rows() != parts * part->layout.rows() ||
      whole->layout.columns() != part->layout.columns() || whole->type != part->type ||
      whole->layout.pes() != part->layout.pes() ||
      whole->layout.policy() != part->layout.policy()) {
    throw std::invalid_argument(fmt::format(
        "the tensors of {} do not fit: {} x {} of {} and {} x {} of {} in a world of {}",
        name_of(collective), whole->layout.rows(), whole->layout.columns(), name_of(whole->type),
        part->layout.rows(), part->layout.columns(), name_of(part->type), world_size()));
  }
  const topology::PeSpec& pe = group_.session().spec().pe;
  CollectiveArgs args{tensor->view(), output->view()};
  args.elements = tensor->layout.rows() * tensor->layout.columns();
  args.cubes = cube_grid(group_.session());
  args.root_cube = root_cube(*choice.algorithm, args.cubes);
  args.world_size = world_size();
  args.rank = rank();
  args.sips = group_.config().sips;
  args.topology = choice.topology;
  args.root_rank = root;
  args.slot_bytes = pe.pe_ipcq_slot_bytes;
  args.slots = pe.pe_ipcq_slots;
  args.tile_bytes = (std::uint64_t{group_.session().spec().cube.memory_map.tcm_mb} << 20U) / 4;
  if (choice.algorithm->kernel_args != nullptr) choice.algorithm->kernel_args(args);
  context_.launch(choice.algorithm->name,
                  [kernel = choice.algorithm->kernel, args](kernel::Tl& tl) { kernel(tl, args); });
}

void spawn(runtime::Context& kb, ProcessGroup& group,
           const std::function<void(Worker& worker)>& body) {
  if (const std::string region = kb.measured_region(); !region.empty()) {
    throw std::invalid_argument(fmt::format(
        "ranks begin inside the measured region '{}'; let each rank measure it instead", region));
  }
  engine::Simulation& simulation = group.session().machine().simulation();
  std::vector<std::uint32_t> sips(group.world_size());
  std::iota(sips.begin(), sips.end(), 0U);
  const auto ranks = std::make_shared<runtime::RegionBarrier>(group.session(), std::move(sips));
  std::vector<std::unique_ptr<engine::Event>> ends;
  for (std::uint32_t rank = 0; rank < group.world_size(); ++rank) {
    ends.push_back(std::make_unique<engine::Event>(fmt::format("the end of rank {}", rank)));
    engine::Event& end = *ends.back();
    simulation.spawn(
        fmt::format("rank {}", rank),
        engine::run_on_fiber([&group, &body, &end, &kb, &ranks, rank](engine::Fiber& fiber) {
          Worker worker(group, rank, fiber, kb.parameters(), ranks);
          body(worker);
          worker.kb().synchronize();
          end.trigger();
        }));
  }
  for (const auto& end : ends) kb.wait(*end);
}

}  // namespace kernbench::model::ccl
