"""Another server at the address of the admin API: it answers 200 to every path, as development servers do."""

import contextlib
import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        json = {"json": b'{"status":"ok"}', "torn": b'{"verified":fal'}.get(self.path.split("/")[1])
        kind, content = ("application/json", json) if json else ("text/html", b"<title>Shop</title>")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def other_server():
    """Its address: a page at `/`, JSON below `/json`, and JSON that ends early below `/torn`."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
