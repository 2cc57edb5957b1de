#include "gpu/occupancy.h"
