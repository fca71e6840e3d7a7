/* In C because Swift's Glibc module hides these calls: they need _GNU_SOURCE. */
#define _GNU_SOURCE
#include "affinity.h"

#ifdef __linux__
#include <sched.h>

static const cpu_set_t *start_set(void) {
  static cpu_set_t set;
  static int known;
  if (!known) {
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    known = 1;
  }
  return &set;
}

int affinity_core_count(void) { return CPU_COUNT(start_set()); }

void affinity_use_one_core(void) {
  const cpu_set_t *all = start_set();
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE; core++) {
    if (CPU_ISSET(core, all)) {
      CPU_SET(core, &one);
      break;
    }
  }
  sched_setaffinity(0, sizeof one, &one);
}

void affinity_use_all_cores(void) { sched_setaffinity(0, sizeof(cpu_set_t), start_set()); }
#else
int affinity_core_count(void) { return 0; }
void affinity_use_one_core(void) {}
void affinity_use_all_cores(void) {}
#endif
