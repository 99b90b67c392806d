/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard_test.c - files that shrink while they are read: zeros and an error, in
 * guards within guards and in two threads; and each other SIGBUS does what it
 * would have done without a guard.
 */
#define _DEFAULT_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/memory.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#define PAGES 4

/* A mapped file of PAGES pages, each byte of which is 'x'. */
struct file {
	struct input input;
	size_t page;
	int fd;
};

static struct gtrace_allocator memory;

static void open_file(struct file *file)
{
	char path[] = "/tmp/gtrace_guard_test_XXXXXX";
	size_t size;
	char *text;

	file->page = (size_t)sysconf(_SC_PAGESIZE);
	size = PAGES * file->page;
	text = malloc(size);
	file->fd = mkstemp(path);
	assert_true(text != NULL && file->fd >= 0);
	unlink(path);
	memset(text, 'x', size);
	assert_int_equal(write(file->fd, text, size), (ssize_t)size);
	free(text);
	assert_int_equal(gti_input_fd(&file->input, file->fd, "trace", NULL,
				      &memory, NULL),
			 GTRACE_OK);
	assert_int_equal(file->input.kind, INPUT_MAPPED);
}

static void close_file(struct file *file)
{
	gti_input_close(&file->input);
	close(file->fd);
}

/* Truncates FILE to PAGES pages. */
static void cut(struct file *file, size_t pages)
{
	assert_int_equal(ftruncate(file->fd, (off_t)(pages * file->page)), 0);
}

/* Keeps valgrind from leaving out a read. */
static _Thread_local volatile int last_byte;

/* What is read in page PAGE. */
static int byte(const struct file *file, size_t page)
{
	const volatile uint8_t *data = file->input.data;

	return last_byte = data[page * file->page + 5];
}

static void expect_lost(struct guard *guard, size_t offset)
{
	struct gtrace_error error;

	assert_int_equal(gti_guard_leave(guard, GTRACE_OK, &error),
			 GTRACE_ERROR_READ);
	assert_int_equal(error.status, GTRACE_ERROR_READ);
	assert_int_equal(error.offset, offset);
	assert_non_null(strstr(error.message, "truncated"));
}

static void test_lost_pages(void **state)
{
	struct guard guard;
	struct file file;

	(void)state;
	open_file(&file);
	gti_guard_enter(&guard, &file.input);
	assert_int_equal(byte(&file, 3), 'x');
	assert_int_equal(gti_guard_leave(&guard, GTRACE_ERROR_ORDER, NULL),
			 GTRACE_ERROR_ORDER);
	gti_guard_enter(&guard, &file.input);
	cut(&file, 1);
	assert_int_equal(byte(&file, 3), 0);
	assert_int_equal(byte(&file, 2), 0);
	assert_int_equal(byte(&file, 1), 0);
	assert_int_equal(byte(&file, 0), 'x');
	expect_lost(&guard, file.page);
	/* It stays lost. */
	gti_guard_enter(&guard, &file.input);
	expect_lost(&guard, file.page);
	close_file(&file);
}

/* The guard of one file is in use while another one is entered and left. */
static void test_nested(void **state)
{
	struct file outer, inner;
	struct guard first, second;

	(void)state;
	open_file(&outer);
	open_file(&inner);
	gti_guard_enter(&first, &outer.input);
	gti_guard_enter(&second, &inner.input);
	cut(&inner, 2);
	assert_int_equal(byte(&inner, 2), 0);
	cut(&outer, 3);
	assert_int_equal(byte(&outer, 3), 0);
	expect_lost(&second, 2 * inner.page);
	cut(&outer, 1);
	assert_int_equal(byte(&outer, 1), 0);
	assert_int_equal(byte(&outer, 0), 'x');
	expect_lost(&first, outer.page);
	close_file(&inner);
	close_file(&outer);
}

/* -------------------------------------------------------- other handlers -- */

static atomic_int calls;
static siginfo_t last_info;

static void count_plain(int number)
{
	assert_int_equal(number, SIGBUS);
	calls++;
}

