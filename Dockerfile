# SPDX-License-Identifier: Apache-2.0
# Debian 12 with what KernBench is built and tested with.
FROM debian:12 AS tools
COPY scripts/install-deps.sh /tmp/install-deps.sh
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git make sudo \
 && /tmp/install-deps.sh sim test wave \
 && rm -rf /tmp/install-deps.sh /var/lib/apt/lists/*
RUN useradd --create-home --shell /bin/bash bench \
 && echo 'bench ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/bench

# The same with KernBench itself: docker run --rm -v "$PWD":/work -w /work kernbench sim
FROM tools AS kernbench
COPY . /home/bench/kernbench
WORKDIR /home/bench/kernbench
RUN make install PREFIX=/usr/local && rm -rf build
USER bench
WORKDIR /home/bench
ENTRYPOINT ["kernbench"]
CMD ["--help"]
