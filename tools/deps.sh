#!/bin/sh
# deps.sh SET...: install the Debian packages of the sets that are not there yet
#
#   demo   what a build and `make demo` need
#   test   what `make test` and `make test-all` need on top
#
# Silent and quick when nothing is missing. Installs as root or through sudo; where neither works, or on a system
# without apt-get, it names what is missing and ends with status 1.
set -u

demo="gcc libc6-dev cmake ninja-build libpng-dev libsuitesparse-dev libopenblas-dev
	libegl-dev libgl-dev libopengl-dev libegl1 libgl1-mesa-dri ffmpeg"
test="build-essential clang clang-format libclang-rt-dev pkg-config gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	qemu-user python3 python3-vtk9 libode-dev"

wanted=
for set in "$@"; do
	case $set in
	demo) wanted="$wanted $demo" ;;
	test) wanted="$wanted $test" ;;
	*)
		echo "deps: unknown set $set; there are demo and test" >&2
		exit 2
		;;
	esac
done

# Without dpkg nobody knows the packages: the programs have to do.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	missing=
	for program in cc cmake ninja ffmpeg; do
		command -v $program >/dev/null || missing="$missing $program"
	done
	[ -z "$missing" ] && exit 0
	echo "deps: not a Debian system, and these programs are missing:$missing" >&2
	echo "deps: install what your system calls" $wanted >&2
	exit 1
fi

installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii *//p')
missing=
for package in $wanted; do
	echo "$installed" | grep -qx "$package" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
	as_root="env"
elif command -v sudo >/dev/null; then
	as_root="sudo"
else
	echo "deps: missing packages:$missing" >&2
	echo "deps: neither root nor sudo: let somebody run apt-get install$missing" >&2
	exit 1
fi

echo "deps: installing$missing"
$as_root DEBIAN_FRONTEND=noninteractive apt-get -qq update
if ! $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install $missing >/dev/null; then
	echo "deps: these packages could not be installed:$missing" >&2
	exit 1
fi
