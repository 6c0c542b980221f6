// The environment, read once at start (CONTRACT section 1).

import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type TwoFactorRule, twoFactorRules } from './backoffice/access/sign-in-rules.ts'
import { readCellNumber } from './cells/rules.ts'
import { type Crash, readCrash } from './kernel/crash-points.ts'
import { type Cents, cents } from './kernel/money.ts'
import { ok, type Result } from './kernel/result.ts'
import { holdsCredentials } from './kernel/values/web-address.ts'
import { type MailSettings, readFrom, readSmtpUrl } from './mail/settings-rules.ts'
import { type TelemetrySettings, telemetryOf } from './telemetry/rules.ts'

const modes = ['sandbox', 'production'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config {
  readonly host: string
  readonly port: number
  readonly baseUrl?: string | undefined
  readonly mode: (typeof modes)[number]
  readonly databaseUrl?: string | undefined
  /** Connections to PostgreSQL of each process. One more receives notices. */
  readonly databaseConnections: number
  readonly dataDir: string
  readonly authSchemes: readonly string[]
  readonly rails?: readonly string[] | undefined
  readonly masterKeyFile: string
  readonly generatesMasterKey: boolean
  readonly workers: number
  readonly logLevel: (typeof logLevels)[number]
  readonly rateLimits: boolean
  readonly requestLogDays: number
  readonly twoFactor: TwoFactorRule
  readonly idleMinutes: number
  /** Minutes without use after which a session of an operator ends. */
  readonly operatorIdleMinutes: number
  readonly trustProxy: string
  /** Numbers of all cells, if there are several. */
  readonly cells?: ReadonlySet<number> | undefined
  readonly metricsToken?: string | undefined
  readonly diskFreeMinMb: number
  readonly watchdogSeconds: number
  readonly bankOutbox: string
  readonly bankInbox?: string | undefined
  readonly bankExportMinutes: number
  /** The largest order that one person may settle by hand; 0: none. */
  readonly bankSettleAloneMax: Cents
  readonly telemetry?: TelemetrySettings | undefined
  /** The mail server. Absent: production sends no mail. */
  readonly mail?: MailSettings | undefined
  /** A crash for tests. `parent`: the parent process decides where. */
  readonly crashAt?: Crash | 'parent' | undefined
}

export function embeddedDatabaseIn(dataDir: string): string {
  return join(dataDir, 'database')
}

export function restoredDatabaseIn(dataDir: string): string {
  return `${embeddedDatabaseIn(dataDir)}.restored`
}

export type PlaceConfig = Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'masterKeyFile' | 'generatesMasterKey' | 'crashAt'
>

export const createHint = 'comporta serve, demo or migrate creates what is missing'

/** Names a missing place. A typing error in DATA_DIR must not create a second gateway. */
export function missingIn(config: PlaceConfig): string | undefined {
  const { databaseUrl, dataDir, masterKeyFile, generatesMasterKey } = config
  const places = [embeddedDatabaseIn(dataDir), restoredDatabaseIn(dataDir)]
  if (databaseUrl === undefined && !places.some((place) => existsSync(place)))
    return absent('database in', dataDir)
  if (generatesMasterKey && !existsSync(masterKeyFile)) return absent('master key', masterKeyFile)
  return undefined
}

function absent(what: string, where: string): string {
  return `there is no ${what} ${where}: set DATA_DIR to the folder of your gateway; ${createHint}`
}

/** Eight segments of the write-ahead log, for writes that have begun. */
const diskFreeMinMbDefault = 128
const diskFreeMinMbMax = 1_000_000_000
const watchdogSecondsDefault = 60
const watchdogSecondsMax = 3600
const metricsTokenLengthMin = 16
const requestLogDaysDefault = 7
const idleMinutesDefault = 60
const operatorIdleMinutesDefault = 15
const idleMinutesMax = 720
const requestLogDaysMax = 90
const bankExportMinutesMax = 1440
const workersMax = 64
const databaseConnectionsDefault = 10
const databaseConnectionsMax = 200

/** Reads the settings. An empty variable counts as unset. */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>>,
): Result<Config, readonly string[]> {
  const problems: string[] = []
  const read = (name: string) => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const wholeNumber = (name: string, standard: number, min: number, max: number) => {
    const text = read(name)
    if (text === undefined) return standard
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
    return standard
  }
  const oneOf = <Word extends string>(name: string, words: readonly Word[], standard: Word): Word => {
    const text = read(name)
    const word = words.find((candidate) => candidate === (text ?? standard).toLowerCase())
    if (word === undefined) problems.push(`${name} must be one of ${words.join(', ')}, not "${text}"`)
    return word ?? standard
  }

  const mode = oneOf('MODE', modes, 'sandbox')
  const dataDir = resolve(read('DATA_DIR') ?? './data')
  const config: Config = {
    host: read('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', 8080, 0, 65_535),
    baseUrl: baseUrlOf(read('BASE_URL'), problems),
    mode,
    databaseUrl: databaseUrlOf(read('DATABASE_URL'), problems),
    databaseConnections: wholeNumber(
      'DATABASE_CONNECTIONS',
      databaseConnectionsDefault,
      2,
      databaseConnectionsMax,
    ),
    dataDir,
    authSchemes: authSchemesOf(read('AUTH_SCHEMES') ?? 'Comporta', problems),
    rails: railsOf(read('RAILS'), mode, problems),
    masterKeyFile: resolve(read('MASTER_KEY_FILE') ?? join(dataDir, 'master.key')),
    generatesMasterKey: mode === 'sandbox' && read('MASTER_KEY_FILE') === undefined,
    workers: wholeNumber('WORKERS', 1, 1, workersMax),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    rateLimits: oneOf('RATE_LIMITS', ['on', 'off'] as const, 'on') === 'on',
    requestLogDays: wholeNumber('REQUEST_LOG_DAYS', requestLogDaysDefault, 0, requestLogDaysMax),
    twoFactor: oneOf('TWO_FACTOR', twoFactorRules, mode === 'production' ? 'owners' : 'off'),
    idleMinutes: wholeNumber('SESSION_IDLE_MINUTES', idleMinutesDefault, 1, idleMinutesMax),
    operatorIdleMinutes: wholeNumber('OPERATOR_IDLE_MINUTES', operatorIdleMinutesDefault, 1, idleMinutesMax),
    trustProxy: trustedProxiesOf(read('TRUST_PROXY') ?? 'off', problems),
    cells: cellsOf(read('CELLS'), problems),
    metricsToken: metricsTokenOf(read('METRICS_TOKEN'), problems),
    diskFreeMinMb: wholeNumber('DISK_FREE_MIN_MB', diskFreeMinMbDefault, 0, diskFreeMinMbMax),
    watchdogSeconds: wholeNumber('WATCHDOG_SECONDS', watchdogSecondsDefault, 0, watchdogSecondsMax),
    bankOutbox: resolve(read('BANK_OUTBOX') ?? join(dataDir, 'bank')),
    bankInbox: folderOf(read('BANK_INBOX')),
    bankExportMinutes: wholeNumber('BANK_EXPORT_MINUTES', 0, 0, bankExportMinutesMax),
    bankSettleAloneMax: eurosOf(
      'BANK_SETTLE_ALONE_MAX',
      read('BANK_SETTLE_ALONE_MAX') ?? '1000.00',
      problems,
    ),
    telemetry: telemetryOf(environment, problems),
    mail: mailOf(read('SMTP_URL'), read('MAIL_FROM'), problems),
    crashAt: crashOf(read('CRASH_AT'), problems),
  }
  if (config.workers > 1 && config.databaseUrl === undefined) {
    problems.push('WORKERS above 1 needs DATABASE_URL: the embedded database serves one process')
  }
  if (config.bankInbox === config.bankOutbox)
    problems.push(
      'BANK_INBOX and BANK_OUTBOX must be two folders: one for files to the bank, one for files from it',
    )
  if (mode === 'production') problems.push(...productionProblems(config, read('MASTER_KEY_FILE')))
  return problems.length === 0 ? ok(config) : { ok: false, refusal: problems }
}

