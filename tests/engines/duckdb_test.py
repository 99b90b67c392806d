# SPDX-License-Identifier: BSD-3-Clause
"""duckdb_test.py GTRACE TESTDATA - DuckDB and pyarrow read the tables of all traces.

Both see the same values, sums are those of the reports, and each query of
queries.sql can be answered.
"""
import collections
import glob
import os
import sys
import tempfile

import duckdb
import pyarrow
import pyarrow.compute
import pyarrow.parquet

import tables

failures = []


def expect(got, want, what):
    if got != want:
        failures.append(f"{what}: {got}, want {want}")


def open_views(folder):
    """Views in DuckDB of all tables in FOLDER."""
    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    names = sorted(os.listdir(folder))
    for name in names:
        db.execute(f"CREATE VIEW {name} AS SELECT * FROM "
               f"read_parquet('{folder}/{name}/**/*.parquet', hive_partitioning = true)")
    return db, names


def check_engines(db, folder, name):
    """Both engines see the same in each column of the table NAME."""
    table = pyarrow.concat_tables(
        pyarrow.parquet.read_table(file, partitioning=None)
        for file in sorted(glob.glob(f"{folder}/{name}/**/*.parquet", recursive=True)))
    table.validate(full=True)
    for column in table.schema:
        data = table[column.name]
        want = [len(data), data.null_count]
        sql = f"count(*), count(*) - count({column.name})"
        if pyarrow.types.is_integer(column.type):
            # Sums of ids would not fit.
            want += [sum(v for v in data.to_pylist() if v is not None)]
            sql += f", coalesce(sum({column.name}), 0)::VARCHAR"
            want[-1] = str(want[-1])
        elif pyarrow.types.is_boolean(column.type):
            want += [sum(v for v in data.to_pylist() if v)]
            sql += f", coalesce(sum({column.name}::INT), 0)"
        elif pyarrow.types.is_string(column.type):
            values = [v for v in data.to_pylist() if v is not None]
            want += [sum(len(v.encode()) for v in values), len(set(values))]
            sql += f", coalesce(sum(strlen({column.name})), 0), count(DISTINCT {column.name})"
        got = list(db.execute(f"SELECT {sql} FROM {name}").fetchone())
        expect(got, want, f"column {column.name} of {name}")


def sums(db, hashed, sql, table, rest=""):
    return db.execute(f"SELECT {sql} FROM {table} WHERE trace = ? {rest}", [hashed]).fetchone()


def check_summary(db, gtrace, name, hashed):
    summary = tables.report(gtrace, name)[0]
    row = sums(db, hashed, "length_ns, processors, events, goroutines, slices, time_ns, headline",
               "traces")
    expect(list(row), [summary[k] for k in ("length", "procs", "events", "goroutines")] +
           [summary["slices"]["count"], summary["time"], summary["headline"]],
           f"{name}: traces")
    row = sums(db, hashed, "count(*), coalesce(sum(length_ns), 0), coalesce(max(length_ns), 0)",
               "slices", "AND NOT clock_changed")
    expect(list(row), [summary["slices"][k] for k in ("count", "sum", "max")], f"{name}: slices")
    stops = summary["stops"]
    row = sums(db, hashed, "count(*), coalesce(sum(stopping_ns), 0), coalesce(max(stopping_ns), 0)",
               "pauses", "AND measured")
    expect(row[0], stops["measured"], f"{name}: measured pauses")
    if row[0]:
        expect(list(row[1:]), [stops["stopping"], stops["max"]], f"{name}: pauses")
    row = sums(db, hashed, "count(*)", "pauses", "AND inferred")
    expect(row[0], stops["inferred"], f"{name}: inferred pauses")
    waits = summary["waits"]
    row = sums(db, hashed, "coalesce(sum(waits), 0), coalesce(sum(sum_ns), 0), "
               "coalesce(max(max_ns), 0), coalesce(sum(busy_ns), 0)", "wait_sums")
    expect([int(v) for v in row], [max(waits[k], 0) for k in ("count", "sum", "max", "busy")],
           f"{name}: wait_sums")
    row = sums(db, hashed, "count(*), coalesce(sum(length_ns), 0)", "waits",
               "AND whole AND NOT clock_changed")
    if waits["count"] <= 20000:
        expect([int(v) for v in row], [waits["count"], max(waits["sum"], 0)], f"{name}: waits")
    rows = db.execute("SELECT kind, harm_ns, coalesce(function, ''), sentence FROM findings "
                      "WHERE trace = ? ORDER BY rank", [hashed]).fetchall()
    expect([r[:3] for r in rows], [(f["kind"], f["harm"], f["fn"]) for f in summary["findings"]],
           f"{name}: findings")


