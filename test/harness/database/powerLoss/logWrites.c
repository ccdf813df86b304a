/*
 * Preloaded into a process: logs the writes, truncations and syncs of the files below LOGGED_DIR, in order.
 *
 * An entry of LOG_FILE is a header, the file name and the data written. The header has the kind ('W', 'T' or 'S'), the length of
 * the name, the offset (for a truncation the new size) and the length of the data. Numbers are little-endian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct __attribute__((packed)) entry {
  char kind;
  uint16_t name_length;
  uint64_t offset;
  uint32_t length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;

static ssize_t real_write(int fd, const void *data, size_t length) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = dlsym(RTLD_NEXT, "write");
  return next(fd, data, length);
}

static void append(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    ssize_t written = real_write(log_fd, at, length);
    if (written <= 0) abort();
    at += written;
    length -= written;
  }
}

/* Finds the name of a logged file; returns 0 if the descriptor is something else. */
static int name_of(int fd, char *name, size_t size) {
  const char *folder = getenv("LOGGED_DIR");
  if (!folder) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0 || path[prefix] != '/') return 0;
  snprintf(name, size, "%s", path + prefix + 1);
  return 1;
}

static void note(char kind, int fd, uint64_t offset, const void *data, uint32_t length) {
  char name[256];
  if (!name_of(fd, name, sizeof name)) return;
  struct entry entry = {kind, (uint16_t)strlen(name), offset, length};
  pthread_mutex_lock(&lock);
  if (log_fd < 0) log_fd = open(getenv("LOG_FILE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  append(&entry, sizeof entry);
  append(name, entry.name_length);
  if (data) append(data, length);
  pthread_mutex_unlock(&lock);
}

#define NEXT(type, name, ...) \
  static type (*next)(__VA_ARGS__); \
  if (!next) next = dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *data, size_t length) {
  off_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t written = real_write(fd, data, length);
  if (written > 0 && offset >= 0) note('W', fd, offset, data, written);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
  ssize_t written = next(fd, data, length, offset);
  if (written > 0) note('W', fd, offset, data, written);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  ssize_t written = next(fd, data, length, offset);
  if (written > 0) note('W', fd, offset, data, written);
  return written;
}

int ftruncate(int fd, off_t size) {
  NEXT(int, "ftruncate", int, off_t);
  int failed = next(fd, size);
  if (!failed) note('T', fd, size, 0, 0);
  return failed;
}

int ftruncate64(int fd, off64_t size) {
  NEXT(int, "ftruncate64", int, off64_t);
  int failed = next(fd, size);
  if (!failed) note('T', fd, size, 0, 0);
  return failed;
}

int fsync(int fd) {
  NEXT(int, "fsync", int);
  int failed = next(fd);
  if (!failed) note('S', fd, 0, 0, 0);
  return failed;
}

int fdatasync(int fd) {
  NEXT(int, "fdatasync", int);
  int failed = next(fd);
  if (!failed) note('S', fd, 0, 0, 0);
  return failed;
}
