# SPDX-License-Identifier: Apache-2.0
# The daily commands; `make help` lists them. Makefile.verilator lints and verilates the RTL.

# Paths and settings that may be given on the command line, as in `make sim SEED=7 JOBS=1`.
DEFAULT_CONFIG := configs/regressions/default.yaml
CONFIG  ?= $(DEFAULT_CONFIG)
JOBS    ?= $(shell nproc)
SEED    ?=
SUITE   ?=
INSTALL ?= yes
FUZZ_SECONDS ?= 60
# The errors that `make mutants` plants, and the benchmarks that `make bench` runs.
KIND  ?= topo
BENCH ?= maze network topology engine model kernel replay viewer

BUILD     := build/release
KERNBENCH := $(BUILD)/cli/kernbench
MODELS    := build/models
SIGN_OFF  := NX=8 NY=8 FLIT_W=8
INSTALL_DEPS := scripts/install-deps.sh $(if $(filter no,$(INSTALL)),--check)
VERILATE  := $(MAKE) --no-print-directory -f Makefile.verilator

# Warnings are errors with the compiler of Debian 12: another one may know more of them. So a compiler cache serves
# `make test` and .ci/run alike.
WERROR ?= $(if $(filter 12,$(shell g++ -dumpversion 2>/dev/null)),ON,OFF)
# The folder that `make check` tests.
DIR ?=
# An engine with its settings, such as slurm:partition=main, on whose nodes some targets run.
ENGINE ?=

# Where `make install` puts things: below DESTDIR, which packages use, and PREFIX.
PREFIX  ?= /usr/local
DESTDIR ?=

engine = $(if $(ENGINE),--engine '$(ENGINE)')

# `make sim` leaves GoogleTest out, so that it installs no more than it needs; all other targets take it in.
configure_all = cmake --preset release $$(scripts/moved-build.sh $(BUILD)) -DKERNBENCH_TESTS=ON -DKERNBENCH_PYTHON=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=$(WERROR)

# Tools that print in the user's language, or complain about a locale that is not installed, do neither.
export LC_ALL := C.UTF-8

.DEFAULT_GOAL := help
.SUFFIXES:

##@ Daily
.PHONY: help
help: ## This table
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile
	@printf '\nSettings\n'
	@printf '  %-18s %s\n' 'sim, maze' 'SEED=n SUITE=name JOBS=n (now: $(JOBS)); sim: CONFIG=$(CONFIG)' \
	  soak 'PACKETS=n (100 billion)' check DIR=model/engine prove 'ALL=1: all 225 sizes, 2x2 to 16x16' \
	  mutants 'KIND=topo, network, noc, or deep: errors that show late, SEEDS=n (10) for each' \
	  fuzz 'FUZZ_SECONDS=n (60) for each program' \
	  bench 'BENCH=bars, python, instructions, or some of $(BENCH)' \
	  'install, uninstall' 'PREFIX=/usr/local DESTDIR=' deb 'TRY=1 as root: run it in a bare Debian 12, build/chroot' \
	  'all that install' 'INSTALL=no: name the missing packages and stop' \
	  '' 'ENGINE=slurm: soak, mutants, sabotage, fuzz and prove run on a cluster'

.PHONY: sim
sim: program $(if $(filter $(DEFAULT_CONFIG),$(CONFIG)),model) ## Verilate TOPO, run the shipped regression on it, report under build/reports/
	$(KERNBENCH) sim $(CONFIG) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(SUITE),--suite $(SUITE))

.PHONY: maze
maze: program ## Verilate the whole network and check it from A to B and against its reference
	$(KERNBENCH) sim configs/regressions/network.yaml --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(SUITE),--suite $(SUITE))
ifeq ($(SUITE),)
	$(KERNBENCH) sim configs/regressions/network-deep.yaml --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --report build/reports/deep
	$(KERNBENCH) sim configs/regressions/network-faults.yaml --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --report build/reports/faults
endif

.PHONY: soak
soak: program model ## Long tails with seed after seed, resumable, report under build/soak/
	$(KERNBENCH) sim --packets $(or $(PACKETS),100000000000) --resume --report build/soak --jobs $(JOBS) $(if $(ENGINE),--engine $(ENGINE))

.PHONY: demo
demo: program ## An error in a copy of the RTL, from message to report to wave; under build/demo/
	@scripts/demo.sh $(KERNBENCH) build/demo

.PHONY: prove
prove: deps-prove program ## Prove links, node, wiring and reference with Yosys and berkeley-abc; report under build/prove/
	cmake --build $(BUILD) --parallel $(JOBS) --target stage_table node_table route_table
	formal/prove.py --jobs $(JOBS) $(engine) $(if $(ALL),--all) $(PROVE)

