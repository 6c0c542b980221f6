// What a gateway needs of its machine: Node, a folder of its own, room on the disk, master keys, demo.json.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemRandomness } from '../../kernel/random.ts'
import { bytesPerMebibyte, loadKeyring, lockDataDir, lookAtFreeSpace } from '../../storage/index.ts'
import { askGateway } from '../control-client.ts'
import { type Finding, fine, type SetUp, skipped, warning, wrong } from './finding.ts'

const nodeMajorMin = 24
const othersMask = 0o077

export function examineNode(version = process.versions.node): Finding {
  return Number(version.split('.')[0]) >= nodeMajorMin
    ? fine('node', version)
    : wrong('node', version, `install Node ${nodeMajorMin} or newer, or run npm ci, which brings one with it`)
}

/** The folder, and who has the embedded database in it open. */
export async function examineDataDir({ config: { dataDir, databaseUrl } }: SetUp): Promise<Finding> {
  const check = 'data folder'
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  if (stats === undefined)
    return skipped(check, `${dataDir} is not there yet: comporta serve makes it, or set DATA_DIR`)
  if (!stats.isDirectory()) return wrong(check, `${dataDir} is no folder`, 'set DATA_DIR to a folder')
  if ((stats.mode & othersMask) !== 0)
    return wrong(check, `others can read ${dataDir}`, `chmod 700 ${dataDir}`)
  if (databaseUrl !== undefined) return fine(check, dataDir)
  if ((await askGateway(dataDir, ['version'])) !== undefined)
    return fine(check, `${dataDir}, in use by a gateway that answers`)
  if (!existsSync(join(dataDir, 'lock'))) return fine(check, dataDir)
  const lock = lockDataDir(dataDir)
  if ('heldBy' in lock) {
    return wrong(
      check,
      `${dataDir} is in use by ${lock.heldBy}, which does not answer`,
      'end that process, or set DATA_DIR to another folder',
    )
  }
  lock.release()
  return fine(check, `${dataDir}, in use by nobody`)
}

export async function examineDisk({
  config: { dataDir, diskFreeMinMb, databaseUrl },
}: SetUp): Promise<Finding> {
  if (!existsSync(dataDir)) return skipped('disk', 'there is no data folder yet')
  const { freeBytes, short } = await lookAtFreeSpace(dataDir, diskFreeMinMb * bytesPerMebibyte)
  const detail = `${Math.floor(freeBytes / bytesPerMebibyte)} MiB free under ${dataDir}`
  if (!short) return fine('disk', detail)
  const mend = `make room: DISK_FREE_MIN_MB asks for ${diskFreeMinMb} MiB`
  // PostgreSQL keeps its data elsewhere.
  return databaseUrl === undefined ? wrong('disk', detail, mend) : warning('disk', detail, mend)
}

export async function examineMasterKey({ config }: SetUp): Promise<Finding> {
  const { masterKeyFile: path, generatesMasterKey } = config
  const check = 'master key'
  if (!existsSync(path) && generatesMasterKey)
    return skipped(check, `${path} is not there yet: the first start makes it`)
  const keyring = await loadKeyring(path, { generate: false, random: systemRandomness })
  if (keyring.ok) return fine(check, `${path}, version ${keyring.value.current}`)
  return wrong(
    check,
    keyring.refusal,
    'one line for each key, "<version> <32 bytes in base64>", and chmod 600; docs/operating.md, "The master key"',
  )
}

export function examineDemo({ config, baseUrl }: SetUp): Finding {
  const check = 'demo.json'
  if (config.mode === 'production') return skipped(check, 'production has no demo merchants')
  const path = join(config.dataDir, 'demo.json')
  if (!existsSync(path)) return skipped(check, `${path} is not there yet: the first start writes it`)
  try {
    const { base_url, merchants } = JSON.parse(readFileSync(path, 'utf8')) as {
      base_url: string
      merchants: readonly unknown[]
    }
    if (base_url === baseUrl) return fine(check, `${merchants.length} merchants at ${base_url}`)
    return warning(
      check,
      `it is of ${base_url}, and the gateway is at ${baseUrl}`,
      'start the gateway, or run comporta demo, with these settings',
    )
  } catch {
    return wrong(check, `${path} is not JSON`, 'comporta demo writes it again')
  }
}
