# Replaces the addresses of a log by functions and files. First input: ADDRESS<tab>FUNCTION<tab>FILE.
BEGIN { FS = OFS = "\t" }
NR == FNR { name[$1] = $2 " " $3; next }
{
    for (i = 8; i <= NF; i++) {
        n = split($i, parts, " ")
        text = ""
        for (p = 1; p <= n; p++)
            text = text (p > 1 ? ", " : "") (parts[p] in name ? name[parts[p]] : parts[p])
        $i = text
    }
    print
}
