#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every kind of picture looks the same in librsvg and in Chromium, but for its texts, whose fonts differ.

KERNBENCH is the program. Skipped without rsvg-convert or Chromium.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
MOST_DIFFERENT = 0.5  # percent of the pixels: those along slanted edges
# Draws both renderings of each picture and counts the pixels that differ by more than half of a channel.
PAGE = """<!DOCTYPE html><meta charset="utf-8"><pre id="out"></pre><script>
const loaded = (url) => new Promise((done, failed) => { const image = new Image(); image.onload = () => done(image);
  image.onerror = () => failed(url.slice(0, 40)); image.src = url; });
const pixels = (image, w, h) => { const canvas = document.createElement('canvas'); canvas.width = w; canvas.height = h;
  const context = canvas.getContext('2d'); context.drawImage(image, 0, 0, w, h); return context.getImageData(0, 0, w, h).data; };
(async () => { const found = {};
  for (const [name, svg, png] of PICTURES) { const one = await loaded(svg); const other = await loaded(png);
    const w = other.naturalWidth, h = other.naturalHeight; const a = pixels(one, w, h), b = pixels(other, w, h);
    let different = 0, inked = 0;
    for (let i = 0; i < a.length; i += 4) { const gap = Math.max(...[0, 1, 2].map((c) => Math.abs(a[i + c] - b[i + c])));
      if (gap > 128) ++different; if (b[i] + b[i + 1] + b[i + 2] < 720) ++inked; }
    found[name] = [100 * different / (w * h), 100 * inked / (w * h), one.naturalWidth, w]; }
  document.getElementById('out').textContent = JSON.stringify(found); })();
</script>"""


def without_texts(svg):
    return re.sub(r"<text[^>]*>.*?</text>", "", re.sub(r"<style>.*?</style>", "", svg, flags=re.S), flags=re.S)


def data_url(kind, content):
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def compare(pictures, folder):
    """Returns for each picture, given by name, the percent of pixels that differ, those that are not white, and both widths."""
    rows = []
    for name, svg in pictures.items():
        plain = without_texts(svg).encode()
        done = subprocess.run(["rsvg-convert"], input=plain, capture_output=True, check=True)
        rows.append([name, data_url("image/svg+xml", plain), data_url("image/png", done.stdout)])
    page = folder / "compare.html"
    page.write_text(PAGE.replace("PICTURES", json.dumps(rows)))
    done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=1", "--virtual-time-budget=60000",
                           "--dump-dom", page.as_uri()], capture_output=True, text=True, check=True)
    return json.loads(re.search(r'<pre id="out">(.*?)</pre>', done.stdout, re.S)[1])


class Renderers(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def kernbench(self, *words):
        subprocess.run([os.environ["KERNBENCH"], *map(str, words)], cwd=ROOT, capture_output=True, check=True)

    def draw_all(self):
        folder = self.folder
        self.kernbench("topology", "build", "--pe-view", "-o", folder / "topology")
        self.kernbench("topology", "build", "--topology", "configs/topology-maze-8x8.yaml", "-o", folder / "maze")
        self.kernbench("topology", "zoo", "--spec", "configs/zoo/hierarchical.yaml", "--svg", folder / "zoo.svg")
        self.kernbench("probe", "--plot", folder / "probe.svg")
        (folder / "tiny.yaml").write_text("sip: {cube_mesh: {w: 2, h: 1}}\n")
        tiny = ("--topology", folder / "tiny.yaml")
        self.kernbench("evaluate", "gemm", "--quick", *tiny, "--json", folder / "gemm.json", "--plots", folder / "gemm")
        self.kernbench("evaluate", "all-reduce", "--quick", *tiny, "--json", folder / "reduce.json", "--plot", folder / "reduce.svg")
        (folder / "plan.yaml").write_text(f"command: [run, softmax, --topology, {folder}/tiny.yaml]\n"
                                          "parameters: {bench.rows: [8, 64, 128], bench.columns: [64, 128]}\n"
                                          "targets: {data.end_ps: min, data.flit_hops: max}\n")
        self.kernbench("sweep", folder / "plan.yaml", "--output", folder / "plan.db")
        self.kernbench("sweep", "show", folder / "plan.db", "--plots", folder / "sweep")
        for path in sorted((ROOT / "docs/figures").glob("*.svg")):
            shutil.copy(path, folder / f"docs-{path.name}")
        return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.svg"))}

    def test_draw_each_kind_alike(self):
        pictures = self.draw_all()
        self.assertGreater(len(pictures), 30)
        for name, (different, inked, width, other) in compare(pictures, self.folder).items():
            with self.subTest(name):
                self.assertEqual(width, other)
                self.assertLess(different, MOST_DIFFERENT)
                self.assertGreater(inked, 0.3, "there is nothing but white")

    def test_a_colour_that_only_a_browser_knows_is_seen(self):
        box = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20"><rect width="20" height="20" fill="#fff"/>{}</svg>'
        found = compare({"plain": box.format('<rect width="10" height="10" fill="#c00"/>'),
                         "variable": box.format('<g style="--x: #0c0"><rect width="10" height="10" style="fill: var(--x)"/></g>')}, self.folder)
        self.assertEqual(found["plain"][0], 0)
        self.assertEqual(found["variable"][0], 25)


if __name__ == "__main__":
    if not shutil.which("rsvg-convert") or not shutil.which("chromium"):
        print("skipped: rsvg-convert or chromium is missing")
        sys.exit(SKIPPED)
    unittest.main()
