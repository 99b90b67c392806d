/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.h - how many processors the system has. */
#ifndef GTRACE_BASE_PROCESSORS_H_
#define GTRACE_BASE_PROCESSORS_H_

/* Those that are online; 1 if that is not known, or if there are no threads. */
long gti_processors_online(void);

#endif /* GTRACE_BASE_PROCESSORS_H_ */
