#!/bin/sh
# check_format.sh: the sources are as clang-format writes them
cd "$(dirname "$0")/.." || exit 2
git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format --dry-run -Werror
