#!/bin/sh
# king.sh ROWS COLUMNS: the moves of a king on a board, two squares a line, such as "1-1 1-2" (row 1, columns 1 and 2).
awk -v rows="$1" -v columns="$2" 'BEGIN {
    for (i = 1; i <= rows; i++)
        for (j = 1; j <= columns; j++) {
            if (j < columns) print i "-" j, i "-" j + 1
            for (near = j - 1; near <= j + 1; near++)
                if (i < rows && near >= 1 && near <= columns) print i "-" j, i + 1 "-" near
        }
}'
