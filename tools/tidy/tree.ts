// Files of the project as tidy reads them.
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** A broken rule: the place, the error, and how to correct it. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly wrong: string
  readonly fix: string
}

export function findingAt(file: TextFile, offset: number, wrong: string, fix: string): Finding {
  return { path: file.path, line: file.lineOf(offset), wrong, fix }
}

export interface TextFile {
  readonly path: string
  readonly text: string
  lineOf(offset: number): number
}

export interface Located {
  readonly text: string
  readonly offset: number
}

interface Import extends Located {
  /** The import is only for types, so it does not exist at run time. */
  readonly typesOnly: boolean
  readonly deferred?: true
}

interface Comment extends Located {
  readonly kind: 'Line' | 'Block'
}

export interface CodeFile extends TextFile {
  readonly imports: readonly Import[]
  readonly importedNames: readonly Located[]
  readonly mentions: readonly Located[]
  readonly comments: readonly Comment[]
}

export interface Tree {
  readonly root: string
  readonly code: readonly CodeFile[]
  readonly texts: readonly TextFile[]
}

const codeGlobs = [
  '*.ts',
  '{src,client,sandbox,drivers,examples,test,tools,bench,web,sdk,bin}/**/*.{ts,tsx,js,mjs}',
]
const textGlobs = [
  '*.{md,json}',
  '{docs,.ci,deploy,examples,web,test,bench,sdk}/**/*.{md,json,css,html,svg,sh,yml,php}',
  '.ci/*',
]
const outside = ['**/node_modules/**', '**/dist/**', '**/data/**', 'package-lock.json']

export function readTree(root: string): Tree {
  const code = pathsOf(root, codeGlobs).map((path) => readCode(textFile(root, path)))
  const known = new Set(code.map((file) => file.path))
  const others = pathsOf(root, textGlobs).filter((path) => !known.has(path))
  return { root, code, texts: [...code, ...others.map((path) => textFile(root, path))] }
}

function pathsOf(root: string, globs: readonly string[]): string[] {
  const found = globSync([...globs], { cwd: root, exclude: [...outside], withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return [...new Set(paths.map((path) => path.slice(root.length + 1).replaceAll('\\', '/')))].sort()
}

function textFile(root: string, path: string): TextFile {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, lineOf: (offset) => text.slice(0, offset).split('\n').length }
}

function readCode(file: TextFile): CodeFile {
  const { program, module, comments, errors } = parseSync(file.path, file.text)
  if (errors.length > 0) throw new Error(`${file.path} cannot be parsed: ${errors[0]?.message}`)
  const imports: Import[] = []
  const importedNames: Located[] = []
  for (const entry of module.staticImports) {
    const typesOnly = entry.entries.length > 0 && entry.entries.every(({ isType }) => isType)
    imports.push({ text: entry.moduleRequest.value, offset: entry.start, typesOnly })
    for (const { importName } of entry.entries) {
      if (importName.name) importedNames.push({ text: importName.name, offset: entry.start })
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, start, isType } of entries) {
      if (moduleRequest) imports.push({ text: moduleRequest.value, offset: start, typesOnly: isType })
    }
  }
  return {
    ...file,
    imports,
    importedNames,
    comments: comments
      .filter(({ start }) => !file.text.startsWith('#!', start))
      .map(({ value, start, type }) => ({ text: value, offset: start, kind: type })),
    ...visited(program, file.text, imports),
  }
}

function visited(program: ReturnType<typeof parseSync>['program'], text: string, imports: Import[]) {
  const mentions: Located[] = []
  const source = (node: { start: number; end: number }) => text.slice(node.start, node.end)
  new Visitor({
    ImportExpression({ source: request, start }) {
      if (request.type === 'Literal') {
        imports.push({ text: String(request.value), offset: start, typesOnly: false, deferred: true })
      }
    },
    TSImportType({ source: request, start }) {
      imports.push({ text: request.value, offset: start, typesOnly: true })
    },
    MemberExpression(node) {
      mentions.push({ text: source(node), offset: node.start })
    },
    NewExpression({ callee, arguments: given, start }) {
      mentions.push({ text: `new ${source(callee)}(${given.length === 0 ? '' : '…'})`, offset: start })
    },
    CallExpression({ callee, start }) {
      mentions.push({ text: `${source(callee)}(`, offset: start })
    },
  }).visit(program)
  return { mentions }
}

export function isTest(path: string): boolean {
  return path.startsWith('test/') || /\.test\.tsx?$/.test(path)
}

export function targetsOf(file: CodeFile) {
  return file.imports
    .filter(({ text }) => text.startsWith('.'))
    .map(({ text, offset, typesOnly, deferred = false }) => ({
      target: posix.join(posix.dirname(file.path), text),
      line: file.lineOf(offset),
      isLoaded: !typesOnly && !deferred,
    }))
}
