"""The client and read_csv over the same rows: `url` in the folder says where a service answers."""

import os
import sys

import pandas as pd
from pandas_peer import answer, folder

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../clients/python"))
os.environ["QUOTEBOOK_URL"] = open(f"{folder}/url").read()
import quotebook as qb  # noqa: E402

days = tuple(open(f"{folder}/days").read().split())


def asked():
    return qb.etf_minute(symbols="all", period="15m", days=days, partial=True)


rows = asked()
rows.to_csv(f"{folder}/rows.csv", index=False)
types = {name: str for name, dtype in rows.dtypes.items() if dtype == object}


def read():
    return pd.read_csv(f"{folder}/rows.csv", dtype=types)


pd.testing.assert_frame_equal(rows, read(), rtol=0, atol=0)
answer({"client": asked, "read_csv": read})
