// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::common {

using model::bench::transformer::ModelShape;
using model::data::DataType;

namespace {

constexpr double kMostOfModel = 1e6;
constexpr std::array<EnumName<DataType>, 3> kModelTypes = {
    {{"f16", DataType::F16}, {"bf16", DataType::BF16}, {"f32", DataType::F32}}};

}  // namespace

template <>
const Description<ModelShape>& description_of() {
  static const auto kAll =
      Description<ModelShape>()
          .add("name", &ModelShape::name)
          .not_empty()
          .add("hidden", &ModelShape::hidden, "numbers of a token")
          .within(1, kMostOfModel)
          .add("layers", &ModelShape::layers)
          .within(1, 10'000)
          .add("heads", &ModelShape::heads, "heads of queries")
          .within(1, kMostOfModel)
          .add("kv_heads", &ModelShape::kv_heads, "heads of keys and values; divides `heads`")
          .within(1, kMostOfModel)
          .defaults_to("`heads`")
          .add("head_size", &ModelShape::head_size, "numbers of a head, even")
          .within(2, 4096)
          .defaults_to("`hidden` / `heads`")
          .add("feed_forward", &ModelShape::feed_forward,
               "columns of the feed-forward layer, or of each expert")
          .within(1, kMostOfModel)
          .add("experts", &ModelShape::experts, "feed-forward layers to choose from")
          .within(1, 4096)
          .defaults_to("one layer for all tokens")
          .add("experts_used", &ModelShape::experts_used, "experts of a token; at most `experts`")
          .within(1, 4096)
          .defaults_to("2, with experts")
          .add("vocabulary", &ModelShape::vocabulary)
          .within(2, 1e7)
          .add("rope_theta", &ModelShape::rope_theta, "base of the rotary embedding")
          .within(1, 1e9)
          .optional()
          .add("norm_epsilon", &ModelShape::norm_epsilon, "of RMSNorm")
          .above(0)
          .at_most(1)
          .optional()
          .add_named("type", &ModelShape::type, kModelTypes, "type of weights and activations")
          .optional();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::bench::transformer {

namespace {

constexpr std::uint64_t kMostHeadSize = 4096;

/// Reports heads that do not fit each other at these keys.
template <typename File>
void check_heads(File& file, const ModelShape& shape, const char* kv_heads, const char* head_size) {
  if (shape.heads % std::max<std::uint64_t>(shape.kv_heads, 1) != 0) {
    file.error(kv_heads, fmt::format("{} heads of queries cannot share {} heads of keys evenly",
                                     shape.heads, shape.kv_heads));
  }
  if (shape.head_size == 0 || shape.head_size % 2 != 0) {
    file.error(head_size,
               fmt::format("a head of {} numbers has no halves to rotate", shape.head_size));
  } else if (shape.head_size > kMostHeadSize) {
    file.error(head_size, fmt::format("a head of {} numbers is too large; it has at most {}",
                                      shape.head_size, kMostHeadSize));
  }
}

/// Reports heads among which the hidden numbers cannot be split evenly, in a file that does not
/// give the size of a head.
template <typename File>
void check_split(File& file, const ModelShape& shape, const char* heads, const char* head_size) {
  if (shape.heads == 0 || shape.hidden % shape.heads == 0) return;
  file.error(heads,
             fmt::format("a hidden size of {} cannot be split evenly into {} heads", shape.hidden,
                         shape.heads),
             fmt::format("'{}' gives the size of a head", head_size));
}

/// Reports more experts of a token than there are.
template <typename File>
void check_experts(File& file, const ModelShape& shape, const char* used) {
  if (shape.experts_used <= shape.experts) return;
  file.error(used,
             fmt::format("a token cannot use {} of {} experts", shape.experts_used, shape.experts));
}

ModelShape read(const common::YamlDocument& document, common::Diagnostics& diagnostics) {
  common::Input<ModelShape> file(document.root(), diagnostics);
  ModelShape& shape = *file;
  if (!file.has("kv_heads")) shape.kv_heads = shape.heads;
  if (!file.has("head_size")) {
    shape.head_size = shape.hidden / std::max<std::uint64_t>(shape.heads, 1);
    check_split(file, shape, "heads", "head_size");
  }
  if (shape.experts != 0 && !file.has("experts_used")) shape.experts_used = 2;
  check_heads(file, shape, "kv_heads", file.has("head_size") ? "head_size" : "heads");
  check_experts(file, shape, file.has("experts_used") ? "experts_used" : "experts");
  return shape;
}

/// The families whose layers are those of ModelShape.
constexpr std::array<std::string_view, 3> kFamilies = {"llama", "mistral", "mixtral"};

/// The keys of a config.json that change neither the work nor the memory of a model that runs.
bool has_no_effect(std::string_view key) {
  static const std::set<std::string_view> kKeys = {"_attn_implementation_autoset",
                                                   "_name_or_path",
                                                   "architectures",
                                                   "attn_implementation",
                                                   "auto_map",
                                                   "chunk_size_feed_forward",
                                                   "finetuning_task",
                                                   "id2label",
                                                   "initializer_range",
                                                   "is_decoder",
                                                   "is_encoder_decoder",
                                                   "label2id",
                                                   "length_penalty",
                                                   "max_length",
                                                   "max_position_embeddings",
                                                   "output_attentions",
                                                   "output_hidden_states",
                                                   "output_router_logits",
                                                   "pretraining_tp",
                                                   "problem_type",
                                                   "return_dict",
                                                   "rope_parameters",
                                                   "rope_scaling",
                                                   "router_aux_loss_coef",
                                                   "router_jitter_noise",
                                                   "task_specific_params",
                                                   "tokenizer_class",
                                                   "transformers_version",
                                                   "use_cache"};
  return kKeys.contains(key) || key.ends_with("_token_id") || key.ends_with("_dropout");
}

/// Returns the element type of a config.json, whose key was renamed in 2025.
data::DataType type_of(common::YamlMap& file, bool old_key, bool new_key, data::DataType type) {
  constexpr std::array<common::EnumName<data::DataType>, 3> kNames = {
      {{"float16", data::DataType::F16},
       {"bfloat16", data::DataType::BF16},
       {"float32", data::DataType::F32}}};
  if (!old_key) return new_key ? file.enumeration("dtype", kNames) : type;
  type = file.enumeration("torch_dtype", kNames);
  if (new_key && file.enumeration("dtype", kNames) != type) {
    file.error("dtype", "'dtype' and 'torch_dtype' differ", "remove one of them");
  }
  return type;
}

/// Refuses keys of a config.json whose work or memory the layers do not have.
void refuse_other_work(common::YamlMap& file, const std::set<std::string, std::less<>>& given) {
  for (const char* const key : {"attention_bias", "mlp_bias"}) {
    if (given.contains(key) && file.boolean(key)) {
      file.error(key, fmt::format("'{}' is true, but the layers have no biases", key));
    }
  }
  if (given.contains("tie_word_embeddings") && file.boolean("tie_word_embeddings")) {
    file.error("tie_word_embeddings",
               "'tie_word_embeddings' is true, but the output has weights of its own",
               "false runs the model with an output of vocab_size x hidden_size weights more");
  }
  if (given.contains("quantization_config")) {
    file.error("quantization_config",
               "'quantization_config' is given, but weights have the type of the activations",
               "without it the model runs with weights of its 'dtype'");
  }
}

/// Reads a map of a config.json with the keys of a text model. JSON is YAML.
ModelShape read_text_model(const common::YamlNode& node, const std::string& name) {
  ModelShape shape;
  shape.name = name;
  common::YamlMap file(node);
  std::set<std::string, std::less<>> given;
  for (const auto& [key, value] : file.entries()) {
    const bool is_null = !value.is_scalar() && !value.is_list() && !value.is_map();
    if (!is_null) given.insert(key);
  }
  constexpr const char* kHint = "a model file (docs/models.md) gives any shape with such layers";
  if (!given.contains("model_type")) {
    file.error("model_type", "there is no 'model_type'", kHint);
    return shape;
  }
  const std::string family = file.string("model_type");
  if (std::find(kFamilies.begin(), kFamilies.end(), family) == kFamilies.end()) {
    file.error(
        "model_type",
        fmt::format("'model_type' must be one of {}, not '{}'", fmt::join(kFamilies, ", "), family),
        kHint);
    return shape;
  }
  std::set<std::string, std::less<>> read = {
      "model_type", "hidden_act",   "attention_bias",      "mlp_bias",
      "dtype",      "torch_dtype",  "tie_word_embeddings", "quantization_config",
      "rope_theta", "rms_norm_eps", "sliding_window"};
  const auto count = [&](const char* key, std::optional<std::uint64_t> fallback = {}) {
    read.insert(key);
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
  if (given.contains("sliding_window")) shape.window = count("sliding_window");
  if (given.contains("rope_theta")) {
    shape.rope_theta = file.number("rope_theta", {.min = 1.0, .max = 1e9});
  }
  if (given.contains("rms_norm_eps")) {
    shape.norm_epsilon = file.number("rms_norm_eps", {.min = 0.0, .max = 1.0, .exclude_min = true});
  }
  shape.type = type_of(file, given.contains("torch_dtype"), given.contains("dtype"), shape.type);
  if (given.contains("hidden_act")) {
    constexpr std::array<std::string_view, 1> kActivations = {"silu"};
    (void)file.one_of("hidden_act", kActivations);
  }
  refuse_other_work(file, given);
  for (const std::string& key : given) {
    if (read.contains(key) || has_no_effect(key)) continue;
    file.error(key, fmt::format("'{}' is not known", key),
               "remove it if it changes neither the work nor the memory of the model");
  }
  if (!given.contains("head_dim")) check_split(file, shape, "num_attention_heads", "head_dim");
  check_heads(file, shape, "num_key_value_heads",
              given.contains("head_dim") ? "head_dim" : "num_attention_heads");
  file.finish();
  return shape;
}

/// Reads the config.json of a model of the Transformers library. Of a model with several parts, the
/// text model is read.
ModelShape read_hugging_face(const common::YamlDocument& document, const std::string& name) {
  if (document.root().is_map()) {
    common::YamlMap file(document.root());
    for (const auto& [key, value] : file.entries()) {
      if (key == "text_config" && value.is_map()) return read_text_model(value, name);
    }
  }
  return read_text_model(document.root(), name);
}

}  // namespace

std::uint64_t ModelShape::layer_weights() const {
  const std::uint64_t attention = hidden * head_size * (2 * heads + 2 * kv_heads);
  return attention + std::max<std::uint64_t>(experts, 1) * 3 * hidden * feed_forward +
         experts * hidden;
}

const common::InputKind kModelFile = {.name = "model",
                                      .title = "A model of the bench transformer (YAML)",
                                      .form = common::form_of<ModelShape>};

ModelShape read_model_shape(const std::filesystem::path& path) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(path, diagnostics);
  const std::string folder = path.parent_path().filename().string();
  ModelShape shape = path.extension() == ".json"
                         ? read_hugging_face(document, folder.empty() ? "config.json" : folder)
                         : read(document, diagnostics);
  diagnostics.throw_if_any();
  return shape;
}

}  // namespace kernbench::model::bench::transformer
