// Certificates that sign the fake's webhooks, made by openssl.
import { execFileSync } from 'node:child_process'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Signer {
  readonly id: string
  readonly key: KeyObject
  /** The signer and the authority between it and the root. */
  readonly pem: string
  /** The self-signed root. */
  readonly root: string
}

/** @param name common name of the signer */
export function newSigner(name = 'messageverificationcerts.paypal.com', days = 30): Signer {
  const folder = mkdtempSync(join(tmpdir(), 'signer-'))
  const file = (named: string) => join(folder, named)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  try {
    const newKey = ['-newkey', 'rsa:2048', '-nodes']
    const ca = 'basicConstraints=critical,CA:TRUE'
    const life = ['-days', String(days)]
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'root.key',
      '-out',
      'root.pem',
      '-subj',
      '/CN=Test Root',
      ...life,
    )
    for (const [own, by, subject, is] of [
      ['middle', 'root', '/CN=Test Authority', ca],
      ['leaf', 'middle', `/O=PayPal, Inc./CN=${name}`, 'basicConstraints=CA:FALSE'],
    ] as const) {
      writeFileSync(file(`${own}.ext`), is)
      openssl('req', ...newKey, '-keyout', `${own}.key`, '-out', `${own}.csr`, '-subj', subject)
      const issuer = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', `${own}.ext`]
      openssl('x509', '-req', '-in', `${own}.csr`, '-out', `${own}.pem`, ...issuer, ...life)
    }
    const read = (named: string) => readFileSync(file(named), 'utf8')
    return {
      id: name.replaceAll('.', '-'),
      key: createPrivateKey(read('leaf.key')),
      pem: read('leaf.pem') + read('middle.pem'),
      root: read('root.pem'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
