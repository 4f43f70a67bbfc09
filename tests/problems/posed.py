"""Pose every numeric item with seeds 1 … N, and print a digest of each problem: run by test_machines."""

import hashlib
import json
import sys

from quizengine.items.bank import load
from quizengine.problems.pose import pose

BANK = load()
for head in BANK.heads:
    if head.family:
        for seed in range(1, int(sys.argv[1]) + 1):
            whole = pose(BANK.item(head.id), seed, "en", BANK.catalogue).to_json()
            print(head.id, seed, hashlib.sha256(json.dumps(whole).encode()).hexdigest()[:16])
