// SPDX-License-Identifier: Apache-2.0
// Prefill and decode of a decoder-only transformer over all ranks.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/numbers.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/transformer/batch.hpp"
#include "model/bench/transformer/decoder.hpp"

namespace kernbench::model::bench::transformer {
namespace {

using runtime::Tensor;

void run_rank(ccl::Worker& worker, const std::shared_ptr<Batch>& batch) {
  runtime::Context& kb = worker.kb();
  const Task& task = batch->task();
  const bool idle = worker.rank() >= task.parallelism.ranks();
  const RankPlace place = RankPlace::of(worker.rank(), task.parallelism);
  const Share mine = idle ? Share{} : share_of(task.batch, place.copy, task.parallelism.data);
  std::unique_ptr<Decoder> decoder;
  if (!idle) {
    decoder =
        std::make_unique<Decoder>(worker, batch->model_of(worker.rank(), kb.device()), task.seed);
  }
  using Sets = std::vector<Activations>;
  const auto step = [&](const std::string& name, const Sets& tensors, std::uint64_t passed,
                        std::uint64_t count) {
    const std::uint64_t last = passed + count - 1;  // position, of a sequence without cached tokens
    std::optional<runtime::HostCopy> logits;
    kb.measure(name, [&] {
      if (idle) return;
      std::vector<std::shared_ptr<const Words>> parts;
      for (std::uint32_t part = 0; part < task.microbatches; ++part) {
        const Share some = share_of(mine.count, part, task.microbatches);
        parts.push_back(batch->words({mine.first + some.first, some.count}, passed, count));
      }
      decoder->forward(tensors, parts);
      if (!task.chooses_words || !decoder->model().is_last_stage()) return;
      // The host reads the logits and chooses the next words.
      logits = kb.read(tensors.front().logits);
      kb.synchronize();
      batch->choose(mine, last + 1, place.tensor * tensors.front().logits->layout.columns(),
                    kb.session().recorder().live()->result(logits->result).to_floats());
    });
    if (idle || !decoder->model().is_last_stage()) return;
    kb.expect(
        fmt::format("logits of {} at rank {}", name, worker.rank()),
        logits ? *logits : kb.read(tensors.front().logits),
        [=] { return batch->expected_logits(place, mine, last); },
        runtime::Tolerance{0.0, tolerance_of(task.shape)});
  };
  if (task.prompt != 0) {
    const Sets tensors = idle ? Sets{} : decoder->activations(task.prompt);
    step("prefill", tensors, 0, task.prompt);
    if (!idle) decoder->release(tensors);
    kb.synchronize();  // the memory is free for the tensors of the steps
  }
  if (task.steps == 0) return;
  const Sets tensors = idle ? Sets{} : decoder->activations(1);
  for (std::uint64_t i = 0; i < task.steps; ++i) {
    step(fmt::format("decode {}", i + 1), tensors, task.prompt + i, 1);
  }
}

/// Returns the tokens of each sequence in the cache by "none", a number for all, or a list.
std::vector<std::uint64_t> cached_tokens(const std::string& text, std::uint64_t batch) {
  if (text == "none") return std::vector<std::uint64_t>(batch);
  std::vector<std::uint64_t> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view one = rest.substr(0, comma);
    const std::optional<std::uint64_t> number = common::parse_u64(one);
    if (!number) {
      throw runtime::BadParameter(fmt::format(
          "parameter 'cached' must be none, a whole number, or one for each sequence such as "
          "100,200, not '{}'",
          text));
    }
    numbers.push_back(*number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() == 1) numbers.resize(batch, numbers.front());
  if (numbers.size() != batch) {
    throw runtime::BadParameter(
        fmt::format("parameter 'cached' has {} numbers, but the batch has {} sequences",
                    numbers.size(), batch));
  }
  return numbers;
}

/// Returns the parameters of a run.
Task task_of(runtime::Context& kb) {
  Task task;
  task.shape = read_model_shape(kb.parameter("model"));
  if (const auto layers = kb.number_or_auto("layers", 1)) task.shape.layers = *layers;
  // No system has a million ranks, and the product of three such numbers fits.
  const auto count = [&](const char* name) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(kb.number(name, 1), 1'000'000));
  };
  task.batch = kb.number("batch", 1);
  task.cached = cached_tokens(kb.parameter("cached"), task.batch);
  const auto [fewest, most] = std::minmax_element(task.cached.begin(), task.cached.end());
  task.prompt = kb.number("prompt", *fewest == 0 ? 1 : 0);
  task.steps = kb.number("decode");
  task.room = kb.number_or_auto("room", 1);
  if (task.room && *task.room < task.tokens()) {
    throw runtime::BadParameter(
        fmt::format("parameter 'room' must be auto or at least the {} tokens of the longest "
                    "sequence, not {}",
                    task.tokens(), *task.room));
  }
  if (task.shape.window != 0 && task.tokens() > task.shape.window) {
    throw runtime::BadParameter(
        fmt::format("the queries of '{}' see {} keys (sliding_window), but a sequence has {}, and "
                    "the kernels of this bench see all",
                    task.shape.name, task.shape.window, task.tokens()));
  }
  task.page_tokens = kb.number("page", 1);
  task.seed = kb.number("seed");
  task.microbatches = count("microbatches");
  task.parallelism.tensor = count("tensor");
  task.parallelism.pipeline = count("pipeline");
  task.parallelism.data = count("data");
  task.parallelism.expert = count("expert");
  task.parallelism.sequence = kb.choice("sequence", {"no", "yes"}) == "yes";
  task.overlaps = kb.choice("overlap", {"no", "yes"}) == "yes";
  if (task.overlaps && task.microbatches % 2 != 0) {
    throw runtime::BadParameter(
        fmt::format("overlap=yes computes one microbatch while the sums of another pass between "
                    "ranks, so 'microbatches' must be even, not {}",
                    task.microbatches));
  }
  if (*fewest != *most && task.microbatches != 1) {
    throw runtime::BadParameter(
        fmt::format("sequences with different numbers of 'cached' tokens pass as one part: "
                    "'microbatches' must be 1, not {}",
                    task.microbatches));
  }
  if (task.overlaps && task.parallelism.sequence) {
    throw runtime::BadParameter("overlap=yes is for ranks that do not share rows: sequence=no");
  }
  const bool live = kb.session().recorder().live() != nullptr;
  const std::string routing = kb.choice("routing", {"auto", "live", "drawn"});
  task.chooses_experts = task.shape.experts != 0 && routing != "drawn";
  if (task.shape.experts != 0 && !task.chooses_experts) {
    kb.session().record().estimates.insert("experts are drawn, not chosen by the tokens");
  }
  if (task.chooses_experts && !live) {
    throw runtime::BadParameter(
        fmt::format("the tokens of '{}' choose their experts by numbers: compute them while "
                    "kernels run with `--data live`, or draw the experts with routing=drawn",
                    task.shape.name));
  }
  if (*most != 0 && (live || kb.session().options().verifies)) {
    throw runtime::BadParameter(
        "tokens that are 'cached' at the start have no numbers: leave out --verify and `--data "
        "live`, or let them be part of the prompt");
  }
  task.chooses_words = kb.choice("decode_by", {"words", "argmax"}) == "argmax";
  if (task.chooses_words && !live) {
    throw runtime::BadParameter(
        "decode_by=argmax chooses words by numbers: compute them while kernels run with "
        "`--data live`, or draw the words with decode_by=words");
  }
  return task;
}

