// Texts that an expression can have.
import {
  childrenOf,
  type Declaration,
  isFunction,
  isNode,
  type Node,
  type Parameter,
  resolve,
  type Source,
  type Sources,
} from './sources.ts'

/** The place of an expression: its file, and the calls that give values to its parameters. */
export interface Place {
  readonly source: Source
  readonly bound: ReadonlyMap<Node, { readonly args: readonly Node[]; readonly at: Place }>
  /** Keys that several parts of a text use together, by the name of their variable. */
  readonly keys?: ReadonlyMap<string, string>
}

/** The expression that a name stands for, and its place. */
type Found = readonly [node: Node, at: Place]

const depthMax = 8
/** A part with more values than this is shown by its name. */
const valuesMax = 24
const isPlaceholder = (text: string) => /^<\w+>$/.test(text)

export class Texts {
  readonly #sources: Sources
  #depth = 0

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Possible texts of `node`, without values such as `undefined`. */
  of(node: Node, at: Place): string[] {
    if (this.#depth > depthMax) return [placeholder(node)]
    this.#depth += 1
    try {
      return [...new Set(this.#of(node, at))]
    } finally {
      this.#depth -= 1
    }
  }

  declarationOf({ name, start }: Node, { source }: Place): Declaration | undefined {
    return resolve(this.#sources, source, name, start)
  }

  #of(node: Node, at: Place): string[] {
    switch (node.type) {
      case 'Literal':
        return ['string', 'number'].includes(typeof node.value) ? [String(node.value)] : []
      case 'TemplateLiteral':
        return this.#template(node, at)
      case 'ConditionalExpression':
        return [...this.of(node.consequent, at), ...this.of(node.alternate, at)]
      case 'LogicalExpression':
        return this.#logical(node, at)
      case 'BinaryExpression':
        return this.#binary(node, at)
      case 'Identifier':
        return this.#identifier(node, at)
      case 'MemberExpression':
        return this.#member(node, at)
      case 'CallExpression':
        return this.#call(node, at)
      default: {
        const inner = innerOf(node)
        return inner === undefined ? [placeholder(node)] : this.of(inner, at)
      }
    }
  }

  #logical({ operator, left, right }: Node, at: Place): string[] {
    const first = this.of(left, at).filter((text) => operator !== '||' || text !== '')
    return [...first, ...this.of(right, at)]
  }

  #template(node: Node, at: Place): string[] {
    const { quasis, expressions } = node
    const shared = this.#sharedKeys(expressions, at)
    if (shared !== undefined) {
      const [name, keys] = shared
      return keys.flatMap((key) =>
        this.#template(node, { ...at, keys: new Map([...(at.keys ?? []), [name, key]]) }),
      )
    }
    let texts = [quasis[0].value.cooked as string]
    for (const [index, expression] of expressions.entries()) {
      const isFirst = index === 0 && quasis[0].value.cooked === ''
      const parts = this.#part(expression, at, isFirst)
      const after = quasis[index + 1].value.cooked as string
      texts = texts.flatMap((text) => parts.map((part) => `${text}${part}${after}`))
    }
    return texts.map((text) => text.replaceAll(/(<\w+>)\1/g, '$1'))
  }

  /** The variable by which several parts choose from objects, and the keys of these. */
  #sharedKeys(expressions: readonly Node[], at: Place): [string, string[]] | undefined {
    const chosen = expressions.filter(
      ({ type, computed, property }) =>
        type === 'MemberExpression' && computed && property.type === 'Identifier',
    )
    const name: string | undefined = chosen[0]?.property.name
    const isShared = name !== undefined && chosen.filter(({ property }) => property.name === name).length > 1
    if (!isShared || at.keys?.has(name)) return undefined
    const [object] = this.#objectOf(chosen[0].object, at) ?? []
    const keys = object?.properties.map(({ key }: Node) => key?.name ?? key?.value)
    return keys === undefined ? undefined : [name, keys]
  }

