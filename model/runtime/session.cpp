// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "model/engine/fiber.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/pe_executor.hpp"
#include "model/kernel/recording_executor.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::runtime {

namespace {

std::uint64_t index_in(const std::vector<std::uint32_t>& list, std::uint32_t number) {
  return static_cast<std::uint64_t>(std::find(list.begin(), list.end(), number) - list.begin());
}

std::size_t pes_of(const topology::TopologySpec& spec) {
  return std::size_t{spec.system.sips} * spec.sip.cubes() * spec.cube.pes();
}

}  // namespace

Session::Session(components::Machine& machine, data::Recorder& recorder, RunRecord& record,
                 SessionOptions options)
    : machine_(machine),
      recorder_(recorder),
      record_(record),
      options_(std::move(options)),
      addresses_(machine.spec().cube.memory_map.page_bytes),
      allocators_(pes_of(machine.spec())),
      activities_(pes_of(machine.spec()) * kMaxKernelsOfAPe) {
  if (options_.repeats) repeats_.emplace(*options_.repeats);
  for (const RegisteredKernel& kernel : kernels()) define(kernel.name);
  const topology::TopologySpec& spec = machine.spec();
  for (std::uint32_t i = 0; i < activities_.size(); ++i) {
    const std::uint32_t pe = i / kMaxKernelsOfAPe;
    const std::uint32_t cube = pe / spec.cube.pes();
    activities_[i].set_pe({cube / spec.sip.cubes(), cube % spec.sip.cubes(), pe % spec.cube.pes()});
  }
}

std::size_t Session::index_of(const memory::PeLocation& pe) const {
  const topology::TopologySpec& spec = machine_.spec();
  return (std::size_t{pe.sip} * spec.sip.cubes() + pe.cube) * spec.cube.pes() + pe.pe;
}

kernel::Activity& Session::idle_activity(const memory::PeLocation& pe) {
  const auto begin =
      activities_.begin() + static_cast<std::ptrdiff_t>(index_of(pe) * kMaxKernelsOfAPe);
  const auto end = begin + kMaxKernelsOfAPe;
  const auto idle = std::find_if(begin, end, [](const auto& one) { return !one.is_running(); });
  if (idle == end) {
    throw std::logic_error(fmt::format("{} runs {} kernels already", pe.name(), kMaxKernelsOfAPe));
  }
  return *idle;
}

memory::PeAllocator& Session::allocator(const memory::PeLocation& pe) {
  std::unique_ptr<memory::PeAllocator>& allocator = allocators_.at(index_of(pe));
  if (!allocator) allocator = std::make_unique<memory::PeAllocator>(machine_.spec(), pe);
  return *allocator;
}

std::uint64_t Session::allocate_range(std::uint64_t bytes) {
  if (options_.addresses != AddressModel::Logical) return addresses_.allocate(bytes);
  if (bytes > kLogicalBytes) {
    throw memory::OutOfMemory("the logical range of a tensor", bytes, kLogicalBytes, kLogicalBytes);
  }
  return kLogicalBegin + logical_++ * kLogicalBytes;
}

void Session::free_range(std::uint64_t begin, std::uint64_t bytes) {
  if (options_.addresses != AddressModel::Logical) addresses_.free(begin, bytes);
}

void Session::install_neighbors(const std::vector<components::NeighborLink>& links,
                                std::optional<topology::SlotBacking> backing) {
  components::install_neighbors(machine_, links, backing);
  const topology::PeSpec& pe = spec().pe;
  for (const components::NeighborLink& link : links) {
    const std::uint64_t ring = link.slot_bytes == 0
                                   ? pe.pe_ipcq_ring_bytes()
                                   : std::uint64_t{pe.pe_ipcq_slots} * link.slot_bytes;
    for (const memory::PeLocation& end : {link.a, link.b}) {
      switch (backing.value_or(pe.pe_ipcq_backing)) {
        case topology::SlotBacking::Tcm:
          allocator(end).reserve_tcm_end(ring);
          break;
        case topology::SlotBacking::Hbm:
          allocator(end).reserve_hbm_end(ring);
          break;
        case topology::SlotBacking::Sram:  // has no allocator
          break;
      }
    }
  }
}

