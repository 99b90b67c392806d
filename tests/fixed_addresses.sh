#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# fixed_addresses.sh COMMAND... - runs COMMAND with its memory at the same
# addresses each time, if the system allows it. The ThreadSanitizer of some
# compilers cannot start where the kernel chooses addresses from a wide range.
if setarch -R true 2>/dev/null; then
	exec setarch -R "$@"
fi
exec "$@"
