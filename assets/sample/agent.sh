# Replays the recording $1 of a coding agent's run, line by line; after a call of a tool it waits as for the tool.
printf '%s\n' "$1" | while IFS= read -r line; do
  [ -n "$line" ] || continue
  printf '%s\n' "$line"
  case $line in
    *'"type":"tool_use"'*) sleep 3 ;;
    *) sleep 1 ;;
  esac
done
