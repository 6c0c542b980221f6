// A certificate for localhost, made by OpenSSL for one run.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'comporta-certificate-'))
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const asked = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
execFileSync('openssl', ['req', '-x509', ...kind, ...asked, '-keyout', keyFile, '-out', certFile], {
  stdio: 'ignore',
})

export const certificate = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
rmSync(folder, { recursive: true })
