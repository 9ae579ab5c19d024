# Builds a small program of eight parts, one of which has an error in it.
mkdir -p parts && cd parts || exit 1
if command -v cc >/dev/null 2>&1; then
  tool=cc end=c
  good() { printf 'int part%s(int x) {\n    return x + %s;\n}\n' "$1" "$1"; }
  bad() { printf 'int part%s(int x) {\n    return x + undeclared_name;\n}\n' "$1"; }
  build() { cc -c -Wall -o "$1.o" "$1"; }
elif command -v python3 >/dev/null 2>&1; then
  tool=python3 end=py
  good() { printf 'def part%s(x):\n    return x + %s\n' "$1" "$1"; }
  bad() { printf 'def part%s(x):\n    return (x + %s\n' "$1" "$1"; }
  build() { python3 -m py_compile "$1"; }
elif command -v node >/dev/null 2>&1; then
  tool=node end=js
  good() { printf 'const part%s = (x) => x + %s;\n' "$1" "$1"; }
  bad() { printf 'const part%s = (x) => x + ;\n' "$1"; }
  build() { node --check "$1"; }
else
  echo 'no compiler here: install cc, python3 or node, and create the samples again' >&2
  exit 1
fi
echo "building with $tool"
number=0
while [ $number -lt 8 ]; do
  number=$((number + 1))
  if [ $number -eq 6 ]; then bad $number; else good $number; fi > "part$number.$end"
  echo "[$number/8] part$number.$end"
  if ! build "part$number.$end"; then
    echo "build failed at part$number.$end" >&2
    exit 1
  fi
  sleep 1
done