static void count_with_info(int number, siginfo_t *info, void *context)
{
	assert_int_equal(number, SIGBUS);
	assert_non_null(context);
	last_info = *info;
	calls++;
}

static void set_plain(void (*handler)(int), struct sigaction *before)
{
	struct sigaction action = {.sa_handler = handler};

	sigemptyset(&action.sa_mask);
	assert_int_equal(sigaction(SIGBUS, &action, before), 0);
}

static void set_with_info(void (*handler)(int, siginfo_t *, void *),
			  struct sigaction *before)
{
	struct sigaction action = {.sa_sigaction = handler,
				   .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	assert_int_equal(sigaction(SIGBUS, &action, before), 0);
}

static void restore(const struct sigaction *action)
{
	assert_int_equal(sigaction(SIGBUS, action, NULL), 0);
}

static void expect_plain(void (*handler)(int))
{
	struct sigaction now;

	assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
	assert_int_equal(now.sa_flags & SA_SIGINFO, 0);
	assert_true(now.sa_handler == handler);
}

/* As if no handler had ever been installed. */
static void forget_handlers(struct sigaction *before)
{
	struct guard guard;
	struct file file;

	open_file(&file);
	set_plain(SIG_DFL, before);
	gti_guard_enter(&guard, &file.input);
	assert_int_equal(gti_guard_leave(&guard, GTRACE_OK, NULL), GTRACE_OK);
	expect_plain(SIG_DFL);
	close_file(&file);
}

/* A sent signal reaches the handler, of either kind, as it was sent. */
static void test_sent_to_handler(void **state)
{
	union sigval value = {.sival_int = 7};
	struct sigaction before;
	struct guard guard;
	struct file file;

	(void)state;
	open_file(&file);
	set_plain(count_plain, &before);
	gti_guard_enter(&guard, &file.input);
	calls = 0;
	raise(SIGBUS);
	assert_int_equal(calls, 1);
	cut(&file, 2);
	assert_int_equal(byte(&file, 2), 0);
	assert_int_equal(calls, 1);
	expect_lost(&guard, 2 * file.page);
	expect_plain(count_plain);

	set_with_info(count_with_info, NULL);
	gti_guard_enter(&guard, &file.input);
	calls = 0;
	assert_int_equal(sigqueue(getpid(), SIGBUS, value), 0);
	while (calls == 0)
		sched_yield(); /* valgrind delivers it late */
	assert_int_equal(calls, 1);
	assert_int_equal(last_info.si_code, SI_QUEUE);
	assert_int_equal(last_info.si_value.sival_int, 7);
	expect_lost(&guard, 2 * file.page);
	restore(&before);
	close_file(&file);
}

static sigjmp_buf escape;

static void jump(int number, siginfo_t *info, void *context)
{
	count_with_info(number, info, context);
	siglongjmp(escape, 1);
}

/* A failed access to what is not guarded reaches the handler. */
static void test_other_access(void **state)
{
	struct sigaction before;
	struct file file, other;
	struct guard guard;
	size_t offset;

	(void)state;
	open_file(&file);
	open_file(&other);
	cut(&other, 1);
	set_with_info(jump, &before);
	gti_guard_enter(&guard, &file.input);
	calls = 0;
	if (sigsetjmp(escape, 1) == 0)
		byte(&other, 2);
	assert_int_equal(calls, 1);
	assert_int_equal(last_info.si_code, BUS_ADRERR);
	/* Some processors, s390x among them, report the page only. */
	offset = (uintptr_t)last_info.si_addr - (uintptr_t)other.input.data;
	assert_int_equal(offset / other.page, 2);
	assert_int_equal(gti_guard_leave(&guard, GTRACE_OK, NULL), GTRACE_OK);
	restore(&before);
	close_file(&other);
	close_file(&file);
}

enum cause { CAUSE_RAISE, CAUSE_KILL, CAUSE_ACCESS };

static void cause_signal(enum cause cause, const struct file *other)
{
	if (cause == CAUSE_RAISE)
		raise(SIGBUS);
	else if (cause == CAUSE_KILL)
		kill(getpid(), SIGBUS);
	else
		byte(other, 2);
}

/*
 * The wait status of a process in which CAUSE happens in a guard, HANDLER
 * being SIG_DFL or SIG_IGN. It exits with 3 if it goes on.
 */
static int status_after(enum cause cause, void (*handler)(int))
{
	struct file file, other;
	struct guard guard;
	int status;
	pid_t pid;

	open_file(&file);
	open_file(&other);
	cut(&other, 1);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGBUS, handler);
		gti_guard_enter(&guard, &file.input);
		cause_signal(cause, &other);
		_exit(3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close_file(&other);
	close_file(&file);
	return status;
}

static void test_without_handler(void **state)
{
	static const enum cause causes[] = {CAUSE_RAISE, CAUSE_KILL,
					    CAUSE_ACCESS};
	int status;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		status = status_after(causes[i], SIG_DFL);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGBUS);

