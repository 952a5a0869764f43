// SPDX-License-Identifier: Apache-2.0
// Looks at sweeps in a headless Chromium.
