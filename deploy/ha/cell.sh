#!/bin/sh
# patronictl of this cell, on db1, db2 and db3: `cell.sh list`, `cell.sh switchover`, `cell.sh reinit`. Run it as postgres.
set -eu

. /etc/comporta-ha/cell.env
export PATRONI_ETCD3_HOSTS="$GATEWAY1:2379,$GATEWAY2:2379,$WITNESS:2379"
exec /opt/patroni/bin/patronictl -c /etc/comporta-ha/patroni.yaml "$@"
