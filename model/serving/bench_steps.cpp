// SPDX-License-Identifier: Apache-2.0
#include "model/serving/bench_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/numbers.hpp"
#include "model/bench/transformer/rank_tensors.hpp"
#include "model/runtime/device.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::serving {

namespace transformer = bench::transformer;
using runtime::BadParameter;

namespace {

using Parameters = std::map<std::string, std::string>;

std::uint64_t positive(const Parameters& parameters, const std::string& name) {
  const std::string& text = parameters.at(name);
  const std::optional<std::uint64_t> number = common::parse_u64(text);
  if (number && *number >= 1 && *number <= kMostTokens) return *number;
  throw BadParameter(fmt::format("parameter '{}' must be a whole number from 1 to {}, not '{}'",
                                 name, kMostTokens, text));
}

}  // namespace

StepTime bench_steps(const topology::TopologyGraph& graph, bench::RunOptions options,
                     const ServerRoom& room, std::uint64_t tokens) {
  options.reuse = true;
  options.samples = false;
  return [&graph, options = std::move(options), most = room.pages / room.pages_of(tokens),
          tokens](const Step& step) {
    bench::RunOptions run = options;
    const bool decodes = step.prompt == 0;
    const std::uint64_t batch = decodes ? step.contexts.size() : 1;
    run.parameters["batch"] = fmt::format("{}", batch);
    run.parameters["room"] = batch <= most ? fmt::format("{}", tokens) : "auto";
    run.parameters["cached"] = decodes ? fmt::format("{}", fmt::join(step.contexts, ",")) : "0";
    run.parameters["prompt"] = fmt::format("{}", step.prompt);
    run.parameters["decode"] = fmt::format("{}", decodes ? 1 : 0);
    const std::string name = decodes ? fmt::format("decode of {} sequences", step.contexts.size())
                                     : fmt::format("prefill of {} tokens", step.prompt);
    return run_case(name, bench::find_bench("transformer"), graph, run).regions.front().time();
  };
}

ServerMemory server_memory(const topology::TopologySpec& spec, const Parameters& parameters,
                           std::uint64_t max_batch, const Request& longest) {
  transformer::ModelShape shape = transformer::read_model_shape(parameters.at("model"));
  if (parameters.at("layers") != "auto") shape.layers = positive(parameters, "layers");
  transformer::Parallelism spread;
  spread.tensor = static_cast<std::uint32_t>(positive(parameters, "tensor"));
  spread.pipeline = static_cast<std::uint32_t>(positive(parameters, "pipeline"));
  spread.expert = static_cast<std::uint32_t>(positive(parameters, "expert"));
  if (spread.pipeline > shape.layers || spread.ranks() > spec.system.sips) {
    throw BadParameter(
        fmt::format("'tensor' {} x 'pipeline' {} must be at most the {} SIPs of the system, and "
                    "'pipeline' at most the {} layers of the model",
                    spread.tensor, spread.pipeline, spec.system.sips, shape.layers));
  }
  check_shares(shape, spread);

  const runtime::Device device = runtime::Device::of_sip(spec, 0);
  const auto cubes = static_cast<std::uint32_t>(device.cubes.size());
  const auto pes = static_cast<std::uint32_t>(device.pes.size());
  const std::uint64_t page_tokens = positive(parameters, "page");
  transformer::Routing routing;
  if (shape.experts != 0) {
    routing.choice = std::make_shared<transformer::ExpertChoice>(shape, 0, 0);
  }
  ServerMemory least;
  for (std::uint32_t rank = 0; rank < spread.ranks(); ++rank) {
    const auto model_of = [&](std::uint64_t sequences) {
      return transformer::RankModel(shape, spread, rank,
                                    {sequences, longest.cached_tokens(), page_tokens}, routing,
                                    cubes, pes);
    };
    const transformer::RankModel model = model_of(1);
    const transformer::Share layers =
        transformer::share_of(shape.layers, model.place.stage, spread.pipeline);
    const transformer::CubeHeads& heads = model.split.heads;
    const std::uint64_t token_bytes =
        2 * layers.count * model.split.cubes * heads.kv_heads * heads.size * bytes_of(shape.type);
    const std::uint64_t cache_rows = model.room.make_cache(pes).rows();
    const transformer::Footprint prefill = footprint_of(model, longest.prompt, 0);
    const transformer::Footprint decode = footprint_of(model_of(max_batch), 1, 1);
    ServerMemory memory;
    memory.weights = shape.weights();
    memory.bytes = std::uint64_t{cubes} * pes * spec.cube.hbm_bytes_of_pe();
    memory.other_bytes = prefill.model - cache_rows * token_bytes +
                         std::max(prefill.activations, decode.activations);
    memory.page_bytes = token_bytes * page_tokens;
    memory.page_tokens = page_tokens;
    memory.pes = pes;
    memory.kv_heads = heads.kv_heads;
    memory.sip = rank;
    if (memory.cache_bytes() == 0) {
      throw BadParameter(fmt::format(
          "the model '{}' does not fit: on SIP {}, {} bytes of weights and activations "
          "are {} more than its {} bytes of memory",
          shape.name, rank, memory.other_bytes, memory.other_bytes - memory.bytes, memory.bytes));
    }
    const auto pages = [](const ServerMemory& one) { return one.room(1).pages; };
    if (rank == 0 || pages(memory) < pages(least)) least = memory;
  }
  return least;
}

std::uint64_t missing_bytes(const ServerMemory& memory, const Request& request) {
  const ServerRoom room = memory.room(1);
  const std::uint64_t pages = room.pages_of(request);
  return pages <= room.pages ? 0 : pages * memory.page_bytes - memory.cache_bytes();
}

}  // namespace kernbench::model::serving