def check_lists(db, gtrace, name, hashed):
    lines = tables.report(gtrace, name, "-goroutines=1")
    row = sums(db, hashed, "count(*), coalesce(sum(goroutines), 0), coalesce(sum(lived_ns), 0), "
               "coalesce(sum(ran_ns), 0), coalesce(sum(lock_ns), 0)", "goroutines")
    expect([int(v) for v in row], [len(lines)] + [sum(line[k] for line in lines)
           for k in ("count", "lived", "ran", "lock")], f"{name}: goroutines")
    lines = tables.report(gtrace, name, "-block=1000000")
    row = sums(db, hashed, "count(*), coalesce(sum(blocks), 0), coalesce(sum(sum_ns), 0), "
               "coalesce(max(max_ns), 0)", "places")
    want = [len(lines)] + [sum(line[k] for line in lines) for k in ("count", "sum")]
    want.append(max((line["max"] for line in lines), default=0))
    expect([int(v) for v in row], want, f"{name}: places")
    row = sums(db, hashed, "count(*), coalesce(sum(length_ns), 0), coalesce(max(length_ns), 0)",
               "blocks", "AND NOT clock_changed")
    expect([int(v) for v in row], want[1:], f"{name}: blocks")
    lines = [line for line in tables.report(gtrace, name, "-gctrace") if "collection" in line or
             line.get("record") == "collection"]
    row = sums(db, hashed, "count(*), coalesce(sum(assists), 0)", "collections")
    if lines:
        expect(row[0], len(lines), f"{name}: collections")
    kinds = tables.report(gtrace, name, "-requests=1")
    got = db.execute("SELECT what, name, count(*), sum(length_ns), max(length_ns) FROM requests "
                     "WHERE trace = ? GROUP BY what, name", [hashed]).fetchall()
    want = {(k["what"], k["name"]): (k["count"], k["lived"], k["max"]) for k in kinds
            if 0 < k["count"] <= 10000}
    expect({r[:2]: (r[2], int(r[3]), r[4]) for r in got if r[2] < 10000 or r[:2] in want}, want,
           f"{name}: requests")


def check_events(db, gtrace, name, hashed):
    count = collections.Counter(line["name"] for line in tables.report(gtrace, name, "-dump"))
    expect(sums(db, hashed, "count(*)", "logs")[0], count["UserLog"], f"{name}: logs")
    expect(sums(db, hashed, "count(*)", "samples")[0], count["CPUSample"], f"{name}: samples")


def main():
    gtrace, testdata = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        names = tables.traces(testdata)
        tables.write(gtrace, folder, names)
        db, all_tables = open_views(folder)
        for name in all_tables:
            check_engines(db, folder, name)
        written = {row[0] for row in db.execute("SELECT trace FROM traces").fetchall()}
        seen = set()
        for name in names:
            hashed = tables.hash_of(name)
            if hashed not in written or hashed in seen:
                continue
            seen.add(hashed)
            check_summary(db, gtrace, name, hashed)
            check_lists(db, gtrace, name, hashed)
            check_events(db, gtrace, name, hashed)
        lost = db.execute("SELECT count(*) FROM slices s LEFT JOIN "
                      "(SELECT DISTINCT trace, stack FROM stacks) k "
                      "ON k.trace = s.trace AND k.stack = s.stack "
                      "WHERE s.stack IS NOT NULL AND k.stack IS NULL").fetchone()[0]
        expect(lost, 0, "slices with a stack that table stacks does not have")
        gaps = db.execute("SELECT count(*) FROM (SELECT sum(length_ns) AS sum, "
                      "max(request_length_ns) AS want FROM segments "
                      "GROUP BY trace, what, name, request_g, request_start_ns, unfinished) "
                      "WHERE sum <> want").fetchone()[0]
        expect(gaps, 0, "paths with a gap")
        parts = db.execute("SELECT count(*) FROM slices s JOIN generations g ON g.trace = s.trace "
                      "AND g.start_ns <= s.start_ns AND s.start_ns < g.end_ns "
                      "GROUP BY s.trace, s.start_ns, s.g HAVING count(DISTINCT generation) > 1").fetchall()
        expect(len(parts), 0, "slices in two generations")
        answered = 0
        for question, query in tables.questions():
            rows = db.execute(query).fetchall()
            answered += 1
            if not rows:
                failures.append(f"no rows: {question}")
        expect(answered, 10, "queries")
    for line in failures[:20]:
        print("duckdb_test.py:", line)
    print(f"duckdb_test.py: {len(seen)} traces, {len(all_tables)} tables, {answered} queries, "
          f"{len(failures)} failures")
    sys.exit(failures != [])


main()
