#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# long.sh TEST [ARGUMENT...] - a long run of TEST, with all its random cases.
GTRACE_LONG=1 exec "$@"
