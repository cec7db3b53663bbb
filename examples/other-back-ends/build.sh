#!/bin/sh
# Reports a build into the panel of a session: any program that can send HTTP can drive its UI.
# Usage: build.sh SESSION_ID
set -eu

url=${TURNWIRE_URL:-http://127.0.0.1:4747}
token=${TURNWIRE_TOKEN:-$(cat "$HOME/.turnwire/token")}
session=$url/sessions/${1:?"name the session: build.sh SESSION_ID"}

send() {
  method=$1 path=$2
  shift 2
  curl --silent --show-error --fail-with-body --request "$method" "$session/$path" \
    --header "Authorization: Bearer $token" --header "Content-Type: application/json" "$@"
}

# Shows the component; the same id again changes it.
send PUT components/build \
  --data '{"name":"progress","surface":"panel","props":{"title":"Build","percent":0}}'

for percent in 50 100; do
  # Merged over the properties that are there.
  send PUT components/build --data "{\"props\":{\"percent\":$percent},\"merge\":true}"
done

# The shared state is patched only if no one has changed it since it was read.
built='{"op":"add","path":"/built","value":true}'
until
  now=$(send GET state)
  version=$(echo "$now" | sed 's/.*"version":\([0-9]*\).*/\1/')
  answer=$(send PATCH state --data "{\"base_version\":$version,\"patches\":[$built]}")
do
  # 409 stale_state: another writer was faster, so read again. Anything else is final.
  case $answer in *'"stale_state"'*) ;; *) echo "$answer" >&2 && exit 1 ;; esac
done

send DELETE components/build
