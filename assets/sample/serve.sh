# Serves HTTP on port $1 and prints a line for each request.
port=$1
if command -v python3 >/dev/null 2>&1; then
  mkdir -p site
  echo '<h1>served from a sandbox</h1>' > site/index.html
  echo "serving on port $port with python3"
  exec python3 -u -m http.server "$port" --bind 127.0.0.1 --directory site
fi
if command -v node >/dev/null 2>&1; then
  echo "serving on port $port with node"
  exec node -e '
    const http = require("http");
    http.createServer((request, response) => {
      const found = request.url === "/";
      response.writeHead(found ? 200 : 404);
      response.end("<h1>served from a sandbox</h1>\n");
      console.log(`"${request.method} ${request.url}" ${response.statusCode}`);
    }).listen(Number(process.argv[1]), "127.0.0.1");' "$port"
fi
if command -v busybox >/dev/null 2>&1; then
  mkdir -p site
  echo '<h1>served from a sandbox</h1>' > site/index.html
  echo "serving on port $port with busybox"
  exec busybox httpd -f -vv -p "127.0.0.1:$port" -h site
fi
echo 'no web server here: install python3, node or busybox, and create the samples again' >&2
exit 1
