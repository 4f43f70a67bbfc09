"""The machine interface: `pose`, `mark`, `solve`, `bank`, `misconceptions` in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from quizengine.authoring.skeletons import SKELETONS

MINI = Path(__file__).parent.parent / "mini"
POSE = {
    "item", "seed", "posing", "digest", "lang", "type", "topic", "prompt", "conventions", "given", "parts",
}  # fmt: skip


def test_pose_without_and_with_the_key(run_json) -> None:
    shown = run_json("pose", "masking.one-row", "--seed", 7)
    assert set(shown) >= POSE
    assert not {"key", "rivals", "worked"} & set(shown)
    assert [p["id"] for p in shown["parts"]] == ["scaled", "weights", "output"]
    assert shown["parts"][1] | {"prompt": ""} == {
        "id": "weights", "kind": "array", "prompt": "", "shape": [1, 6], "decimals": 3, "points": 1,
        "stage": "weights", "rows": [4],
        "of": 6,
    }  # fmt: skip
    assert shown["given"]["d_k"] in (4, 9)
    assert np.array(shown["given"]["mask"]).shape == (6, 6)
    full = run_json("pose", "masking.one-row", "--seed", 7, "--key")
    assert set(full["key"]) == {"scaled", "weights", "output"}
    assert {"misconception", "values"} == set(full["rivals"][0])
    assert full["worked"]


def test_every_key_and_every_rival_is_accepted_by_mark(run_json) -> None:
    for item in (
        "masking.one-row",
        "complexity.layer-cost",
        "order.steps",
        "roles.who-does-what",
        "masking.where",
    ):
        full = run_json("pose", item, "--seed", 3, "--key")
        mark = run_json("mark", item, "--seed", 3, "--answers", "-", input=json.dumps(full["key"]))
        assert mark["credit"] == mark["points"] > 0
        assert all(part["verdict"] == "right" for part in mark["parts"])
        for rival in full["rivals"]:
            mark = run_json("mark", item, "--seed", 3, "--answers", "-", input=json.dumps(rival["values"]))
            assert mark["credit"] < mark["points"]
            assert rival["misconception"] in {d["misconception"] for d in mark["diagnosis"]}


def test_mark_in_json(run_json) -> None:
    mark = run_json(
        "mark", "masking.one-row", "--seed", 7, "--answer", "weights=[[0,0,0,0,0,0]]", "--answer", "scaled=x"
    )
    assert set(mark) >= {"item", "seed", "points", "credit", "parts", "diagnosis"}
    scaled, weights, output = mark["parts"]
    assert set(weights) == {
        "id", "verdict", "points", "credit", "entries", "misconceptions", "carried", "reading", "feedback",
    }  # fmt: skip
    assert (scaled["verdict"], weights["verdict"], output["verdict"]) == ("unreadable", "wrong", "blank")
    assert weights["entries"] == [[False, False, False, False, True, True]]
    assert "“x” is not a number" in scaled["feedback"]


def test_mark_takes_nested_lists_with_the_digits_they_are_written_with(run_json, tmp_path: Path) -> None:
    full = run_json("pose", "masking.padded-keys", "--seed", 2, "--key")
    path = tmp_path / "a.json"
    path.write_text(json.dumps({id_: json.loads(text) for id_, text in full["key"].items()}))
    mark = run_json("mark", "masking.padded-keys", "--seed", 2, "--answers", path)
    assert mark["credit"] == mark["points"]


def test_mark_shows_the_steps_and_a_variant_that_separates(run, run_json) -> None:
    """Unmasked weights alone: the mask forgotten, or put on V. The output would have told."""
    key = run_json("pose", "masking.one-row", "--seed", 3, "--key")
    [rival] = [r for r in key["rivals"] if r["misconception"] == "mask-ignored"]
    words = ("mark", "masking.one-row", "--seed", 3, "--answer", f"weights={rival['values']['weights']}")
    out = run_json(*words)
    assert [d["misconception"] for d in out["diagnosis"]] == ["mask-ignored", "mask-on-values"]
    assert {d["certainty"] for d in out["diagnosis"]} == {"one-of"}
    assert out["separate"] > 3
    assert [step["first_difference"] for step in out["trace"]] == [False, True, False]
    said = run(*words).output
    assert f"quizengine pose masking.one-row --seed {out['separate']}" in said
    assert "here they part ways" in said


def test_another_item_may_have_to_separate(run_json) -> None:
    key = run_json("pose", "multi-head.shared-keys", "--seed", 3, "--key")
    [rival] = [r for r in key["rivals"] if r["misconception"] == "scale-by-dv"]
    answers = [f"--answer={part}={text}" for part, text in rival["values"].items()]
    out = run_json("mark", "multi-head.shared-keys", "--seed", 3, *answers)
    assert out["separate_item"] != "multi-head.shared-keys"


def test_one_part_needs_no_name(run, run_json) -> None:
    key = run_json("pose", "masking.where", "--seed", 1, "--key")["key"]["answer"]
    assert run_json("mark", "masking.where", "--seed", 1, "--answer", key)["credit"] == 1
    assert "Right." in run("mark", "masking.where", "--seed", 1, "--answer", key).stdout


@pytest.mark.parametrize(
    ("words", "exit", "code", "message"),
    [
        (("pose", "masking.wher"), 2, "unknown-name", "did you mean masking.where"),
        (("pose", "masking.where", "--seed", "-1"), 2, "usage", "-1 is not in the range"),
        (("mark", "masking.one-row", "--answer", "wieghts=1"), 2, "usage", "names no part: write PART=TEXT"),
        (("mark", "masking.one-row", "--answers", "none.json"), 3, "no-file", "none.json: No such file"),
        (
            ("solve", "--q", "1 2", "--k", "1 2 3", "--v", "1"),
            3,
            "array",
            "queries have 2 features and keys 3",
        ),
        (
            ("solve", "--q", "1 x", "--k", "1 2", "--v", "1"),
            3,
            "array",
            "Q: “x” is not a number (character 3",
        ),
        (
            ("solve", "--q", "1 2", "--k", "1 2", "--v", "1", "--misconception", "mask-pas"),
            2,
            "unknown-name",
            "mask-past",
        ),
        (("solve", "none.json"), 3, "no-file", "none.json: No such file"),
        (("bnak",), 2, "unknown-name", "there is no command “bnak”; did you mean bank"),
        (("bank", "check", "none"), 3, "no-file", "there is no bank at none"),
    ],
)
def test_errors_are_in_json_too(run_json, words, exit: int, code: str, message: str) -> None:
    error = run_json(*words, exit=exit)["error"]
    assert error["code"] == code
    assert message in error["message"]


def test_answers_that_are_not_json_are_one_sentence(run, tmp_path: Path) -> None:
    assert (
        "standard input is not JSON"
        in run("mark", "masking.where", "--answers", "-", input="{", exit=3).stderr
    )
    assert (
        "an object {part: answer} is needed"
        in run("mark", "masking.where", "--answers", "-", input="[]", exit=3).stderr
    )


def head(tmp_path: Path, suffix: str) -> Path:
    """The syllabus's head, as a file."""
    rng = np.random.default_rng(0)
    shapes = {"X": (4, 6), "W_Q": (6, 3), "W_K": (6, 3), "W_V": (6, 2)}
    data = {name: rng.standard_normal(shape).tolist() for name, shape in shapes.items()} | {"mask": "causal"}
    path = tmp_path / f"head{suffix}"
    path.write_text(
        json.dumps(data) if suffix == ".json" else "".join(f"{k}: {json.dumps(v)}\n" for k, v in data.items())
    )
    return path


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_solve_gives_the_syllabus_head_to_six_places(run_json, tmp_path: Path, suffix: str) -> None:
    stages = run_json("solve", head(tmp_path, suffix))["stages"]
    assert np.round(stages["weights"][3], 6).tolist() == [0.387826, 0.513596, 0.008973, 0.089605]
    assert np.round(stages["output"][1], 6).tolist() == [-0.54452, 0.504996]
    assert stages["masked"][0][1:] == ["-inf"] * 3


