"""What all tests share."""

from __future__ import annotations

import signal

# A shell that starts a job in the background has it ignore Ctrl-C, and its children inherit
# that; the tests that interrupt a search need the default back.
signal.signal(signal.SIGINT, signal.default_int_handler)
