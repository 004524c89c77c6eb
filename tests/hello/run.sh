#!/bin/bash
# run.sh BUILD CC: install BUILD into an empty prefix and use it as others would: from C and C++ through pkg-config,
# shared and static, and through the CMake package. Folders of one's own choice, and copied checkouts. The README's program and scene are taken from the README.
set -u
build=$1 cc=$2
tests=$(cd "$(dirname "$0")" && pwd)
hello=$tests/../../docs/hello.c
# A C++ compiler of the same family.
case $(basename "$cc") in *clang*) cxx=clang++ ;; *) cxx=c++ ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
passed=0 failed=0

claim() # NAME COMMAND...
{
	local name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
		echo "  ok      $name"
	else
		failed=$((failed + 1))
		cat "$work/log"
		echo "  FAILED  $name"
	fi
}

install_moved() { cmake --install "$build" --prefix "$work/installed" && mv "$work/installed" "$prefix"; }
has_files()
{
	local file
	for file in bin/pliant include/pliant/pliant.h lib/libpliant.a lib/libpliant.so lib/libpliant.so.0.1 \
		lib/libpliant-io.a lib/libpliant-io.so lib/libpliant-io.so.0.1; do
		[[ -e $prefix/$file ]] || { echo "$file is missing"; return 1; }
	done
}
soname() { readelf -d "$prefix/lib/libpliant.so" | grep -F 'SONAME' | grep -F '[libpliant.so.0.1]'; }
unlinked()
{
	! ldd "$prefix/bin/pliant" "$prefix"/lib/*.so | grep -iE 'cholmod|blas' && ! grep -iE 'cholmod|blas' "$PKG_CONFIG_PATH"/*.pc &&
		! grep -riE 'cholmod|blas' "$prefix/lib/cmake"
}
flags() { pkg-config --cflags --libs "$@"; }
hello_c()
{
	"$cc" -std=c17 -Wall -Wextra -pedantic -Werror "$hello" $(flags pliant) -Wl,-rpath,"$prefix/lib" -o "$work/hello" &&
		"$work/hello" | tee "$work/hello.out" && [[ $(wc -l <"$work/hello.out") == 60 ]] &&
		! grep -q 'not converged' "$work/hello.out"
}
hello_static()
{
	"$cc" -std=c17 "$hello" -I"$prefix/include" "$prefix/lib/libpliant.a" \
		$(pkg-config --static --libs pliant | sed 's/-lpliant\b//') -o "$work/static" &&
		"$work/static" | cmp - "$work/hello.out"
}
# As docs/install.md says: nothing of the system's, and a folder that the loader does not search.
hello_all_static()
{
	"$cc" -std=c17 -static "$hello" $(pkg-config --static --cflags --libs pliant) -o "$work/all_static" &&
		"$work/all_static" | cmp - "$work/hello.out" && ! readelf -d "$work/all_static" | grep NEEDED
}
hello_rpath()
{
	"$cc" -std=c17 "$hello" $(flags pliant) -Wl,-rpath,"$(pkg-config --variable=libdir pliant)" -o "$work/rpath" &&
		"$work/rpath" | cmp - "$work/hello.out"
}
consumer_cpp()
{
	"$cxx" -std=c++17 -Wall -Wextra -pedantic -Werror "$tests/consumer.cpp" $(flags pliant-io) \
		-Wl,-rpath,"$prefix/lib" -o "$work/consumer" && "$work/consumer"
}
cmake_package()
{
	cmake -S "$tests" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DHELLO="$hello" -DCMAKE_C_COMPILER="$cc" \
		-DCMAKE_CXX_COMPILER="$cxx" && cmake --build "$work/cmake" &&
		"$work/cmake/hello" | cmp - "$work/hello.out" && "$work/cmake/hello_static" | cmp - "$work/hello.out" &&
		"$work/cmake/consumer"
}
# The products of the build, installed by a second configuration with folders of its own choice below the prefix.
relative_folders()
{
	local source=$tests/../.. second=$work/second chosen=$work/chosen
	cmake -S "$source" -B "$second" -G Ninja -DPLIANT_TESTS=OFF -DCMAKE_C_COMPILER="$cc" -DCMAKE_SKIP_RPATH=ON \
		-DCMAKE_INSTALL_LIBDIR=lib64 -DCMAKE_INSTALL_INCLUDEDIR=headers -DCMAKE_INSTALL_BINDIR=commands &&
		cp -P "$build"/libpliant* "$build/pliant" "$second" &&
		cmake --install "$second" --prefix "$chosen" && [[ -x $chosen/commands/pliant && -e $chosen/lib64/libpliant.so ]] &&
		"$cc" -std=c17 "$hello" $(PKG_CONFIG_PATH=$chosen/lib64/pkgconfig flags pliant) -Wl,-rpath,"$chosen/lib64" \
			-o "$work/chosen_hello" && "$work/chosen_hello" | cmp - "$work/hello.out" &&
		cmake -S "$tests" -B "$work/cmake64" -G Ninja -Dpliant_DIR="$chosen/lib64/cmake/pliant" -DHELLO="$hello" \
			-DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" && cmake --build "$work/cmake64" --target hello
}
# A checkout that was copied together with its build folder is configured for where it stands now, and only once.
copied_checkout()
{
	local first=$work/first copy=$work/copy configure=(env -u MAKEFLAGS -u BUILD -u PRESET make --no-print-directory
		configure CONFIGURE=-DPLIANT_TESTS=OFF)
	(cd "$tests/../.." && mkdir "$first" && cp -r Makefile CMakeLists.txt CMakePresets.json cmake src io app include "$first") &&
		"${configure[@]}" -C "$first" && cp -r "$first" "$copy" && "${configure[@]}" -C "$copy" &&
		grep -Fx "CMAKE_HOME_DIRECTORY:INTERNAL=$(cd "$copy" && pwd -P)" "$copy/build/CMakeCache.txt" &&
		[[ -z $("${configure[@]}" -C "$copy") ]]
}
# The first block of a language in a page.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$tests/../../$2" | sed '/^```/d'; }
readme() { block "$1" README.md; }
energies_program()
{
	block c docs/energies.md >"$work/energies.c" && [[ -s $work/energies.c ]] &&
		"$cc" -std=c17 -Wall -Wextra -pedantic -Werror "$work/energies.c" $(flags pliant) -lm -Wl,-rpath,"$prefix/lib" \
			-o "$work/energies" && "$work/energies" | tee "$work/energies.out" &&
		[[ $(wc -l <"$work/energies.out") == 60 ]] && ! grep -q 'not converged' "$work/energies.out"
}
readme_program()
{
	readme c >"$work/readme.c" && [[ -s $work/readme.c ]] &&
		"$cc" -std=c17 -Wall -Wextra -pedantic -Werror "$work/readme.c" $(flags pliant) -Wl,-rpath,"$prefix/lib" \
			-o "$work/readme" && "$work/readme" >"$work/readme.out" && [[ $(wc -l <"$work/readme.out") == 60 ]]
}
# Its loop, when no step converges: one line is put in that accepts no residual.
readme_loop()
{
	sed 's/^\(.*\)plWorldDef worldDef = .*/&\n\1worldDef.solver.accept = 1e-300;/' "$work/readme.c" >"$work/loop.c" &&
		"$cc" -std=c17 "$work/loop.c" $(flags pliant) -Wl,-rpath,"$prefix/lib" -o "$work/loop" &&
		"$work/loop" >"$work/loop.out" && tail -n 2 "$work/loop.out" && [[ $(grep -c 'not converged' "$work/loop.out") == 60 ]]
}
readme_scene()
{
	readme json >"$work/bar.json" && [[ -s $work/bar.json ]] && "$prefix/bin/pliant" check "$work/bar.json" &&
		"$prefix/bin/pliant" run "$work/bar.json" -o "$work/run" --steps 3 --require-converged --quiet
}

claim an_installed_tree_may_be_moved install_moved
claim headers_libraries_and_the_command_are_installed has_files
claim the_soname_holds_the_minor_version soname
claim cholmod_and_blas_are_linked_nowhere unlinked
claim hello_compiles_and_converges hello_c
claim hello_links_statically_with_the_same_output hello_static
claim pkg_config_static_suffices_for_a_static_program hello_all_static
claim the_documented_rpath_finds_a_private_prefix hello_rpath
claim cpp_uses_pliant_and_pliant_io consumer_cpp
claim the_cmake_package_serves_c_and_cpp cmake_package
claim relative_folders_stand_below_the_prefix relative_folders
claim a_copied_checkout_is_configured_afresh copied_checkout
claim the_program_in_the_readme_compiles_and_runs readme_program
claim the_program_in_the_page_on_energies_runs_and_converges energies_program
claim its_loop_goes_on_and_says_so_when_a_step_does_not_converge readme_loop
claim the_scene_in_the_readme_is_valid_and_converges readme_scene

echo "$passed passed, $failed failed"
((failed == 0))
