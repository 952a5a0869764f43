// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "common/diagnostics.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::model::bench::transformer {

namespace {

constexpr std::uint64_t kMost = 1'000'000;
constexpr std::uint64_t kMostExperts = 4096;
constexpr std::uint64_t kMostHeadSize = 4096;
constexpr std::array<common::EnumName<data::DataType>, 3> kTypes = {
    {{"f16", data::DataType::F16}, {"bf16", data::DataType::BF16}, {"f32", data::DataType::F32}}};

/// Reports heads that do not fit each other at these keys.
void check_heads(common::YamlMap& file, const ModelShape& shape, const char* kv_heads,
                 const char* head_size) {
  if (shape.heads % std::max<std::uint64_t>(shape.kv_heads, 1) != 0) {
    file.error(kv_heads, fmt::format("{} heads of queries cannot share {} heads of keys evenly",
                                     shape.heads, shape.kv_heads));
  }
  if (shape.head_size % 2 != 0) {
    file.error(head_size,
               fmt::format("a head of {} numbers has no halves to rotate", shape.head_size));
  } else if (shape.head_size > kMostHeadSize) {
    file.error(head_size, fmt::format("a head of {} numbers is too large; it has at most {}",
                                      shape.head_size, kMostHeadSize));
  }
}

/// Reports heads among which the hidden numbers cannot be split evenly, in a file that does not
/// give the size of a head.
void check_split(common::YamlMap& file, const ModelShape& shape, const char* heads,
                 const char* head_size) {
  if (shape.heads == 0 || shape.hidden % shape.heads == 0) return;
  file.error(heads,
             fmt::format("a hidden size of {} cannot be split evenly into {} heads", shape.hidden,
                         shape.heads),
             fmt::format("'{}' gives the size of a head", head_size));
}

/// Reports more experts of a token than there are.
void check_experts(common::YamlMap& file, const ModelShape& shape, const char* used) {
  if (shape.experts_used <= shape.experts) return;
  file.error(used,
             fmt::format("a token cannot use {} of {} experts", shape.experts_used, shape.experts));
}

ModelShape read(const common::YamlDocument& document) {
  ModelShape shape;
  common::YamlMap file(document.root());
  shape.name = file.string("name");
  shape.hidden = file.u64("hidden", {.min = 1, .max = kMost});
  shape.layers = file.u64("layers", {.min = 1, .max = 10'000});
  shape.heads = file.u64("heads", {.min = 1, .max = kMost});
  shape.kv_heads = file.u64("kv_heads", {.min = 1, .max = kMost}, shape.heads);
  shape.head_size = file.u64("head_size", {.min = 2, .max = kMostHeadSize},
                             shape.hidden / std::max<std::uint64_t>(shape.heads, 1));
  shape.feed_forward = file.u64("feed_forward", {.min = 1, .max = kMost});
  shape.experts = file.u64("experts", {.min = 1, .max = kMostExperts}, shape.experts);
  if (shape.experts != 0 || file.has("experts_used")) {
    shape.experts_used = file.u64("experts_used", {.min = 1, .max = kMostExperts}, 2);
  }
  shape.vocabulary = file.u64("vocabulary", {.min = 2, .max = 10'000'000});
  shape.rope_theta = file.number("rope_theta", {.min = 1.0, .max = 1e9}, shape.rope_theta);
  shape.norm_epsilon = file.number("norm_epsilon", {.min = 0.0, .max = 1.0, .exclude_min = true},
                                   shape.norm_epsilon);
  shape.type = file.enumeration("type", kTypes, shape.type);
  if (!file.has("head_size")) check_split(file, shape, "heads", "head_size");
  check_heads(file, shape, "kv_heads", file.has("head_size") ? "head_size" : "heads");
  check_experts(file, shape, file.has("experts_used") ? "experts_used" : "experts");
  file.finish();
  return shape;
}

/// The families whose layers are those of ModelShape.
constexpr std::array<std::string_view, 3> kFamilies = {"llama", "mistral", "mixtral"};

/// Reads the config.json of a model of the Transformers library, in which most keys do not matter
/// for the shape. JSON is YAML.
ModelShape read_hugging_face(const common::YamlDocument& document, const std::string& name) {
  ModelShape shape;
  shape.name = name;
  common::YamlMap file(document.root());
  const std::string_view family = kFamilies.at(file.one_of("model_type", kFamilies));
  std::set<std::string, std::less<>> given;
  for (const auto& [key, value] : file.entries()) {
    const bool is_null = !value.is_scalar() && !value.is_list() && !value.is_map();
    if (!is_null) given.insert(key);
  }
  const auto count = [&](const char* key, std::optional<std::uint64_t> fallback = {}) {
    if (fallback && !given.contains(key)) return *fallback;
    return file.u64(key, {.min = 1, .max = 10'000'000});
  };
  shape.hidden = count("hidden_size");
  shape.layers = count("num_hidden_layers");
  shape.heads = count("num_attention_heads");
  shape.kv_heads = count("num_key_value_heads", shape.heads);
  shape.head_size = count("head_dim", shape.hidden / std::max<std::uint64_t>(shape.heads, 1));
  shape.feed_forward = count("intermediate_size");
  if (family == "mixtral") {
    shape.experts = count("num_local_experts");
    shape.experts_used = count("num_experts_per_tok");
    check_experts(file, shape, "num_experts_per_tok");
  }
  shape.vocabulary = count("vocab_size");
  if (given.contains("rope_theta")) {
    shape.rope_theta = file.number("rope_theta", {.min = 1.0, .max = 1e9});
  }
  if (given.contains("rms_norm_eps")) {
    shape.norm_epsilon = file.number("rms_norm_eps", {.min = 0.0, .max = 1.0, .exclude_min = true});
  }
  if (given.contains("torch_dtype")) {
    constexpr std::array<common::EnumName<data::DataType>, 3> kNames = {
        {{"float16", data::DataType::F16},
         {"bfloat16", data::DataType::BF16},
         {"float32", data::DataType::F32}}};
    shape.type = file.enumeration("torch_dtype", kNames);
  }
  if (given.contains("hidden_act")) {
    constexpr std::array<std::string_view, 1> kActivations = {"silu"};
    (void)file.one_of("hidden_act", kActivations);
  }
  for (const char* const key : {"attention_bias", "mlp_bias"}) {
    if (given.contains(key) && file.boolean(key)) {
      file.error(key, fmt::format("'{}' is true, but the layers have no biases", key));
    }
  }
  if (!given.contains("head_dim")) check_split(file, shape, "num_attention_heads", "head_dim");
  check_heads(file, shape, "num_key_value_heads",
              given.contains("head_dim") ? "head_dim" : "num_attention_heads");
  file.finish();
  return shape;
}

}  // namespace

std::uint64_t ModelShape::layer_weights() const {
  const std::uint64_t attention = hidden * head_size * (2 * heads + 2 * kv_heads);
  return attention + std::max<std::uint64_t>(experts, 1) * 3 * hidden * feed_forward +
         experts * hidden;
}

ModelShape read_model_shape(const std::filesystem::path& path) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(path, diagnostics);
  const std::string folder = path.parent_path().filename().string();
  ModelShape shape = path.extension() == ".json"
                         ? read_hugging_face(document, folder.empty() ? "config.json" : folder)
                         : read(document);
  diagnostics.throw_if_any();
  return shape;
}

}  // namespace kernbench::model::bench::transformer
