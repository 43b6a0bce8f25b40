"""A client of the service that shares no code with it: requests as JSON lines on stdin, replies as JSON lines on stdout.

{"method", "path", "headers": [[name, value]], "body": base64 or null, "chunks": [base64], "fresh": bool}
    one request through http.client; a connection is kept unless `fresh`
{"raw": base64}
    bytes as they are through a socket of their own; every reply until the service closes
{"compare": [[text, text]]}
    which pairs of decimal texts are not the same number
"""

import base64
import gzip
import http.client
import io
import json
import socket
import sys
from decimal import Decimal

host, port = "127.0.0.1", int(sys.argv[1])
patience = 60


def once(pairs):
    """An object whose names are all different; a reply that repeats one is wrong."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"repeated name in {names}")
    return dict(pairs)


def number(text):
    """A number as the wire spells it, told apart from a text."""
    return {"#": text}


def never(text):
    raise ValueError(f"{text} is not JSON")


def exact(text):
    return json.loads(text, object_pairs_hook=once, parse_int=number, parse_float=number, parse_constant=never)


def told(reply, body):
    answer = {"status": reply.status, "headers": [[name.lower(), value] for name, value in reply.getheaders()]}
    answer["body"] = base64.b64encode(body).decode()
    kind, coding = reply.getheader("content-type", ""), reply.getheader("content-encoding")
    if coding == "gzip":
        body = gzip.decompress(body)
    if kind.startswith("application/json") and body and coding in (None, "gzip"):
        answer["json"] = exact(body.decode("utf-8", "strict"))
    return answer


class Held(io.BytesIO):
    """Bytes that several replies are read from: http.client closes what it has read to the end."""

    def close(self):
        pass

    def makefile(self, *_):
        return self


def raw(message):
    replies, got = [], b""
    with socket.create_connection((host, port), timeout=patience) as link:
        try:
            link.sendall(message)
        except OSError:
            pass
        try:
            while piece := link.recv(1 << 16):
                got += piece
        except ConnectionResetError:
            pass
    held = Held(got)
    while held.tell() < len(got):
        reply = http.client.HTTPResponse(held)
        reply.begin()
        replies.append(told(reply, reply.read()))
    return {"replies": replies}


kept = None


def request(job):
    global kept
    link = http.client.HTTPConnection(host, port, timeout=patience) if job.get("fresh") or kept is None else kept
    body = None if job.get("body") is None else base64.b64decode(job["body"])
    chunks = job.get("chunks")
    link.putrequest(job["method"], job["path"], skip_accept_encoding=True)
    for name, value in job.get("headers", []):
        link.putheader(name, value)
    if chunks is not None:
        link.putheader("Transfer-Encoding", "chunked")
        link.endheaders((base64.b64decode(chunk) for chunk in chunks), encode_chunked=True)
    else:
        if body is not None:
            link.putheader("Content-Length", str(len(body)))
        link.endheaders()
        try:
            link.send(body or b"")
        except (BrokenPipeError, ConnectionResetError):
            pass
    reply = link.getresponse()
    answer = told(reply, reply.read())
    answer["kept"] = not reply.will_close
    kept = None if reply.will_close else link
    return answer


def compared(pairs):
    return [[ours, theirs] for ours, theirs in pairs if Decimal(ours) != Decimal(theirs)]


for line in sys.stdin:
    job = json.loads(line)
    try:
        if "compare" in job:
            answer = {"unequal": compared(job["compare"])}
        elif "raw" in job:
            answer = raw(base64.b64decode(job["raw"]))
        else:
            answer = request(job)
    except Exception as error:  # told to the test, which fails by it
        kept = None
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
