#ifndef PUSHCOTE_COPENSSL_SHIM_H
#define PUSHCOTE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Macros in OpenSSL, so invisible to Swift.

static inline long shim_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline long shim_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_mode(context, mode);
}

static inline long shim_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline long shim_SSL_CTX_add_extra_chain_cert(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add_extra_chain_cert(context, certificate);
}

static inline long shim_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

static inline long shim_BIO_get_mem_data(BIO *bio, char **data) {
    return BIO_get_mem_data(bio, data);
}

static inline void shim_BIO_set_retry_read(BIO *bio) {
    BIO_set_retry_read(bio);
}

static inline void shim_BIO_clear_retry_flags(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

// A variadic function in OpenSSL, so invisible to Swift.
static inline EVP_PKEY *shim_EVP_EC_gen_P256(void) {
    return EVP_EC_gen("P-256");
}

// Type-generic stack macros in OpenSSL, so invisible to Swift.

static inline int shim_sk_X509_num(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}

static inline X509 *shim_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline int shim_sk_GENERAL_NAME_num(const GENERAL_NAMES *stack) {
    return sk_GENERAL_NAME_num(stack);
}

static inline GENERAL_NAME *shim_sk_GENERAL_NAME_value(const GENERAL_NAMES *stack, int index) {
    return sk_GENERAL_NAME_value(stack, index);
}

static inline int shim_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }
static inline int shim_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }

#endif
