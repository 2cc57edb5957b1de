#include "gpu/transactions.h"
