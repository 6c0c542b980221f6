// What an engine in WebAssembly has in its memory and in its files in memory, kept as it is and brought back.

/** A file, folder or device as Emscripten's files in memory have it. */
interface Node {
  name: string
  parent: Node
  mode: number
  /** The next one whose name has the same hash. */
  name_next?: Node | undefined
  /** Of a folder by name, of a file its bytes, of which {@link usedBytes} count. */
  contents?: Record<string, Node> | Bytes
  usedBytes?: number
  readonly stream_ops: { write?: Write }
}

type Bytes = Uint8Array | Int8Array

interface Stream {
  fd: number | null
  readonly node: Node
  readonly shared: { position: number; flags: number }
}

type Write = (stream: Stream, ...what: unknown[]) => number

/** The parts of Emscripten's module that are used here. */
interface Machine {
  readonly HEAPU8: Uint8Array
  readonly FS: {
    readonly root: Node
    nameTable: (Node | undefined)[]
    streams: (Stream | null)[]
    nextInode: number
  }
}

interface Kept {
  readonly memory: Uint8Array
  readonly nodes: ReadonlyMap<Node, ReturnType<typeof stateOf>>
  readonly names: readonly (Node | undefined)[]
  readonly streams: readonly (Stream | null)[]
  /** Where each stream stands. */
  readonly open: readonly ((Pick<Stream, 'fd'> & { readonly shared: Stream['shared'] }) | null)[]
  readonly nextInode: number
}

/** The memory of one engine. Nothing may run in the engine while it is kept or brought back. */
export class EngineMemory {
  readonly #machine: Machine
  #kept: Kept | undefined

  constructor(machine: Machine) {
    this.#machine = machine
    const operations = operationsOf(nodesUnder(machine.FS.root))
    if (operations === undefined) throw new Error('the engine has no files in memory')
    this.#copyBeforeWriting(operations)
  }

  /** Keeps everything as it is now. */
  keep(): void {
    const { FS: fs, HEAPU8: bytes } = this.#machine
    this.#kept = {
      memory: this.#copyOf(bytes),
      nodes: new Map(nodesUnder(fs.root).map((node) => [node, stateOf(node)])),
      names: [...fs.nameTable],
      streams: [...fs.streams],
      open: fs.streams.map((stream) => stream && { fd: stream.fd, shared: { ...stream.shared } }),
      nextInode: fs.nextInode,
    }
  }

  /** Into the bytes that were kept before, where they suffice: new ones cost more than copying. */
  #copyOf(bytes: Uint8Array): Uint8Array {
    const length = usedBytesOf(bytes)
    const copy = this.#kept?.memory.length === length ? this.#kept.memory : new Uint8Array(length)
    copy.set(bytes.subarray(0, length))
    return copy
  }

  /** Brings back what was kept. */
  goBack(): void {
    if (this.#kept === undefined) throw new Error('nothing of the engine was kept')
    const { memory, nodes, names, streams, open, nextInode } = this.#kept
    const { FS: fs, HEAPU8: bytes } = this.#machine
    bytes.set(memory)
    bytes.fill(0, memory.length)
    for (const [node, { contents, ...state }] of nodes)
      Object.assign(
        node,
        state,
        ArrayBuffer.isView(contents) ? { contents } : contents && { contents: { ...contents } },
      )
    fs.nameTable.splice(0, fs.nameTable.length, ...names)
    fs.streams.splice(0, fs.streams.length, ...streams)
    for (const [at, stream] of streams.entries()) {
      if (stream === null) continue
      stream.fd = open[at]?.fd ?? null
      Object.assign(stream.shared, open[at]?.shared)
    }
    fs.nextInode = nextInode
  }

  /** Bytes that are kept are never written: the first write to a file afterwards goes to a copy of them. */
  #copyBeforeWriting(operations: { write: Write }): void {
    const { write } = operations
    operations.write = (stream, ...what) => {
      const { node } = stream
      if (ArrayBuffer.isView(node.contents) && this.#kept?.nodes.get(node)?.contents === node.contents)
        node.contents = node.contents.slice()
      return write(stream, ...what)
    }
  }
}

/** Large ones, so that an engine that needs a little more is kept in as many. */
const partBytes = 2 ** 24
const zeros = new Uint8Array(partBytes)

/** How many bytes come before those of which none was ever used, in whole parts. */
function usedBytesOf(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && Buffer.compare(bytes.subarray(end - partBytes, end), zeros) === 0) end -= partBytes
  return end
}

function nodesUnder(node: Node): Node[] {
  const isFolder = node.contents !== undefined && !ArrayBuffer.isView(node.contents)
  return [node, ...(isFolder ? Object.values(node.contents as Record<string, Node>).flatMap(nodesUnder) : [])]
}

/** What all files share. */
function operationsOf(nodes: readonly Node[]): { write: Write } | undefined {
  const file = nodes.find(({ contents }) => ArrayBuffer.isView(contents))
  return file?.stream_ops as { write: Write } | undefined
}

function stateOf({ name, parent, mode, name_next, contents, usedBytes }: Node) {
  const copy = ArrayBuffer.isView(contents) || contents === undefined ? contents : { ...contents }
  return { name, parent, mode, name_next, usedBytes, contents: copy }
}
