#!/bin/sh
# Restores a database from a base backup and the archived log:
#   restore.sh <base backup> <archive> <new data folder> [moment, such as 2026-11-23 09:30:00+00]
# Without a moment it restores everything. Then start PostgreSQL on the new folder: it reads the log, and accepts writes
# after that. Backup and archive do not change.
set -eu

base=${1:?folder of a base backup}
archive=${2:?folder of the archived log}
data=${3:?new data folder}
moment=${4:-}

if [ -e "$data" ] && [ -n "$(ls -A "$data")" ]; then
  echo "restore.sh: $data is not empty: name a new folder, because this script overwrites nothing" >&2
  exit 1
fi
if [ ! -f "$base/backup_label" ]; then
  echo "restore.sh: $base is not a base backup: it has no backup_label" >&2
  exit 1
fi

umask 077
mkdir -p "$data"
cp -a "$base/." "$data/"
chmod 700 "$data"
{
  echo "restore_command = 'gzip -dc \"$archive/%f.gz\" > \"%p\"'"
  if [ -n "$moment" ]; then
    echo "recovery_target_time = '$moment'"
    echo "recovery_target_action = 'promote'"
  fi
} >> "$data/postgresql.auto.conf"
touch "$data/recovery.signal"
echo "$data is ready: start PostgreSQL on it"
