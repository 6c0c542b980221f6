// What each setting of the gateway means, for the table of docs/operating.md.
import type { Config } from '../../src/config.ts'

interface Setting {
  /** Where its default is read. */
  readonly key?: keyof Config
  /** Its default in words. */
  readonly otherwise?: string
  readonly meaning: string
}

export const settings: Readonly<Record<string, Setting>> = {
  HOST: { key: 'host', meaning: 'Address to listen on.' },
  PORT: { key: 'port', meaning: 'Port to listen on; 0 picks a free one.' },
  BASE_URL: {
    otherwise: '`http://HOST:PORT`',
    meaning:
      'Public address, used in every URL that the gateway gives out: http or https, without path and query.',
  },
  MODE: {
    key: 'mode',
    meaning:
      '`sandbox` or `production`. Production needs `DATABASE_URL`, `MASTER_KEY_FILE` and a `BASE_URL` with https.',
  },
  DATABASE_URL: {
    meaning: '`postgres://…`, PostgreSQL 16 or newer. Unset: the embedded PGlite in `DATA_DIR`.',
  },
  DATA_DIR: {
    otherwise: '`./data`',
    meaning:
      'Folder of the embedded database, `demo.json` and the master key of the sandbox. Made if missing, readable by its owner only.',
  },
  AUTH_SCHEMES: {
    key: 'authSchemes',
    meaning: 'Words accepted before the API key, in any case, separated by commas. Answers show the first.',
  },
  MASTER_KEY_FILE: {
    otherwise: '`DATA_DIR/master.key`',
    meaning:
      'Keys that encrypt secrets at rest. The sandbox creates the default file; a file named here must exist.',
  },
  RAILS: {
    meaning:
      'Drivers that production may use, separated by commas. Unset: all ([providers](going-live.md)). The sandbox takes `sandbox` only.',
  },
  WORKERS: { key: 'workers', meaning: 'Processes that serve. More than 1 needs PostgreSQL.' },
  LOG_LEVEL: {
    key: 'logLevel',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  },
  RATE_LIMITS: { otherwise: '`on`', meaning: '`off` for benchmarks.' },
  REQUEST_LOG_DAYS: {
    key: 'requestLogDays',
    meaning: 'Days for which the gateway keeps the requests of merchants for their developers. 0 keeps none.',
  },
  TWO_FACTOR: {
    otherwise: '`owners`; sandbox: `off`',
    meaning: 'Who must use an authenticator app: `off`, `operators`, `owners` (and operators) or `everyone`.',
  },
  SESSION_IDLE_MINUTES: {
    key: 'idleMinutes',
    meaning: 'A session of the backoffice ends after so many idle minutes.',
  },
  OPERATOR_IDLE_MINUTES: { key: 'operatorIdleMinutes', meaning: 'The same for operators.' },
  TRUST_PROXY: {
    key: 'trustProxy',
    meaning:
      'Proxies whose `X-Forwarded-For` is trusted: addresses, ranges, `loopback`, `linklocal` or `uniquelocal`, separated by commas.',
  },
  METRICS_TOKEN: {
    meaning:
      'Token that `/metrics` asks for as `Authorization: Bearer`, at least 16 characters. Unset: it answers this machine only.',
  },
  DISK_FREE_MIN_MB: {
    key: 'diskFreeMinMb',
    meaning:
      'Embedded database: MiB that must be free on its disk to accept writes. 0 switches the check off.',
  },
  BANK_OUTBOX: {
    otherwise: '`DATA_DIR/bank`',
    meaning: 'Folder into which files for the bank are written ([bank files](bank-files.md)).',
  },
  BANK_INBOX: { meaning: 'Folder whose files, from the bank, are imported once they are complete.' },
  BANK_EXPORT_MINUTES: {
    key: 'bankExportMinutes',
    meaning: 'Minutes between two exports of files for the bank. 0: only by command.',
  },
  BANK_SETTLE_ALONE_MAX: {
    otherwise: '`1000.00`',
    meaning:
      'Largest order for the bank, in euros, that one person answers by hand alone. Above it a second one approves. 0: always two.',
  },
  'OTEL_…': {
    meaning:
      'Traces and metrics by OpenTelemetry, switched on by `OTEL_EXPORTER_OTLP_ENDPOINT` ([observability](observability.md)).',
  },
  WATCHDOG_SECONDS: {
    key: 'watchdogSeconds',
    meaning: 'Embedded database: the process ends itself after so many seconds without progress. 0: never.',
  },
}
