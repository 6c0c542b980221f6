// The tables of the documentation that are made from the code: those between `<!-- table: … -->` and `<!-- end of table -->`.

import { mandatePaths } from '../../client/trigger/mandates.ts'
import { paymentPaths } from '../../client/trigger/payments.ts'
import { referencePaths } from '../../client/trigger/references.ts'
import { subscriptionPaths } from '../../client/trigger/subscriptions.ts'
import { testCards } from '../../sandbox/test-cards.ts'
import { settingsOf } from '../../sdk/src/core/settings.ts'
import { abilitiesOf, roles } from '../../src/backoffice/access/role-rules.ts'
import { deliveryStates } from '../../src/callbacks/model.ts'
import { loadConfig } from '../../src/config.ts'
import { errorTable } from '../../src/http/index.ts'
import { permissions, permissionsDefault, rights } from '../../src/kernel/values/permissions.ts'
import { methods } from '../../src/methods/list.ts'
import { mandateTransitions } from '../../src/methods/mbway/mandates/model.ts'
import {
  channels,
  operationStatuses,
  operationTransitions,
  operationTypes,
} from '../../src/operations/model.ts'
import { chargeTransitions, subscriptionTransitions } from '../../src/subscriptions/model.ts'
import type { Route } from '../security/routes.ts'
import type { ReferenceDocument } from '../spec/reference/document.ts'
import type { Json } from '../world.ts'
import { limits } from './limits.ts'
import { code, markdownTable } from './markdown-table.ts'
import * as meanings from './meanings.ts'
import { messagesOfTheApi } from './messages/messages.ts'
import { settings } from './settings.ts'

/** Sources of the tables, with the constants: routes of a gateway, and its OpenAPI document. */
export interface Sources {
  readonly routes: readonly Route[]
  readonly document: ReferenceDocument
}

const generated = /(<!-- table: (\w[\w-]*)(.*?) -->\n)([\s\S]*?)(<!-- end of table -->)/g

/** A page with its generated tables as they are by today's code. */
export function withTables(page: string, sources: Sources): string {
  return page.replaceAll(generated, (_, open: string, name: string, words: string, _old, close: string) => {
    const make = tables[name]
    if (make === undefined) throw new Error(`there is no table ${name}: ${Object.keys(tables).join(', ')}`)
    const table = make(words.trim().split(/\s+/).filter(Boolean), sources)
    // A `|` inside of a cell would end it.
    return `${open}\n${table}\n\n${close}`
  })
}

type Table = (words: readonly string[], sources: Sources) => string

