"""Runs cells in a Jupyter kernel by its protocol, in a folder: a list of cells on standard input, what came of each in a file.

A cell is {code, interrupt?: seconds, wait?: seconds after it, together?: sent with the next one, inspect?: shown and not run,
id?: how a front end names it}.
"""
import json
import sys
import time

from jupyter_client.manager import start_new_kernel

cells = json.load(sys.stdin)
manager, client = start_new_kernel(kernel_name="quotebook", cwd=sys.argv[1], startup_timeout=120)


def reply_to(message):
    while True:
        reply = client.get_shell_msg(timeout=120)
        if reply["parent_header"].get("msg_id") == message:
            return reply["content"]


def outputs_of(message):
    """What a cell puts out until it is idle, and what others put out meanwhile."""
    own, others = [], []
    while True:
        one = client.get_iopub_msg(timeout=120)
        kind, content = one["msg_type"], one["content"]
        mine = one["parent_header"].get("msg_id") == message
        if mine and kind == "status" and content["execution_state"] == "idle":
            return own, others
        if kind not in ("status", "execute_input"):
            (own if mine else others).append({"type": kind, **content})


results = []
sent = []
for cell in cells:
    if cell.get("inspect"):
        found = reply_to(client.inspect(cell["code"], len(cell["code"])))
        results.append({"shown": found["data"].get("text/plain", "")})
        continue
    content = {"code": cell["code"], "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
    request = client.session.msg("execute_request", content, metadata={"cellId": cell["id"]} if "id" in cell else None)
    client.shell_channel.send(request)
    sent.append((request["header"]["msg_id"], cell))
    if cell.get("together"):
        continue
    for message, one in sent:
        started = time.time()
        if "interrupt" in one:
            time.sleep(one["interrupt"])
            started = time.time()
            manager.interrupt_kernel()
        own, others = outputs_of(message)
        result = reply_to(message)
        results.append({"outputs": own, "others": others, "reply": result, "seconds": time.time() - started})
        time.sleep(one.get("wait", 0))
    sent = []
client.stop_channels()
manager.shutdown_kernel()
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(results, file)
