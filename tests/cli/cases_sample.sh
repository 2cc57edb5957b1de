# pathcount sample: what it prints, the same command twice, and what it refuses.

printf 'a b\nb c\n' > path.txt
printf 'a\tb\tc\na\tb\tc\n' > expected
prints 'the only walk, twice' sample path.txt --directed --length 2 --number 2 -q < expected
prints 'walks of no edge' sample path.txt -k 0 --number 2 --from c -q << 'END'
c
c
END
prints 'JSON' sample path.txt --directed -k 2 --number 1 --json -q << 'END'
["a","b","c"]
END
printf 'x"y\tu\001v\n' > labels.txt
prints 'JSON of labels with other characters' sample labels.txt --directed -k 1 --number 1 --json -q << 'END'
["x\"y","u\u0001v"]
END
prints 'control characters' sample labels.txt --directed -k 1 --number 1 -q << 'END'
x"y	u\x01v
END
prints 'a simple path between two ends' sample path.txt --simple -k 2 --number 1 --from c --to a -q << 'END'
c	b	a
END
check 'the graph is described' 0 '*' 'path.txt: edge list*' sample path.txt -k 1 --number 1

run sample "$graphs/karate.txt" -k 6 --number 3000 -q --threads 1 --seed 9
cp "$notes/stdout" ../one
run sample "$graphs/karate.txt" -k 6 --number 3000 -q --threads 2 --seed 9
cmp -s "$notes/stdout" ../one && pass || fail 'threads change no walk' 'another output'
run sample "$graphs/karate.txt" -k 6 --number 3000 -q
cmp -s "$notes/stdout" ../one && fail 'another seed' 'the same output' || pass
rm -f ../one
[ "$(awk -F '\t' 'NF == 7' "$notes/stdout" | wc -l)" -eq 3000 ] && pass || fail 'a line a walk' 'other lines'
check 'walks, twice' 0 'a	b	c' '' sample path.txt --directed -k 2 --number 1 -q --twice

refuses 'no walk' 65 'pathcount: there is no walk of length 3 in the graph*' sample path.txt --directed -k 3 --number 1 -q
refuses 'no walk to a vertex' 65 '*no walk of length 1 with the ends that are asked for*' sample path.txt --directed -k 1 --number 1 --to a -q
refuses 'no simple path' 65 '*no path that visits no vertex twice of length 3*' sample path.txt -k 3 --number 1 --simple -q
refuses 'a vertex that there is not' 65 "*has no vertex 'd'*" sample path.txt -k 1 --number 1 --from d -q
refuses 'too many paths' 69 '* of * walks of length 12 visited no vertex twice*more than an hour*' \
    sample "$graphs/karate.txt" -k 12 --number 1000000000000 --simple -q
refuses 'too little memory' 69 '*ask for a smaller length*' sample path.txt -k 10000000 --number 1 -q --memory-limit 100M
refuses 'no graph' 2 '*which walks? For example: pathcount sample graph.txt --*' sample
refuses 'no length' 2 '*which walks?*' sample path.txt --number 1
refuses 'no number' 2 '*which walks? For example: pathcount sample path.txt --*' sample path.txt -k 1
refuses 'no walks' 2 '*--number*' sample path.txt -k 1 --number 0
refuses 'two graphs' 2 '*one graph at a time*' sample path.txt path.txt -k 1 --number 1
