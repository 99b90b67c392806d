# SPDX-License-Identifier: BSD-3-Clause
"""spark_test.py GTRACE TESTDATA - a cluster of Spark writes tables and asks questions.

A master and two workers run on the loopback address. A job runs gtrace on each
trace; one of the workers is killed meanwhile. All traces are in the tables then,
none twice, and each query has the answer that DuckDB has.
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import duckdb
import pyspark
from pyspark.sql import SparkSession

import tables

HOME = os.path.dirname(pyspark.__file__)
ENVIRONMENT = dict(os.environ, SPARK_HOME=HOME, SPARK_LOCAL_IP="127.0.0.1",
                   SPARK_NO_DAEMONIZE="1", PYSPARK_PYTHON=sys.executable)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(scratch, name, *arguments):
    """Starts a part of the cluster, in a process group of its own."""
    with open(os.path.join(scratch, name + ".log"), "wb") as log:
        return subprocess.Popen([os.path.join(HOME, "bin", "spark-class"), *arguments],
                                stdout=log, stderr=log, env=ENVIRONMENT, cwd=scratch,
                                start_new_session=True)


def start_cluster(scratch):
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    master = start(scratch, "master", "org.apache.spark.deploy.master.Master", "--host",
                   "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    workers = [start(scratch, f"worker{i}", "org.apache.spark.deploy.worker.Worker", "--host",
                     "127.0.0.1", "--webui-port", str(free_port()), "--cores", "1", "--memory",
                     "1g", "--work-dir", os.path.join(scratch, f"work{i}"), url)
               for i in range(2)]
    return url, [master] + workers


def stop(process):
    """Ends a part of the cluster and what it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def kill_later(worker, folder, count, killed):
    """Kills WORKER when tables of COUNT traces are there."""
    traces = os.path.join(folder, "traces")
    while not os.path.isdir(traces) or len(os.listdir(traces)) < count:
        time.sleep(0.05)
    killed.append(len(os.listdir(traces)))
    stop(worker)


def make_job(gtrace, folder):
    """What an executor does with some traces, which are pairs of name and bytes."""
    def run(part):
        for path, data in part:
            with tempfile.TemporaryDirectory() as scratch:
                name = os.path.basename(path)
                with open(os.path.join(scratch, name), "wb") as file:
                    file.write(data)
                # A trace that cannot be read is no error of the job.
                subprocess.run([gtrace, "-quiet", "-tables=" + folder, name], cwd=scratch,
                               stderr=subprocess.DEVNULL, check=False)
    return run


def write_tables(spark, gtrace, folder, names, worker):
    killed = []
    killer = threading.Thread(target=kill_later, args=(worker, folder, 10, killed), daemon=True)
    killer.start()
    context = spark.sparkContext
    # As sc.binaryFiles("s3a://.../*.trace", 40) gives it; here a list of files.
    files = context.binaryFiles(",".join("file://" + os.path.abspath(n) for n in names), 40)
    files.repartition(40).foreachPartition(make_job(gtrace, folder))
    killer.join(60)
    return killed


def main():
    gtrace, testdata = os.path.abspath(sys.argv[1]), sys.argv[2]
    names = [n for n in tables.traces(testdata) if os.path.getsize(n) < 1000000]
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        one, many = os.path.join(scratch, "one"), os.path.join(scratch, "many")
        url, processes = start_cluster(scratch)
        try:
            spark = (SparkSession.builder.master(url).appName("gtrace")
                     .config("spark.driver.host", "127.0.0.1")
                     .config("spark.executor.memory", "512m")
                     .config("spark.sql.session.timeZone", "UTC")
                     .config("spark.sql.shuffle.partitions", "4")
                     .config("spark.ui.enabled", "false").getOrCreate())
            spark.sparkContext.setLogLevel("ERROR")
            begun = time.time()
            killed = write_tables(spark, gtrace, many, names, processes[1])
            took = time.time() - begun
            tables.write(gtrace, one, names)
            want = {tables.hash_of(n) + ".parquet" for n in names} & set(
                os.listdir(os.path.join(one, "traces")))
            if not killed or killed[0] >= len(want):
                failures.append(f"the worker was not killed in the middle: {killed}")
            db = duckdb.connect()
            db.execute("SET TimeZone = 'UTC'")
            for name in sorted(os.listdir(many)):
                folder = os.path.join(many, name)
                got = {n for n in os.listdir(folder) if not n.startswith(".")}
                if got != want:
                    failures.append(f"{name}: {len(got)} files, want {len(want)}")
                spark.read.parquet("file://" + folder).createOrReplaceTempView(name)
                db.execute(f"CREATE VIEW {name} AS SELECT * FROM "
                           f"read_parquet('{folder}/**/*.parquet', hive_partitioning = true)")
                rows = [spark.sql(f"SELECT count(*), count(DISTINCT trace) FROM {name}")
                        .collect()[0], db.execute(f"SELECT count(*), count(DISTINCT trace) "
                                                  f"FROM {name}").fetchone()]
                alone = db.execute(f"SELECT count(*), count(DISTINCT trace) FROM "
                                   f"read_parquet('{one}/{name}/*.parquet')").fetchone()
                if not tuple(rows[0]) == rows[1] == alone:
                    failures.append(f"{name}: {rows}, without Spark {alone}")
            for question, query in tables.questions():
                got = tables.plain(spark.sql(query).collect())
                wanted = tables.plain(db.execute(query).fetchall())
                if got != wanted or not got:
                    failures.append(f"{question}\n\tSpark  {got[:2]}\n\tDuckDB {wanted[:2]}")
            spark.stop()
        finally:
            for process in processes:
                stop(process)
    for line in failures[:20]:
        print("spark_test.py:", line)
    print(f"spark_test.py: {len(want)} traces in {took:.0f} s, a worker killed after "
          f"{killed}, {len(failures)} failures")
    sys.exit(failures != [])


main()