def test_solve_as_a_believer(run_json, run, tmp_path: Path) -> None:
    stages = run_json("solve", head(tmp_path, ".json"), "--misconception", "scale-after-softmax")["stages"]
    assert np.allclose(np.sum(stages["weights"], axis=1), 1 / np.sqrt(3), atol=1e-12)
    text = run("solve", "--q", "1 0; 0 1", "--k", "1 0; 0 1", "--v", "1 2; 3 4", "--mask", "causal").stdout
    assert (
        "weights (2, 2)\n  softmax of each row: shares that add up to 1\n  █ 1.000000    0.000000\n" in text
    )
    assert "-inf" in text


def test_solve_with_all_misconceptions(run, run_json, tmp_path: Path) -> None:
    believers = run_json("solve", head(tmp_path, ".json"), "--all-misconceptions")["misconceptions"]
    ids = [entry["id"] for entry in believers]
    assert {"scale-forgotten", "mask-ignored", "projection-shared"} <= set(ids)
    assert not {"heads-averaged", "keys-not-transposed", "cost-linear"} & set(ids)
    lines = run("solve", head(tmp_path, ".json"), "--all-misconceptions").stdout.splitlines()
    assert len(lines) == len(ids) + 2
    assert "-0.2283 1.3189; -0.5445 0.5050" in lines[1]


