#!/usr/bin/env bash
# Runs the steps of the Dockerfile in a plain folder, where no image can be pulled: the same RUN lines on what is
# committed, then a start on that tree, the health check, a chat and the console's page. As root on Linux the start is
# the image's: as its user, on a tree that is mounted read-only. With Node 22.19 or newer on the PATH:
# deploy/docker/try-steps.sh, or with --installed, where the clone has just installed the same lockfile: its packages are
# linked rather than fetched and unpacked once more, and `npm ci` compares lockfile and manifests, and builds.
set -euo pipefail
trap 'echo "$0:$LINENO: failed: $BASH_COMMAND"' ERR
cd "$(dirname "$0")/../.."
clone=$PWD
dockerfile=$clone/deploy/docker/Dockerfile

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/app" "$work/data"
# The user of the image may not be able to enter the folder in which this Node is.
cp "$(readlink -f "$(command -v node)")" "$work/node"
git archive HEAD | tar -x -C "$work/app"
# .dockerignore keeps these from the image; the workspace of the examples needs its package.json.
(cd "$work/app" && rm -rf .github .ci test docs deploy && find examples -type f ! -path examples/package.json -delete)

if [ "${1:-}" = --installed ]; then
  for modules in node_modules packages/*/node_modules; do
    cp -al "$clone/$modules" "$work/app/$modules" 2> /dev/null ||
      { rm -rf "$work/app/$modules" && cp -a "$clone/$modules" "$work/app/$modules"; }
  done
  # Alone among them, these are written in place, which would reach the clone's.
  rm -rf "$work"/app/node_modules/{.cache,.package-lock.json}
fi

build=$(sed '/^FROM/h; /^RUN/{G; / AS build$/!d; s/\n.*//; s/^RUN //p;}; d' "$dockerfile")
while read -r step; do
  began=$SECONDS
  [[ ${1:-} == --installed && $step == "npm ci "* ]] && step+=" --dry-run"
  (cd "$work/app" && bash -c "$step") < /dev/null || { echo "deploy/docker/Dockerfile: failed: RUN $step"; exit 1; }
  echo "$((SECONDS - began)) s: RUN $step"
done <<< "$build"
du -sh "$work/app" | sed "s#$work##"

export NODE_ENV=production DATABASE_URL=sqlite:$work/data/manifold.db
main="'$work/node' --conditions=manifold --max-semi-space-size=16 --v8-pool-size=1 '$work/app/apps/server/program/main.js'"
if [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null; then
  chown 1000:1000 "$work/data"
  start=(unshare --mount bash -c "
    mount --bind '$work/app' '$work/app' && mount -o remount,ro,bind '$work/app'
    ! touch '$work/app/written' 2> /dev/null || { echo 'the tree can be written'; exit 1; }
    cd '$work/data' && exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs $main")
else
  echo "mounts cannot be made here: the tree can be written, and the user is not the image's"
  start=(bash -c "cd '$work/data' && exec $main")
fi
script=$(sed -n 's/^HEALTHCHECK .* CMD //p' "$dockerfile" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8"))[2]')
export script
node "$clone/tools/try-service.mjs" --console --check 'node -e "$script"' -- "${start[@]}"
