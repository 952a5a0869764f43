#include "model/components/memory_access.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kernbench::model::components {

using common::SimTime;
using transport::Flits;

MemoryAccesses::MemoryAccesses(engine::Simulation& simulation, const topology::TopologyGraph& graph,
                               transport::Network& network)
    : simulation_(simulation),
      graph_(graph),
      network_(network),
      flit_bytes_(graph.spec().system.flit_bytes),
      request_bytes_(graph.spec().system.request_bytes) {}

std::uint64_t MemoryAccesses::submit(const AccessRequest& request, AccessListener* listener) {
  if (request.bytes == 0) throw std::invalid_argument("an access has at least one byte");
  if (request.route.empty()) throw std::invalid_argument("an access takes at least one wire");
  Access access;
  access.request = request;
  access.listener = listener;
  access.times.submitted = simulation_.now();
  access.controller = graph_.edge(request.route.back()).to;
  if (graph_.node(access.controller).kind != topology::NodeKind::HbmCtrl) {
    throw std::invalid_argument("the route of an access ends at an hbm_ctrl");
  }
  const Flits data{request.bytes, flit_bytes_};
  access.to_serve = data.count();
  access.to_come = request.write ? Flits{request_bytes_, flit_bytes_}.count() : data.count();
  const std::uint64_t id = accesses_.size();
  accesses_.push_back(std::move(access));
  ++pending_;
  network_.send(request.route, request.write ? request.bytes : request_bytes_, *this, id);
  return id;
}

HbmCtrl& MemoryAccesses::controller(topology::NodeId node) {
  return controllers_.try_emplace(node.value(), graph_.spec()).first->second;
}

void MemoryAccesses::on_flit(std::uint64_t message, std::uint64_t index) {
  Access& access = accesses_[message];
  if (access.responding) {
    take_response(message, access);
  } else if (access.request.write) {
    serve_write(message, access, index);
  } else if (index + 1 == Flits{request_bytes_, flit_bytes_}.count()) {
    serve_read(message, access);
  }
}

SimTime MemoryAccesses::serve(Access& access, std::uint64_t index) {
  const SimTime ready = simulation_.now() + graph_.node(access.controller).overhead;
  const Flits data{access.request.bytes, flit_bytes_};
  const SimTime served =
      controller(access.controller)
          .serve(access.request.address + index * flit_bytes_, data.size(index), ready);
  access.served = std::max(access.served, served);  // flits leave in address order
  return access.served;
}

void MemoryAccesses::serve_read(std::uint64_t id, Access& access) {
  access.responding = true;
  const std::uint32_t flow =
      network_.open(network_.reversed(access.request.route), access.request.bytes, *this, id);
  for (std::uint64_t i = 0; i < access.to_serve; ++i) network_.deliver_flit(flow, serve(access, i));
}

void MemoryAccesses::serve_write(std::uint64_t id, Access& access, std::uint64_t index) {
  (void)serve(access, index);
  if (--access.to_serve != 0) return;
  access.responding = true;
  const std::uint32_t flow =
      network_.open(network_.reversed(access.request.route), request_bytes_, *this, id);
  for (std::uint64_t i = 0; i < access.to_come; ++i) network_.deliver_flit(flow, access.served);
}

void MemoryAccesses::take_response(std::uint64_t id, Access& access) {
  if (!access.times.first_response) access.times.first_response = simulation_.now();
  if (--access.to_come != 0) return;
  access.times.done = simulation_.now();
  --pending_;
  if (access.listener != nullptr) access.listener->on_access_done(id);
}

}  // namespace kernbench::model::components
