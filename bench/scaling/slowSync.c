/*
 * Delays fsync and fdatasync by the number of microseconds in the file that SLOW_SYNC_FILE names, as a remote disk or a
 * synchronous standby would. Preloaded into PostgreSQL; the file is read at each call, so that a run can change the delay.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void delay(void) {
  const char *path = getenv("SLOW_SYNC_FILE");
  char text[32] = "";
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (read(file, text, sizeof text - 1) < 0) text[0] = '\0';
  close(file);
  long micros = atol(text);
  struct timespec left = {micros / 1000000, micros % 1000000 * 1000};
  while (micros > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

int fsync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  delay();
  return next(file);
}

int fdatasync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  delay();
  return next(file);
}
