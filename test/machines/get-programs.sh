#!/bin/sh
# Unpacks etcd, Patroni, HAProxy, nginx and PgBouncer from Debian's packages into a folder, for `npm run test:machines`. Nothing is installed:
# the packages would start services. As root, because only root may change the folder.
set -eu
folder=/var/lib/wholesale-order-api/machines

# $1: the folder below; $2: the packages; $3: options of apt-get. Its own lists, so that those of the machine stay as they are.
unpack() {
  mkdir -p "$work/$1/lists/partial" "$work/$1/archives/partial" "$work/$1/parts"
  options="-qq -o Dir::State::lists=$work/$1/lists -o Dir::Cache=$work/$1 -o APT::Sandbox::User=root $3"
  apt-get $options update
  apt-get $options install --yes --download-only --no-install-recommends $2
  for package in "$work/$1"/archives/*.deb; do dpkg -x "$package" "$work/new/$1"; done
}

# $1: the program's name; $2: the command that runs it.
program() {
  printf '#!/bin/sh\n%s "$@"\n' "$2" >"$work/new/bin/$1"
  chmod 755 "$work/new/bin/$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/new/bin"
library=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")

unpack system 'etcd-server patroni haproxy nginx' ''
here="$folder/system/usr"
environment="LD_LIBRARY_PATH=$here/lib/$library PYTHONPATH=$here/lib/python3/dist-packages exec"
program etcd "exec $here/bin/etcd"
program patroni "$environment python3 -m patroni"
program haproxy "$environment $here/sbin/haproxy"
program nginx "$environment $here/sbin/nginx"

# Two are of Debian 13. Prepared statements need PgBouncer 1.21, here with all its libraries and their loader. Patroni 3.0 lets a leader
# that was frozen overwrite the lock of its successor, whose orders are then lost. Its newer one runs on any Python.
mkdir "$work/newer" && : >"$work/status"
apt-get indextargets --format 'deb $(REPO_URI) trixie main' 'Created-By: Packages' | head -1 >"$work/sources"
unpack newer 'pgbouncer patroni' \
  "-o Dir::Etc::sourcelist=$work/sources -o Dir::Etc::sourceparts=$work/newer/parts -o Dir::State::status=$work/status"
there="$folder/newer/usr"
rm -rf "$work"/new/system/usr/lib/python3/dist-packages/patroni*
cp -r "$work"/new/newer/usr/lib/python3/dist-packages/patroni* "$work/new/system/usr/lib/python3/dist-packages"
loader=$(cd "$work/new/newer/usr/lib/$library" && echo ld-linux*)
program pgbouncer "exec $there/lib/$library/$loader --library-path $there/lib/$library $there/sbin/pgbouncer"

chmod -R a+rX "$work/new"
rm -rf "$folder" && mkdir -p "$(dirname "$folder")" && mv "$work/new" "$folder"