const tables: Readonly<Record<string, Table>> = {
  errors: () =>
    markdownTable(
      ['Code', 'HTTP', 'Message', 'Event', 'What to do', 'Repeat?'],
      Object.values(errorTable).map(({ code: number, status, message, when, advice, repeat }) => [
        `<a id="${number}"></a>${number}`,
        String(status),
        message,
        when,
        advice,
        { no: 'no', corrected: 'corrected', later: 'yes, later' }[repeat],
      ]),
    ),
  messages: () =>
    markdownTable(
      ['reason', 'field', 'code', 'HTTP'],
      messagesOfTheApi()
        .map(({ text, fields, kind }) => {
          const { code: number, status } = errorTable[kind]
          return [code(text), fields.map(code).join(', '), `[${number}](#${number})`, String(status)]
        })
        .sort(([text = '', , one = ''], [other = '', , two = '']) =>
          one === two ? text.localeCompare(other, 'en') : one.localeCompare(two, 'en'),
        ),
    ),
  declines: () =>
    markdownTable(
      ['reason', 'event', 'what to do'],
      Object.entries(meanings.declines).map(([reason, [happened, advice]]) => [
        code(reason),
        happened,
        advice,
      ]),
    ),
  records: (_, { document }) =>
    markdownTable(
      ['object', 'field', 'statuses'],
      [
        ['operation', code('status'), statesOf(operationTransitions)],
        ['subscription', code('status'), statesOf(subscriptionTransitions)],
        ['charge', code('status'), statesOf(chargeTransitions)],
        ['mandate', code('state'), statesOf(mandateTransitions)],
        ['request by its id', code('status'), wordsOf(document, 'RequestOutcome', ['COMPLETED', 'FAIL'])],
        ['payment link', code('status'), wordsOf(document, 'PaymentLink', ['CLOSED'])],
        ['stored card', code('voided'), '`false`, then **`true`** once it was deleted'],
      ],
    ),
  callbacks: (_, { document }) =>
    markdownTable(
      ['kind', 'how you know it', '`event`', 'read next'],
      meanings.callbackKinds.map(([schema, kind, sign, page]) => [
        kind,
        sign,
        eventsOf(document, schema),
        page,
      ]),
    ),
  triggers: () =>
    markdownTable(
      ['event', 'effect', 'its callback'],
      [...paymentPaths, ...referencePaths, ...mandatePaths, ...subscriptionPaths].map(
        ({ name, summary, callback }) => [
          code(name),
          summary,
          callback === name ? 'the same' : code(callback),
        ],
      ),
    ),
  roles: () =>
    markdownTable(
      ['role', 'may'],
      roles.map((role) => [code(role), meanings.roleOf(abilitiesOf[role])]),
    ),
  cards: () =>
    markdownTable(
      ['number', 'effect'],
      testCards.map(({ number, outcome }) => [code(batched(number)), outcome.en]),
    ),
  client: () => {
    const { timeout, totalTimeout, retries } = settingsOf({ apiKey: 'k', baseUrl: 'https://pay.example' })
    const defaults: Readonly<Record<string, string>> = {
      authScheme: code('Comporta'),
      timeout: code(String(timeout)),
      totalTimeout: code(String(totalTimeout)),
      retries: code(String(retries)),
      fetch: 'that of the runtime',
    }
    return markdownTable(
      ['option', 'meaning', 'default'],
      Object.entries(meanings.client).map(([name, meaning]) => [code(name), meaning, defaults[name] ?? '']),
    )
  },
  types: () => valueTable('type', operationTypes, meanings.types),
  statuses: () => valueTable('status', operationStatuses, meanings.statuses),
  methods: () => valueTable('method', methods, meanings.methods),
  channels: () => valueTable('channel', channels, meanings.channels),
  deliveries: () => valueTable('delivery', deliveryStates, meanings.deliveries),
  permissions: (_, { routes }) =>
    markdownTable(
      ['permission', 'the key may', 'by default', 'the wallet needs'],
      permissions.map((permission) => [
        code(permission),
        meanings.permissions[permission],
        permissionsDefault.includes(permission) ? 'yes' : '',
        rightsOf(permission, routes).map(code).join(', '),
      ]),
    ),
  rights: () => valueTable('right', rights, meanings.rights),
  limits: () => markdownTable(['limit', 'value'], limits),
  settings: (words) => settingsTable(words),
  fields: ([name = '', ...chosen], { document }) =>
    fieldTable(document.json.components.schemas[name], chosen, document),
  answer: ([name = '', ...chosen], { document }) =>
    fieldTable(document.json.components.schemas[name], chosen, document, true),
  parameters: ([id = '', ...chosen], { document }) => {
    const { described } = document.operations.find(({ operationId }) => operationId === id) ?? {}
    const given = (described?.parameters ?? []) as Json[]
    const properties = Object.fromEntries(
      given.map(({ name, schema, description }) => [name, { ...schema, description }]),
    )
    return fieldTable({ properties, required: [] }, chosen, document)
  },
}

function valueTable<Word extends string>(
  title: string,
  words: readonly Word[],
  meaning: Readonly<Record<Word, string | readonly string[]>>,
): string {
  return markdownTable(
    [title, 'meaning'],
    words.map((word) => [code(word), [meaning[word]].flat().join(' ')]),
  )
}

/** Every status; those that nothing follows are in bold. */
function statesOf(transitions: Readonly<Record<string, readonly string[]>>): string {
  const word = ([name, next]: [string, readonly string[]]) =>
    next.length === 0 ? `**${code(name)}**` : code(name)
  return Object.entries(transitions).map(word).join(', ')
}

function wordsOf({ json }: ReferenceDocument, schema: string, final: readonly string[]): string {
  const words: readonly string[] = json.components.schemas[schema].properties.status.enum
  return words.map((word) => (final.includes(word) ? `**${code(word)}**` : code(word))).join(', ')
}

function eventsOf({ json }: ReferenceDocument, schema: string): string {
  const { enum: words, const: word } = json.components.schemas[schema].properties.event
  return (words ?? [word]).map(code).join(', ')
}

