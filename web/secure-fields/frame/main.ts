// Document inside the frame of the card fields.
import { afterClick } from '../../after-click.ts'
import './frame.css'
import { enhanceForm } from '../../checkout/fields/forms.ts'
import type { CallMessage, Calls, EventDetails, EventName, Failure, Settings } from '../messages.ts'
import { readAppearance } from './appearance.ts'
import { encryptCard } from './encrypt-card.ts'
import { openFields } from './fields.ts'
import { type Connection, meetPage } from './handshake.ts'
import { localeOf } from './messages.ts'
import { type FrameSettings, openSessions, type Sessions } from './session.ts'

const settings: FrameSettings = JSON.parse(document.body.dataset.settings ?? '{}')
const fields = openFields()
fields.speak(settings.locale)
enhanceForm(fields.form)
// Without a secure context (https or localhost) the browser has no cryptography.
const sessions = isSecureContext ? openSessions(settings) : undefined
serve(await meetPage(settings.origins), sessions)

function serve(connection: Connection, sessions: Sessions | undefined): void {
  const { send } = connection
  let announced = ''
  let checking = false

  const announce = <Name extends EventName>(event: Name, detail: EventDetails[Name]) =>
    send({ event, detail })

  function announceChange(): void {
    const state = fields.state()
    const text = JSON.stringify(state)
    if (text === announced) return
    announced = text
    announce('change', state)
  }

  function apply({ locale, fields: order, appearance }: Settings): undefined {
    if (locale !== undefined) fields.speak(localeOf(String(locale)))
    if (order !== undefined) fields.arrange(order)
    const { variables, problems } = readAppearance(appearance)
    for (const [name, value] of variables) document.documentElement.style.setProperty(name, value)
    for (const message of problems) announce('error', { code: 'appearance', message })
  }

  /** Shows all errors and focuses the first. */
  function check(): Calls['validate']['result'] {
    checking = true
    fields.form.dispatchEvent(new SubmitEvent('submit', { cancelable: true }))
    checking = false
    announceChange()
    const { complete, errors } = fields.state()
    return { valid: complete, errors }
  }

  async function encrypt(): Promise<Calls['encrypt']['result']> {
    const { valid, errors } = check()
    if (!valid) throw failure({ code: 'invalid_card', message: 'the card is not complete', errors })
    if (sessions === undefined) {
      throw failure({
        code: 'insecure_context',
        message: 'card fields work on https pages and on localhost only',
      })
    }
    // Reads the values before it waits, so that it encrypts the values that it has checked.
    const values = fields.values()
    const ticket = await sessions.take().catch(() => {
      throw failure({ code: 'unreachable', message: 'the gateway could not be reached: try again' })
    })
    return encryptCard(values, ticket, { merchant: settings.merchant, origin: connection.origin })
  }

  const calls: { [Name in keyof Calls]: (argument: Calls[Name]['argument']) => unknown } = {
    validate: check,
    encrypt,
    focus: (name = 'number') => fields.focus(name),
    clear: () => fields.clear(),
    update: apply,
  }

  async function answer({ id, call, argument }: CallMessage): Promise<void> {
    try {
      send({ id, result: await (calls[call] as (argument: unknown) => unknown)(argument) })
    } catch (error) {
      send({ id, failure: failureOf(error) })
    }
  }

  fields.form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!checking) announce('submit', {})
  })
  fields.form.addEventListener('input', announceChange)
  fields.form.addEventListener('focusin', ({ target }) => {
    const field = fields.nameOf(target)
    if (field !== undefined) announce('focus', { field })
  })
  fields.form.addEventListener('focusout', (left) => {
    const field = fields.nameOf(left.target)
    if (field === undefined) return
    announce('blur', { field })
    afterClick(left, () => {
      fields.announce(field)
      announceChange()
    })
  })
  connection.onCall((call) => void answer(call))

  apply(connection.greeting)
  fields.form.hidden = false
  new ResizeObserver(() => {
    send({ height: Math.ceil(document.body.getBoundingClientRect().height) })
  }).observe(document.body)
  announce('ready', {})
}

function failure(detail: Failure): Error {
  return Object.assign(new Error(detail.message), { failure: detail })
}

function failureOf(error: unknown): Failure {
  // The message of an unexpected error could contain typed values, so it is not sent on.
  return (
    (error as { failure?: Failure }).failure ?? { code: 'internal', message: 'the card fields have a fault' }
  )
}