void Session::define(std::string_view name) {
  machine_.kernels().define(name, [this](const components::KernelContext& context) {
    return run_kernel(launches_.at(context.arguments), context);
  });
}

components::KernelLaunch Session::prepare(const std::string& name, LaunchArguments arguments) {
  const RegisteredKernel* const registered = arguments.body ? nullptr : find_kernel(name);
  if (registered != nullptr) {
    arguments.body =
        registered->bind(checked_arguments(*registered, std::move(arguments.of_registered)));
  }
  if (arguments.body) define(name);
  const std::uint32_t number = recorder_.add_launch(name);
  const std::pair rank(arguments.device.sip, arguments.device.cubes.front());
  const LaunchKey key{rank.first, rank.second, launched_[rank]++};
  launches_.emplace(number, Launch{&*kernel_names_.insert(name).first, std::move(arguments), key});
  return {name, number};
}

engine::Process Session::run_kernel(const Launch& launch,
                                    const components::KernelContext& context) {
  const std::string& name = *launch.name;
  const Device& device = launch.arguments.device;
  kernel::ProgramPlace place = launch.arguments.grid;
  place.cube = index_in(device.cubes, context.pe.cube);
  place.pe = index_in(device.pes, context.pe.pe);
  if (options_.delays != nullptr) {
    const std::uint64_t program = std::uint64_t{context.pe.cube} << 32U | context.pe.pe;
    co_await machine_.simulation().delay(options_.delays->of(launch.key, program));
  }
  record_.starts[launch.key].add(machine_.simulation().now());
  const auto program = [this, &launch, &name, &place, &device, &context](engine::Fiber& fiber) {
    kernel::Activity& activity = idle_activity(context.pe);
    activity.begin(name.c_str());
    fiber.set_work(&activity);
    const auto fail = [&](std::string_view what) {
      return KernelFailure(fmt::format("kernel '{}' on {}{}", name, context.pe.name(), what));
    };
    const auto thrown = [&](std::string_view what) {
      const std::string last = activity.last_operation();
      return fail(fmt::format(" threw {}: {}",
                              last.empty() ? "before its first operation" : "after " + last, what));
    };
    const auto run = [&](kernel::Executor& executor) {
      kernel::Tl tl(executor);
      try {
        launch.arguments.body(tl);
        tl.end();
      } catch (const kernel::KernelError& error) {
        throw fail(fmt::format(": {}", error.what()));
      } catch (const data::ReplayError&) {  // names its operation
        throw;
      } catch (const std::exception& error) {
        throw thrown(error.what());
      } catch (...) {
        if (fiber.abandoned()) throw;
        throw thrown("an exception that is not a std::exception");
      }
    };
    if (!options_.recorded_program) {
      kernel::PeExecutor executor(machine_, context, place, allocator(context.pe), recorder_, fiber,
                                  activity, context.arguments);
      run(executor);
    } else if (*options_.recorded_program == std::pair(place.cube, place.pe)) {
      kernel::RecordingExecutor executor(spec(), place);
      run(executor);
      record_.recorded.push_back({name, device, executor.operations()});
    }
    activity.end();
  };
  engine::Process process = engine::run_on_fiber(program, launch.arguments.stack_bytes);
  co_await std::move(process);
}

std::vector<std::string> Session::waits() const {
  std::vector<std::string> lines = unstarted_regions(record_.regions);
  for (const auto& report : wait_reports_) {
    for (std::string& line : report()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> Session::running() const {
  std::vector<std::string> list;
  for (const bool computing : {true, false}) {
    for (const kernel::Activity& activity : activities_) {
      const std::string kernel = activity.kernel();
      if (kernel.empty() || activity.computing() != computing) continue;
      const std::string last = activity.last_operation();
      list.push_back(fmt::format("kernel '{}' on {}: {}{}", kernel, activity.pe().name(),
                                 computing ? "computes after " : "",
                                 last.empty() ? "no operation" : last));
    }
  }
  return list;
}

}  // namespace kernbench::model::runtime
