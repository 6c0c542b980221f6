#!/bin/sh
# Makes a base backup in a new folder and verifies it: base-backup.sh <postgres://…> <folder of backups>
# Run it daily, as a role with REPLICATION. With the archived log you can restore any later moment.
set -eu

database=${1:?address of the database, such as postgres://backup@localhost/comporta}
folder=${2:?folder of all backups}
target=$folder/base-$(date -u +%Y%m%dT%H%M%SZ)

umask 077
pg_basebackup --dbname="$database" --pgdata="$target.part" --format=plain --wal-method=stream --checkpoint=fast \
  --manifest-checksums=SHA256
pg_verifybackup --quiet "$target.part"
mv "$target.part" "$target"
echo "$target"
