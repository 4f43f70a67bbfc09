"""The published attention cases of ONNX: every one that uses only what we have, and the kill table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quizengine.attention.inputs import prepare
from quizengine.attention.patches import PATCHES, applies
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.attention.stage import MULTI_HEAD
from quizengine.errors import ArrayError

node = pytest.importorskip("onnx.backend.test.case.node", reason="onnx is not installed")
pytest.importorskip("onnx.backend.test.case.node.attention", reason="onnx is not installed")
from onnx import helper  # noqa: E402

PREFIX = "test_attention_"
CASES = {
    case.name.removeprefix(PREFIX): case
    for case in node._NodeTestCases
    if case.name.startswith(PREFIX) and "_expanded" not in case.name
}
STAGES = {0: "scaled", 2: "masked", 3: "weights"}


def read(case: Any) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Attributes, inputs and outputs by name."""
    [operation] = case.model.graph.node
    attributes = {a.name: helper.get_attribute_value(a) for a in operation.attribute}
    inputs, outputs = case.data_sets[0]
    return (
        attributes,
        dict(zip([name for name in operation.input if name], inputs, strict=True)),
        dict(zip([name for name in operation.output if name], outputs, strict=True)),
    )


def why_left_out(name: str) -> str:
    """The reason why a case is not ours; empty when it is."""
    attributes, inputs, _ = read(CASES[name])
    if attributes.get("softcap"):
        return "soft cap"
    if {"left_window_size", "right_window_size"} & set(attributes):
        return "window"
    if any(array.dtype.name in ("float16", "bfloat16") for array in inputs.values()):
        return "half precision"
    if "nonpad_kv_seqlen" in inputs:
        return "padded cache"
    return ""


OURS = [name for name in CASES if not why_left_out(name)]


def as_heads(array: np.ndarray) -> np.ndarray:
    """(batch, heads, n, d) as (batch, n, heads·d)."""
    batch, heads, n, d = array.shape
    return array.transpose(0, 2, 1, 3).reshape(batch, n, heads * d)


def ask(name: str, rules: Any = None) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], int]:
    """Our trace, their outputs, and the mode of the optional output."""
    attributes, inputs, outputs = read(CASES[name])
    four = inputs["Q"].ndim == 4
    given: dict[str, Any] = {x: as_heads(inputs[x]) if four else inputs[x] for x in "QKV"}
    given["heads"] = inputs["Q"].shape[1] if four else attributes["q_num_heads"]
    given["kv_heads"] = inputs["K"].shape[1] if four else attributes["kv_num_heads"]
    if "past_key" in inputs:
        given |= {"past_K": as_heads(inputs["past_key"]), "past_V": as_heads(inputs["past_value"])}
    if attributes.get("is_causal"):
        given["causal"] = True
    if "scale" in attributes:
        given["scale"] = float(attributes["scale"])
    prepared = prepare(given)
    if "attn_mask" in inputs:  # it may differ from head to head, so it goes in beside the head axis
        mask = inputs["attn_mask"]
        which, ours = ("mask", mask) if mask.dtype == bool else ("bias", mask.astype(float))
        shape = np.broadcast_shapes(prepared["mask"].shape, mask.shape)
        joined = prepared["mask"] & ours if which == "mask" else ours
        prepared = prepared | {which: np.broadcast_to(joined, shape)}
    world = World(rules or {})
    return solve_worlds(prepared, [world], MULTI_HEAD)[0], outputs, attributes.get("qk_matmul_output_mode", 0)


def agrees(name: str, rules: Any = None) -> bool:
    """Within the suite's own tolerance, in every output that the case has."""
    trace, outputs, mode = ask(name, rules)
    theirs = outputs["Y"]
    pairs = [(trace["output"] if theirs.ndim == 4 else trace["concat"], theirs)]
    if "qk_matmul_output" in outputs:
        pairs.append((trace[STAGES[mode]], outputs["qk_matmul_output"]))
    return all(a.shape == b.shape and np.allclose(a, b, rtol=1e-3, atol=1e-7) for a, b in pairs)


@pytest.mark.parametrize("name", OURS)
def test_published_case(name: str) -> None:
    assert agrees(name)


def test_the_count_and_what_is_left_out(assert_golden) -> None:
    """93 cases; those that are not ours are listed by name with the reason, and no other."""
    lines = [f"{name}: {why}\n" for name in CASES if (why := why_left_out(name))]
    assert len(CASES) == 93
    assert len(OURS) == 93 - len(lines)
    assert_golden(
        "onnx-left-out.txt", f"{len(OURS)} of {len(CASES)} cases pass; left out:\n" + "".join(lines)
    )


def test_the_kill_table(assert_golden) -> None:
    """How many of our cases each patch of the attention table still passes: small is good."""
    lines = []
    for id_, patch in PATCHES.items():
        if not applies(patch, MULTI_HEAD, KNOWN):
            continue
        passed = sum(survives(name, patch) for name in OURS)
        lines.append(f"{passed:2} of {len(OURS)}  {id_}\n")
    assert_golden("onnx-kill-table.txt", "".join(lines))


KNOWN = {*MULTI_HEAD, "mask", "bias", "divisor", "n_q", "n_k", "d_k", "d_v", "h", "g"} - {"projected"}


def survives(name: str, patch: Any) -> bool:
    try:
        return agrees(name, patch)
    except ArrayError:
        return False


@pytest.mark.parametrize("seed", range(3))
def test_multi_head_against_pytorch(seed: int) -> None:
    """nn.MultiheadAttention: its boolean masks mean the opposite (True = hidden)."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    torch.manual_seed(seed)
    layer = torch.nn.MultiheadAttention(8, 2, bias=False, batch_first=True, dtype=torch.float64).eval()
    x = torch.randn(3, 5, 8, dtype=torch.float64)
    hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
    theirs, weights = layer(x, x, x, attn_mask=hidden, average_attn_weights=False)
    w_q, w_k, w_v = (w.T.detach().numpy() for w in layer.in_proj_weight.chunk(3))
    given = {
        "X": x.numpy(),
        "W_Q": w_q,
        "W_K": w_k,
        "W_V": w_v,
        "W_O": layer.out_proj.weight.T.detach().numpy(),
    }
    trace = solve(prepare(given | {"heads": 2, "mask": "causal"}), MULTI_HEAD)
    assert np.abs(trace["projected"] - theirs.detach().numpy()).max() < 1e-12
    assert np.abs(trace["weights"] - weights.detach().numpy()).max() < 1e-12
