#ifndef PUSHCOTE_COPENSSL_SHIM_H
#define PUSHCOTE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
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

static inline long shim_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
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

static inline long shim_SSL_CTX_build_cert_chain(SSL_CTX *context) {
    return SSL_CTX_build_cert_chain(context, SSL_BUILD_CHAIN_FLAG_IGNORE_ERROR | SSL_BUILD_CHAIN_FLAG_CLEAR_ERROR);
}

static inline int shim_SSL_CTX_set_read_ahead(SSL_CTX *context, int isOn) {
    return SSL_CTX_set_read_ahead(context, isOn);
}

// The SSL_OP_… macros contain casts, so Swift cannot import them.
static inline uint64_t shim_SSL_server_options(void) {
    return SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE;
}

static inline unsigned long shim_XN_FLAG_RFC2253_UTF8(void) {
    return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
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

static inline STACK_OF(X509) *shim_sk_X509_new(void) {
    return sk_X509_new_null();
}

static inline int shim_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}

static inline void shim_sk_X509_free(STACK_OF(X509) *stack) {
    sk_X509_free(stack);
}

static inline int shim_sk_GENERAL_NAME_num(const GENERAL_NAMES *stack) {
    return sk_GENERAL_NAME_num(stack);
}

static inline GENERAL_NAME *shim_sk_GENERAL_NAME_value(const GENERAL_NAMES *stack, int index) {
    return sk_GENERAL_NAME_value(stack, index);
}

// Uses four stack types and passes an attribute as a cast pointer, which Swift cannot express.
static inline PKCS12 *shim_PKCS12_trust_store(X509 *certificate, const char *name, const char *password) {
    STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
    STACK_OF(PKCS7) *safes = NULL;
    PKCS12 *file = NULL;
    // Java trusts a CA only with the attribute "trusted key usage" set to "any usage".
    PKCS12_SAFEBAG *bag = PKCS12_add_cert(&bags, certificate);
    if (bag != NULL && PKCS12_add_friendlyname_utf8(bag, name, -1)
        && PKCS12_add1_attr_by_txt(bag, "2.16.840.1.113894.746875.1.1", V_ASN1_OBJECT,
                                   (const unsigned char *)OBJ_nid2obj(NID_anyExtendedKeyUsage), -1)
        && PKCS12_add_safe(&safes, bags, -1, 0, NULL)) {
        file = PKCS12_add_safes(safes, 0);
        if (file != NULL && !PKCS12_set_mac(file, password, -1, NULL, 0, 0, EVP_sha256())) {
            PKCS12_free(file);
            file = NULL;
        }
    }
    sk_PKCS7_pop_free(safes, PKCS7_free);
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    return file;
}

#endif
