# pliant: all that a user needs. `make help` lists it.

BUILD  ?= build
PRESET ?= default
PREFIX ?= /usr/local
JOBS   ?=

# CC and CFLAGS reach CMake only if somebody set them; otherwise the system's compiler is taken.
ifneq ($(origin CC),default)
CONFIGURE += -DCMAKE_C_COMPILER=$(CC)
endif
ifdef CFLAGS
CONFIGURE += -DCMAKE_C_FLAGS='$(CFLAGS)'
endif

BUILD_WITH = cmake --build $(BUILD) $(if $(JOBS),-j $(JOBS))

.PHONY: all configure deps deps-test demo test test-all docs golden plots install format clean help
.DEFAULT_GOAL := all
.NOTPARALLEL: # ninja is parallel itself

all: configure
	@$(BUILD_WITH) --target products

# Configured again from scratch when the compiler or the flags are not those of last time, or when the folder was copied
# from another checkout: its cache names that one, which would be built and installed instead of this one.
RECORDED = sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $(BUILD)/CMakeCache.txt 2>/dev/null

configure:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
		{ echo "make: cmake or ninja is missing: run 'make deps' first" >&2; exit 1; }
	@wanted="$(strip $(filter-out default,$(PRESET)) $(CONFIGURE))"; \
	home=$$($(RECORDED)); \
	if [ ! -f $(BUILD)/build.ninja ] || [ "$$(cat $(BUILD)/configured 2>/dev/null)" != "$$wanted" ] || \
		[ "$$(cd "$$home" 2>/dev/null && pwd -P)" != "$$(pwd -P)" ]; then \
		cmake --fresh --preset $(PRESET) -B $(BUILD) $(CONFIGURE) && echo "$$wanted" > $(BUILD)/configured; \
	fi

deps:
	@sh tools/deps.sh demo

deps-test:
	@sh tools/deps.sh demo test

demo: deps
	@$(MAKE) --no-print-directory all
	@sh tools/demo.sh $(BUILD)

test: deps-test
	@$(MAKE) --no-print-directory configure
	@$(BUILD_WITH)
	@sh tools/test.sh $(BUILD) -E '^(kernel_neon|world_(million|thousand)_test|app_papers_test)$$' # in test-all

test-all: deps-test
	@bash tools/test_all.sh

docs: all
	@$(BUILD_WITH) --target io_scene_docs_test
	@PLIANT_SOURCE=$(CURDIR) PLIANT_RENEW=1 $(BUILD)/tests/io_scene_docs_test
	@sh tools/plots.sh $(BUILD) --laws

golden: configure
	@$(BUILD_WITH) --target determinism_golden_test
	@sh tools/golden.sh $(BUILD)

plots: all
	@sh tools/plots.sh $(BUILD)

install: all
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

format:
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-*

help:
	@echo 'make              build the libraries and the command into build/'
	@echo 'make deps         install what a build and the demo need (Debian packages; asks for root through sudo)'
	@echo 'make demo         build, simulate scenes/trampoline.json and wall.json, leave out/demo.png, demo.mp4 and wall.png'
	@echo 'make test         build and run the tests'
	@echo 'make test-all     gcc and clang with warnings as errors, sanitizers, headers, bare build, layers, format'
	@echo 'make docs         write settings, dampings and laws into docs/scene.md and docs/scene.schema.json, draw the laws'
	@echo 'make golden       add the hashes of new laws and methods to tests/determinism/golden.inl'
	@echo 'make plots        draw the plots of docs/ again'
	@echo 'make install      into PREFIX (/usr/local), below DESTDIR'
	@echo 'make format       clang-format over the sources'
	@echo 'make clean        remove build/ and build-*/ (out/ stays)'
	@echo
	@echo 'CC=clang          another compiler      CFLAGS=...   more flags'
	@echo 'BUILD=build-x     another folder        JOBS=N       parallel compilations'
	@echo 'PRESET=NAME       another preset of CMakePresets.json, with its BUILD=build-NAME'
