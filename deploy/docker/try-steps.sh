#!/usr/bin/env bash
# Runs the steps of the Dockerfile in a plain folder, where no image can be pulled: the same RUN lines on what is
# committed, then a start as the image's user, on a tree that is mounted read-only, and its health check.
# As root on Linux, with Node 22.19 or newer on the PATH: deploy/docker/try-steps.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
dockerfile=$PWD/deploy/docker/Dockerfile
[ "$(id -u)" = 0 ] || { echo "skipped: a read-only mount and another user need root"; exit 0; }
unshare --mount true 2> /dev/null || { echo "skipped: mounts cannot be made here"; exit 0; }

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/app" "$work/data"
chown 1000:1000 "$work/data"
git archive HEAD | tar -x -C "$work/app"
# .dockerignore keeps these from the image; the workspace of the examples needs its package.json.
(cd "$work/app" && rm -rf .github .ci test docs deploy && find examples -type f ! -path examples/package.json -delete)

build=$(sed '/^FROM/h; /^RUN/{G; / AS build$/!d; s/\n.*//; s/^RUN //p;}; d' "$dockerfile")
while read -r step; do
  echo "+ $step"
  (cd "$work/app" && bash -c "$step") < /dev/null
done <<< "$build"
du -sh "$work/app"

node=$(readlink -f "$(command -v node)")
export NODE_ENV=production HOST=127.0.0.1 PORT=${PORT:-18787} DATABASE_URL=sqlite:$work/data/manifold.db
unshare --mount bash -c "
  mount --bind '$work/app' '$work/app' && mount -o remount,ro,bind '$work/app'
  ! touch '$work/app/written' 2> /dev/null || { echo 'the tree can be written'; exit 1; }
  cd '$work/data'
  exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs \
    '$node' --conditions=manifold '$work/app/apps/server/src/main.ts'" > "$work/output" 2>&1 &
server=$!
check=$(sed -n 's/^HEALTHCHECK .* CMD //p' "$dockerfile" | "$node" -p 'JSON.parse(require("fs").readFileSync(0, "utf8"))[2]')
for _ in $(seq 120); do
  if "$node" -e "$check"; then break; fi
  kill -0 "$server" 2> /dev/null || break
  sleep 0.5
done
"$node" -e "$check" || { cat "$work/output"; echo "FAILED: not healthy"; exit 1; }
"$node" -e 'fetch(`http://127.0.0.1:${process.env.PORT}/console/`).then(({ status }) => { console.log("console", status); process.exit(status === 200 ? 0 : 1); })'
kill -TERM "$server"
wait "$server" || { cat "$work/output"; echo "FAILED: did not stop in order"; exit 1; }
server=
echo "the image's steps work: healthy, read-only, as user 1000, stopped in order"