function productionProblems(config: Config, masterKeyFile: string | undefined): string[] {
  const problems = []
  if (config.databaseUrl === undefined)
    problems.push('MODE=production needs DATABASE_URL: the embedded database is for the sandbox')
  if (config.baseUrl === undefined || !config.baseUrl.startsWith('https:')) {
    problems.push('MODE=production needs BASE_URL with https')
  }
  if (masterKeyFile === undefined)
    problems.push('MODE=production needs MASTER_KEY_FILE: no secret is made by default')
  if (config.crashAt !== undefined)
    problems.push('MODE=production refuses CRASH_AT: it ends the process in the middle of a payment')
  return problems
}

/** In production the names are compared with the drivers later. */
function railsOf(
  text: string | undefined,
  mode: Config['mode'],
  problems: string[],
): readonly string[] | undefined {
  if (text === undefined) return undefined
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (mode === 'sandbox') {
    const other = names.find((name) => name !== 'sandbox')
    if (other !== undefined)
      problems.push(`RAILS must be sandbox in MODE=sandbox, not "${text}": drivers are for MODE=production`)
    return undefined
  }
  if (names.includes('sandbox'))
    problems.push('MODE=production refuses RAILS with sandbox: its rails move no money')
  return names
}

function eurosOf(name: string, text: string, problems: string[]): Cents {
  const [, euros, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (euros !== undefined) return cents(BigInt(euros + decimals.padEnd(2, '0')))
  problems.push(`${name} must be euros with at most 2 decimals, such as 1000.00, not "${text}"`)
  return cents(0)
}

function folderOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : resolve(text)
}

