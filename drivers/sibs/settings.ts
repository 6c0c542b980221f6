// The settings of a SIBS connection.
import type { Connection, SettingSpec } from '../../src/connections/index.ts'

/** The status code in an acknowledgement: 000 in newer documents of SIBS, 200 in older ones. */
const ackCodes = ['000', '200']
const webhookKeyBytes = 32

export const settings: readonly SettingSpec[] = [
  {
    ...{ name: 'base_url', secret: false, required: true, fixed: true, address: true },
    help: 'Address of the API that SIBS assigned, such as https://api.sibspayments.com/api/v2.',
    check: (text) =>
      isPlainPath(text) ? undefined : 'must be a web address without a query and without a final slash',
  },
  {
    ...{ name: 'terminal_id', secret: false, required: true, fixed: true },
    help: 'Number of the terminal, from the SIBS Backoffice.',
    check: (text) => (/^[1-9]\d{0,8}$/.test(text) ? undefined : 'must be a number of up to 9 digits'),
  },
  {
    ...{ name: 'reference_entity', secret: false, required: false },
    help: 'Multibanco entity for references at SIBS (five digits). Required for referenceNetwork.',
    check: (text) => (/^\d{5}$/.test(text) ? undefined : 'must be five digits'),
  },
  {
    ...{ name: 'form_url', secret: false, required: false, address: true },
    help: 'Address of the card form’s script, such as https://www.pay.sibs.com. Default: the host of base_url.',
    check: (text) =>
      isPlainPath(text) ? undefined : 'must be a web address without a query and without a final slash',
  },
  {
    ...{ name: 'channel', secret: false, required: false },
    help: 'Channel of the terminal. Default: web.',
    check: (text) => (/^[a-z]{1,20}$/.test(text) ? undefined : 'must be a word in lower case, such as web'),
  },
  {
    ...{ name: 'ack_code', secret: false, required: false },
    help: 'Status code that acknowledges notifications: 000, or 200 for older contracts. Default: 000.',
    check: (text) => (ackCodes.includes(text) ? undefined : `must be ${ackCodes.join(' or ')}`),
  },
  {
    ...{ name: 'client_id', secret: true, required: true },
    help: 'The client id (X-IBM-Client-Id) of the SIBS Backoffice.',
    check: (text) => (isHeaderValue(text) ? undefined : 'must be one line without spaces'),
  },
  {
    ...{ name: 'token', secret: true, required: true },
    help: 'The bearer token of the SIBS Backoffice.',
    check: (text) => (isHeaderValue(text) ? undefined : 'must be one line without spaces'),
  },
  {
    ...{ name: 'webhook_secret', secret: true, required: true },
    help: 'The webhook secret of the SIBS Backoffice. While you change it: old and new, one per line.',
    check: (text) => {
      const keys = keysOf(text)
      return keys.length > 0 && keys.every(({ length }) => length === webhookKeyBytes)
        ? undefined
        : `must be base64 of ${webhookKeyBytes} bytes, one secret per line`
    },
  },
]

export interface SibsSettings {
  readonly baseUrl: string
  readonly formUrl: string
  readonly terminalId: number
  readonly referenceEntity: string | undefined
  readonly channel: string
  readonly ackCode: string
  readonly clientId: string
  readonly token: string
  /** SIBS can use any of these keys while the operator changes the secret. */
  readonly webhookKeys: readonly Buffer[]
}

export function settingsOf({ settings: set, secrets }: Connection): SibsSettings {
  return {
    baseUrl: set.base_url ?? '',
    formUrl: set.form_url ?? (URL.canParse(set.base_url ?? '') ? new URL(set.base_url ?? '').origin : ''),
    referenceEntity: set.reference_entity,
    terminalId: Number(set.terminal_id),
    channel: set.channel ?? 'web',
    ackCode: set.ack_code ?? '000',
    clientId: (secrets.client_id ?? '').trim(),
    token: (secrets.token ?? '').trim(),
    webhookKeys: keysOf(secrets.webhook_secret ?? ''),
  }
}

function keysOf(text: string): Buffer[] {
  return text
    .split(/\s+/)
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'base64'))
}

function isPlainPath(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && !text.endsWith('/') && url.search + url.hash === ''
}

function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text.trim())
}
