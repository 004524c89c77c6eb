#!/bin/bash
# bare.sh FOLDER [COMMAND]: a Debian with nothing but git, make and ca-certificates, a clone in it, and the two commands
#
# Makes FOLDER with debootstrap (it must not exist yet; needs root), clones this repository's HEAD into it and runs
# `make demo && make test`, or COMMAND, inside. Mirror and settings of apt are this machine's. Prints times; the status
# is that of the commands. FOLDER stays for looking at: FOLDER/srv/pliant/out/demo.png.
set -eu
folder=$1
command=${2:-"make demo && make test"}
root=$(cd "$(dirname "$0")/.." && pwd)

[[ ! -e $folder ]] || { echo "bare: $folder exists" >&2; exit 2; }
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" | head -n 1)

started=$SECONDS
debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$folder" "$mirror" >"$folder.log" 2>&1 ||
	{ tail "$folder.log" >&2; exit 1; }
echo "bare: debootstrap took $((SECONDS - started)) s"

rm -f "$folder"/etc/apt/sources.list
cp -r /etc/apt/sources.list* "$folder/etc/apt/"
for file in /etc/apt/apt.conf.d/*; do
	if grep -q Acquire "$file"; then cp "$file" "$folder/etc/apt/apt.conf.d/"; fi
done
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
if compgen -G "/usr/local/share/ca-certificates/*" >/dev/null; then
	cp -r /usr/local/share/ca-certificates "$folder/usr/local/share/"
	chroot "$folder" update-ca-certificates >/dev/null
fi

# Devices of its own, not the machine's: whoever removes FOLDER removes nothing else.
rm -rf --one-file-system "$folder/dev"
mkdir -p "$folder/dev/shm" "$folder/dev/pts"
ln -s pts/ptmx "$folder/dev/ptmx"
for node in null:3 zero:5 full:7 random:8 urandom:9; do
	mknod -m 666 "$folder/dev/${node%:*}" c 1 "${node#*:}"
done
mknod -m 666 "$folder/dev/tty" c 5 0
ln -s /proc/self/fd "$folder/dev/fd"
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%:*}" "$folder/dev/${stream#*:}"; done

git clone -q --no-local "$root" "$folder/srv/pliant"
started=$SECONDS
status=0
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}" http_proxy="${http_proxy:-}" \
	https_proxy="${https_proxy:-}" unshare --mount --propagation private sh -c '
		mount -t proc proc "$1/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" &&
			exec chroot "$1" sh -c "cd /srv/pliant && $2"' bare "$folder" "$command" ||
	status=$?
echo "bare: $command: status $status, $((SECONDS - started)) s"
exit $status