		status = status_after(causes[i], SIG_IGN);
		if (causes[i] == CAUSE_ACCESS) {
			assert_true(WIFSIGNALED(status));
			assert_int_equal(WTERMSIG(status), SIGBUS);
		} else {
			assert_true(WIFEXITED(status));
			assert_int_equal(WEXITSTATUS(status), 3);
		}
	}
}

/* A handler that is installed in a guard stays, and later guards work. */
static void test_installed_meanwhile(void **state)
{
	struct sigaction before;
	struct guard guard;
	struct file file;
	int i;

	(void)state;
	open_file(&file);
	forget_handlers(&before);
	gti_guard_enter(&guard, &file.input);
	set_plain(count_plain, NULL);
	assert_int_equal(gti_guard_leave(&guard, GTRACE_OK, NULL), GTRACE_OK);
	expect_plain(count_plain);
	for (i = 3; i > 0; i--) {
		gti_guard_enter(&guard, &file.input);
		cut(&file, (size_t)i);
		assert_int_equal(byte(&file, (size_t)i), 0);
		calls = 0;
		raise(SIGBUS);
		assert_int_equal(calls, 1);
		expect_lost(&guard, (size_t)i * file.page);
		expect_plain(count_plain);
	}
	restore(&before);
	close_file(&file);
}

static struct sigaction below;

/* Counts, and forwards to the handler that was there before. */
static void count_and_forward(int number, siginfo_t *info, void *context)
{
	count_with_info(number, info, context);
	assert_true(calls < 5);
	if ((below.sa_flags & SA_SIGINFO) != 0)
		below.sa_sigaction(number, info, context);
	else
		below.sa_handler(number);
}

static atomic_int calls_below;

static void count_below(int number)
{
	assert_int_equal(number, SIGBUS);
	calls_below++;
}

/*
 * The same with a handler that forwards, and is removed in the end: first to
 * the guard's handler, which must not forward back to it.
 */
static void test_forwarding_meanwhile(void **state)
{
	struct sigaction before;
	struct file file, other;
	struct guard guard, inner;

	(void)state;
	open_file(&file);
	open_file(&other);
	forget_handlers(&before);
	set_plain(count_below, NULL);
	gti_guard_enter(&guard, &file.input);
	set_with_info(count_and_forward, &below);
	assert_int_equal(gti_guard_leave(&guard, GTRACE_OK, NULL), GTRACE_OK);

	calls = 0;
	calls_below = 0;
	raise(SIGBUS);
	assert_int_equal(calls, 1);
	assert_int_equal(calls_below, 1);

	gti_guard_enter(&guard, &file.input);
	raise(SIGBUS);
	assert_int_equal(calls, 2);
	assert_int_equal(calls_below, 2);
	cut(&file, 3);
	assert_int_equal(byte(&file, 3), 0);
	gti_guard_enter(&inner, &other.input);
	restore(&below);
	cut(&other, 3);
	assert_int_equal(byte(&other, 3), 0);
	expect_lost(&inner, 3 * other.page);
	expect_lost(&guard, 3 * file.page);
	assert_int_equal(calls, 2);
	expect_plain(count_below);
	restore(&before);
	close_file(&other);
	close_file(&file);
}

