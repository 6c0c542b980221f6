// Messages of refusals, collected from the sources, for docs/errors.md.
import { errorTable } from '../../../src/http/index.ts'
import type { RefusalKind } from '../../../src/kernel/result.ts'
import { childrenOf, isFunction, type Node, readSources, type Source } from './sources.ts'
import { type Place, Texts } from './texts.ts'

interface Message {
  readonly kind: RefusalKind
  readonly text: string
  readonly path: string
  readonly line: number
}

/** Folders and files whose messages only the backoffice, a page for customers or a command shows. */
const notOfTheApi = [
  /^src\/(audits|backoffice|backups|bank-files|cli|connections|methods\/balance|suspense)\//,
  /^src\/(callbacks\/reading|chain\/proving|http\/pages|methods\/bank-transfer|wallets\/branding)\//,
  /^src\/wallets\/(consumers|fee-model|merchants|own-settings|settings|keys\/keys)\.ts$/,
  /^src\/methods\/cards\/(page|attempts\/routes)\.ts$/,
  /^src\/http\/reference\//,
]

/** `refuse` and `deny` are declared there; their own statements refuse nothing. */
const declaredIn = 'src/kernel/result.ts'

/** A place that refuses: the expressions of the kind and of the text. */
interface Refusing {
  readonly source: Source
  readonly node: Node
  readonly kind: Node
  readonly text: Node
  /** Functions around it, the innermost first. */
  readonly around: readonly Node[]
}

/** A call of a function that passes its argument to a refusal. */
interface Call {
  readonly source: Source
  readonly node: Node
  readonly around: readonly Node[]
}

/** The messages of the API: text, fields that it can name, kind. */
export function messagesOfTheApi(): { text: string; fields: string[]; kind: RefusalKind }[] {
  const ofTheApi = collectMessages().filter(({ path }) => !notOfTheApi.some((other) => other.test(path)))
  const rows = Map.groupBy(ofTheApi.map(withField), ({ kind, field, text }) =>
    field === undefined ? `${kind} ${text}` : `${kind} <field>${text.slice(field.length)}`,
  )
  return [...rows.values()].map((alike) => {
    const [{ kind, text, field }] = alike as [ReturnType<typeof withField>]
    const named = alike.flatMap((one) =>
      one.field === undefined || one.field.startsWith('<') ? [] : [one.field],
    )
    const fields = [...new Set(named)].sort()
    const isGeneral = field !== undefined && (fields.length !== 1 || alike.length > 1)
    return { kind, fields, text: isGeneral ? `<field>${text.slice(field.length)}` : text }
  })
}

/** A message that begins with a field, such as `payment.amount must be EUR`. */
const withAField =
  /^([\w.<>[\]]+)(?: <\w+>)? (?:must|is required|is of|is not|is older|needs|excludes|has|was|cannot|belongs|holds|carries|does not)\b/
const noField = /^(it|nobody|nothing|there|what)$/

function withField(message: Message) {
  const [, field] = withAField.exec(message.text) ?? []
  return { ...message, field: field === undefined || noField.test(field) ? undefined : field }
}

/** Every message of the sources. */
function collectMessages(): Message[] {
  return collect().flatMap(({ messages }) => messages)
}

/** Characters of a message, without values and lists of words. */
const lengthMax = 120

/** Longer messages: file, line and text. */
export function longMessages(): string[] {
  const ours = (text: string) => text.replaceAll(/<[^>]*>|\w+(?:, \w+){3,}/g, '')
  const long = collectMessages().filter(({ text }) => ours(text).length > lengthMax)
  return long.map(({ path, line, text }) => `${path}:${line} ${text}`)
}

/** Calls of `refuse` and `deny` whose text cannot be read from the code: file and expression. */
export function unreadRefusals(): string[] {
  const unread = collect().filter(
    ({ refusing, messages }) => refusing.node.type === 'CallExpression' && messages.length === 0,
  )
  return unread.map(
    ({ refusing: { source, text } }) => `${source.path} ${source.text.slice(text.start, text.end)}`,
  )
}

/** Each place that refuses, with its messages. */
function collect(): { refusing: Refusing; messages: Message[] }[] {
  const sources = readSources()
  const texts = new Texts(sources)
  const found: Refusing[] = []
  const calls = new Map<Node, Call[]>()
  for (const source of sources.values()) {
    const place: Place = { source, bound: new Map() }
    walk(source.program, [], (node, around) => {
      const refusing = refusingAt(node, source, around, texts)
      if (refusing !== undefined && source.path !== declaredIn) found.push(refusing)
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return
      const declared = texts.declarationOf(node.callee, place)
      if (declared?.kind !== 'function') return
      calls.set(declared.node, [...(calls.get(declared.node) ?? []), { source, node, around }])
    })
  }
  return found.map((refusing) => {
    const messages = messagesOf(refusing, calls, texts)
    const unique = new Map(messages.map((one) => [`${one.kind} ${one.text}`, one]))
    return { refusing, messages: [...unique.values()] }
  })
}

function walk(
  node: Node,
  around: readonly Node[],
  visit: (node: Node, around: readonly Node[]) => void,
): void {
  visit(node, around)
  const inner = isFunction(node) ? [node, ...around] : around
  for (const child of childrenOf(node)) walk(child, inner, visit)
}

function refusingAt(node: Node, source: Source, around: readonly Node[], texts: Texts): Refusing | undefined {
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
    const declared = texts.declarationOf(node.callee, { source, bound: new Map() })
    if (declared?.kind !== 'function' || declared.file.path !== declaredIn) return undefined
    const [kind, text] = node.arguments
    if (!['refuse', 'deny'].includes(node.callee.name) || text === undefined) return undefined
    return { source, node, kind, text, around }
  }
  if (node.type !== 'ObjectExpression') return undefined
  const [kind, text] = ['kind', 'reason'].map(
    (name) => node.properties.find(({ key }: Node) => key?.name === name)?.value,
  )
  return kind === undefined || text === undefined ? undefined : { source, node, kind, text, around }
}

function messagesOf(
  { source, node, kind, text, around }: Refusing,
  calls: ReadonlyMap<Node, readonly Call[]>,
  texts: Texts,
): Message[] {
  const line = source.text.slice(0, node.start).split('\n').length
  return placesOf({ source, around }, calls).flatMap((place) => {
    const kinds = texts.of(kind, place).filter((one): one is RefusalKind => Object.hasOwn(errorTable, one))
    const reasons = texts.of(text, place).filter((one) => !/^<\w+>$/.test(one))
    return kinds.flatMap((one) =>
      reasons.map((reason) => ({ kind: one, text: reason, path: source.path, line })),
    )
  })
}

/** The place itself, seen from each call of the functions around it: so parameters have values. */
function placesOf(
  { source, around }: Pick<Refusing, 'source' | 'around'>,
  calls: ReadonlyMap<Node, readonly Call[]>,
  depth = 0,
): Place[] {
  const owner = around.find((one) => (calls.get(one) ?? []).length > 0)
  if (owner === undefined || depth > 1) return [{ source, bound: new Map() }]
  return (calls.get(owner) ?? []).flatMap((call) =>
    placesOf(call, calls, depth + 1).map((at) => {
      const bound = new Map(at.bound)
      bound.set(owner, { args: call.node.arguments, at })
      return { source, bound }
    }),
  )
}