def test_solve_with_heads_and_numpy_files(run_json, run, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    arrays = {"Q": rng.normal(size=(3, 8)), "K": rng.normal(size=(3, 4)), "V": rng.normal(size=(3, 4))}
    np.savez(tmp_path / "a.npz", **arrays)
    np.savez(tmp_path / "whole.npz", **arrays, heads=4, kv_heads=2)
    stages = run_json("solve", tmp_path / "a.npz", "--heads", 4, "--kv-heads", 2)["stages"]
    assert run_json("solve", tmp_path / "whole.npz")["stages"] == stages
    assert np.shape(stages["weights"]) == (4, 3, 3)
    assert np.shape(stages["concat"]) == (3, 8)
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array[:, :4])
    words = [word for name in "qkv" for word in (f"--{name}", tmp_path / f"{name.upper()}.npy")]
    assert "output (3, 4)" in run("solve", *words).stdout


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Q": [[1e200]], "K": [[1e200]], "V": [[1]]}, "the numbers grow too large: “scores”"),
        ({"Q": [[1]], "K": [[1], [2]], "V": [[1], [2]], "mask": [[0, 0]]}, "hides every key from query 1"),
        (
            {"Q": [[1, 2]], "K": [[1, 2]], "V": [[1, 2]], "heads": 3},
            "Q has 2 columns, which 3 heads cannot share",
        ),
        ({"Q": [[1]], "K": [[1]], "V": [[1]], "bais": [[1]]}, "there is no array “bais”; did you mean bias"),
        ({"Q": [["a"]], "K": [[1]], "V": [[1]]}, "Q is not a matrix of numbers"),
    ],
)
def test_solve_refuses_in_one_sentence(run, given, message: str) -> None:
    exit = 2 if "bais" in given else 3
    assert message in run("solve", "-", input=json.dumps(given), exit=exit).stderr


def test_a_misconception_that_cannot_show_is_said(run) -> None:
    words = ("solve", "--q", "1 0", "--k", "1 0; 0 1", "--v", "1; 2", "--misconception")
    for id_ in ("scores-transposed", "weights-transposed", "cost-linear", "heads-averaged"):
        assert f"“{id_}” cannot show in these arrays" in run(*words, id_, exit=2).stderr


def test_solve_additive_attention(run, run_json) -> None:
    """tanh(ln 2) = 3/5: the scores are 3/5 and 0, and a believer who leaves tanh out gets ln 2 and 0."""
    ln2 = np.log(2)
    given = {"Q": [[0.0]], "K": [[ln2], [0.0]], "V": [[1.0], [0.0]], "v_a": [[1.0]]}
    words = ("solve", "-", "--misconception", "additive-no-tanh")
    assert np.allclose(run_json("solve", "-", input=json.dumps(given))["stages"]["scores"], [[0.6, 0]])
    assert np.allclose(run_json(*words, input=json.dumps(given))["stages"]["scores"], [[ln2, 0]])
    shown = run("solve", "--q", "0", "--k", "0.6931; 0", "--v", "1; 0", "--va", "1").stdout
    assert "scores (1, 2)\n  v_a · tanh(q + k)" in shown
    listed = run_json("solve", "-", "--all-misconceptions", input=json.dumps(given))["misconceptions"]
    ids = {entry["id"] for entry in listed}
    assert "additive-product" in ids
    assert not ids & {"scale-forgotten", "scores-added"}


def test_deep_json_and_pickles_are_refused(run, tmp_path: Path) -> None:
    assert "nested too deeply" in run("solve", "-", input="[" * 100_000, exit=3).stderr
    assert "is not JSON" in run("mark", "masking.where", "--answers", "-", input="[" * 100_000, exit=3).stderr
    np.save(tmp_path / "x.npy", np.array([{}], dtype=object), allow_pickle=True)
    assert "is not a file of plain numbers" in run("solve", "--q", tmp_path / "x.npy", exit=3).stderr
    np.savez(tmp_path / "x.npz", Q=np.array([{}], dtype=object))
    (tmp_path / "cut.npz").write_bytes(b"PK\3\4 cut short")
    for name in ("x.npz", "cut.npz"):
        assert f"{name} is not a file of plain numbers" in run("solve", tmp_path / name, exit=3).stderr


