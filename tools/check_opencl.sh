#!/bin/sh
# check_opencl.sh: the headers of src/kernel/ and the arithmetic of src/material/ are OpenCL C 1.2
#
# clang compiles tests/kernel/opencl.cl, with every such header in front, for a device: float and double, one element at
# a time and in vectors; float also for a device without doubles. Headers of laws that call a function of the host, and
# those without arithmetic, are left out. Status 1 and the compiler's words if one does not compile.
#
# On a processor with AVX2 and FMA the kernel is compiled for that as well, and run beside the same text in C: the bits
# must be the same (tests/kernel/opencl_bits.c).
set -u
cd "$(dirname "$0")/.." || exit 2

command -v clang >/dev/null || { echo "check_opencl: there is no clang" >&2; exit 2; }

# scalar.h is for one double; wide.h has wide_opencl.h.
headers=$(ls src/kernel/*.h | grep -v -e '/wide_opencl\.h$' -e '/scalar\.h$')
for header in $(grep -l '^KERNEL' src/material/*.h); do
	case $header in
	*/callback.h | */spline.h) ;;
	*) headers="$headers $header" ;;
	esac
done
includes=
for header in $headers; do includes="$includes -include $header"; done

compile() # FLOAT LANES [OPTION...]
{
	float=$1 lanes=$2
	shift 2
	clang -x cl -cl-std=CL1.2 -target spir64 -emit-llvm -c -o /dev/null -Wall -Wextra -Werror -Wno-unused-function \
		-DPL_REAL_FLOAT="$float" -DPL_LANES="$lanes" -I. -Isrc "$@" $includes tests/kernel/opencl.cl && return
	echo "check_opencl: PL_REAL_FLOAT=$float PL_LANES=$lanes $* does not compile" >&2
	status=1
}

status=0
for lanes in 1 4 8; do
	compile 1 $lanes -Xclang -cl-ext=-cl_khr_fp64 -cl-single-precision-constant
done
compile 1 1
compile 0 1 -include src/kernel/scalar.h
compile 0 2
compile 0 4

same_bits() # FLOAT
{
	clang -x cl -cl-std=CL1.2 -O2 -mavx2 -mfma -DPL_REAL_FLOAT="$1" -DPL_LANES=1 -Isrc -c tests/kernel/opencl.cl \
		-o "$work/device.o" &&
		${CC:-cc} -std=gnu17 -O2 -mavx2 -mfma -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror \
			-DPL_REAL_FLOAT="$1" -Iinclude -Isrc tests/kernel/opencl_bits.c "$work/device.o" -o "$work/bits" &&
		"$work/bits" && return
	echo "check_opencl: PL_REAL_FLOAT=$1 as OpenCL C differs from C" >&2
	status=1
}

if grep -qw avx2 /proc/cpuinfo 2>/dev/null && grep -qw fma /proc/cpuinfo; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	same_bits 1
	same_bits 0
fi
exit $status
