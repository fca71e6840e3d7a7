#ifndef LEDGER_ALLOCATIONS_H
#define LEDGER_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether they are counted here: with glibc, and without a sanitizer, which brings a malloc of its own. */
bool allocations_are_counted(void);

/* How many times this process has asked for memory, on all threads. */
uint64_t allocation_count(void);

#endif
