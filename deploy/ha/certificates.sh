#!/bin/sh
# Makes the private authority of a cell, and a certificate for each machine:
#   certificates.sh <folder> <name>=<address>[,<address>…] …
# Keep the folder on none of the machines. Copy ca.crt, and cell.crt, cell.key and cell.pem of <folder>/<name>, to the
# machine. Run it again to add or renew machines: the authority stays.
set -eu

folder=${1:?folder of the authority}
shift
umask 077
mkdir -p "$folder"
if [ ! -f "$folder/ca.key" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=comporta cell" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout "$folder/ca.key" -out "$folder/ca.crt" 2> /dev/null
fi
for machine; do
  name=${machine%%=*}
  # Parts of one machine reach each other by 127.0.0.1.
  names="DNS:$name,IP:127.0.0.1"
  for address in $(echo "${machine#*=}" | tr , ' '); do names="$names,IP:$address"; done
  into=$folder/$name
  mkdir -p "$into"
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
    -keyout "$into/cell.key" -out "$into/cell.csr" 2> /dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$names" > "$into/cell.ext"
  openssl x509 -req -in "$into/cell.csr" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial -days 825 \
    -extfile "$into/cell.ext" -out "$into/cell.crt" 2> /dev/null
  # HAProxy reads certificate and key from one file.
  cat "$into/cell.crt" "$into/cell.key" > "$into/cell.pem"
  cp "$folder/ca.crt" "$into/ca.crt"
  rm "$into/cell.csr" "$into/cell.ext"
done
