"""Which run the page Reconstruction shows, and the walk through its steps."""

from pages._parts.opened import Opened
from pages._parts.transport import Walk

TRACE = Opened("trace", "step")
STEPS = Walk("trace", "Step", 1.0, "Reconstructing …", TRACE.step_asked, TRACE.keep_step)