/** A card number as it is printed. */
function batched(number: string): string {
  return number.replace(
    number.length === 15 ? /^(.{4})(.{6})/ : /(.{4})(?!$)/g,
    number.length === 15 ? '$1 $2 ' : '$1 ',
  )
}

/** Rights of the wallet that a route with this permission asks for; of `card_plain` and `split` fields ask, not routes. */
function rightsOf(permission: string, routes: readonly Route[]): readonly string[] {
  const asked = routes.flatMap(({ auth }) =>
    auth !== 'none' && auth.permission === permission ? (auth.rights ?? []) : [],
  )
  const more = permission === 'card_plain' ? ['partner', 'pci_dss'] : []
  return [...new Set([...asked, ...more])]
}

/** @param chosen names of fields, in their order; none: all */
function fieldTable(
  schema: Json | undefined,
  chosen: readonly string[],
  document: ReferenceDocument,
  isAnswer = false,
): string {
  if (schema === undefined) throw new Error('there is no such schema')
  const { properties, required = [] } = schema
  const rows = (chosen.length === 0 ? Object.keys(properties) : chosen).map((name) => {
    if (properties[name] === undefined) throw new Error(`there is no field ${name}`)
    // The description next to a reference is about this field.
    const field = { ...document.schema(properties[name]), ...properties[name] }
    const missing = required.includes(name) ? 'required' : defaultOf(field)
    return [code(name), valuesOf(field), ...(isAnswer ? [] : [missing]), described(field)]
  })
  return markdownTable(['field', 'value', ...(isAnswer ? [] : ['default']), 'meaning'], rows)
}

const described = ({ description = '' }: Json): string =>
  description.replace(/ A JSON number or a numeric string, at most 2 decimals\.$/, '')

const defaultOf = ({ default: value }: Json): string => (value === undefined ? '' : code(String(value)))

/** Values of a field: its words, or its type with its bounds. */
function valuesOf({ enum: words, anyOf, ...schema }: Json): string {
  if (words !== undefined)
    return words
      .filter((word: unknown) => word !== null)
      .map(code)
      .join(', ')
  if (anyOf !== undefined) return valuesOf(anyOf[0])
  const { format, maxLength, minLength, maxItems, items } = schema
  const [kind] = [schema.type].flat().filter((one: string) => one !== 'null')
  if (kind === 'array')
    return `list of ${pluralOf(items)}${maxItems === undefined ? '' : `, at most ${maxItems}`}`
  if (kind === 'number' || kind === 'integer') return numberOf(kind, schema)
  const known = { uuid: 'UUID', date: 'day', uri: 'web address' }[String(format)]
  if (kind !== 'string' || known !== undefined) return known ?? kind ?? 'object'
  return maxLength === undefined || minLength === maxLength ? 'text' : `text, at most ${maxLength}`
}

function numberOf(kind: string, { minimum, maximum }: Json): string {
  const what = kind === 'integer' ? 'whole number' : 'number'
  if (minimum === undefined) return what
  return maximum === undefined ? `${what} from ${minimum}` : `${what} from ${minimum} to ${maximum}`
}

function pluralOf(items: Json): string {
  if (items.enum !== undefined) return items.enum.map(code).join(', ')
  return items.type === 'object' ? 'objects' : 'texts'
}

function settingsTable([group]: readonly string[]): string {
  const defaults = loadConfig({})
  if (!defaults.ok) throw new Error(defaults.refusal.join('; '))
  const chosen = Object.entries(settings).filter(([, setting]) => setting.group === group)
  if (chosen.length === 0) throw new Error(`no setting is in the group ${group}`)
  return markdownTable(
    ['setting', 'type', 'default', 'example', 'meaning'],
    chosen.map(([name, { key, otherwise = '', type, unit, example, meaning }]) => [
      code(name),
      [type, unit, rangeOf(name)].filter((part) => part !== undefined).join(', '),
      key === undefined ? otherwise : code(String(defaults.value[key])),
      code(example),
      meaning,
    ]),
  )
}

/** The range of a number, read from the message about a wrong value. */
function rangeOf(name: string): string | undefined {
  const refused = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', [name]: 'x' })
  const [, range] =
    /must be a whole number from (\d+ to \d+)/.exec(refused.ok ? '' : refused.refusal.join()) ?? []
  return range
}
