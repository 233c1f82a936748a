#ifndef TERN_CSQLITE_SHIM_H
#define TERN_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
