#!/bin/sh
# Learning curves of ABA's imitation learning: trajectories 100 to 5000, noise masked and not, an expert that asks and
# one that searches, three seeds each. What is there is not made again: stop it, and start it again.
#
#   tests/long/learning_curves.sh [FOLDER [SEEDS [EXPERTS]]]
#
# rolecall must be on the PATH, built with --release. Two cores: once for "aba" and beside it for "search".
set -eu
cd "$(dirname "$0")/../.."
out=${1:-target/learning-curves} seeds=${2:-"1 2 3"} experts=${3:-"aba search"}
rolecall=${ROLECALL:-rolecall}
mkdir -p "$out"

# train FOLDER DATA TOKENS SETTING...
train() {
    folder=$1 data=$2 tokens=$3
    shift 3
    [ -f "$folder/model.safetensors" ] || "$rolecall" train agents/local/train.toml --out "$folder" \
        --set "data=[{ $data }]" --set "learning.tokens=$tokens" "$@"
}

# play CONFIG FOLDER NAME SETTING...: the success of a model, kept as the report's JSON
play() {
    config=$1 folder=$2 name=$3
    shift 3
    [ -f "$folder/$name.json" ] && return
    rm -rf "$folder/logs"
    "$rolecall" run "$config" --set "models.local.checkpoint=$(realpath "$folder")" --set "run.logs=$folder/logs" \
        --set "name=$name" --json "$@" > "$folder/$name.new"
    mv "$folder/$name.new" "$folder/$name.json"
    rm -rf "$folder/logs"
}

for seed in $seeds; do
    for size in 100:400000 300:600000 1000:900000 5000:1100000; do
        count=${size%:*} tokens=${size#*:}
        for mask in true false; do
            for expert in $experts; do
                folder=$out/$expert-$mask-$count-$seed
                case $expert in
                aba) data="make = \"trajectories household --setting ambiguous" config=household/aba-local prefix= ;;
                *) data="make = \"trajectories household --expert search" config=household/react-local \
                    prefix=', prefix = "Nobody answers questions.\n"' ;;
                esac
                data="$data --rooms 2000 --count $count --seed $seed\"$prefix"
                train "$folder" "$data" "$tokens" --set "seed=$seed" --set "learning.mask=$mask"
                play "$config" "$folder" argmax
                play "$config" "$folder" sampled --set models.local.sampling.temperature=1 \
                    --set roles.executor.choose=generate
            done
        done
    done
done

# Success in percent by expert, mask, trajectories and choice of moves: the mean of the seeds, each of them, and the
# interval (Wilson, 95 %) of all their episodes, as if they were independent.
for file in "$out"/*/argmax.json "$out"/*/sampled.json; do
    name=${file#"$out"/}
    rate=$(grep -o '"success":{"rate":[0-9.e-]*' "$file" | head -1 | grep -o '[0-9.e-]*$')
    printf '%s %s %s\n' "${name%-[0-9]*/*}" "$(basename "$name" .json)" "$rate"
done | sort -t- -k1,2 -k3n | awk '
    { key = $1 " " $2; n[key]++; sum[key] += $3; each[key] = each[key] sprintf(" %.1f", 100 * $3); order[NR] = key }
    END {
        for (i = 1; i <= NR; i++) {
            key = order[i]
            if (done[key]++) continue
            p = sum[key] / n[key]; m = 134 * n[key]; z = 1.96
            c = (p + z * z / 2 / m) / (1 + z * z / m)
            h = z * sqrt(p * (1 - p) / m + z * z / 4 / m / m) / (1 + z * z / m)
            printf "%-28s %5.1f  (%.1f to %.1f) %s\n", key, 100 * p, 100 * (c - h), 100 * (c + h), each[key]
        }
    }'
