// The command checkout create.
import { spawn } from 'node:child_process'
import { done } from '../src/cli/commands/answers.ts'
import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import type { CommandResult } from '../src/cli/context.ts'
import type { Session } from '../src/cli/session.ts'
import { gatewayAt, isSandbox } from './gateway.ts'
import { findPlace } from './place.ts'
import { amountTyped, postOnce } from './values.ts'

/**
 * Creates a checkout. In a sandbox the customer ends on a page that shows the result, unless the user names another.
 */
export async function createCheckout(session: Session, input: CommandInput): Promise<CommandResult> {
  const amount = amountTyped(input, 'amount')
  if (amount === undefined) throw new UsageError('checkout create needs --amount, such as --amount 12.50')
  const gateway = gatewayAt(await findPlace(session, input), session.stopped)
  const thanks = (await isSandbox(gateway)) ? `${gateway.place.url}/sandbox/thanks` : undefined
  const confirm = input.value('confirm-url') ?? thanks
  if (confirm === undefined)
    throw new UsageError('outside a sandbox, checkout create needs --confirm-url: the page after the payment')
  const invoice = input.value('invoice')
  const method = input.value('method')?.toUpperCase()
  const payment = { amount, currency: 'EUR', ...(invoice !== undefined && { ext_invoiceid: invoice }) }
  const made = await postOnce(gateway, '/api/v2/checkout', input, {
    [input.flag('authorize') ? 'authorization' : 'payment']: payment,
    url_confirm: confirm,
    url_cancel: input.value('cancel-url') ?? confirm,
    ...(method !== undefined && { default_method: method }),
  })
  if (input.flag('open')) await openInBrowser(made.url_redirect, session)
  const operation = (made.payment ?? made.authorization).id
  return done(made, [made.url_redirect, '', `checkout ${made.id}`, `operation ${operation}`].join('\n'))
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a browser. Without one, for example on a server, it prints a message. */
async function openInBrowser(url: string, { err, env }: Session): Promise<void> {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open'])
  await new Promise<void>((resolve) => {
    const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    opener.once('error', ({ message }) => {
      err(`No browser was opened (${message}): open the address yourself.`)
      resolve()
    })
    opener.once('spawn', () => {
      opener.unref()
      resolve()
    })
  })
}
