// Refusals of identifiers that another cell gave out.
import { cellOfBase62, cellOfId, isUuid } from '../../kernel/random.ts'
import { type Refusal, refuse } from '../../kernel/result.ts'
import type { AppRequest } from '../types.ts'

/** Fields whose value the caller chooses. */
const chosen = /^(?:request_id|ext_.*)$/
const namesObject = /(?:^|_)(?:id|token|wallet|code)$/
const keyPattern = /cmp_(?:test|live)_([0-9A-Za-z]{8})_/
const fieldsMax = 200

/** Names the cell of the identifier, if the refused request has one of another known cell. */
export function withCellOf(request: AppRequest, refusal: Refusal): Refusal {
  const { deps } = request.server.http
  const own = deps.random.cell ?? 0
  const isOther = (cell: number | undefined) =>
    cell !== undefined && cell !== own && (cell === 0 || deps.config.cells?.has(cell) === true)
  if (refusal.kind === 'invalid_api_key') {
    const key = keyPattern.exec(request.headers.authorization ?? JSON.stringify(request.body ?? ''))?.[1]
    const cell = key === undefined ? undefined : cellOfBase62(key)
    if (!isOther(cell)) return refusal
    return refuse(
      'invalid_api_key',
      `the API key belongs to cell ${cell}, and this is cell ${own}: send the request to the address of that cell`,
    ).refusal
  }
  if (refusal.kind !== 'not_found') return refusal
  const inPath = request.routeOptions.url?.includes('/requests/:id') ? {} : request.params
  const cell = [...idsIn(inPath), ...idsIn(request.body)].map(cellOf).find(isOther)
  if (cell === undefined) return refusal
  return refuse(
    'not_found',
    `the id belongs to cell ${cell}, and this is cell ${own}: send the request to the address of that cell`,
  ).refusal
}

function idsIn(value: unknown): string[] {
  const found: string[] = []
  const left: unknown[] = [value]
  for (let count = 0; left.length > 0 && count < fieldsMax; count++) {
    for (const [name, field] of Object.entries((left.pop() ?? {}) as Record<string, unknown>)) {
      if (typeof field === 'object') left.push(field)
      else if (typeof field === 'string' && namesObject.test(name) && !chosen.test(name)) found.push(field)
    }
  }
  return found
}

/** Only UUIDs of versions 4 and 7 and public ids of the gateway have a cell. */
function cellOf(id: string): number | undefined {
  if (isUuid(id)) return '47'.includes(id[14] as string) ? cellOfId(id) : undefined
  return /^[0-9A-Za-z]{16}$/.test(id) ? cellOfBase62(id) : undefined
}
