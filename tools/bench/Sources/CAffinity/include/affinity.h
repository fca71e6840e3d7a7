#ifndef LEDGER_BENCH_AFFINITY_H
#define LEDGER_BENCH_AFFINITY_H

/* Cores that this process may use; 0 where the system does not tell. */
int affinity_core_count(void);

/* Keeps this process and its later children on the first of its cores, or gives it back all that
   it had when it first asked. Does nothing where the system offers no pinning. */
void affinity_use_one_core(void);
void affinity_use_all_cores(void);

#endif
