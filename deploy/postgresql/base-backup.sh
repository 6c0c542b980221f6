#!/bin/sh
# A base back-up into a folder of its own, checked after it was made: base-backup.sh <postgres://…> <folder of back-ups>
# Run it daily, as a role with REPLICATION. With the archived log it leads to any moment since.
set -eu

database=${1:?the address of the database, such as postgres://backup@localhost/comporta}
folder=${2:?the folder in which the back-up gets a folder}
target=$folder/base-$(date -u +%Y%m%dT%H%M%SZ)

umask 077
pg_basebackup --dbname="$database" --pgdata="$target.part" --format=plain --wal-method=stream --checkpoint=fast \
  --manifest-checksums=SHA256
pg_verifybackup --quiet "$target.part"
mv "$target.part" "$target"
echo "$target"
