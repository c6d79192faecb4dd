"""The page Settings, run as Streamlit runs it: nothing changes before it is saved, and no key is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from llm_server import Act, Server
from obedient import obedient
from pages_running import ROOT, copied_store, empty_store, page, press, words
from streamlit.testing.v1 import AppTest

from memcore.configuration import Configuration
from memcore.llm.local import OLLAMA
from memcore.llm.tasks import ROLES, Role
from memcore.memories import Memories
from memcore.settings import DEFAULT
from memcore.view.model_calls import money
from memcore.view.settings_rows import rows

KEY = "sk-very-secret-indeed"
KEYS = (
    "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MEMCORE_LOCAL_KEY", "MEMCORE_LOCAL_URL",
)  # fmt: skip


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memories:
    return empty_store(tmp_path, monkeypatch)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply=obedient) as made:
        yield made


def said(app: AppTest) -> str:
    """Everything on the page with the backslashes of markdown taken away."""
    return words(app).replace("\\", "")


def kept(tmp_path: Path) -> Configuration:
    """What is saved, as another program reads it."""
    return Memories.open(tmp_path / "store", create=False).models.configuration


def opened(part: str) -> AppTest:
    app = page("settings", part=part)
    assert not app.exception
    return app


def test_roles_are_chosen_saved_and_kept(store: Memories, tmp_path: Path) -> None:
    app = opened("Models")
    for about in ROLES:
        assert about.name in said(app)
    app.selectbox("settings:role:answer").set_value("claude/claude-haiku-5-5").run()
    assert kept(tmp_path).roles == {}
    press(app, "Save roles")
    assert "The roles are saved." in said(app)
    assert kept(tmp_path).roles == {"answer": "claude/claude-haiku-5-5"}
    app.selectbox("settings:roles:all").set_value("local/qwen3:4b").run()
    press(app, "Use it for all")
    press(app, "Save roles")
    assert set(kept(tmp_path).roles.values()) == {"local/qwen3:4b"}
    again = opened("Models")
    assert again.selectbox("settings:role:write").value == "local/qwen3:4b"


def test_models_that_were_just_chosen_are_asked_once_and_a_missing_key_is_said(
    store: Memories, server: Server
) -> None:
    chosen: dict[Role, str] = {"read": "local/known", "tree": "recorded/local/scripted"}
    store.configure(Configuration(chosen, {"local": f"{server.url}/v1"}))
    app = opened("Models")
    for role, model in (("construct", "claude/claude-haiku-5-5"), ("write", "claude/claude-haiku-5-5"),
                        ("choose", "local/qwen3:4b"), ("answer", "local/gemma3:4b")):  # fmt: skip
        app.selectbox(f"settings:role:{role}").set_value(model).run()
    assert server.asked == []
    server.script = [Act(text='{"ready": true}'), Act("status", status=404)]
    press(app, "Save roles")
    told = said(app)
    assert "The roles are saved." in told
    assert told.count("claude/claude-haiku-5-5: There is no key for Claude: set ANTHROPIC_API_KEY") == 1
    assert "local/qwen3:4b answers: " in told and "local/gemma3:4b: The local model server" in told
    assert [asked.body["model"] for asked in server.asked] == ["qwen3:4b", "gemma3:4b"]
    app.run()
    assert "answers: " not in said(app) and len(server.asked) == 2


def test_where_a_server_of_ones_own_is_asked_is_shown_but_no_key_in_its_address(
    store: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown() -> str:
        return opened("Models").text_input("settings:address:local").placeholder

    assert shown() == OLLAMA
    monkeypatch.setenv("MEMCORE_LOCAL_URL", "http://127.0.0.1:9999/v1")
    assert shown() == "http://127.0.0.1:9999/v1"
    monkeypatch.setenv("MEMCORE_LOCAL_URL", f"http://me:{KEY}@127.0.0.1/v1")
    assert shown() == "the address in MEMCORE_LOCAL_URL"


def test_a_name_that_is_none_is_refused_in_a_sentence(store: Memories, tmp_path: Path) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.session_state["settings:role:write"] = "somebody/clever"
    app.switch_page("pages/settings.py").run()
    press(app, "Save roles")
    assert "A model is named like one of these" in said(app)
    assert "Nothing was saved." in said(app)
    assert kept(tmp_path) == Configuration()
    press(app, "Discard")
    assert app.selectbox("settings:role:write").value == "offline"


def test_a_key_is_found_and_never_shown(
    store: Memories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "There is no key: set ANTHROPIC" in said(opened("Models")).replace("\\", "")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    app = opened("Models")
    assert "A key was found in ANTHROPIC_API_KEY." in said(app).replace("\\", "")
    assert KEY not in str(app.main) and KEY not in said(app)
    app.text_input("settings:address:claude").set_value(f"http://me:{KEY}@127.0.0.1").run()
    press(app, "Save addresses")
    assert "An address must not hold a key" in said(app)
    assert KEY not in b"".join(p.read_bytes() for p in (tmp_path / "store").glob("*.json*")).decode()


def test_a_provider_is_tested_at_the_address_that_is_typed(
    store: Memories, tmp_path: Path, server: Server
) -> None:
    app = opened("Models")
    app.text_input("settings:address:local").set_value(f"{server.url}/v1").run()
    app.button("settings:test:run:local").click().run()
    assert "local/qwen3:4b answers" in said(app).replace("\\", "")
    assert kept(tmp_path).addresses == {}
    server.script = [Act("status", status=401, words=KEY)]
    app.button("settings:test:run:local").click().run()
    assert "The local model server does not accept the key" in said(app)
    press(app, "Save addresses")
    assert kept(tmp_path).addresses == {"local": f"{server.url}/v1"}
    app.button("settings:test:run:claude").click().run()
    assert "There is no key for Claude" in said(app)


def test_a_budget_is_saved_beside_what_was_used_today(
    store: Memories, tmp_path: Path, server: Server
) -> None:
    store.configure(Configuration({}, {"local": f"{server.url}/v1"}))
    store.models.check("local/some-model")
    app = opened("Budgets")
    assert [(m.label, m.value) for m in app.metric][:2] == [("Calls today", "1"), ("Tokens today", "120")]
    app.number_input("settings:budget:day_calls").set_value(7).run()
    press(app, "Save budgets")
    assert kept(tmp_path).changed == {"day_calls": 7}
    assert "of 7 allowed" in said(app)
    app.number_input("settings:budget:budget").set_value(0).run()
    press(app, "Save budgets")
    assert "The setting budget must be at least 1. Nothing was saved." in said(app).replace("\\", "")
    press(app, "Reset all budgets")
    assert kept(tmp_path).changed == {}


def test_a_threshold_is_changed_refused_and_reset(store: Memories, tmp_path: Path) -> None:
    app = opened("Thresholds")
    assert len(app.dataframe[0].value) == len(DEFAULT.about())
    app.selectbox("settings:threshold:of").set_value("theta_sim").run()
    assert "Cosine above which a live unit is a neighbour" in said(app)
    app.number_input("settings:threshold:value:theta_sim:0.69").set_value(0.5).run()
    press(app, "Save")
    assert kept(tmp_path).changed == {"theta_sim": 0.5}
    app.number_input("settings:threshold:value:theta_sim:0.5").set_value(1.5).run()
    press(app, "Save")
    assert "must be at least 0 and at most 1" in said(app)
    app.selectbox("settings:threshold:of").set_value("counting").run()
    app.selectbox("settings:threshold:value:counting:counts_new_unit").set_value("neighbours_reach").run()
    press(app, "Save")
    app.toggle("settings:threshold:changed").set_value(True).run()
    assert len(app.dataframe[0].value) == 2
    app.selectbox("settings:threshold:of").set_value("theta_sim").run()
    press(app, "Reset")
    assert kept(tmp_path).changed == {"counting": "neighbours_reach"}
    press(app, "Reset all 1 changed")
    assert kept(tmp_path).changed == {}
    app.toggle("settings:threshold:changed").set_value(False).run()
    app.text_input("settings:threshold:search").set_value("zzz").run()
    assert "No memory matches" not in said(app)
    assert "No setting matches" in said(app)


def test_a_price_of_ones_own_is_charged_and_taken_back(store: Memories, tmp_path: Path) -> None:
    app = opened("Prices")
    assert "October 2026" in said(app)
    app.selectbox("settings:price:model").set_value("local/").run()
    app.number_input("settings:price:sent:local/").set_value(3.0).run()
    app.text_input("settings:price:read_in").set_value("December 2026").run()
    press(app, "Save price")
    now = kept(tmp_path)
    charged = next(p for p in now.price_table if p.model == "local/")
    assert (now.prices_read_in, charged.sent) == (
        "December 2026", 3.0
    )  # fmt: skip
    assert len(now.prices) == len(app.dataframe[0].value)
    press(app, "Use the prices that came with the program")
    assert kept(tmp_path).prices == ()


def test_the_bill_is_told_by_task_and_beside_the_eager_system(
    sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    store = copied_store(sample_store, tmp_path, monkeypatch)
    assert "No model was asked yet" in said(opened("Bill"))
    store.configure(Configuration({}, {"local": f"{server.url}/v1"}))
    store.models.check("local/some-model")
    app = opened("Bill")
    mine, eager = (table.value for table in app.dataframe)
    assert list(mine["name"]) == ["Self-test"]
    assert list(eager["name"]) == ["Construction, every unit", "Updating memories, every unit"]
    assert list(eager.columns) == ["name", "calls", "sent", "received", "dollars"]
    assert all(dollars > 0 for dollars in eager["dollars"])
    taken = f"{sum(eager['sent'] + eager['received']):,} tokens and {money(sum(eager['dollars']))}, by an"
    assert taken in said(app)
    assert "The dollars are those of claude/claude-haiku-5-5, by the prices of October 2026." in said(app)
    app.button_group("settings:bill:by").set_value("Run").run()
    assert "self-test" in app.dataframe[0].value["name"][0]


def test_what_is_recorded_is_listed_and_can_be_chosen(
    store: Memories, tmp_path: Path, server: Server
) -> None:
    chosen = Configuration({"tree": "local/some-model"}, {"local": f"{server.url}/v1"}, recording=True)
    store.configure(chosen)
    llm = store.models.of("tree")
    assert llm is not None
    from memcore.llm.prompts import Prompt

    llm.ask("check", Prompt('Answer {"ready"', "now"), {"type": "object"})
    app = opened("Models")
    assert "1 reply of local/some-model" in said(app).replace("\\", "")
    assert any(
        "Recorded replies of local/some-model" in o for o in app.selectbox("settings:role:tree").options
    )
    app.toggle("settings:recording").set_value(False).run()
    assert kept(tmp_path).recording
    app.button("settings:recording:save").click().run()
    assert not kept(tmp_path).recording


def test_settings_that_cannot_be_read_are_named_on_every_page(store: Memories, tmp_path: Path) -> None:
    (tmp_path / "store" / "settings.json").write_text(json.dumps({"version": 9}))
    for name in ("settings", "overview"):
        assert "settings.json" in said(page(name)).replace("\\", "")


def test_every_setting_has_a_group_a_title_and_an_origin() -> None:
    every = rows(replace(DEFAULT, budget=3))
    assert len(every) == len(DEFAULT.about())
    assert all(row.group and row.title and row.source and row.says for row in every)
    assert [row.name for row in every if row.changed] == ["budget"]
    assert [row.name for row in rows(DEFAULT, "weight tag")] == ["w_tag"]
    assert rows(DEFAULT, only_changed=True) == []


def test_every_threshold_is_called_by_what_it_does_and_no_two_alike() -> None:
    called = [f"{row.group}: {row.title}" for row in rows(DEFAULT)]
    assert len(set(called)) == len(called)
    assert not {row.title for row in rows(DEFAULT)} & {"Coarse", "Fine", "Jaccard", "Seeds", "Theta sim"}
