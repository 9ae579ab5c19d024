# Plays the recording $1 of a coding agent's run, line by line; after a call of a tool it waits as for the tool. Lines
# that begin with # are for the player; @in N@ stands for the moment in N seconds.
play() {
  printf '%s\n' "$recording" | while IFS= read -r line; do
    case $line in
      '#wait '*) sleep "${line#\#wait }"; continue ;;
      '#exit '*) exit "${line#\#exit }" ;;
      '#die') kill -9 $$; exit ;;
      *'@in '*)
        rest=${line#*@in }
        line=${line%%@in *}$(($(date +%s) + ${rest%%@*}))${rest#*@}
        ;;
    esac
    printf '%s\n' "$line"
    case $line in
      *'"type":"tool_use"'*) sleep 3 ;;
      *) sleep 1 ;;
    esac
  done
}
claude() { play; }
codex() { play; }
recording=$1
