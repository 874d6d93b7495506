#ifndef PUSHCOTE_COPENSSL_SHIM_H
#define PUSHCOTE_COPENSSL_SHIM_H

#include <openssl/ssl.h>

#endif
