# --time-column: walks in time, of events with equal times, loops, events given again, decimals and dates.

printf 'u,v,when\na,b,10\nb,c,20\nb,c,20\nb,c,30\nc,d,30\nc,a,50\na,b,60\nd,a,10\na,a,15\n' > events.csv
prints 'from a vertex' events.csv --time-column when -q -k 2 --from a << END
from	to	paths
a	a	0
a	b	1
a	c	2
a	d	0
END
prints 'a wait' events.csv --time-column 3 --wait 10 -q -k 2 --from a << END
from	to	paths
a	a	0
a	b	0
a	c	1
a	d	0
END
prints 'to a vertex' events.csv --time-column 3 -q -k 3 --to d << END
from	to	paths
a	d	1
b	d	0
c	d	0
d	d	0
END
prints 'events given again add' events.csv --time-column 3 --multigraph -q -k 2 --pair a c << END
3
END
printf 'a c\nb a\na c\n' > pairs
prints 'pairs and lengths' events.csv --time-column 3 -q -k 3 --each --pairs pairs << END
length	from	to	paths
1	a	c	0
1	b	a	0
1	a	c	0
2	a	c	2
2	b	a	2
2	a	c	2
3	a	c	0
3	b	a	0
3	a	c	0
END
prints 'any length' events.csv --time-column 3 -q -k any --pair a b << END
5
END
prints 'undirected' events.csv --time-column 3 --undirected --wait 10 -q -k 2 --total << END
7
END
prints 'modulo' events.csv --time-column 3 -q -k any --total --mod 7 << END
4
END
prints 'sums of undirected events differ' events.csv --time-column 3 --undirected -q -k 3 --sums << END
vertex	starting	ending
a	5	5
b	5	6
c	1	2
d	3	1
END
prints 'loops' events.csv --time-column 3 -q -k 3 --closed << END
vertex	paths
a	2
b	2
c	0
d	0
END
check 'JSON' 0 '*"paths": "time-respecting"*"time_column": "when", "wait": "5.5"*"length": null*"answers": \[{"paths": "9"}*' '' \
    events.csv --time-column when --wait 5.5 -q -k any --total --json
check 'twice' 0 '*' '' events.csv --time-column 3 -q -k 2 --from a --twice --threads 1
printf 'a b 0.5\nb c 1.25\n' > decimals.txt
prints 'decimals' decimals.txt --time-column 3 --wait 0.75 -q -k 2 --total << END
1
END
prints 'decimals of the wait' decimals.txt --time-column 3 --wait 0.74999 -q -k 2 --total << END
0
END
printf '1 2 5 3\n2 3 6 4\n2 3 7 0\n' > weights.txt
prints 'weights' weights.txt --columns 1,2,4 --time-column 3 --weights -q -k 2 --total << END
12
END
printf '1 2 2020-02-30\n' > dates.txt
# a to b at 23:59:30 UTC of a leap day, b to c 45 seconds later, as another zone and another form say it.
printf 'a,b,2020-02-29 23:59:30\nb,c,2020-03-01T01:00:15.0+01:00\n' > days.csv
prints 'dates that follow in time' days.csv --time-column 3 --wait 45 -q -k 2 --total << END
1
END
prints 'dates that do not' days.csv --time-column 3 --wait 44.99 -q -k 2 --total << END
0
END
printf '1 2 1\n2 3 1.0\n' > same.txt
printf '1 2 2020-02-28\n2 3 2020\n' > mixed.txt
check 'dates and numbers' 65 '' '*mixed.txt: some times are dates and others are numbers*' \
    mixed.txt --time-column 3 -q -k 2 --total
check 'dates' 65 '' "*dates.txt: '2020-02-30' is no time*dates such as*" dates.txt --time-column 3 -q -k 2 --total
check 'one time, two texts' 65 '' "*same.txt: the time '1.0' is written in another way*" same.txt --time-column 3 -q -k 2 --total
for other in '--float' '--method sweep' '--certificate c.json' '--show' '--plot growth:g.svg'; do
    check "refused $other" 2 '' "*${other%% *} is not for walks in time*" events.csv --time-column 3 -k 2 --total $other
done
check 'a matrix' 2 '' '*--time-column needs a question*' events.csv --time-column 3 -k 2
check 'another kind of path' 2 '' '*exclude each other*' events.csv --time-column 3 -k 2 --total --simple
check 'a wait without times' 2 '' '*add --time-column*' events.csv --wait 2 -k 2 --total
check 'a wait that is none' 2 '' "*the wait '-1' is no integer*" events.csv --time-column 3 --wait=-1 -k 2 --total
check 'each of any' 2 '' '*--each with --length any*' events.csv --time-column 3 -k any --each --total
