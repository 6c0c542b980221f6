// Reading of typed option values and operands.
import { type Cents, readTypedEuros } from '../../kernel/money.ts'
import { defaultFeeSchedule, type FeeMethod, type FeeSchedule, feeMethods } from '../../methods/list.ts'
import { parseFeeRate } from '../../wallets/fee-model.ts'
import type { Wallets } from '../../wallets/index.ts'
import { UsageError } from './command.ts'

const nothing = 'none'

/** Finds the merchant with this number or public id. Throws {@link UsageError}. */
export async function merchantNamed(wallets: Wallets, name: string | undefined) {
  const wallet = await namedWallet(wallets, name)
  if (wallet?.kind === 'merchant') return wallet
  throw new UsageError(`there is no merchant ${JSON.stringify(name)}: see comporta merchant list`)
}

export async function walletNamed(wallets: Wallets, name: string | undefined) {
  const wallet = await namedWallet(wallets, name)
  if (wallet !== undefined) return wallet
  throw new UsageError(`there is no wallet ${JSON.stringify(name)}`)
}

function namedWallet(wallets: Wallets, name = '') {
  return /^\d{1,18}$/.test(name) ? wallets.find(BigInt(name)) : wallets.findByPublicId(name)
}

/** Reads a comma list of known words, in any case. `none` is the empty list. */
export function wordsOf<Word extends string>(option: string, text: string, known: readonly Word[]): Word[] {
  if (text.toLowerCase() === nothing) return []
  return text.split(',').map((part) => {
    const word = known.find((candidate) => candidate.toLowerCase() === part.trim().toLowerCase())
    if (word !== undefined) return word
    throw new UsageError(
      `--${option} takes a comma list of ${known.join(', ')}, or none; not ${JSON.stringify(part.trim())}`,
    )
  })
}

export function textOrNone(text: string): string | null {
  return text.toLowerCase() === nothing ? null : text
}

export function listOrNone(text: string): string[] {
  return text.toLowerCase() === nothing ? [] : text.split(',').map((part) => part.trim())
}

export function switchOf(option: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new UsageError(`--${option} takes on or off; not ${JSON.stringify(text)}`)
}

/** Reads pairs such as `CC=1.5%+0.15`. `METHOD=default` restores the default price. */
export function feesOf(texts: readonly string[]): Partial<FeeSchedule> {
  const fees: Partial<Record<FeeMethod, FeeSchedule[FeeMethod]>> = {}
  for (const text of texts) {
    const [methodText = '', rateText = '', ...rest] = text.split('=')
    const method = feeMethods.find((candidate) => candidate === methodText.trim().toUpperCase())
    if (method === undefined || rest.length > 0) {
      throw new UsageError(
        `--fee takes METHOD=RATE, METHOD one of ${feeMethods.join(', ')}; not ${JSON.stringify(text)}`,
      )
    }
    fees[method] = rateText === 'default' ? defaultFeeSchedule[method] : rateOf(rateText)
  }
  return fees
}

function rateOf(text: string) {
  const rate = parseFeeRate(text)
  if (rate.ok) return rate.value
  throw new UsageError(`--fee: ${rate.refusal.reason}`)
}

export function transferAmountOf(option: string, text: string): Cents {
  const amount = centsOf(option, text)
  if (amount > 0n) return amount
  throw new UsageError(`--${option} must be at least 0.01`)
}

export function centsOf(option: string, text: string): Cents {
  const amount = readTypedEuros(text)
  if (amount !== undefined) return amount
  throw new UsageError(
    `--${option} takes euros such as 0.30, with at most 2 decimals; not ${JSON.stringify(text)}`,
  )
}

export function centsOrNone(option: string, text: string): Cents | null {
  return text.toLowerCase() === nothing ? null : centsOf(option, text)
}

/** Reads a fraction from 0 to 1 with at most 4 decimals. Returns basis points. */
export function basisPointsOf(option: string, text: string): number {
  const [, whole, decimals = ''] = /^([01])(?:\.(\d{1,4}))?$/.exec(text) ?? []
  const points = Number(`${whole}${decimals.padEnd(4, '0')}`)
  if (whole === undefined || points > 10_000) {
    throw new UsageError(
      `--${option} takes a part from 0 to 1 with at most 4 decimals, such as 0.025; not ${JSON.stringify(text)}`,
    )
  }
  return points
}