/* --------------------------------------------------------------- threads -- */

#define ROUNDS 200

static pthread_barrier_t barrier;

/* Loses a file again and again, beside another thread. */
static void *lose_files(void *context)
{
	size_t round;

	for (round = 0; round < ROUNDS; round++) {
		size_t page = round % (PAGES - 1) + 1;
		struct guard guard;
		struct file file;

		open_file(&file);
		if (round % 2 == 0)
			pthread_barrier_wait(&barrier);
		gti_guard_enter(&guard, &file.input);
		assert_int_equal(byte(&file, page), 'x');
		if (round % 2 == 1)
			pthread_barrier_wait(&barrier);
		cut(&file, page);
		assert_int_equal(byte(&file, page), 0);
		assert_int_equal(byte(&file, page - 1), 'x');
		expect_lost(&guard, page * file.page);
		close_file(&file);
	}
	return context;
}

static void test_two_threads(void **state)
{
	struct sigaction before;
	pthread_t thread;

	(void)state;
	set_plain(count_plain, &before);
	calls = 0;
	assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, lose_files, NULL), 0);
	lose_files(NULL);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_barrier_destroy(&barrier);
	assert_int_equal(calls, 0);
	expect_plain(count_plain);
	restore(&before);
}

static atomic_int installed; /* which of the handlers below */
static atomic_int wrong;

static void count_as(int number, int handler)
{
	count_plain(number);
	if (installed != handler)
		wrong++;
}

static void handler_0(int number)
{
	count_as(number, 0);
}

static void handler_1(int number)
{
	count_as(number, 1);
}

static void install_handler(int handler)
{
	sigset_t bus;

	sigemptyset(&bus);
	sigaddset(&bus, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &bus, NULL);
	set_plain(handler == 0 ? handler_0 : handler_1, NULL);
	installed = handler;
	pthread_sigmask(SIG_UNBLOCK, &bus, NULL);
}

#define SENT_MAX 5000

static sem_t handled;

/* Sends signals to a thread, each when the one before it was handled. */
static void *send_signals(void *context)
{
	const pthread_t *to = context;
	int i;

	for (i = 0; i < SENT_MAX && pthread_kill(*to, SIGBUS) == 0; i++)
		while (sem_wait(&handled) != 0)
			continue;
	return NULL;
}

/*
 * A signal reaches the handler that is replaced, also while it is being
 * replaced.
 */
static void test_sent_while_installing(void **state)
{
	pthread_t self = pthread_self(), thread;
	struct sigaction before;
	struct guard guard;
	struct file file;
	int seen;

	(void)state;
#ifdef __SANITIZE_THREAD__
	print_message("skipped: ThreadSanitizer waits for itself where SIGBUS "
		      "is sent to it\n");
	skip();
#endif
	open_file(&file);
	assert_int_equal(sem_init(&handled, 0, 0), 0);
	forget_handlers(&before);
	install_handler(0);
	calls = 0;
	wrong = 0;
	assert_int_equal(pthread_create(&thread, NULL, send_signals, &self), 0);
	for (seen = 0; seen < SENT_MAX;) {
		install_handler(!installed);
		gti_guard_enter(&guard, &file.input);
		assert_int_equal(gti_guard_leave(&guard, GTRACE_OK, NULL),
				 GTRACE_OK);
		if (calls > seen) {
			seen = calls;
			sem_post(&handled);
		}
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(calls, SENT_MAX);
	assert_int_equal(wrong, 0);
	restore(&before);
	sem_destroy(&handled);
	close_file(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost_pages),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_sent_to_handler),
		cmocka_unit_test(test_other_access),
		cmocka_unit_test(test_without_handler),
		cmocka_unit_test(test_installed_meanwhile),
		cmocka_unit_test(test_forwarding_meanwhile),
		cmocka_unit_test(test_two_threads),
		cmocka_unit_test(test_sent_while_installing),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
