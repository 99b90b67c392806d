-- SPDX-License-Identifier: BSD-3-Clause
-- Questions that are asked of a fleet of traces, in SQL that DuckDB and Spark
-- take. Each table is a view of the files below its folder. In DuckDB, for each:
--
--	CREATE VIEW slices AS SELECT * FROM
--	read_parquet('DIR/slices/**/*.parquet', hive_partitioning = true);
--
-- in Spark:
--
--	spark.read.parquet("DIR/slices").createOrReplaceTempView("slices")
--
-- Labels, such as host, are columns of all tables.

-- 1. Which functions held goroutines up longest, in all traces?
SELECT function, round(sum(harm_ns) / 1e9, 3) AS seconds,
	count(DISTINCT trace) AS traces,
	round(max(worst_ns) / 1e6, 3) AS worst_ms
FROM findings
WHERE kind = 'function' AND function IS NOT NULL
GROUP BY function
ORDER BY sum(harm_ns) DESC, function
LIMIT 20;

-- 2. Since which version? How long a function held goroutines up for each second
-- of the traces of a version; a label with that of the program does the same.
SELECT f.function, t.go_version,
	round(sum(f.harm_ns) / (max(v.length_ns) + 0.0), 4) AS goroutines
FROM findings f
JOIN traces t ON t.trace = f.trace
JOIN (SELECT go_version, sum(length_ns) AS length_ns
	FROM traces GROUP BY go_version) v ON v.go_version = t.go_version
WHERE f.kind = 'function' AND f.function IS NOT NULL
GROUP BY f.function, t.go_version
ORDER BY sum(f.harm_ns) / (max(v.length_ns) + 0.0) DESC, f.function, t.go_version
LIMIT 20;

-- 3. How long do goroutines wait for a processor, hour by hour? A trace has its
-- 20,000 longest waits here; p99 counts all of those that are shorter.
SELECT date_trunc('hour', t.start_time) AS hour, count(*) AS waits,
	round(percentile_disc(0.99) WITHIN GROUP (ORDER BY w.length_ns) / 1e6, 3) AS p99_ms,
	round(max(w.length_ns) / 1e6, 3) AS worst_ms
FROM waits w
JOIN traces t ON t.trace = w.trace
WHERE w.whole AND t.start_time IS NOT NULL
GROUP BY date_trunc('hour', t.start_time)
ORDER BY hour;

-- 4. Which locks are waited for longest, and who holds them?
SELECT function, holder_function, round(sum(held_ns) / 1e9, 3) AS seconds,
	count(DISTINCT trace) AS traces
FROM holders
WHERE kind = 'lock' AND function IS NOT NULL AND holder_function IS NOT NULL
GROUP BY function, holder_function
ORDER BY sum(held_ns) DESC, function, holder_function
LIMIT 20;

-- 5. What do requests, tasks and regions of more than 100 ms spend their time on?
SELECT what, name, longest_state,
	coalesce(longest_function, '') AS longest_function,
	count(*) AS requests, round(sum(longest_ns) / 1e9, 3) AS seconds,
	round(sum(length_ns) / 1e9, 3) AS of_seconds
FROM requests
WHERE length_ns > 100000000
GROUP BY what, name, longest_state, coalesce(longest_function, '')
ORDER BY sum(longest_ns) DESC, what, name, longest_state,
	coalesce(longest_function, '')
LIMIT 20;

-- 6. Which trace shows each of the worst functions best, and when?
SELECT f.function, t.name, f.trace, round(f.harm_ns / 1e9, 3) AS seconds,
	round(f.worst_ns / 1e6, 3) AS worst_ms,
	f.worst_start_ns, f.worst_g
FROM (SELECT *, row_number() OVER (PARTITION BY function
		ORDER BY harm_ns DESC, trace, rank) AS place
	FROM findings WHERE kind = 'function' AND function IS NOT NULL) f
JOIN traces t ON t.trace = f.trace
WHERE f.place = 1
ORDER BY f.harm_ns DESC, f.function
LIMIT 20;

-- 7. What keeps processors longest when the world is to stand?
SELECT p.kind, l.how, coalesce(l.function, '') AS function,
	count(*) AS times, round(max(p.stopping_ns) / 1e6, 3) AS worst_ms,
	round(sum(l.own_ns) / 1e6, 3) AS kept_ms
FROM late l
JOIN pauses p ON p.trace = l.trace AND p.pause = l.pause
WHERE p.measured
GROUP BY p.kind, l.how, coalesce(l.function, '')
ORDER BY sum(l.own_ns) DESC NULLS LAST, p.kind, l.how, coalesce(l.function, '')
LIMIT 20;

-- 8. Where does the collector take most of the time, and does the program ask for
-- it?
SELECT t.name, t.trace, count(*) AS collections,
	sum(CASE WHEN c.reason = 'forced' THEN 1 ELSE 0 END) AS forced,
	round(100.0 * max(t.collecting_ns) / max(t.length_ns), 1) AS percent,
	round(sum(c.assist_held_ns) / 1e6, 3) AS assists_ms
FROM collections c
JOIN traces t ON t.trace = c.trace
WHERE t.length_ns > 0
GROUP BY t.name, t.trace
ORDER BY 100.0 * max(t.collecting_ns) / max(t.length_ns) DESC, t.name, t.trace
LIMIT 20;

-- 9. Which functions keep a processor for more than 10 ms at a time?
SELECT function, count(*) AS slices,
	round(sum(length_ns) / 1e9, 3) AS seconds,
	round(max(length_ns) / 1e6, 3) AS worst_ms
FROM slices
WHERE length_ns > 10000000 AND function IS NOT NULL AND NOT clock_changed
GROUP BY function
ORDER BY sum(length_ns) DESC, function
LIMIT 20;

-- 10. In which traces do goroutines wait although a processor is idle?
SELECT t.name, t.trace, round(sum(w.idle_ns) / 1e6, 3) AS idle_ms,
	round(sum(w.busy_ns) / 1e6, 3) AS busy_ms, sum(w.waits) AS waits
FROM wait_sums w
JOIN traces t ON t.trace = w.trace
GROUP BY t.name, t.trace
ORDER BY sum(w.idle_ns) DESC, t.name, t.trace
LIMIT 20;
