// A head that somebody kept: an answer of the gateway, or number and hash.
import { ok, type Result, refuse } from '../../kernel/result.ts'

export interface GivenHead {
  readonly walletId?: bigint | undefined
  readonly number: bigint
  readonly hash: string
  readonly gateway?: { readonly number: bigint; readonly hash: string }
  /** The signed text with its signature and key number. Absent if only number and hash were kept. */
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
      `wallet must be ${head.walletId ?? 'left out'}: the head belongs to it`,
    )
  return ok(head)
}

const noHead = refuse(
  'invalid_parameter',
  'since must be a file with an answer of /api/v2/audit/head, its JSON, or <number>:<hash>',
)

function parsed(text: string): { readonly signed?: unknown; readonly signature?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}

/** Reads only the signed text, because the rest of the answer may be forged. */
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