/// Throws BadParameter when the ranks of the world cannot share the work.
void check_ranks(const Task& task, std::uint32_t world_size) {
  const Parallelism& parallelism = task.parallelism;
  if (parallelism.ranks() > world_size) {
    throw runtime::BadParameter(
        fmt::format("'tensor' x 'pipeline' x 'data' are {} ranks, but the system has {}",
                    parallelism.ranks(), world_size));
  }
  if (parallelism.data > task.batch) {
    throw runtime::BadParameter(
        fmt::format("'data' is {}, but the batch has {} sequences", parallelism.data, task.batch));
  }
  if (parallelism.pipeline > task.shape.layers) {
    throw runtime::BadParameter(fmt::format("'pipeline' is {}, but the model has {} layers",
                                            parallelism.pipeline, task.shape.layers));
  }
  check_shares(task.shape, parallelism);
}

/// Throws BadParameter when microbatches cannot have as many sequences each, or the PEs of ranks as
/// many rows of the prefill each.
void check_rows(const Task& task, std::uint64_t pes) {
  const Parallelism& parallelism = task.parallelism;
  for (std::uint32_t copy = 0; copy < parallelism.data; ++copy) {
    const std::uint64_t sequences = share_of(task.batch, copy, parallelism.data).count;
    if (sequences % task.microbatches != 0) {
      throw runtime::BadParameter(
          fmt::format("'microbatches' is {}, which does not divide the {} sequences of a copy of "
                      "the model",
                      task.microbatches, sequences));
    }
    const std::uint64_t rows = sequences / task.microbatches * task.prompt;
    if (!parallelism.shares_rows(task.prompt) || rows % (pes * parallelism.tensor) == 0) continue;
    throw runtime::BadParameter(
        fmt::format("sequence=yes needs rows of a prefill (sequences x 'prompt') that {} ranks of "
                    "{} PEs can share evenly, but there are {}",
                    parallelism.tensor, pes, rows));
  }
}