def test_bank_stats(run_json, run, bank, tmp_path: Path) -> None:
    stats = run_json("bank", "stats", "--variants", 120)
    assert stats["items"] == len(bank)
    assert min(stats["live"].values()) > 0
    assert "live in so many of 30 variants" in run("bank", "stats", "--variants", 30).stdout
    path = tmp_path / "words.yaml"
    path.write_text(
        "format: 1\ntopic: t\nlanguages: [en]\nitems:\n- id: a\n  type: true_false\n"
        "  prompt: {en: Is it so?}\n  right: true\n"
    )
    own = run_json("bank", "stats", "--bank", path)
    assert set(own["live"].values()) == {0}
    assert {"A1", "I4"} <= set(own["unexamined"])
    assert {"qkv-are-one", "mask-ignored"} <= {*own["unoffered"], *own["untold"]}


def test_the_shipped_bank_is_covered(run_json) -> None:
    stats = run_json("bank", "stats", "--variants", 25)
    assert (stats["unexamined"], stats["unoffered"], stats["untold"]) == ([], [], [])
    assert sum(stats["concept"].values()) >= 180
    mission = ("roles", "order", "scaling", "masking", "complexity")
    beyond = ("softmax", "position", "inference")
    least = {topic: 20 if topic in mission else 8 if topic in beyond else 12 for topic in stats["concept"]}
    assert {topic: n for topic, n in stats["concept"].items() if n < least[topic]} == {}
    assert len(stats["concept"]) == 12
    assert set(stats["difficulties"]) == set("12345")
    assert stats["longest"]["hits"] <= stats["longest"]["expected"]


@pytest.mark.parametrize("kind", SKELETONS)
def test_a_new_item_passes_the_check_as_it_stands(run, kind: str, tmp_path: Path) -> None:
    file = tmp_path / "tides.yaml"
    for number in (1, 2):
        said = run("bank", "new", "tides", kind, "--file", file).stdout
        place, command = said.split("\n")[:2]
        line = file.read_text("utf-8").split("\n")[int(place.rpartition(":")[2]) - 1]
        assert line == f"- id: new-{number}"
        assert command == f"quizengine bank check {file}"
        assert f"Items: {number}; faults: 0" in run("bank", "check", file, "--seeds", 2).stdout
    assert "#" in file.read_text("utf-8")


def test_a_new_item_goes_where_it_can(run, tmp_path: Path) -> None:
    result = run("bank", "new", "t", "true_false", "--file", tmp_path / "no" / "t.yaml", exit=3)
    assert "No such file" in result.stderr


def test_banks_can_be_stacked(run, run_json, bank, tmp_path: Path) -> None:
    """An own bank beside the shipped one; equal ids are told apart by a namespace."""
    file = tmp_path / "masking.yaml"
    run("bank", "new", "masking", "single_choice", "--file", file)
    both = run_json("bank", "list", "--bank", "builtin", "--bank", file)
    assert len(both) == len(bank) + 1
    assert run_json("pose", "masking.new-1", "--bank", file, "--bank", "builtin")["item"] == "masking.new-1"
    text = file.read_text("utf-8")
    file.write_text(text.replace("new-1", "where"), "utf-8")
    clash = run("bank", "check", "builtin", file, exit=1).stdout
    assert "the id “masking.where” is taken at quizbank/masking.yaml:" in clash
    assert "give the file a “namespace”" in clash
    file.write_text(text.replace("new-1", "where").replace("topic:", "namespace: mine\ntopic:", 1), "utf-8")
    ids = [item["id"] for item in run_json("bank", "list", "--bank", "builtin", "--bank", file)]
    assert {"masking.where", "mine.masking.where"} <= set(ids)
    assert {item["topic"] for item in run_json("bank", "list", "--bank", file)} == {"masking"}