.PHONY: plain
plain: program ## Write TOPO and the network at 8x8 in Verilog-2005, under build/plain/
	mkdir -p build/plain
	$(KERNBENCH) -q structure --write-verilog build/plain/topo.v
	$(KERNBENCH) -q structure network --write-verilog build/plain/maze.v

.PHONY: silicon
silicon: deps-silicon deps-test ## Area, timing, power and layout of links and nodes in cell libraries; report under build/silicon/
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS) --target record_pins kernbench
	$(MAKE) plain
	$(BUILD)/tests/rtl/record_pins scripts/silicon/power.yaml build/silicon/pins
	$(BUILD)/tests/rtl/record_pins scripts/silicon/node-power.yaml build/silicon/node/3x3 4
	sed 's/nx: 3, ny: 3/nx: 8, ny: 8/' scripts/silicon/node-power.yaml > build/silicon/node/8x8.yaml
	$(BUILD)/tests/rtl/record_pins build/silicon/node/8x8.yaml build/silicon/node/8x8 27
	$(KERNBENCH) -q structure network --fabric 3x3 --write-verilog build/silicon/node/plain.v
	scripts/silicon/silicon.py --jobs $(JOBS) --pins build/silicon/pins --node build/silicon/node --plain build/plain/maze.v $(SILICON)

.PHONY: test
test: lint ## Run lint and all tests but the slow ones, which have to pass before a commit
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS)
	$(run_ctest) --label-exclude slow

.PHONY: check
check: deps-test ## The unit tests of one folder
	@$(if $(DIR),,echo "Which folder? make check DIR=model/engine" >&2; exit 2)
	@[ -f $(BUILD)/tests/CTestTestfile.cmake -a -z "$$(scripts/moved-build.sh $(BUILD) 2>/dev/null)" ] || $(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS) --target check-$(subst /,-,$(DIR:/=))

.PHONY: slow
slow: deps-test ## Run all proofs, mutants, sanitizers and minutes of fuzzing, too long for `make test`
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS)
	$(run_ctest) --label-regex slow
	$(MAKE) prove mutants sabotage fuzz sanitize coverage
	$(MAKE) silicon SILICON='--whole-node --compare docs/lab/silicon.md'
	$(KERNBENCH) sim configs/regressions/network-long.yaml --jobs $(JOBS) --report build/reports/long
	$(MAKE) mutants KIND=network
	$(MAKE) mutants KIND=noc

# ctest, and what its tests took; its own summary comes last.
run_ctest = rm -rf $(BUILD)/reports/cases; scripts/run-ctest.py $(BUILD) $(JOBS)

.PHONY: sabotage
sabotage: deps-test ## Break the bench's own C++ in every listed way; a unit test has to notice each
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS) --target sim_test structure_test maze_test model_machine_test $(if $(ENGINE),kernbench)
	tests/sabotage/sabotage.py $(BUILD) --jobs $(JOBS) $(engine)

.PHONY: mutants mutants-of-topo mutants-of-network mutants-of-noc mutants-of-deep
mutants: mutants-of-$(KIND) ## Break the RTL in every listed way; the regression has to notice each
mutants-of-topo mutants-of-deep: deps-test
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS) --target kernbench mutant_runner
	$(BUILD)/tests/mutants/mutant_runner --kernbench $(KERNBENCH) --jobs $(JOBS) --work build/mutants $(deep_mutants) $(engine)
mutants-of-deep: deep_mutants = --deep tests/mutants/deep.yaml --config configs/regressions/mutants-deep.yaml --seeds $(or $(SEEDS),10)
mutants-of-network: deps-sim program
	tests/network_mutants/network_mutants.py --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(engine)
mutants-of-noc: deps-sim program
	tests/network_mutants/network_mutants.py --device noc --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(engine)

.PHONY: fuzz
fuzz: deps-fuzz ## Random input for the readers of files
	tests/sanitize/run.sh build build/sanitize clang++ fuzz_tests
	$(if $(ENGINE),$(MAKE) build)
	$(if $(ENGINE),printf 'tests/fuzz/run.sh build/sanitize $(FUZZ_SECONDS) %s\n' $(fuzz_programs) | scripts/spread.py $(engine), \
	  tests/fuzz/run.sh build/sanitize $(FUZZ_SECONDS))
