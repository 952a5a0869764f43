// SPDX-License-Identifier: Apache-2.0
// The shape files of the transformer, its key-value cache, and the heads of its ranks.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "common/diagnostics.hpp"
#include "model/bench/transformer/kv_cache.hpp"
#include "model/bench/transformer/parallelism.hpp"
#include "model/bench/transformer/shape.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::model::bench::transformer {
namespace {

class ModelFile : public ::testing::Test {
 protected:
  std::string refusal(const std::string& model) {
    try {
      (void)read_model_shape(folder_.write("model.yaml", model));
    } catch (const common::BadInput& error) {
      std::string text = error.what();
      return text.substr(text.find("model.yaml"));
    }
    return "accepted";
  }
  common::TempFolder folder_;
};

TEST_F(ModelFile, ReadsItsShapeStrictly) {
  EXPECT_EQ(refusal("name: a\nhidden: 32\nlayers: 1\nheads: 8\nfeed_forward: 4\nexperts: 8\n"
                    "experts_used: 9\nvocabulary: 9\n"),
            "model.yaml:7:15: error: a token cannot use 9 of 8 experts\n"
            "    7 | experts_used: 9\n      |               ^");
  EXPECT_THAT(refusal("name: a\nhidden: 32\nlayers: 1\nheads: 8\nfeed_forward: 4\n"
                      "experts_used: 1\nvocabulary: 9\n"),
              ::testing::StartsWith("model.yaml:6:15: error: a token cannot use 1 of 0 experts"));
  EXPECT_THAT(refusal("name: a\nhidden: 32\nlayers: 1\nheads: 8\nfeed_forward: 4\n"
                      "experts: 1\nvocabulary: 9\n"),
              ::testing::StartsWith("model.yaml:6:10: error: a token cannot use 2 of 1 experts"));
  EXPECT_EQ(refusal("name: a\nhidden: 32\nlayers: 1\nheads: 8\nkv_heads: 3\nfeed_forward: 4\n"
                    "vocabulary: 9\n"),
            "model.yaml:5:11: error: 8 heads of queries cannot share 3 heads of keys evenly\n"
            "    5 | kv_heads: 3\n      |           ^");
  EXPECT_EQ(refusal("name: a\nhidden: 32\nlayers: 1\nheads: 8\nhead_size: 5\nfeed_forward: 4\n"
                    "vocabulary: 9\n"),
            "model.yaml:5:12: error: a head of 5 numbers has no halves to rotate\n"
            "    5 | head_size: 5\n      |            ^");
  for (const auto& [hidden, heads] : {std::pair{64, 65}, std::pair{100, 6}}) {
    EXPECT_THAT(refusal(fmt::format("name: a\nhidden: {}\nlayers: 1\nheads: {}\nfeed_forward: 4\n"
                                    "vocabulary: 9\n",
                                    hidden, heads)),
                ::testing::HasSubstr(
                    fmt::format("model.yaml:4:8: error: a hidden size of {} cannot be split "
                                "evenly into {} heads\n",
                                hidden, heads)));
  }
  EXPECT_THAT(
      refusal("name: a\nhidden: 8192\nlayers: 1\nheads: 1\nfeed_forward: 4\nvocabulary: 9\n"),
      ::testing::HasSubstr("model.yaml:4:8: error: a head of 8192 numbers is too large; it "
                           "has at most 4096\n"));
  EXPECT_THAT(refusal("name: a\nhiden: 32\nlayers: 0\nheads: 8\nfeed_forward: 4\nvocabulary: 9\n"),
              ::testing::AllOf(::testing::HasSubstr("'hiden'"), ::testing::HasSubstr("'layers'")));
}

TEST_F(ModelFile, ReadsTheConfigurationOfHuggingFace) {
  const auto path = folder_.write("config.json", R"({
  "architectures": ["MistralForCausalLM"],
  "bos_token_id": 1,
  "head_dim": null,
  "hidden_act": "silu",
  "hidden_size": 4096,
  "intermediate_size": 14336,
  "model_type": "mistral",
  "num_attention_heads": 32,
  "num_hidden_layers": 32,
  "num_key_value_heads": 8,
  "rms_norm_eps": 1e-05,
  "rope_theta": 10000.0,
  "torch_dtype": "bfloat16",
  "vocab_size": 32000
})");
  const ModelShape shape = read_model_shape(path);
  EXPECT_EQ(shape.weights(), 7'241'465'856U);  // 7,241,732,096 with the gains of its norms
  EXPECT_EQ(shape.head_size, 128U);
  EXPECT_EQ(shape.type, data::DataType::BF16);
  EXPECT_EQ(shape.norm_epsilon, 1e-5);
  const auto refused = [&](const std::string& text) -> std::string {
    try {
      (void)read_model_shape(folder_.write("config.json", text));
    } catch (const common::BadInput& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refused("{\n  \"model_type\": \"gpt2\"\n}"),
              ::testing::HasSubstr("config.json:2:17: error: 'model_type' must be one of llama, "
                                   "mistral, mixtral, not 'gpt2'"));
  EXPECT_THAT(refused(R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 1,
"num_attention_heads": 65, "intermediate_size": 64, "vocab_size": 64})"),
              ::testing::HasSubstr("config.json:2:24: error: a hidden size of 64 cannot be split "
                                   "evenly into 65 heads"));
  const ModelShape mixtral = read_model_shape(folder_.write("config.json", R"({
  "hidden_size": 4096, "intermediate_size": 14336, "model_type": "mixtral", "num_attention_heads": 32,
  "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8,
  "num_local_experts": 8, "rope_theta": 1000000.0, "vocab_size": 32000})"));
  EXPECT_EQ(mixtral.weights(), 46'702'526'464U);
  EXPECT_EQ(mixtral.experts_used, 2U);
  EXPECT_THAT(
      refused(R"({"model_type": "llama", "mlp_bias": true})"),
      ::testing::AllOf(::testing::HasSubstr("'mlp_bias' is true, but the layers have no biases"),
                       ::testing::HasSubstr("'hidden_size'")));
}

class Configuration : public ::testing::Test {
 protected:
  /// Reads a small model with these further keys.
  ModelShape read(const std::string& keys) {
    return read_model_shape(folder_.write("config.json", text(keys)));
  }
  std::string refusal(const std::string& keys) {
    try {
      (void)read(keys);
    } catch (const common::BadInput& error) {
      const std::string line = error.what();
      return line.substr(line.find("error: "), line.find('\n') - line.find("error: "));
    }
    return "accepted";
  }
  static std::string text(const std::string& keys) {
    return fmt::format(
        R"({{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 1, )"
        R"("num_attention_heads": 4, "intermediate_size": 32, "vocab_size": 64, {}}})",
        keys);
  }
  common::TempFolder folder_;
};

TEST_F(Configuration, HasItsTypeUnderEitherName) {
  EXPECT_EQ(read(R"("dtype": "bfloat16")").type, data::DataType::BF16);
  EXPECT_EQ(read(R"("torch_dtype": "float32")").type, data::DataType::F32);
  EXPECT_EQ(read(R"("torch_dtype": "float32", "dtype": "float32")").type, data::DataType::F32);
  EXPECT_EQ(refusal(R"("torch_dtype": "float32", "dtype": "float16")"),
            "error: 'dtype' and 'torch_dtype' differ");
}

TEST_F(Configuration, RefusesKeysWhoseWorkTheLayersDoNotHave) {
  EXPECT_EQ(refusal(R"("tie_word_embeddings": true)"),
            "error: 'tie_word_embeddings' is true, but the output has weights of its own");
  EXPECT_EQ(refusal(R"("quantization_config": {"quant_method": "fp8"})"),
            "error: 'quantization_config' is given, but weights have the type of the activations");
  EXPECT_EQ(refusal(R"("first_k_dense_replace": 3)"),
            "error: 'first_k_dense_replace' is not known");
  EXPECT_EQ(refusal(R"("num_local_experts": 8)"), "error: 'num_local_experts' is not known");
  EXPECT_EQ(refusal(R"("head_dim": 0)"),
            "error: 'head_dim' must be an integer from 1 to 10000000, not '0'");
}

TEST_F(Configuration, MayHaveKeysThatChangeNothing) {
  EXPECT_EQ(read(R"("tie_word_embeddings": false, "quantization_config": null, "use_cache": true,
"attention_dropout": 0.0, "eos_token_id": [1, 2], "rope_scaling": {"rope_type": "llama3"},
"sliding_window": null)")
                .window,
            0U);
}

TEST_F(Configuration, HasAWindowOfKeys) {
  EXPECT_EQ(read(R"("sliding_window": 4096)").window, 4096U);
}

TEST_F(Configuration, MayBePartOfAModelWithOtherParts) {
  const auto path =
      folder_.write("config.json", fmt::format(R"({{"model_type": "both", "vision_config": {{}},
"text_config": {}}})",
                                               text(R"("dtype": "float32")")));
  EXPECT_EQ(read_model_shape(path).hidden, 64U);
  EXPECT_EQ(read_model_shape(path).type, data::DataType::F32);
  const auto other =
      folder_.write("config.json", R"({"text_config": {"model_type": "gemma3_text"}})");
  try {
    (void)read_model_shape(other);
    ADD_FAILURE();
  } catch (const common::BadInput& error) {
    EXPECT_EQ(error.diagnostics().errors().size(), 1U);  // and none about what the family may lack
  }
}

