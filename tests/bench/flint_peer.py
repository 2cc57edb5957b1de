"""FLINT's part of the benchmark, by python-flint: powers of a matrix of integers. Started by the driver, as
python_power.h says. An entry that WORDS words do not hold is written as all ones, which no count is.
"""
import array
import sys

import flint


def say(text):
    print(text, flush=True)


def save(power, n_words, path):
    n_bytes = 8 * n_words
    with open(path, "wb") as file:
        for row in range(power.nrows()):
            entries = (int(power[row, column]) for column in range(power.ncols()))
            file.write(b"".join(e.to_bytes(n_bytes, "little") if 0 <= e.bit_length() <= 8 * n_bytes
                                else b"\xff" * n_bytes for e in entries))


def main(arcs_path, n, length, n_threads, result_path):
    with open(arcs_path, "rb") as file:
        arcs = array.array("Q", file.read())
    flint.ctx.threads = n_threads
    a, power = flint.fmpz_mat(n, n), None
    for source, target in zip(arcs[:len(arcs) // 2], arcs[len(arcs) // 2:]):
        a[source, target] = 1
    say("ready " + flint.__FLINT_VERSION__)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "run":
            power = a ** length
            say("done")
        elif words[0] == "save":
            save(power, int(words[1]), result_path)
            say("saved")


if __name__ == "__main__":
    main(sys.argv[2], *map(int, sys.argv[3:6]), sys.argv[6])
