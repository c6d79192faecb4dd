"""A real small model behind a real server, to see that real streams and malformed replies are survived.

It says nothing about quality, and runs only where MEMCORE_TEST_MODEL_URL names a server on this computer that
speaks the chat protocol, such as `llama-server -m SmolLM2-135M-Instruct.gguf` at http://127.0.0.1:8080/v1.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from memcore.errors import ModelError
from memcore.llm.budget import Budget
from memcore.llm.choose import Access, check, model_named
from memcore.llm.model_tree import ModelSummariser, ModelVerifier
from memcore.llm.model_writer import ModelWriter
from memcore.llm.patience import Patience
from memcore.llm.prompts import Prompt
from memcore.records import UNKNOWN, RunStep
from memcore.settings import Settings
from memcore.state_tree import Segment
from memcore.writing import Line, Passage

URL = os.environ.get("MEMCORE_TEST_MODEL_URL", "")
pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(not URL, reason="MEMCORE_TEST_MODEL_URL names no model server"),
]
PASSAGES = [Passage("u", (Line("t", "Ada", "I keep bees since May."),), UNKNOWN)]
SEGMENT = Segment((RunStep("s", "r", 1, "buy a bag", "bought. total: 80"),), "bag: bought for 80")
WORD = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": ["hello", "goodbye"]}},
    "required": ["word"],
}


def test_it_is_there_and_its_reply_streams() -> None:
    seen: list[str] = []
    with model_named("local/small", Access(URL)) as model:
        assert check(model).value in ({"ready": True}, {"ready": False})
        model.ask("word", Prompt('Answer {"word": "..."}.', "Say hello."), WORD, seen.append)
    assert len(seen) > 1


def test_every_role_gives_a_value_or_an_error_of_ours_and_a_bill() -> None:
    budget = Budget(settings=Settings(run_money=0, day_money=0))
    patience = Patience(settings=Settings(model_reply_tokens=150))
    with model_named("local/small", Access(URL), budget, patience) as model:
        writer, verifier, summariser = ModelWriter(model), ModelVerifier(model), ModelSummariser(model)
        roles: list[Callable[[], object]] = [
            lambda: writer.merge("Ada keeps bees.", PASSAGES),
            lambda: writer.consolidate(PASSAGES),
            lambda: writer.refine("Ada keeps bees.", PASSAGES, []),
            lambda: summariser.summarise("Spend at most 50.", SEGMENT),
            lambda: verifier.verify("Spend at most 50.", SEGMENT),
        ]
        for role in roles:
            try:
                role()
            except ModelError as error:
                assert str(error)
    assert budget.of_run().calls >= len(roles)
    assert budget.of_run().usage.sent > 0