TEST(ModelShape, CountsTheWeightsOfPublicModels) {
  EXPECT_EQ(read_model_shape(places::source("/configs/models/llama-7b.yaml")).weights(),
            6'738'149'376U);  // 6,738,415,616 with the gains of its norms
  EXPECT_EQ(read_model_shape(places::source("/configs/models/llama-70b.yaml")).weights(),
            68'975'329'280U);  // 68,976,648,192 with the gains of its norms
  EXPECT_EQ(read_model_shape(places::source("/configs/models/mixtral-8x7b.yaml")).weights(),
            46'702'526'464U);  // 46,702,792,704 with the gains of its norms
}

TEST(KvCacheTest, SpreadsThePagesOfASequenceOverThePes) {
  KvCache cache({10, 10}, 4, 3);  // 3 pages each, one on each PE
  EXPECT_EQ(cache.rows(), 24U);
  cache.append(0, 5);
  cache.append(1, 9);
  EXPECT_EQ(cache.pages(0), 2U);
  EXPECT_EQ(cache.row_of(0, 0), 0U);
  EXPECT_EQ(cache.row_of(0, 1), 8U);
  EXPECT_EQ(cache.pe_of(1, 0), 1U);
  EXPECT_EQ(cache.row_of(1, 0), 12U) << "the second page of PE 1";
  EXPECT_EQ(cache.row_of(1, 2), 4U) << "the second page of PE 0";
  cache.append(0, 3);
  EXPECT_EQ(cache.pages(0), 2U) << "the page had room";
  try {
    cache.append(1, 2);
    FAIL();
  } catch (const std::length_error& error) {
    EXPECT_STREQ(error.what(), "sequence 1 has 11 tokens, but the cache has room for 10");
  }
}

TEST(HeadSplitTest, CopiesHeadsOfKeysWhenThereAreFewerThanCubes) {
  ModelShape shape;
  shape.heads = 8;
  shape.kv_heads = 2;
  shape.head_size = 4;
  shape.feed_forward = shape.vocabulary = 8;
  const HeadSplit split = split_heads(shape, 2, 16);
  EXPECT_EQ(split.cubes, 4U);
  EXPECT_EQ(split.heads.kv_heads, 1U);
  EXPECT_EQ(split.heads.queries, 1U);
  EXPECT_EQ(split.kv_head(shape, 0, 3, 0), 0U);
  EXPECT_EQ(split.kv_head(shape, 1, 0, 0), 1U);
  const HeadSplit whole = split_heads(shape, 1, 1);
  EXPECT_EQ(whole.heads.kv_heads, 2U);
  EXPECT_EQ(whole.heads.queries, 4U);
  EXPECT_EQ(whole.kv_head(shape, 0, 0, 1), 1U);
}

}  // namespace
}  // namespace kernbench::model::bench::transformer
