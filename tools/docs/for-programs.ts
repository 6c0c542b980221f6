// The guides as Markdown for programs, and the list of them in the form of llmstxt.org.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { withoutAsides } from './markdown.ts'
import {
  allPageNames,
  isForContributors,
  ownOrigin,
  projectRoot,
  siteHas,
  sourceFolder,
  textOf,
} from './navigation.ts'

/** Files of the site by their path below /docs: each page as Markdown, and `llms.txt`. */
export function textsForPrograms(): Map<string, string> {
  const pages = allPageNames().map((name) => [addressOf(`${name}.md`), pageOf(`${name}.md`)] as const)
  return new Map([...pages, ['llms.txt', listOf(pageOf('README.md'))]])
}

/** The site shows the first page of a language at the address of its folder. */
function addressOf(page: string): string {
  return page.replace(/^(pt\/)?README\.md$/, '$1index.md')
}

/** A page without remarks for the tests. Each link leads to another page, or to a file that the site shows. */
function pageOf(page: string): string {
  const file = join(sourceFolder, page)
  const text = readFileSync(file, 'utf8').replaceAll(/^ *<!--.*-->\n\n?/gm, '')
  const shown = isForContributors(page) ? text : withoutAsides(text)
  return shown.replaceAll(
    /\[([^\]]*)\]\((?![a-z]+:|#|\/)([^)#]+)(#[^)]*)?\)/g,
    (_, words: string, target: string, anchor = '') => {
      const path = resolve(dirname(file), target)
      if (!siteHas(path)) return words
      const address = textOf(relative(projectRoot, path)) ?? addressOf(relative(sourceFolder, path))
      return `[${words}](/docs/${address}${anchor})`
    },
  )
}

/** The first page names each guide with a sentence. Here their addresses are whole, and groups are sections. */
function listOf(start: string): string {
  const [, about = ''] = /^# .*\n\n([\s\S]*?)\n\n/.exec(start) ?? []
  const parts = start.slice(start.indexOf('\n## ')).split(/\n(?=##)/)
  const sections = parts
    .map((part) => part.replace(/^### /, '## ').trim())
    .filter((part) => part.includes('\n'))
  const links = sections
    .join('\n\n')
    .replaceAll('](/', `](${ownOrigin}/`)
    .replaceAll(/^(- \[[^\]]*\]\([^)]*\)) /gm, '$1: ')
  const reference = `- [OpenAPI](${ownOrigin}/openapi.json): The API with examples and errors, in OpenAPI 3.1.`
  const older = `- [OpenAPI 3.0](${ownOrigin}/openapi-3.0.json): The same for older tools.`
  const summary = about.replaceAll('\n', '\n> ')
  return `# Comporta\n\n> ${summary}\n\n## Reference\n\n${reference}\n${older}\n\n${links}\n`
}
