// A head as it was kept: the answer of the gateway, or number and hash alone.
import { ok, type Result, refuse } from '../../kernel/result.ts'

export interface GivenHead {
  /** Absent: the head is the gateway's. */
  readonly walletId?: bigint | undefined
  readonly number: bigint
  readonly hash: string
  /** The gateway's head that a wallet's names. */
  readonly gateway?: { readonly number: bigint; readonly hash: string }
  /** What was signed, with its signature and the number of the key; absent where only number and hash were kept. */
  readonly signed?: string
  readonly signature?: string
  readonly key?: number
}

const plainHead = /^([1-9]\d{0,17}):([0-9a-f]{64})$/
const digits = String.raw`[1-9]\d{0,17}`
const hash = '[0-9a-f]{64}'
const walletForm = new RegExp(
  `^comporta head 1\nwallet (\\d{1,18})\nnumber (${digits})\nhash (${hash})\n(?:.*\n){3}gateway (${digits}) (${hash})\nkey (\\d{1,9})\n$`,
)
const gatewayForm = new RegExp(
  `^comporta gateway head 1\nnumber (${digits})\nhash (${hash})\n(?:.*\n){3}key (\\d{1,9})\n$`,
)

/** Reads a head. Refusals: invalid_parameter, which says what a head is. */
export function readHead(text: string, walletId: bigint | undefined): Result<GivenHead> {
  const [, number, plainHash] = plainHead.exec(text.trim()) ?? []
  if (number !== undefined && plainHash !== undefined)
    return ok({ walletId, number: BigInt(number), hash: plainHash })
  const document = parsed(text)
  const { signed, signature } = document
  const head =
    typeof signed === 'string' && typeof signature === 'string' ? headIn(signed, signature) : undefined
  if (head === undefined) return noHead
  if (walletId !== undefined && walletId !== head.walletId)
    return refuse(
      'invalid_parameter',
      `wallet must be ${head.walletId ?? 'left out'}: that is whose head it is`,
    )
  return ok(head)
}

const noHead = refuse(
  'invalid_parameter',
  'since must be a file with an answer of /api/v2/audit/head or of "comporta audit head --json", that JSON itself, or <number>:<hash>',
)

function parsed(text: string): { readonly signed?: unknown; readonly signature?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}

/** Only what was signed counts: what else stands in the answer may have been changed. */
function headIn(signed: string, signature: string): GivenHead | undefined {
  const ofWallet = walletForm.exec(signed)
  if (ofWallet !== null) {
    const [, wallet = '', number = '', own = '', batch = '', batchHash = '', key] = ofWallet
    const gateway = { number: BigInt(batch), hash: batchHash }
    const link = { walletId: BigInt(wallet), number: BigInt(number), hash: own }
    return { ...link, gateway, signed, signature, key: Number(key) }
  }
  const [, number, own = '', key] = gatewayForm.exec(signed) ?? []
  if (number === undefined) return undefined
  return { number: BigInt(number), hash: own, signed, signature, key: Number(key) }
}
