// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/api.hpp"
#include "model/components/machine/component.hpp"
#include "model/memory/page_table.hpp"

namespace kernbench::model::components {

/// A PE's MMU (Architecture, "pe_mmu"). Messages map and unmap regions of any size at any byte.
/// Several may share a page, and a later mapping replaces an earlier one: a simplification that
/// memory/page_table.hpp describes. The PE's engines look up addresses without a message and pay
/// pe_mmu.tlb_overhead_ns themselves.
class KERNBENCH_API PeMmu : public Component {
 public:
  using Component::Component;
  void on_message(Message message) override;

  [[nodiscard]] const memory::PageTable& table() const { return table_; }

 private:
  memory::PageTable table_;
};

}  // namespace kernbench::model::components
