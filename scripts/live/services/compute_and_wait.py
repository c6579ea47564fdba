"""A WSGI application: /STEPS/MILLISECONDS computes so many steps and waits that long."""

import time


def application(environment, start_response):
    """Compute, wait, and say so."""
    _, steps, pause = environment["PATH_INFO"].split("/")
    total = 0
    for i in range(int(steps)):
        total += i & 7
    if float(pause):
        time.sleep(float(pause) / 1e3)
    body = str(total).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
