/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.c - the key q, which ends what is drawn on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "tools/keys.h"

#include "base/platform.h"
#include "base/threads.h"
#include "tools/child.h"

#if HAS_TERMINALS && HAS_THREADS && HAS_SIGNALS
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

/* How often a key or the end is looked for, in milliseconds. */
#define TICK 1000

static struct {
	int terminal;
	struct termios before;
	int end[2]; /* a pipe: the thread ends when it is closed */
	pthread_t thread;
	void (*idle)(void *context);
	void *context;
} keys;

/* Whether the terminal has something to be read, and that is q. */
static bool is_q(const struct pollfd *asked)
{
	char key = 0;

	return (asked->revents & POLLIN) != 0 &&
	       read(keys.terminal, &key, 1) == 1 && (key == 'q' || key == 'Q');
}

static void *listen(void *unused)
{
	struct pollfd asked[] = {
		{.fd = keys.end[0], .events = POLLIN},
		{.fd = keys.terminal, .events = POLLIN},
	};
	int ready;

	(void)unused;
	while ((ready = poll(asked, 2, TICK)) >= 0 && asked[0].revents == 0) {
		if (ready == 0)
			keys.idle(keys.context);
		if (asked[1].revents & ~POLLIN)
			asked[1].fd = -1; /* it has hung up */
		else if (is_q(&asked[1]))
			kill(getpid(), SIGINT);
	}
	return NULL;
}

/* Lines need no end, and keys are not shown. Ctrl-C stays a signal. */
static bool set_terminal(void)
{
	struct termios raw;

	if (tcgetattr(keys.terminal, &keys.before) != 0)
		return false;
	raw = keys.before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	return tcsetattr(keys.terminal, TCSANOW, &raw) == 0;
}

static void close_pipe(void)
{
	close(keys.end[0]);
	close(keys.end[1]);
}

static bool start(void)
{
	if (child_pipe(keys.end) != 0)
		return false;
	if (gti_thread_start(&keys.thread, listen, NULL) == 0)
		return true;
	close_pipe();
	return false;
}

bool keys_begin(void (*idle)(void *context), void *context)
{
	keys.idle = idle;
	keys.context = context;
	keys.terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (keys.terminal < 0)
		return false;
	if (set_terminal()) {
		if (start())
			return true;
		tcsetattr(keys.terminal, TCSANOW, &keys.before);
	}
	close(keys.terminal);
	return false;
}

void keys_end(void)
{
	char byte = 0;

	if (write(keys.end[1], &byte, 1) == 1)
		pthread_join(keys.thread, NULL);
	close_pipe();
	tcsetattr(keys.terminal, TCSANOW, &keys.before);
	close(keys.terminal);
}

#else

bool keys_begin(void (*idle)(void *context), void *context)
{
	(void)idle;
	(void)context;
	return false;
}

void keys_end(void)
{
}

#endif
