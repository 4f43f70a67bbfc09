"""ONNX's reference of Attention as the second judge of what is right on the probes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quizengine.checking.probe import Probe, probes
from quizengine.checking.task import TASKS

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
reference = pytest.importorskip("onnx.reference", reason="onnx is not installed")


def theirs(probe: Probe) -> np.ndarray:
    """The result as ONNX has it: queries, keys and values with one batch, masks of booleans."""
    given: dict[str, Any] = dict(probe.arguments)
    if "W_Q" in given:
        source = given.get("C", given["X"])
        q, k, v = given["X"] @ given["W_Q"], source @ given["W_K"], source @ given["W_V"]
    else:
        q, k, v = (given[name] for name in "QKV")
    if "past_K" in given:
        k, v = np.vstack([given["past_K"], k]), np.vstack([given["past_V"], v])
    heads, groups = given.get("heads", 1), given.get("kv_heads", given.get("heads", 1))
    names = {
        "Q": q,
        "K": k,
        "V": v,
        "attn_mask": np.broadcast_to(probe.inputs["mask"], (heads, len(q), len(k)))[:1],
    }
    node = onnx.helper.make_node("Attention", list(names), ["Y"], q_num_heads=heads, kv_num_heads=groups)
    wide = [onnx.helper.make_tensor_value_info(n, onnx.TensorProto.DOUBLE, None) for n in "QKV"]
    mask = onnx.helper.make_tensor_value_info("attn_mask", onnx.TensorProto.BOOL, None)
    out = [onnx.helper.make_tensor_value_info("Y", onnx.TensorProto.DOUBLE, None)]
    graph = onnx.helper.make_graph([node], "attention", [*wide, mask], out)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 24)])
    fed = {name: array[None] if name != "attn_mask" else array[0] for name, array in names.items()}
    [result] = reference.ReferenceEvaluator(model).run(None, fed)
    return result[0] @ given["W_O"] if "W_O" in given else result[0]


@pytest.mark.parametrize("task", ["single", "causal", "padding", "cross", "multi-head", "grouped", "cache"])
def test_the_right_results_are_theirs(task: str) -> None:
    for probe in probes(TASKS[task]):
        assert np.abs(theirs(probe) - probe.result).max() < 1e-6, (probe.mask, probe.sizes)
