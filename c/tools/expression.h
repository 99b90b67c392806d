/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.h - regular expressions of the command line. */
#ifndef GTRACE_TOOLS_EXPRESSION_H_
#define GTRACE_TOOLS_EXPRESSION_H_

/*
 * Checks EXPRESSION, the value of the flag NAME, if it was given. Ends the
 * program if it is wrong.
 */
void expression_check(const char *name, const char *expression);

#endif /* GTRACE_TOOLS_EXPRESSION_H_ */
