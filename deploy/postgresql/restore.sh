#!/bin/sh
# A base back-up and the archived log become a database as it was at a moment:
#   restore.sh <base back-up> <archive> <new data folder> [moment, such as 2026-11-23 09:30:00+00]
# Without a moment it goes to the end of the log. Start PostgreSQL on the new folder then: it reads the log, and takes
# writes once it is through. The back-up and the archive stay as they are.
set -eu

base=${1:?the folder of a base back-up}
archive=${2:?the folder of the archived log}
data=${3:?the data folder to make}
moment=${4:-}

if [ -e "$data" ] && [ -n "$(ls -A "$data")" ]; then
  echo "restore.sh: $data is not empty: name a new folder, so that nothing is written over" >&2
  exit 1
fi
if [ ! -f "$base/backup_label" ]; then
  echo "restore.sh: $base is no base back-up: it has no backup_label" >&2
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
