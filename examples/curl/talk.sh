#!/bin/sh
# Says one thing to the demo agent and prints what happens in the session until the turn is done.
set -eu

url=${TURNWIRE_URL:-http://127.0.0.1:4747}
token=${TURNWIRE_TOKEN:-$(cat "$HOME/.turnwire/token")}
message=${1:-plan}

set -- --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $token" --header "Content-Type: application/json"

# Create: the answer names the session.
created=$(curl "$@" "$url/sessions" --data '{"runtime":"demo"}')
session=$(echo "$created" | sed 's/.*"session_id":"\([^"]*\)".*/\1/')

# Follow: the whole log, then what happens live. With "Last-Event-ID: 5" it would start at 6.
folder=$(mktemp -d)
mkfifo "$folder/events"
curl "$@" --no-buffer "$url/sessions/$session/events" >"$folder/events" &
follower=$!
trap 'kill "$follower"; rm -r "$folder"' EXIT

# Send: the answer comes when the message is kept, and the turn begins.
curl "$@" "$url/sessions/$session/message" --data "{\"message\":\"$message\"}" >&2

# Each event is "id", "event", "data" and a blank line.
sed '/^event: done$/{n;q;}' "$folder/events"
