/* SPDX-License-Identifier: BSD-3-Clause */
/* interrupt.c - Ctrl-C and SIGTERM while the input still comes. */
#define _POSIX_C_SOURCE 200809L

#include "tools/interrupt.h"

#include <poll.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/platform.h"

#if HAS_SIGNALS
#include <signal.h>

static volatile sig_atomic_t came;

/* How many inputs still come. */
static _Atomic int catching;

static void note(int number)
{
	(void)number;
	came = 1;
}

static void catch_one(int number)
{
	struct sigaction action = {.sa_handler = note,
				   .sa_flags = (int)SA_RESETHAND},
			 old;

	sigemptyset(&action.sa_mask);
	if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(number, &action, NULL);
}

static void release_one(int number)
{
	struct sigaction old;

	if (sigaction(number, NULL, &old) == 0 && old.sa_handler == note)
		signal(number, SIG_DFL);
}

void interrupt_catch(void)
{
	if (catching++ != 0 || came)
		return;
	catch_one(SIGINT);
	catch_one(SIGTERM);
}

void interrupt_release(void)
{
	if (--catching != 0)
		return;
	release_one(SIGINT);
	release_one(SIGTERM);
}

bool interrupt_came(void)
{
	return came != 0;
}

bool interrupt_wait(int fd, int milliseconds)
{
	struct pollfd asked = {.fd = fd, .events = POLLIN};

	return poll(&asked, 1, milliseconds) > 0;
}

#else

/*
 * A host of WASI that can be interrupted is told by what is asked of these
 * files, of which the last one is there when a signal has come. A read from the
 * input then ends with EINTR.
 */
static bool ask(const char *file)
{
	struct stat info;

	return stat(file, &info) == 0;
}

void interrupt_catch(void)
{
	ask("/.interrupt/catch");
}

void interrupt_release(void)
{
	ask("/.interrupt/release");
}

bool interrupt_came(void)
{
	return ask("/.interrupt/came");
}

bool interrupt_wait(int fd, int milliseconds)
{
	(void)fd;
	(void)milliseconds;
	return true; /* the read waits */
}
#endif
