// Files that are part of the program. SwiftPM's .embedInCode writes an array literal, which takes a minute to compile
// for these 180 kB; #embed takes none.
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "documents.h"

static const char openapi[] = {
#embed "../../AdminAPI/openapi.yaml"
    , 0};

const char *documents_openapi(void) { return openapi; }
