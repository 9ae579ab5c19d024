# Asks the server on port $1 for a page every second, now and then for one that is not there.
base=http://127.0.0.1:$1
if command -v curl >/dev/null 2>&1; then
  fetch() { curl -s -o /dev/null -w '%{http_code}' "$1"; }
elif command -v python3 >/dev/null 2>&1; then
  fetch() {
    python3 -c '
import sys, urllib.error, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1]).status, end="")
except urllib.error.HTTPError as error:
    print(error.code, end="")
except OSError as error:
    print(f"no answer: {error}", end="")' "$1"
  }
elif command -v node >/dev/null 2>&1; then
  fetch() { node -e 'fetch(process.argv[1]).then((a) => process.stdout.write(`${a.status}`), (e) => process.stdout.write(`no answer: ${e.message}`))' "$1"; }
elif command -v wget >/dev/null 2>&1; then
  fetch() { wget -q -O /dev/null "$1" && printf 200 || printf 'no page'; }
else
  echo 'nothing here can ask for a page: install curl, python3, node or wget, and create the samples again' >&2
  exit 1
fi
count=0
while :; do
  count=$((count + 1))
  if [ $((count % 5)) -eq 0 ]; then page=/missing/$count; else page=/; fi
  status=$(fetch "$base$page")
  case $status in
    200) echo "#$count GET $page -> $status" ;;
    000) echo "#$count GET $page -> no answer" >&2 ;;
    *) echo "#$count GET $page -> $status" >&2 ;;
  esac
  sleep 1
done
