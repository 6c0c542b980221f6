// Translations of the WooCommerce plugin: the template for translators, and the form that WordPress loads.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const domain = 'comporta-for-woocommerce'
const call = new RegExp(
  String.raw`(?:/\* translators: (.*?) \*/\s*[^\n]*?)?__\(\s*'((?:[^'\\]|\\.)*)',\s*'${domain}'\s*\)`,
  'g',
)
const header = (language: string) =>
  [`Project-Id-Version: ${domain}`, `Language: ${language}`, 'MIME-Version: 1.0']
    .concat('Content-Type: text/plain; charset=UTF-8', 'Plural-Forms: nplurals=2; plural=n != 1;')
    .map((line) => `${JSON.stringify(`${line}\n`)}\n`)
    .join('')

export function textsOf(folder: string): Map<string, string | undefined> {
  const files = globSync('**/*.php', { cwd: folder, exclude: ['languages/**'] }).sort()
  const calls = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(call)])
  const texts = new Map<string, string | undefined>()
  for (const [, hint, text = ''] of calls) {
    const plain = text.replaceAll("\\'", "'")
    texts.set(plain, texts.get(plain) ?? hint)
  }
  return texts
}

function templateOf(texts: ReadonlyMap<string, string | undefined>): string {
  const entries = [...texts].map(([text, hint]) => {
    const told = hint === undefined ? '' : `#. translators: ${hint}\n`
    const format = text.includes('%') ? '#, php-format\n' : ''
    return `\n${told}${format}msgid ${JSON.stringify(text)}\nmsgstr ""\n`
  })
  return `msgid ""\nmsgstr ""\n${header('')}${entries.join('')}`
}

export function translationsOf(po: string): Map<string, string> {
  const entries = po.matchAll(/^msgid (".+")\nmsgstr (".*")$/gm)
  return new Map([...entries].map(([, text = '', word = '']) => [JSON.parse(text), JSON.parse(word)]))
}

/** Writes the translations as PHP code, which WordPress loads since 6.5 without parsing. */
function loadedForm(language: string, translations: ReadonlyMap<string, string>): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const messages = [...translations].map(([text, word]) => `\t\t${quoted(text)} => ${quoted(word)},\n`)
  return `<?php
return array(
	'domain'       => '${domain}',
	'language'     => '${language}',
	'plural-forms' => 'nplurals=2; plural=n != 1;',
	'messages'     => array(
${messages.join('')}	),
);
`
}

export function filesOf(folder: string): Map<string, string> {
  const files = new Map([[`languages/${domain}.pot`, templateOf(textsOf(folder))]])
  for (const file of globSync(`languages/${domain}-*.po`, { cwd: folder })) {
    const language = file.slice(`languages/${domain}-`.length, -'.po'.length)
    const translations = translationsOf(readFileSync(join(folder, file), 'utf8'))
    files.set(file.replace(/\.po$/, '.l10n.php'), loadedForm(language, translations))
  }
  return files
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'deploy/woocommerce', domain)
  for (const [path, content] of filesOf(folder)) writeFileSync(join(folder, path), content)
}