function crashOf(text: string | undefined, problems: string[]): Config['crashAt'] {
  if (text === undefined || text === 'parent') return text
  const crash = readCrash(text)
  if (crash.ok) return crash.value
  problems.push(`CRASH_AT must be parent, or ${crash.refusal}`)
  return undefined
}

function baseUrlOf(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const bare =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    !holdsCredentials(text)
  if (!bare) {
    problems.push(
      `BASE_URL must be an http or https address without path and query, such as https://pay.example.com, not "${text}"`,
    )
    return undefined
  }
  return url.href.replace(/\/+$/, '')
}

function databaseUrlOf(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined || /^postgres(ql)?:\/\//.test(text)) return text
  problems.push('DATABASE_URL must start with postgres:// or postgresql://')
  return undefined
}

function authSchemesOf(text: string, problems: string[]): string[] {
  const schemes = text.split(',').map((scheme) => scheme.trim())
  if (schemes.every((scheme) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(scheme))) return schemes
  problems.push(`AUTH_SCHEMES must be words separated by commas, not "${text}"`)
  return ['Comporta']
}

function mailOf(url: string | undefined, from: string | undefined, problems: string[]): Config['mail'] {
  if (url === undefined) return undefined
  const server = readSmtpUrl(url)
  if (!server.ok) problems.push(server.refusal)
  if (from === undefined) {
    problems.push('SMTP_URL needs MAIL_FROM: the address that mail comes from')
    return undefined
  }
  const sender = readFrom(from)
  if (!sender.ok) problems.push(sender.refusal)
  return server.ok && sender.ok ? { server: server.value, from: sender.value } : undefined
}

const proxyGroups = ['loopback', 'linklocal', 'uniquelocal']

function trustedProxiesOf(text: string, problems: string[]): string {
  if (text.toLowerCase() === 'off') return 'off'
  const proxies = text.split(',').map((proxy) => proxy.trim())
  if (proxies.every((proxy) => proxyGroups.includes(proxy) || isAddressOrRange(proxy)))
    return proxies.join(', ')
  problems.push(
    `TRUST_PROXY must be off, or addresses, ranges such as 10.0.0.0/8, ${proxyGroups.join(', ')}, separated by commas, not "${text}"`,
  )
  return 'off'
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function cellsOf(text: string | undefined, problems: string[]): Config['cells'] {
  if (text === undefined) return undefined
  const numbers = text.split(',').map((one) => readCellNumber(one.trim()))
  if (!numbers.some(Number.isNaN)) return new Set(numbers)
  problems.push(`CELLS must be the numbers of all cells, such as 0,1, each from 0 to 3843, not "${text}"`)
  return undefined
}

function metricsTokenOf(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined || (text.length >= metricsTokenLengthMin && /^[\x21-\x7e]+$/.test(text))) return text
  problems.push(`METRICS_TOKEN must be at least ${metricsTokenLengthMin} characters without spaces`)
  return undefined
}
