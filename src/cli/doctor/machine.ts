// The machine: Node, data folder, disk space, master keys and demo.json.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemRandomness } from '../../kernel/random.ts'
import { bytesPerMebibyte, holderOfDataDir, loadKeyring, measureFreeSpace } from '../../storage/index.ts'
import { demoDocumentIn, demoFileName } from '../../wallets/demo/demo-model.ts'
import { askGateway } from '../control-client.ts'
import { type Finding, fine, inTime, type SetUp, skipped, warning, wrong } from './finding.ts'

const nodeMajorMin = 24
const othersMask = 0o077

export function examineNode(version = process.versions.node): Finding {
  return Number(version.split('.')[0]) >= nodeMajorMin
    ? fine('node', version)
    : wrong('node', version, `install Node ${nodeMajorMin} or newer, or run npm ci, which installs it`)
}

/** Which process has the embedded database open. `unknown` with PostgreSQL, which allows several. */
export type Holder = 'gateway' | 'stuck' | 'nobody' | 'unknown'

export async function examineDataDir(
  setUp: SetUp,
): Promise<{ readonly finding: Finding; readonly holder: Holder }> {
  const { dataDir, databaseUrl } = setUp.config
  const check = 'data folder'
  const holder = databaseUrl === undefined ? await holderOf(dataDir, setUp) : 'unknown'
  return { finding: finding(), holder }

  function finding(): Finding {
    const stats = statSync(dataDir, { throwIfNoEntry: false })
    if (stats === undefined)
      return skipped(check, `${dataDir} is missing: comporta serve creates it, or set DATA_DIR`)
    if (!stats.isDirectory()) return wrong(check, `${dataDir} is not a folder`, 'set DATA_DIR to a folder')
    if (holder === 'stuck') {
      return wrong(
        check,
        `${dataDir} is in use by ${holderOfDataDir(dataDir) ?? 'a process'}, which does not answer`,
        'end that process, or set DATA_DIR to another folder',
      )
    }
    if ((stats.mode & othersMask) !== 0)
      return wrong(check, `others can read ${dataDir}`, `chmod 700 ${dataDir}`)
    if (holder === 'gateway') return fine(check, `${dataDir}, in use by a gateway that answers`)
    return fine(check, holder === 'nobody' ? `${dataDir}, not in use` : dataDir)
  }
}

async function holderOf(dataDir: string, setUp: SetUp): Promise<Holder> {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== true) return 'nobody'
  try {
    if ((await askGateway(dataDir, ['version'], inTime(setUp))) !== undefined) return 'gateway'
  } catch {
    return 'stuck'
  }
  return holderOfDataDir(dataDir) === undefined ? 'nobody' : 'stuck'
}

export async function examineDisk({
  config: { dataDir, diskFreeMinMb, databaseUrl },
}: SetUp): Promise<Finding> {
  if (!existsSync(dataDir)) return skipped('disk', 'there is no data folder yet')
  const { freeBytes, short } = await measureFreeSpace(dataDir, diskFreeMinMb * bytesPerMebibyte)
  const detail = `${Math.floor(freeBytes / bytesPerMebibyte)} MiB free under ${dataDir}`
  if (!short) return fine('disk', detail)
  const mend = `make room: DISK_FREE_MIN_MB requires ${diskFreeMinMb} MiB`
  // With PostgreSQL a full disk is only a warning, because the data is elsewhere.
  return databaseUrl === undefined ? wrong('disk', detail, mend) : warning('disk', detail, mend)
}

export async function examineMasterKey({ config }: SetUp): Promise<Finding> {
  const { masterKeyFile: path, generatesMasterKey } = config
  const check = 'master key'
  if (!existsSync(path) && generatesMasterKey)
    return skipped(check, `${path} is missing: the first start creates it`)
  const keyring = await loadKeyring(path, { generate: false, random: systemRandomness })
  if (keyring.ok) return fine(check, `${path}, version ${keyring.value.current}`)
  return wrong(
    check,
    keyring.refusal,
    'write each key as "<version> <32 bytes in base64>", then chmod 600; see docs/rotating-keys.md',
  )
}

export function examineDemo({ config, baseUrl }: SetUp): Finding {
  const check = 'demo.json'
  if (config.mode === 'production') return skipped(check, 'production has no demo merchants')
  const path = join(config.dataDir, demoFileName)
  if (!existsSync(path)) return skipped(check, `${path} is missing: the first start writes it`)
  const document = demoDocumentIn(readFileSync(path, 'utf8'))
  if (!document.ok)
    return wrong(check, `${path} cannot be used: ${document.refusal}`, 'run comporta demo to write it again')
  const { base_url, merchants } = document.value
  if (base_url === baseUrl) return fine(check, `${merchants.length} merchants at ${base_url}`)
  return warning(
    check,
    `it names ${base_url}, but the gateway is at ${baseUrl}`,
    'start the gateway, or run comporta demo, with these settings',
  )
}