def test_solve_from_standard_input(run_json) -> None:
    given = json.dumps({"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[2], [4]], "mask": [[1, 0]]})
    assert run_json("solve", "-", input=given)["stages"]["output"] == [[2.0]]


def test_bank_list(run, run_json, bank) -> None:
    listed = run_json("bank", "list")
    assert len(listed) == len(bank)
    concept = next(entry for entry in listed if entry["type"] != "numeric")
    assert set(concept) == {"id", "type", "topic", "level", "difficulty", "objectives", "languages"}
    families = [entry["family"] for entry in listed if "family" in entry]
    assert set(families) >= {"self", "causal", "multi-head", "spot"}
    assert {e["id"] for e in run_json("bank", "list", "--misconception", "mask-on-values")} >= {
        "masking.where"
    }
    assert "masking.where" in run("bank", "list", "--topic", "masking", "--level", "recall").stdout


@pytest.mark.parametrize("command", [("bank", "show"), ("pose",)], ids=" ".join)
def test_the_key_comes_with_what_wrong_choices_are_told(run, command: tuple[str, ...]) -> None:
    """Each with its label; without --key none of it."""
    part = json.loads(run("pose", "multi-head.head-width", "--key", "--json").stdout)["parts"][0]
    [label] = [choice["label"] for choice in part["choices"] if choice["text"] == "12"]
    told = f"≠ {label}  {part['accept']['why'][label][:40]}"
    assert told in run(*command, "multi-head.head-width", "--key").stdout
    assert "≠" not in run(*command, "multi-head.head-width").stdout


def test_bank_show(run) -> None:
    plain = run("bank", "show", "masking.one-row", "--seed", 7).stdout
    assert "≠" not in plain
    text = run("bank", "show", "masking.one-row", "--seed", 7, "--key").stdout
    assert "≠" in text
    assert "the mask is not applied" in text
    assert "quizbank/masking.yaml:" in text
    assert "softmax の前に" in run("bank", "show", "masking.where", "--lang", "ja", "--key").stdout


def test_bank_check(run, run_json) -> None:
    assert run_json("bank", "check", "--seeds", 1, "--strict") == {
        "faults": [],
        "items": run_json("bank", "check", "--seeds", 1)["items"],
    }
    faulty = run_json("bank", "check", MINI / "many-faults.yaml", exit=1)
    assert len(faulty["faults"]) >= 9
    assert set(faulty["faults"][0]) == {"file", "line", "column", "code", "message"}
    assert (
        "one-of-each.yaml:6:3: mini.choose-one: no “explain” (warning)"
        in run("bank", "check", MINI / "one-of-each.yaml").stdout
    )
    strict = run(
        "bank", "check", MINI / "one-of-each.yaml", "--strict", "--verbose", "--seeds", 2, exit=1
    ).stdout
    assert "mini.staged: variants: 2, languages: 2" in strict
    assert "Items: 13; faults: 14; warnings: 0." in strict


def test_an_item_that_cannot_be_posed_is_a_fault_of_the_bank(run, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        "format: 1\ntopic: t\nlanguages: [en]\nitems:\n- id: a\n  type: numeric\n"
        "  family: {name: causal, n: 6}\n  ask: [{stage: output, rows: [1]}]\n"
    )
    said = "t.a: family causal: row 1 carries no information"
    for words in ((), ("--verbose",)):
        assert f"x.yaml:5:3: {said}" in run("bank", "check", path, *words, exit=1).stdout
    assert said in run("pose", "t.a", "--bank", path, exit=2).stderr


def test_bank_schema_is_json_schema(run) -> None:
    schema = json.loads(run("bank", "schema").stdout)
    assert schema["properties"]["items"]["type"] == "array"


def test_misconceptions(run, run_json) -> None:
    entries = run_json("misconceptions")
    fields = {"id", "kind", "name", "remedy", "stages", "premise", "aliases", "source"}
    assert all(fields <= set(entry) and {"en", "ja"} == set(entry["name"]) for entry in entries)
    assert sum(entry["kind"] == "patch" for entry in entries) >= 12
    assert all(entry["source"] for entry in entries)
    assert "因果マスク" in run("misconceptions", "--lang", "ja").stdout


def test_a_fault_of_ours_is_a_sentence(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZENGINE_DEBUG", "")
    monkeypatch.setattr("quizengine.cli.misconceptions.open_bank", lambda path: 1 / 0)
    assert "a fault of ours (ZeroDivisionError" in run("misconceptions", exit=1).stderr


@pytest.mark.parametrize(
    ("env", "expected"),
    [({"QUIZENGINE_LANG": "ja"}, "ja"), ({"QUIZENGINE_LANG": "", "LANG": "ja_JP.UTF-8", "LC_ALL": ""}, "ja"),
     ({"QUIZENGINE_LANG": "", "LANG": "de_DE.UTF-8", "LC_ALL": ""}, "en")],
)  # fmt: skip
def test_the_language_is_flag_then_variable_then_locale(run_json, monkeypatch, env, expected: str) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert run_json("pose", "masking.where")["lang"] == expected
    assert run_json("pose", "masking.where", "--lang", "en")["lang"] == "en"


def test_hostile_text_is_made_visible(run, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("format: 1\ntopic: t\nlanguages: [en]\nitems:\n- id: a\n  type: true_false\n"
                    "  prompt: {en: 'Clear\u202e me'}\n  right: true\n", "utf-8")  # fmt: skip
    assert "\u202e" not in run("pose", "t.a", "--bank", path).stdout
