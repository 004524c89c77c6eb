#!/bin/sh
# check_opencl.sh: the headers of src/kernel/ and the arithmetic of src/material/ are OpenCL C 1.2
#
# clang compiles tests/kernel/opencl.cl, with every such header in front, for a device: float and double, one element at
# a time and in vectors; float also for a device without doubles. Headers of laws that call a function of the host, and
# those without arithmetic, are left out. Status 1 and the compiler's words if one does not compile.
set -u
cd "$(dirname "$0")/.." || exit 2

command -v clang >/dev/null || { echo "check_opencl: there is no clang" >&2; exit 2; }

headers=$(ls src/kernel/*.h | grep -v '/wide_opencl\.h$')
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
compile 0 1
compile 0 2
compile 0 4
exit $status