  /** The values of a part of a text; its own name if they are unknown or too many. */
  #part(expression: Node, at: Place, isFirst: boolean): string[] {
    const found = this.of(expression, at)
    const isKnown = found.length > 0 && found.length <= valuesMax && !(isFirst && found.includes(''))
    // A path that a function puts together is shown by its name; `split[<index>]` stays.
    const isVague =
      found.some(isPlaceholder) || (found.length > 1 && found.some((text) => text.startsWith('<')))
    return isKnown && !isVague ? found : [placeholder(expression)]
  }

  #binary(node: Node, at: Place): string[] {
    const { operator, left, right } = node
    const [one, other] = [this.of(left, at), this.of(right, at)]
    const [a, b] = [Number(one[0]), Number(other[0])]
    const values: Readonly<Record<string, number>> = { '*': a * b, '/': a / b, '+': a + b, '-': a - b }
    const value = values[operator] ?? Number.NaN
    if (one.length === 1 && other.length === 1 && !Number.isNaN(value)) return [String(value)]
    const isText = [left, right].some(
      ({ type, value: literal }: Node) => type === 'TemplateLiteral' || typeof literal === 'string',
    )
    if (operator !== '+' || !isText) return [placeholder(node)]
    return one.flatMap((text) => other.map((next) => `${text}${next}`))
  }

  #identifier(node: Node, at: Place): string[] {
    if (node.name === 'undefined') return []
    const key = at.keys?.get(node.name)
    if (key !== undefined) return [key]
    const found = this.#behind(node, at)
    return found === undefined ? [placeholder(node)] : this.of(...found)
  }

  /** The expression that a name is a name for; undefined if only a request decides it. */
  #behind(node: Node, at: Place): Found | undefined {
    const declared = this.declarationOf(node, at)
    if (declared?.kind === 'value') return [declared.node, { ...at, source: declared.file }]
    return declared?.kind === 'parameter' ? this.#argument(declared.parameter, at) : undefined
  }

  #argument({ owner, index, property }: Parameter, { bound }: Place): Found | undefined {
    const call = bound.get(owner)
    const given = call?.args[index]
    if (call === undefined || given === undefined) return undefined
    if (property === undefined) return [given, call.at]
    const [object, at] = this.#objectOf(given, call.at) ?? []
    const value = object?.properties.find(({ key }: Node) => key?.name === property)?.value
    return value === undefined || at === undefined ? undefined : [value, at]
  }

  /** The object or list of the sources that an expression is. */
  #literalOf(node: Node, at: Place): Found | undefined {
    if (['ObjectExpression', 'ArrayExpression'].includes(node.type)) return [node, at]
    const inner = innerOf(node)
    if (inner !== undefined) return this.#literalOf(inner, at)
    const found = node.type === 'Identifier' ? this.#behind(node, at) : undefined
    return found === undefined || found[0] === node ? undefined : this.#literalOf(...found)
  }

  #objectOf(node: Node, at: Place): Found | undefined {
    const found = this.#literalOf(node, at)
    return found?.[0].type === 'ObjectExpression' ? found : undefined
  }

  /** A property of an object of the sources; all of them if the name is not known. */
  #member(node: Node, at: Place): string[] {
    const { object, property, computed } = node
    const [literal, there] = this.#objectOf(object, at) ?? []
    if (literal === undefined || there === undefined) return [placeholder(node)]
    const wanted = computed ? at.keys?.get(property.name) : property.name
    const chosen = literal.properties.filter(
      ({ key }: Node) => wanted === undefined || (key?.name ?? key?.value) === wanted,
    )
    if (chosen.length === 0 || chosen.some(({ value }: Node) => value === undefined))
      return [placeholder(node)]
    return chosen.flatMap(({ value }: Node) => this.of(value, there))
  }

  /** The result of a function of the sources; for others the name of their argument. */
  #call(node: Node, at: Place): string[] {
    const { callee } = node
    if (callee.type === 'MemberExpression' && callee.property.name === 'join') return this.#joined(node, at)
    const declared = callee.type === 'Identifier' ? this.declarationOf(callee, at) : undefined
    if (declared?.kind !== 'function') return [placeholder(node)]
    const bound = new Map(at.bound)
    bound.set(declared.node, { args: node.arguments, at })
    const returned = returnsOf(declared.node)
      .flatMap((one) => this.of(one, { source: declared.file, bound }))
      .filter((text) => text !== '' && !/^[-.<>\w]*>$/.test(text))
    return returned.length > 0 ? returned : [placeholder(node)]
  }

  #joined(node: Node, at: Place): string[] {
    const [list, there] = this.#literalOf(node.callee.object, at) ?? []
    if (list?.type !== 'ArrayExpression' || there === undefined) return [placeholder(node)]
    const words = list.elements.map((one: Node) => this.of(one, there))
    const isKnown = words.every((found: string[]) => found.length === 1 && !isPlaceholder(found[0] ?? '<>'))
    const separator = node.arguments[0]?.value ?? ','
    return [isKnown ? words.flat().join(separator) : placeholder(node)]
  }
}

/** The expression within a cast, an `await` or brackets. */
function innerOf({ type, expression, argument }: Node): Node | undefined {
  const isWrapper = /^TS(As|Satisfies|NonNull)|^(Parenthesized|Await|Chain)Expression$/.test(type)
  return isWrapper ? (expression ?? argument) : undefined
}

/** Return values of a function, without those of inner functions. */
function returnsOf(declared: Node): Node[] {
  if (declared.body === null) return []
  if (declared.body.type !== 'BlockStatement') return [declared.body]
  const within = (node: Node): Node[] => {
    if (isFunction(node)) return []
    if (node.type === 'ReturnStatement') return isNode(node.argument) ? [node.argument] : []
    return childrenOf(node).flatMap(within)
  }
  return within(declared.body)
}

/** `<name>`: how a reader knows the part that a request decides. */
function placeholder(node: Node): string {
  return `<${nameOf(node)}>`
}

/** Words that say how a part is written, and not which part it is. */
const ofForm = /^(text|code|value|reason|first|last|this|length|size)$/
const ofLanguage = /^(JSON|Math|Object|Array|String|Number|Buffer|Set|Map)$/

function nameOf(node: Node): string {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'MemberExpression':
      return node.computed || ofForm.test(node.property.name) ? nameOf(node.object) : node.property.name
    case 'CallExpression':
    case 'NewExpression': {
      const { callee, arguments: args } = node
      const isMethod = callee.type === 'MemberExpression' && !ofLanguage.test(callee.object.name ?? '')
      if (isMethod) return nameOf(callee.object)
      const first = args.find(({ type }: Node) => !/Function|Literal/.test(type))
      return nameOf(first ?? callee)
    }
    case 'ArrayExpression':
      return nameOf(node.elements[0] ?? { type: '' })
    case 'BinaryExpression':
      return nameOf(node.left.type === 'Literal' ? node.right : node.left)
    case 'ConditionalExpression':
      return nameOf(node.consequent)
    case 'TemplateLiteral':
      return nameOf(node.expressions[0] ?? { type: '' })
    default: {
      const inner = node.expression ?? node.argument ?? node.left
      return isNode(inner) ? nameOf(inner) : 'value'
    }
  }
}