/// Throws BadParameter when the memory of a SIP is smaller than the tensors of its ranks.
void check_memory(runtime::Context& kb, const Batch& batch, const ccl::ProcessGroup& world) {
  struct Need {
    Footprint tensors;
    std::uint64_t present = 0;
  };
  const Task& task = batch.task();
  std::map<std::uint32_t, Need> needs;  // by SIP
  for (std::uint32_t rank = 0; rank < task.parallelism.ranks(); ++rank) {
    const runtime::Device& device = world.devices()[rank];
    const Footprint footprint = footprint_of(batch.model_of(rank, device), task.prompt, task.steps);
    Need& need = needs[device.sip];
    need.tensors.model += footprint.model;
    need.tensors.activations += footprint.activations;
    for (std::uint32_t cube = 0; cube < device.cubes.size(); ++cube) {
      for (std::uint32_t pe = 0; pe < device.pes.size(); ++pe) {
        need.present += kb.session().allocator(device.at(cube, pe)).hbm().free_bytes();
      }
    }
  }
  std::string lines;
  for (const auto& [sip, need] : needs) {
    const std::uint64_t bytes = need.tensors.model + need.tensors.activations;
    if (bytes <= need.present) continue;
    lines += fmt::format(
        "\n  SIP {}: {} bytes of weights and cache and {} of activations are {} "
        "more than the {} bytes of its ranks' memory",
        sip, need.tensors.model, need.tensors.activations, bytes - need.present, need.present);
  }
  if (lines.empty()) return;
  throw runtime::BadParameter(
      fmt::format("the model '{}' does not fit:{}", task.shape.name, lines));
}

/// Reports what a user of the model would notice.
void report_speed(runtime::Session& session, const Task& task) {
  const std::size_t prefills = task.prompt == 0 ? 0 : 1;
  if (prefills != 0) {
    session.record().figures.push_back(
        {"time to first token", session.record().regions.front().time().ns() / 1000.0, "us"});
  }
  if (task.steps == 0) return;
  double decode_us = 0.0;
  for (std::size_t i = prefills; i < session.record().regions.size(); ++i) {
    decode_us += session.record().regions[i].time().ns() / 1000.0;
  }
  session.record().figures.push_back(
      {"time per token", decode_us / static_cast<double>(task.steps), "us"});
  session.record().figures.push_back(
      {"throughput of decode", static_cast<double>(task.batch * task.steps) / decode_us * 1e6,
       "tokens/s"});
}

void run(runtime::Context& kb) {
  const auto batch = std::make_shared<Batch>(task_of(kb));
  ccl::ProcessGroup world(kb.session(), "ahbm");
  check_ranks(batch->task(), world.world_size());
  check_rows(batch->task(), world.devices().front().pes.size());
  check_memory(kb, *batch, world);
  ccl::spawn(kb, world, [&](ccl::Worker& worker) { run_rank(worker, batch); });
  report_speed(kb.session(), batch->task());
  kb.session().record().figures.push_back(
      {"parameters", static_cast<double>(batch->task().shape.weights()) / 1e6, "million"});
  if (batch->task().chooses_experts) {
    kb.expect("chosen experts", [batch] { return batch->check_chosen_experts(); });
  }
  if (batch->task().chooses_words) {
    kb.expect("chosen words", [batch] { return batch->check_chosen_words(); });
  }
}

const Registration kBench{
    {"transformer",
     "prefill and decode of a decoder-only transformer, over all SIPs",
     {{"model", "configs/models/tiny.yaml", "model file (YAML)", true},
      {"layers", "auto", "number of layers; auto: all of the model"},
      {"batch", "2", "sequences"},
      {"cached", "none",
       "tokens in the cache at the start: none, a number, or one for each sequence"},
      {"prompt", "32", "tokens of each prompt; may be 0 after cached tokens"},
      {"decode", "2", "steps of decode, one token of each sequence each"},
      {"tensor", "1", "ranks that share each layer"},
      {"pipeline", "1", "stages of layers"},
      {"microbatches", "1", "parts of the sequences, which pass stages one by one"},
      {"overlap", "no", "compute a microbatch while ranks sum another: yes or no"},
      {"data", "1", "copies of the model, which share the batch"},
      {"expert", "1", "parts of 'tensor' that share the experts"},
      {"sequence", "no", "ranks share the rows between blocks: yes or no"},
      {"routing", "auto", "how tokens choose experts: live, drawn or auto"},
      {"room", "auto",
       "tokens of each sequence that the cache has room for; auto: those of the run"},
      {"decode_by", "words", "next words: drawn (words) or argmax"},
      {"page", "16", "tokens of a page of the key-value cache"},
      {"seed", "1", "seed of weights and words"}},
     run,
     {},
     true}};

}  // namespace
}  // namespace kernbench::model::bench::transformer
