/* How the memory of this process is kept; not in the Glibc module. */
#include <malloc.h>
