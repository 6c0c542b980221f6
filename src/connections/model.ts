// The tables of connections, requests, contacts and webhooks.
import type { RailName } from '../rails/rail-name.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const railConnections = table('rail_connections', {
  id: column.bigint(),
  publicId: column.text(),
  driver: column.text(),
  walletId: column.bigint().optional(),
  rails: column.text<RailName>().array(),
  settings: column.json<Readonly<Record<string, string>>>(),
  secretsSealed: column.bytes(),
  account: column.text().optional(),
  allowUnproven: column.boolean(),
  enabled: column.boolean(),
  createdAt: column.instant(),
  changedAt: column.instant(),
})

export type ConnectionRow = RowOf<typeof railConnections>

export const railRequests = table('rail_requests', {
  key: column.uuid(),
  connectionId: column.bigint().optional(),
  walletId: column.bigint().optional(),
  rail: column.text<RailName>(),
  steps: column.json<Readonly<Record<string, 'begun' | 'recorded'>>>(),
  providerId: column.text().optional(),
  ids: column.json<Readonly<Record<string, string>>>(),
  signature: column.text().optional(),
  status: column.text().optional(),
  answer: column.json<unknown>().optional(),
  createdAt: column.instant(),
  changedAt: column.instant(),
})

export type RequestRow = RowOf<typeof railRequests>

export type ContactKind = 'answer' | 'error'

export const railContacts = table('rail_contacts', {
  connectionId: column.bigint(),
  kind: column.text<ContactKind>(),
  at: column.instant(),
  said: column.text(),
})

export type ContactRow = RowOf<typeof railContacts>

export const railWebhooks = table('rail_webhooks', {
  id: column.bigint(),
  connectionId: column.bigint(),
  notificationId: column.text(),
  payload: column.text().optional(),
  receivedAt: column.instant(),
  tries: column.integer(),
  dueAt: column.instant().optional(),
  handledAt: column.instant().optional(),
  lastError: column.text().optional(),
  about: column.uuid().optional(),
})

export type WebhookRow = RowOf<typeof railWebhooks>
