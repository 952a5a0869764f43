// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/transfer_ledger.hpp"

#include "fabric_fixture.hpp"

namespace kernbench::model::fabric {
namespace {

TEST(TransferLedger, RemembersWhenEachWasSubmitted) {
  TransferLedger ledger;
  EXPECT_EQ(ledger.open(5), 0U);
  EXPECT_EQ(ledger.open(8), 1U);
  EXPECT_EQ(ledger.close(1), 8U);
  EXPECT_EQ(ledger.outstanding(), 1U);
  EXPECT_EQ(ledger.close(0), 5U);
  EXPECT_EQ(ledger.opened(), 2U);
  ledger.require_all_closed();
}

TEST(TransferLedger, NoticesADuplicateAStrangerAndALoss) {
  TransferLedger ledger;
  (void)ledger.open(0);
  (void)ledger.open(0);
  (void)ledger.close(0);
  EXPECT_EQ(error_of<std::logic_error>([&] { (void)ledger.close(0); }),
            "transfer 0 completed twice");
  EXPECT_EQ(error_of<std::logic_error>([&] { (void)ledger.close(2); }),
            "transfer 2 completed but was never submitted");
  EXPECT_EQ(error_of<std::logic_error>([&] { ledger.require_all_closed(); }),
            "1 of 2 transfers never completed");
}

}  // namespace
}  // namespace kernbench::model::fabric
