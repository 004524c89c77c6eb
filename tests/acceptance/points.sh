# points.sh: what the acceptance scripts share; sourced from the project's folder
#
#   measure POINT WORDS COMMAND...   the command's status is the verdict, its last line the figure
#   say POINT FIGURE VERDICT
#   run_points DEFAULTS "$@"         runs point_N for the points named, or the default ones; the script's status

failed=0
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
if [[ -z ${PLIANT_MESHES:-} && -d ../shared/meshes ]]; then
	export PLIANT_MESHES=$PWD/../shared/meshes
fi

say() # POINT FIGURE VERDICT
{
	printf '%-10s %-90s %s\n' "$1" "$2" "$3"
	[[ $3 != FAIL ]] || failed=$((failed + 1))
}

# A command whose status is the verdict; its last line is the figure.
measure() # POINT WORDS COMMAND...
{
	local point=$1 words=$2 start=$SECONDS verdict=ok
	shift 2
	"$@" >"$work/log" 2>&1 || verdict=FAIL
	say "$point" "$words: $(tail -n 1 "$work/log") ($((SECONDS - start)) s)" $verdict
	[[ $verdict == ok ]] || tail -n 20 "$work/log"
}

# Tests of the default build whose names match.
tests() # REGEX
{
	sh tools/test.sh "${BUILD:-build}" -R "$1" --no-tests=error
}

run_points()
{
	local defaults=$1 point
	shift
	printf '%-10s %-90s %s\n' point figure verdict
	for point in ${*:-$defaults}; do "point_$point"; done
	((failed == 0))
}
