"""Pose every numeric item with seeds 1 … N, and write a digest of each problem: run by test_machines."""

import hashlib
import json
import sys

from quizengine.items.bank import load
from quizengine.problems.pose import pose

if __name__ == "__main__":
    bank = load()
    for metadata in bank.metadata:
        if metadata.family:
            for seed in range(1, int(sys.argv[1]) + 1):
                whole = json.dumps(pose(bank.item(metadata.id), seed, "en", bank.catalogue).to_json())
                sys.stdout.write(f"{metadata.id} {seed} {hashlib.sha256(whole.encode()).hexdigest()[:16]}\n")
