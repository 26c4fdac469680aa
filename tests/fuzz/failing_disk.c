/* A disk that fails once: the call with the number that was asked for returns an error.

   Loaded before the C library (LD_PRELOAD). Only files below the folder in FAILING_DISK are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int left = 0, error_number = 0, n_counted = 0;

/* From now on: the n-th call fails with this error; 0 for none. */
void fail_at(int n, int error) { left = n; error_number = error; n_counted = 0; }
int calls_counted(void) { return n_counted; }
void set_counted(int n) { n_counted = n; }

static int fails(const char *path) {
  const char *folder = getenv("FAILING_DISK");
  if (!folder || !path || strncmp(path, folder, strlen(folder))) return 0;
  n_counted++;
  if (left == 0 || --left > 0) return 0;
  errno = error_number;
  return 1;
}

static int fails_at(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_FILE(type, name, parameters, arguments) \
  type name parameters { return fails_at(file) ? -1 : REAL(name) arguments; }
#define ON_PATH(type, name, parameters, arguments) \
  type name parameters { return fails(path) ? -1 : REAL(name) arguments; }

ON_FILE(ssize_t, read, (int file, void *data, size_t n), (file, data, n))
ON_FILE(ssize_t, write, (int file, const void *data, size_t n), (file, data, n))
ON_FILE(ssize_t, pread, (int file, void *data, size_t n, off_t place), (file, data, n, place))
ON_FILE(ssize_t, pread64, (int file, void *data, size_t n, off64_t place), (file, data, n, place))
ON_FILE(ssize_t, pwrite, (int file, const void *data, size_t n, off_t place), (file, data, n, place))
ON_FILE(ssize_t, pwrite64, (int file, const void *data, size_t n, off64_t place), (file, data, n, place))
ON_FILE(int, fsync, (int file), (file))
ON_FILE(int, fdatasync, (int file), (file))
ON_FILE(int, ftruncate, (int file, off_t n), (file, n))
ON_FILE(int, ftruncate64, (int file, off64_t n), (file, n))
ON_PATH(int, rename, (const char *path, const char *to), (path, to))
ON_PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
ON_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))

static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  return fails(path) ? -1 : real(path, flags, mode);
}

#define ON_OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return opened(#name, path, flags, mode); \
  }

ON_OPEN(open)
ON_OPEN(open64)
