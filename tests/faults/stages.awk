# Sums up a log with names (names.sh): outcomes by stage, by flow, and what escaped.
BEGIN { FS = "\t"; sort = "sort -t'|' -k2,2nr" }

function file_of(text) { sub(/^[^ ]* /, "", text); sub(/:.*/, "", text); return text }

# The first place of a call stack that is not in src/core.
function outside(text,   n, parts, i)
{
    n = split(text, parts, ", ")
    for (i = 1; i <= n; i++)
        if (parts[i] !~ / src\/core\// && parts[i] ~ /\//)
            return parts[i]
    return text
}

function stage_of(place,   f)
{
    f = file_of(place)
    if (f ~ /^src\/cli\/batch/) return "batch"
    if (f ~ /^src\/cli\/look/) return "pictures"
    if (f ~ /^src\/cli/) return "command, printing"
    if (f ~ /^src\/plan|^src\/count\/(choose|guess|rounding|.*_plan)|^src\/residues/) return "plan"
    if (f ~ /^src\/(cpu|engine)|^src\/count\/power|sparse_product/ || f ~ /^tests/) return "products"
    if (f ~ /^src\/vectors/) return "vectors"
    if (f ~ /^src\/certify/) return "certify"
    if (f ~ /^src\/rows/) return "rows, reductions"
    if (f ~ /^src\/count|^src\/series|^src\/relations/) return "run"
    if (f ~ /^src\/streams/) return "streams"
    if (f ~ /^graphs/) return "graph"
    if (f ~ /^io\/(write|output|temporary|resolve|pack|chunks)/) return "writing"
    if (f ~ /^io/) return "input"
    return "core"
}

{
    stage = $3 == "early" ? "(before the input was read)" : stage_of(outside($15))
    outcome = $4
    if (outcome == "mute") outcome = "caught"
    if ($5 ~ /^file complete/) outcome = "late"
    n[stage]++; count[stage, outcome]++
    n["all"] += $3 == "late"; count["all", outcome] += $3 == "late"
    flow[$1]++; flow_escaped[$1] += $3 == "late" && outcome == "ESCAPED"
    if (outcome == "ESCAPED" && $3 == "late") {
        where = $9 == "heap" ? "heap of " outside($14) : $9 == "static" ? "static " $13 : "stack of " $14
        sub(/:[0-9?]+$/, "", where)
        hit[where]++
        example[where] = $1 ":" $2 " (" outside($8) ", " $5 ")"
    }
}

function row(stage)
{
    printf "| %s | %d | %d | %d | %d | %d | %d | **%d** |\n", stage, n[stage], count[stage, "harmless"],
        count[stage, "caught"], count[stage, "crashed"], count[stage, "hung"], count[stage, "late"],
        count[stage, "ESCAPED"]
}

END {
    print "| stage | faults | harmless | caught | crashed | hung | right file, failed after | escaped |"
    print "|---|---|---|---|---|---|---|---|"
    n_stages = split("(before the input was read);input;graph;plan;products;vectors;certify;run;" \
        "rows, reductions;streams;command, printing;pictures;batch;writing;core;all", stages, ";")
    for (i = 1; i <= n_stages; i++)
        if (n[stages[i]] > 0)
            row(stages[i])
    n_escaped = count["all", "ESCAPED"] + 0
    if (n_escaped > 0) {
        print "\n| escaped | flow |\n|---|---|"
        for (f in flow_escaped)
            if (flow_escaped[f] > 0)
                printf "| %d of %d | %s |\n", flow_escaped[f], flow[f], f | sort
        close(sort)
        print "\n| escaped | what was hit | one of them, FLOW:NUMBER |\n|---|---|---|"
        for (h in hit)
            printf "| %d | %s | %s |\n", hit[h], h, example[h] | sort
        close(sort)
    }
    printf "\n%d faults after the input was read: %d harmless, %d caught, %d crashed, %d hung, ", n["all"],
        count["all", "harmless"], count["all", "caught"], count["all", "crashed"], count["all", "hung"]
    printf "%d failed after the right file, %d escaped\n", count["all", "late"], n_escaped
    exit n_escaped > 0
}
