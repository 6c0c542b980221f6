// The settings of the gateway, for the tables of docs/settings.md.
import type { Config } from '../../src/config.ts'

export const settingGroups = [
  'server',
  'database',
  'people',
  'limits-and-logs',
  'mail',
  'bank-files',
  'telemetry',
] as const

interface Setting {
  readonly group: (typeof settingGroups)[number]
  readonly type: string
  readonly unit?: string
  /** The field of the configuration that has the default; without it, see `otherwise`. */
  readonly key?: keyof Config
  /** The default in words. */
  readonly otherwise?: string
  readonly example: string
  readonly meaning: string
}

export const settings: Readonly<Record<string, Setting>> = {
  MODE: {
    group: 'server',
    type: '`sandbox` or `production`',
    key: 'mode',
    example: 'production',
    meaning:
      'The sandbox simulates all payment networks. Production needs `DATABASE_URL`, `MASTER_KEY_FILE` and a `BASE_URL` with https.',
  },
  BASE_URL: {
    group: 'server',
    type: 'http or https address without path and query',
    otherwise: '`http://HOST:PORT`',
    example: 'https://pay.example.com',
    meaning: 'Public address. The gateway uses it in every link that it creates.',
  },
  HOST: {
    group: 'server',
    type: 'IP address or name',
    key: 'host',
    example: '0.0.0.0',
    meaning: 'Address that the gateway listens on.',
  },
  PORT: {
    group: 'server',
    type: 'whole number',
    key: 'port',
    example: '8081',
    meaning: 'Port that the gateway listens on. `0` uses any free port.',
  },
  TRUST_PROXY: {
    group: 'server',
    type: 'list of addresses, ranges, `loopback`, `linklocal` or `uniquelocal`; or `off`',
    key: 'trustProxy',
    example: 'loopback',
    meaning: 'Proxies whose header `X-Forwarded-For` is trusted ([behind a proxy](reverse-proxy.md)).',
  },
  CELLS: {
    group: 'server',
    type: 'list of numbers, 0 to 3843',
    otherwise: 'this cell and 0',
    example: '0,1,2',
    meaning:
      'Numbers of all [cells](scaling.md#cells), if there are several. A request with an id or key of another cell then gets an error that names the cell.',
  },
  WORKERS: {
    group: 'server',
    type: 'whole number',
    unit: 'processes',
    key: 'workers',
    example: '4',
    meaning:
      'Number of processes on this machine. More than 1 needs PostgreSQL ([several processes](several-processes.md)).',
  },
  RAILS: {
    group: 'server',
    type: 'list of drivers',
    otherwise: 'all drivers',
    example: 'stripe,sibs',
    meaning:
      'Drivers that production may use ([providers](connect-a-provider.md)). In the sandbox the only value is `sandbox`.',
  },
  AUTH_SCHEMES: {
    group: 'server',
    type: 'list of words',
    key: 'authSchemes',
    example: 'Comporta,Bearer',
    meaning:
      'Words that the gateway accepts before the API key, in upper or lower case. Answers show the first one.',
  },
  DATABASE_URL: {
    group: 'database',
    type: 'address that begins with `postgres://`',
    otherwise: 'embedded database',
    example: 'postgres://comporta:secret@db.example/comporta',
    meaning: 'PostgreSQL 16 or newer. Without it the gateway uses the embedded database in `DATA_DIR`.',
  },
  DATABASE_CONNECTIONS: {
    group: 'database',
    type: 'whole number',
    key: 'databaseConnections',
    example: '20',
    meaning:
      'Connections to PostgreSQL of each process. One more waits for notices ([several processes](several-processes.md#connections-to-postgresql)).',
  },
  DATA_DIR: {
    group: 'database',
    type: 'folder',
    otherwise: '`./data`',
    example: '/var/lib/comporta',
    meaning:
      'Folder of the embedded database, of `demo.json` and of the master key of the sandbox. The gateway creates it; only its owner can read it.',
  },
  MASTER_KEY_FILE: {
    group: 'database',
    type: 'file',
    otherwise: '`DATA_DIR/master.key`',
    example: '/etc/comporta/master.key',
    meaning:
      'Keys that encrypt stored secrets ([rotate keys](rotating-keys.md)). The sandbox creates the default file. A file that you name must exist.',
  },
  DISK_FREE_MIN_MB: {
    group: 'database',
    type: 'whole number',
    unit: 'MiB',
    key: 'diskFreeMinMb',
    example: '512',
    meaning:
      'Embedded database: free disk space below which the gateway refuses writes. `0` switches the check off.',
  },
  WATCHDOG_SECONDS: {
    group: 'database',
    type: 'whole number',
    unit: 'seconds',
    key: 'watchdogSeconds',
    example: '120',
    meaning:
      'Embedded database: time without progress after which the process ends, so that its supervisor restarts it. `0` switches the check off.',
  },
  TWO_FACTOR: {
    group: 'people',
    type: '`off`, `operators`, `owners` or `everyone`',
    otherwise: '`owners`; sandbox: `off`',
    example: 'everyone',
    meaning: 'People who must use an authenticator app in the backoffice. `owners` includes operators.',
  },
  SESSION_IDLE_MINUTES: {
    group: 'people',
    type: 'whole number',
    unit: 'minutes',
    key: 'idleMinutes',
    example: '30',
    meaning: 'Idle time after which a session of the backoffice ends.',
  },
  OPERATOR_IDLE_MINUTES: {
    group: 'people',
    type: 'whole number',
    unit: 'minutes',
    key: 'operatorIdleMinutes',
    example: '10',
    meaning: 'Idle time after which the session of an operator ends.',
  },
  RATE_LIMITS: {
    group: 'limits-and-logs',
    type: '`on` or `off`',
    otherwise: '`on`',
    example: 'off',
    meaning: 'Limits of requests per key and per address. Use `off` only for benchmarks.',
  },
  LOG_LEVEL: {
    group: 'limits-and-logs',
    type: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    key: 'logLevel',
    example: 'warn',
    meaning: 'Least severe level that the gateway writes to its log.',
  },
  REQUEST_LOG_DAYS: {
    group: 'limits-and-logs',
    type: 'whole number',
    unit: 'days',
    key: 'requestLogDays',
    example: '30',
    meaning:
      'Time for which developers of a merchant can read the API requests of their programs. `0` stores no requests.',
  },
  METRICS_TOKEN: {
    group: 'limits-and-logs',
    type: 'text of at least 16 characters without spaces',
    otherwise: 'unset',
    example: '4f1c9a7be3d250186c02',
    meaning:
      'Token for `/metrics`, sent as `Authorization: Bearer <token>`. Without it `/metrics` answers only requests from the same machine.',
  },
  SMTP_URL: {
    group: 'mail',
    type: 'smtp or smtps address',
    otherwise: 'unset: no mail',
    example: 'smtps://user:password@smtp.example.com:465',
    meaning:
      'Mail server. `smtps` encrypts from the start, `smtp` with STARTTLS. Percent-encode special characters of the password. The sandbox ignores it and keeps all mail in its post box.',
  },
  MAIL_FROM: {
    group: 'mail',
    type: 'e-mail address, or name and address',
    otherwise: 'unset',
    example: 'Payments <pay@example.com>',
    meaning: 'Address that mail comes from. `SMTP_URL` needs it.',
  },
  BANK_OUTBOX: {
    group: 'bank-files',
    type: 'folder',
    otherwise: '`DATA_DIR/bank`',
    example: '/srv/bank/out',
    meaning: 'Folder for [files to the bank](bank-files.md).',
  },
  BANK_INBOX: {
    group: 'bank-files',
    type: 'folder',
    otherwise: 'unset',
    example: '/srv/bank/in',
    meaning: 'Folder from which the gateway imports files of the bank. It must differ from `BANK_OUTBOX`.',
  },
  BANK_EXPORT_MINUTES: {
    group: 'bank-files',
    type: 'whole number',
    unit: 'minutes',
    key: 'bankExportMinutes',
    example: '60',
    meaning: 'Time between two exports of files to the bank. `0`: only `comporta bank export` writes files.',
  },
  BANK_SETTLE_ALONE_MAX: {
    group: 'bank-files',
    type: 'amount with at most 2 decimals',
    unit: 'euros',
    otherwise: '`1000.00`',
    example: '250.00',
    meaning:
      'Largest bank order that one person may [settle by hand](bank-by-hand.md). Above it a second person must approve. `0`: always two people.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'telemetry',
    type: 'http or https address',
    otherwise: 'unset: no telemetry',
    example: 'http://collector:4318',
    meaning: 'Address of the collector. The gateway adds `/v1/traces` and `/v1/metrics`.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    group: 'telemetry',
    type: 'http or https address',
    otherwise: 'unset',
    example: 'http://collector:4318/v1/traces',
    meaning: 'Whole address for traces, instead of the common one.',
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    group: 'telemetry',
    type: 'http or https address',
    otherwise: 'unset',
    example: 'http://collector:4318/v1/metrics',
    meaning: 'Whole address for metrics, instead of the common one.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    group: 'telemetry',
    type: '`http/protobuf` or `http/json`',
    otherwise: '`http/protobuf`',
    example: 'http/json',
    meaning:
      'Format of the data. `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL` and `OTEL_EXPORTER_OTLP_METRICS_PROTOCOL` set it for one of the two. `grpc` is not supported.',
  },
  OTEL_TRACES_EXPORTER: {
    group: 'telemetry',
    type: '`otlp` or `none`',
    otherwise: '`otlp`',
    example: 'none',
    meaning: '`none` sends no traces.',
  },
  OTEL_METRICS_EXPORTER: {
    group: 'telemetry',
    type: '`otlp` or `none`',
    otherwise: '`otlp`',
    example: 'none',
    meaning: '`none` sends no metrics.',
  },
  OTEL_TRACES_SAMPLER: {
    group: 'telemetry',
    type: '`always_on`, `always_off` or `traceidratio`, also with the prefix `parentbased_`',
    otherwise: '`parentbased_always_on`',
    example: 'parentbased_traceidratio',
    meaning: 'Rule that selects the traces to send.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'telemetry',
    type: 'number from 0 to 1',
    otherwise: '`1`',
    example: '0.1',
    meaning: 'Part of the traces that a sampler with `traceidratio` selects.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    group: 'telemetry',
    type: 'whole number',
    unit: 'milliseconds',
    otherwise: '`5000`',
    example: '1000',
    meaning: 'Longest time between two batches of spans.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    group: 'telemetry',
    type: 'whole number',
    unit: 'spans',
    otherwise: '`2048`',
    example: '4096',
    meaning: 'Spans that can wait to be sent. Further spans are dropped.',
  },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: {
    group: 'telemetry',
    type: 'whole number',
    unit: 'spans',
    otherwise: '`512`',
    example: '256',
    meaning: 'Largest batch of spans. The gateway limits it to the size of the queue.',
  },
  OTEL_BSP_EXPORT_TIMEOUT: {
    group: 'telemetry',
    type: 'whole number',
    unit: 'milliseconds',
    otherwise: '`30000`',
    example: '10000',
    meaning: 'Time allowed to send a batch of spans.',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    group: 'telemetry',
    type: 'whole number',
    unit: 'milliseconds',
    otherwise: '`60000`',
    example: '15000',
    meaning: 'Time between two exports of metrics.',
  },
  OTEL_METRIC_EXPORT_TIMEOUT: {
    group: 'telemetry',
    type: 'whole number',
    unit: 'milliseconds',
    otherwise: '`30000`',
    example: '10000',
    meaning: 'Time allowed to send metrics.',
  },
  OTEL_SERVICE_NAME: {
    group: 'telemetry',
    type: 'text',
    otherwise: '`comporta`',
    example: 'comporta-lisbon',
    meaning: 'Name of the service. It takes precedence over `service.name` in `OTEL_RESOURCE_ATTRIBUTES`.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    group: 'telemetry',
    type: 'list of `key=value`',
    otherwise: 'unset',
    example: 'deployment.environment.name=production',
    meaning: 'Facts about this process, added to all traces and metrics.',
  },
  OTEL_SDK_DISABLED: {
    group: 'telemetry',
    type: '`true` or `false`',
    otherwise: '`false`',
    example: 'true',
    meaning: '`true` switches telemetry off.',
  },
}
