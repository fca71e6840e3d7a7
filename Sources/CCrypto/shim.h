/* The low-level SHA-256 calls are the fast ones for short messages; OpenSSL 3
   marks them deprecated in favour of EVP, which costs more than the hash here. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
