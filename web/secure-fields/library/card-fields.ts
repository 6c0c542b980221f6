// Secure form fields for the merchant's page.
import {
  type Appearance,
  type Calls,
  type EventDetails,
  type EventName,
  type FieldName,
  fieldNames,
  type Settings,
} from '../messages.ts'
import { type Connection, connect, SecureFieldsError } from './connection.ts'

export interface CardFieldsOptions {
  /** Public id of the merchant. */
  readonly merchant: string
  /** Locale such as `pt_PT` or `en`. Default: Portuguese. */
  readonly locale?: string | undefined
  /** All four fields, in the order to show. */
  readonly fields?: readonly FieldName[] | undefined
  readonly appearance?: Appearance | undefined
  /** Address of the gateway. Default: origin of the script. */
  readonly baseUrl?: string | undefined
}

type Handler<Name extends EventName> = (detail: EventDetails[Name]) => void

export interface CardFields {
  /** Inserts the fields into an element. */
  mount(place: string | Element): void
  /** Calls `handler` at each event. Returns a function that stops it. */
  on<Name extends EventName>(event: Name, handler: Handler<Name>): () => void
  /** Shows all errors and focuses the first. */
  validate(): Promise<Calls['validate']['result']>
  /** Encrypted card for the merchant's server. Rejects with `invalid_card` if a field is wrong. */
  encrypt(): Promise<Calls['encrypt']['result']>
  focus(field?: FieldName): Promise<void>
  clear(): Promise<void>
  update(change: Pick<Settings, 'locale' | 'appearance'>): Promise<void>
  /** Removes the fields for good. */
  destroy(): void
}

/** A blocked frame never sends hello. */
const helloMs = 5000

/** Creates fields for one card. Throws for invalid options. */
export function createCardFields(options: CardFieldsOptions, ownBaseUrl: string | undefined): CardFields {
  const { merchant, baseUrl = ownBaseUrl, fields = fieldNames } = options
  if (!merchant) throw new TypeError('merchant must be the public id of the merchant')
  if (!baseUrl) throw new TypeError('baseUrl must be the address of the gateway')
  if (fields.length !== fieldNames.length || fieldNames.some((name) => !fields.includes(name))) {
    throw new TypeError(`fields must hold ${fieldNames.join(', ')} in any order`)
  }
  const settings: Settings = { locale: options.locale, fields, appearance: options.appearance }
  const handlers: { [Name in EventName]?: Set<Handler<Name>> } = {}
  let frame: HTMLIFrameElement | undefined
  let connection: Connection | undefined
  let destroyed = false
  let ready = false
  let timer: ReturnType<typeof setTimeout>

  function emit<Name extends EventName>(event: Name, detail: EventDetails[Name]): void {
    if (event === 'ready') {
      ready = true
      clearTimeout(timer)
    }
    const registered = handlers[event]
    if (event === 'error' && !registered?.size) console.error('SecureFields:', detail)
    for (const handler of registered ?? []) handler(detail)
  }

  function watchForHello(): void {
    if (ready) return
    timer = setTimeout(() => {
      const message = `the card fields did not load: is ${location.origin} registered for merchant ${merchant}?`
      connection?.fail({ code: 'unreachable', message })
      emit('error', { code: 'unreachable', message })
    }, helloMs)
  }

  const speak = () => {
    if (frame) frame.title = /^en/i.test(settings.locale ?? '') ? 'Card details' : 'Dados do cartão'
  }

  async function call<Name extends keyof Calls>(
    name: Name,
    argument?: Calls[Name]['argument'],
  ): Promise<Calls[Name]['result']> {
    if (connection) return connection.call(name, argument)
    const code = destroyed ? 'destroyed' : 'not_mounted'
    throw new SecureFieldsError({ code, message: `the card fields are ${code.replace('_', ' ')}` })
  }

  return {
    mount(place) {
      const parent = typeof place === 'string' ? document.querySelector(place) : place
      if (!parent) throw new Error(`there is no element ${place}`)
      if (frame || destroyed) throw new Error('card fields are mounted once')
      const query = new URLSearchParams({ merchant, locale: settings.locale ?? '' })
      frame = document.createElement('iframe')
      frame.src = `${baseUrl}/secure-fields/v1/frame?${query}`
      frame.style.cssText = 'width:100%;border:0;display:block;height:18rem;color-scheme:light'
      frame.onload = watchForHello
      speak()
      connection = connect(
        frame,
        () => settings,
        (message) => {
          if ('event' in message) emit(message.event, message.detail as never)
          else if (frame) frame.style.height = `${Number(message.height)}px`
        },
      )
      parent.append(frame)
    },
    on(event, handler) {
      const registered: Set<Handler<typeof event>> = handlers[event] ?? new Set()
      handlers[event] = registered as never
      registered.add(handler)
      return () => registered.delete(handler)
    },
    validate: () => call('validate'),
    encrypt: () => call('encrypt'),
    focus: (field) => call('focus', field),
    clear: () => call('clear'),
    update({ locale, appearance }) {
      if (locale !== undefined) settings.locale = locale
      if (appearance !== undefined) settings.appearance = { ...settings.appearance, ...appearance }
      speak()
      return call('update', { locale, appearance })
    },
    destroy() {
      destroyed = true
      clearTimeout(timer)
      connection?.close({ code: 'destroyed', message: 'the card fields are destroyed' })
      connection = undefined
      frame?.remove()
      frame = undefined
    },
  }
}
