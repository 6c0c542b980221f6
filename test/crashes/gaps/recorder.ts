// Finds pairs of effects of one caller without a crash point between them.

import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, tracingChannel } from 'node:diagnostics_channel'
import files from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { type Effect, effectChannels } from '../../../src/kernel/crash-points.ts'

export interface Gap {
  readonly first: readonly string[]
  readonly next: readonly string[]
}

/** This point is inside every transaction, so it does not separate two effects. */
const within = 'transaction written, not committed'

/** Such a result means that nothing changed: another caller was first, or the row exists. */
const hasChangedNothing: ReadonlySet<unknown> = new Set([false, 'lost', 'repeated', 'refused'])

interface Event {
  readonly stack: readonly string[]
  readonly transaction: Begun | undefined
}

interface Flow {
  last?: Event | undefined
  isPointSince?: boolean
}

interface Begun extends Event {
  readonly kind: Effect['kind'] | 'post' | 'file'
  readonly flow: Flow | undefined
  readonly parent: Begun | undefined
  readonly before: Flow
  hasWritten: boolean
}

const flows = new AsyncLocalStorage<Flow>()
const current = new AsyncLocalStorage<Begun>()
const begun = new WeakMap<Effect, Begun>()
const known = new Set<string>()
let report: (gap: Gap) => void = () => undefined

export function recordGaps(found: (gap: Gap) => void): void {
  report = found
  Error.stackTraceLimit = 40
  followFlows()
  followEffects()
  followFiles()
}

function followFlows(): void {
  channel(effectChannels.flow).bindStore(flows, () => ({}))
  channel('http.server.request.start').subscribe(() => flows.enterWith({}))
  channel(effectChannels.point).subscribe((point) => {
    const flow = flows.getStore()
    if (flow !== undefined && point !== within) flow.isPointSince = true
  })
}

function followEffects(): void {
  const effects = tracingChannel<unknown, Effect>(effectChannels.effect)
  effects.start.bindStore(current, (effect) => {
    const event = begin(effect.kind)
    begun.set(effect, event)
    noteText(event, effect.text)
    return event
  })
  effects.asyncEnd.subscribe((ended) => {
    const { result, error } = ended as { result?: unknown; error?: unknown }
    const event = begun.get(ended as Effect)
    if (event?.hasWritten === true && error === undefined && !hasChangedNothing.has(result)) end(event)
  })
  channel('undici:request:create').subscribe(() => happened('post'))
}

function followFiles(): void {
  for (const name of ['rename', 'writeFile', 'unlink', 'rm', 'link', 'open'] as const) {
    const original = files.promises[name] as (...args: unknown[]) => unknown
    Object.assign(files.promises, {
      [name]: (...args: unknown[]) => {
        if (name !== 'open' || /[wa]/.test(String(args[1] ?? 'r'))) happened('file')
        return original(...args)
      },
    })
  }
  syncBuiltinESMExports()
}

function begin(kind: Begun['kind']): Begun {
  const flow = flows.getStore()
  const parent = current.getStore()
  const transaction = parent?.kind === 'transaction' ? parent : parent?.transaction
  const stack = flow === undefined ? [] : callers()
  return { kind, flow, parent, transaction, stack, before: { ...flow }, hasWritten: kind === 'write' }
}

/**
 * A statement in a transaction takes effect at the commit. A write of the sandbox counts as an effect of the rail call
 * in which it runs.
 */
function noteText(event: Begun, text: string | undefined): void {
  if (text === undefined || !/\b(insert into|delete from)\b|(?<!\bfor (no key )?)\bupdate\b/i.test(text))
    return
  const ofSandbox = /\b(into|update|from) sandbox\./.test(text)
  for (let at: Begun | undefined = event; at !== undefined; at = at.parent) {
    const takesPart = ofSandbox ? at.kind === 'rail' : at === (event.transaction ?? event)
    if (takesPart) at.hasWritten = true
  }
}

function happened(kind: 'post' | 'file'): void {
  end(begin(kind))
}

function end(event: Begun): void {
  const { flow, before } = event
  if (flow === undefined || event.stack.length === 0) return
  const isAfterOwn = flow.last?.transaction === event
  const { last, isPointSince } = isAfterOwn ? flow : before
  if (last !== undefined && isPointSince !== true) reportOnce(last.stack, event.stack)
  flow.last = event
  flow.isPointSince = false
}

function reportOnce(first: readonly string[], next: readonly string[]): void {
  const gap = `${first[0]} → ${next[0]}`
  if (!known.has(gap)) report({ first, next })
  known.add(gap)
}

function callers(): string[] {
  return (new Error('stack').stack ?? '').split('\n').flatMap((line) => {
    const [, name = '', path] =
      /at (?:async )?(?:(.*) \()?\S*\/((?:src|sandbox|drivers)\/\S+?):\d+/.exec(line) ?? []
    if (path === undefined || /^src\/(storage|kernel)\//.test(path)) return []
    return [`${path.replace(/^src\//, '')} ${name.replace(/^Object\./, '')}`.trim()]
  })
}
