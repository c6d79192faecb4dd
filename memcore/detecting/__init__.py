"""Detecting: subgoal boundaries and steps back in a recorded run, by rules that each name their evidence.

`detect` runs all detectors and gives marks; `failing_steps` names the steps that most likely went wrong.
Every detector is one file; `detect` lists them.
"""

from memcore.detecting.detect import BOUNDARIES, RETURNS, detect, possible
from memcore.detecting.found import Limits
from memcore.detecting.mistakes import Suspect, failing_steps

__all__ = ["BOUNDARIES", "RETURNS", "Limits", "Suspect", "detect", "failing_steps", "possible"]
