/* sched_getaffinity(2), which glibc's own header shows to programs of GNU's dialect only. */
#include <sys/syscall.h>
#include <unistd.h>

/* On how many cores this thread may run; 0 where that cannot be told. */
static inline int ledger_count_cores(void) {
  unsigned long allowed[128]; /* The kernel refuses fewer bits than it has cores: these are 8192. */
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed);
  int cores = 0;
  for (long place = 0; place < bytes / (long)sizeof *allowed; place++)
    cores += __builtin_popcountl(allowed[place]);
  return cores;
}
