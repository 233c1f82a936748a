"""What is played against the servers that offer it: further grants, client identities, hardenings and response modes."""

from . import stage as shared
from .scenarios import FIRST, SCENARIOS, Stage, scenario

__all__ = ["FIRST", "SCENARIOS", "Stage"]

scenario("no secret in any output")(shared.silence)