fuzz_programs = $(basename $(notdir $(wildcard tests/fuzz/*_fuzz.cpp)))

.PHONY: sanitize
sanitize: deps-test ## Unit tests under the address, undefined-behaviour and thread sanitizers
	for preset in sanitize sanitize-thread; do \
	  cmake --preset $$preset $$(scripts/moved-build.sh build/$$preset) && \
	  cmake --build build/$$preset --parallel $(JOBS) --target $(addsuffix _tests,$(unit_groups)) && \
	  ctest --test-dir build/$$preset --output-on-failure --parallel $(JOBS) -R '_test$$' \
	    -L '^($(subst $(space),|,$(unit_groups)))$$' || exit 1; \
	done
unit_groups := common maze noc plot farm topology model sim cosim
space := $(subst ,, )

.PHONY: coverage
coverage: deps-coverage program ## Line, branch and toggle coverage of the RTL; fails under 95 %
	scripts/code-coverage.sh $(KERNBENCH) $(JOBS) build/coverage

.PHONY: bench
bench: $(addprefix bench-,$(BENCH)) ## The benchmarks; fails when one misses a bar
benches := maze network topology engine model kernel replay viewer
bench-viewer: deps-test

# The cost of a run from Python beyond that of the same run from C++, and of benches in Python beyond those in C++.
bench-python: deps-bench deps-python
	cmake --preset release $$(scripts/moved-build.sh $(BUILD)) -DKERNBENCH_BENCHMARKS=ON -DKERNBENCH_PYTHON=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target kernbench kernbench_python python_peer
	PYTHONPATH=$(BUILD)/python /usr/bin/python3 benchmarks/python_run.py $(BUILD)/benchmarks/python_peer
	/usr/bin/python3 benchmarks/python_benches.py $(KERNBENCH)

# The bars of docs/lab/bars.md.
bench-bars: deps-test
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS) --target kernbench
	tests/bars/bars.py --jobs $(JOBS)

.PHONY: $(addprefix bench-,$(benches)) bench-bars bench-python bench-instructions bench-configured bench-models
$(addprefix bench-,$(benches)): bench-%: bench-configured
	cmake --build $(BUILD) --parallel $(JOBS) --target $*_bench $(bench_peers)
	$(bench_setting) $(BUILD)/benchmarks/$*_bench $(bench_arguments)

bench-maze: bench-models
bench-maze: bench_setting = KERNBENCH_BARE_MODEL=$(MODELS)/8x8x8-bare/libmaze_model.so \
	KERNBENCH_CHECKED_MODEL=$(MODELS)/8x8x8/libmaze_model.so \
	KERNBENCH_BASELINE_MODEL=$(MODELS)/8x8x8-baseline/libmaze_model.so
bench-network: network-model
bench-network: bench_setting = KERNBENCH_BARE_MODEL=$(MODELS)/8x8x8-bare/libmaze_model.so \
	KERNBENCH_NETWORK_MODEL=$(MODELS)/network-8x8x8-bare/libnetwork_model.so
bench-engine: deps-peers
bench-engine: bench_peers = systemc_threads
bench-engine: bench_arguments = $(BUILD)/benchmarks/systemc_threads benchmarks/engine_peers/simpy_processes.py

# Instructions of an event, a flit-hop and a tl call, counted by callgrind.
bench-instructions: bench-configured
	cmake --build $(BUILD) --parallel $(JOBS) --target engine_bench model_bench kernel_bench
	scripts/count-instructions.sh $(BUILD)

bench-configured: deps-bench
	cmake --preset release $$(scripts/moved-build.sh $(BUILD)) $(if $(wildcard $(BUILD)/build.ninja),,-DKERNBENCH_TESTS=OFF) \
	  -DKERNBENCH_BENCHMARKS=ON

bench-models: program
	$(VERILATE) model $(SIGN_OFF) CHECKERS=0 OUT=$(MODELS)/8x8x8-bare
	$(VERILATE) model $(SIGN_OFF) CHECKERS=1 OUT=$(MODELS)/8x8x8
	$(VERILATE) model $(SIGN_OFF) BASELINE=1 OUT=$(MODELS)/8x8x8-baseline

.PHONY: network-model
network-model: program
	$(VERILATE) model $(SIGN_OFF) CHECKERS=0 OUT=$(MODELS)/8x8x8-bare
	$(VERILATE) network $(SIGN_OFF) LINKS=0 OUT=$(MODELS)/network-8x8x8-bare

.PHONY: wave
wave: deps-wave ## Open the waves of the last failure in GTKWave, wherever its report is
	@last=$${KERNBENCH_LAST_WAVE:-build/last-wave}; setup=$$(cat "$$last" 2>/dev/null); \
	if [ -z "$$setup" ] || [ ! -f "$$setup" ]; then \
	  echo "No waves$${setup:+ any more at $$setup}. A failing suite leaves some; for a passing one, run" >&2; \
	  echo "  $(KERNBENCH) sim --suite NAME --seeds 1 --waves 0:500" >&2; exit 1; \
	fi; \
	echo "gtkwave '$$setup'"; gtkwave "$$setup"

.PHONY: docs
docs: deps-test model ## Tables, diagrams and all options from the sources, under build/docs/
	$(configure_all)
	cmake --build $(BUILD) --parallel $(JOBS) --target docs_generator kernbench
	$(BUILD)/docs/generator/docs_generator --model $(MODELS)/8x8x8/libmaze_model.so
	$(KERNBENCH) reference markdown > build/docs/options.md

##@ Install
.PHONY: install uninstall deb
install: package-files ## The program, its data, man pages and completions
	packaging/install.sh $(BUILD) '$(DESTDIR)' '$(PREFIX)'
uninstall: ## Remove what `make install` with the same PREFIX and DESTDIR has left
	packaging/uninstall.sh '$(DESTDIR)' '$(PREFIX)'
deb: deps-deb $(if $(TRY),deps-chroot) package-files ## A Debian package, build/kernbench_VERSION_ARCHITECTURE.deb
	cd build && cpack --config release/CPackConfig.cmake \
	  $(if $(DEBEMAIL),-D CPACK_DEBIAN_PACKAGE_MAINTAINER='$(or $(DEBFULLNAME),$(DEBEMAIL)) <$(DEBEMAIL)>')
	$(if $(TRY),tests/install/chroot.sh $$(ls -t build/kernbench_*.deb | head -n 1) build/chroot)

.PHONY: package-files
package-files: build
	cmake --build $(BUILD) --parallel $(JOBS) --target package_files

##@ Parts
.PHONY: deps-sim deps-test deps-prove deps-tidy deps-fuzz deps-coverage deps-bench deps-peers deps-wave deps-deb deps-chroot deps-python deps-silicon
deps-sim deps-test deps-prove deps-tidy deps-fuzz deps-coverage deps-bench deps-peers deps-wave deps-deb deps-chroot deps-python deps-silicon: deps-%:
	@$(INSTALL_DEPS) $*

.PHONY: build program
build: deps-sim ## The kernbench program
	@if grep -q '^KERNBENCH_RTL_ONLY:BOOL=ON' $(BUILD)/CMakeCache.txt 2>/dev/null; then cmake --preset release; fi
	@$(MAKE) --no-print-directory program rtl_only=OFF

# A new build has only what verifies RTL, until `make build` or a target with tests takes in the rest.
program: deps-sim
	@fresh=$$(scripts/moved-build.sh $(BUILD)); \
	  [ -f $(BUILD)/build.ninja -a -z "$$fresh" ] || \
	  cmake --preset release $$fresh -DKERNBENCH_TESTS=OFF -DKERNBENCH_RTL_ONLY=$(or $(rtl_only),ON)
	cmake --build $(BUILD) --parallel $(JOBS) --target kernbench

.PHONY: python
python: deps-python ## The Python package, under build/release/python
	cmake --preset release $$(scripts/moved-build.sh $(BUILD)) -DKERNBENCH_PYTHON=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target kernbench kernbench_python
	@echo "export PYTHONPATH=$(abspath $(BUILD))/python"

.PHONY: model
# The verilated 8x8 TOPO with its checkers.
model: program
	$(VERILATE) model $(SIGN_OFF) CHECKERS=1 OUT=$(MODELS)/8x8x8

.PHONY: lint
lint: deps-test ## Verilator -Wall on the RTL and the bench; is every C++ file formatted?
	$(VERILATE) lint
	$(tracked_cpp) | xargs -0 clang-format --dry-run -Werror

.PHONY: format
format: deps-test ## Format every C++ file
	$(tracked_cpp) | xargs -0 clang-format -i

.PHONY: tidy
tidy: deps-tidy ## clang-tidy on every C++ source whose result is not known yet
	cmake --preset release $$(scripts/moved-build.sh build/tidy/database) -B build/tidy/database -DKERNBENCH_TESTS=ON -DKERNBENCH_BENCHMARKS=ON -DKERNBENCH_UNITS=OFF
	cmake --build build/tidy/database --target kb_chakra_messages kb_api_headers irs_bench # generated headers
	scripts/tidy.py build/tidy/database build/tidy $(JOBS)

# The list of files is needed even where git complains of "dubious ownership" of the clone.
tracked_cpp = git -c safe.directory='*' ls-files -z -- '*.cpp' '*.hpp'

.PHONY: clean
clean: ## Remove build/
	rm -rf build
