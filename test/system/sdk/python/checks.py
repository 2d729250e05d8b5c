"""Runs the checks of one SDK and prints what became of each, one line of JSON for each."""

import json
import sys
import traceback
from contextlib import contextmanager

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
CALL = 'Weather please [[call:get_weather {"city":"Paris"}]]'
TWO_CALLS = 'Both [[call:get_weather {"city":"Paris"}]] [[call:get_weather {"city":"Oslo"}]]'
THINK = "Think. [[reason]]"


def run(checks):
    for check in checks:
        try:
            check()
            error = None
        except Exception:
            error = traceback.format_exc()
        print(json.dumps({"check": check.__name__, "error": error}), flush=True)


@contextmanager
def refused(kind, words):
    """What runs in it has to be refused by an error of this kind that says these words."""
    try:
        yield
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"was not refused: {words}")


def arguments():
    """Where the gateway listens, a key, and the models: of text, of embeddings, of videos."""
    return sys.argv[1:]
