// The documentation site: docs/*.md → pages under /docs. `tools/build-docs.ts` builds it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { readAsPages } from './markdown.ts'
import { notPages, reference, sideBar, sourceFolder } from './navigation.ts'
import { portuguese } from './portuguese.ts'
import { asking, sectionsOf } from './search.ts'
import { slugOf } from './slug.ts'

/** Colours of code as classes: the policy of the pages allows no style attributes. */
const codeColours = transformerStyleToClass({ classPrefix: 'code-' })
/** Its name is the same in each build: pages name it before it is written. */
const codeStyles = 'code.css'

/** Settings of VitePress, whose types are not loaded: they declare what browsers have for all of our code. */
export const site = {
  title: 'Comporta',
  lang: 'en',
  base: '/docs/',
  srcDir: sourceFolder,
  // Long tables are read in the repository.
  srcExclude: notPages,
  rewrites: { 'README.md': 'index.md', 'pt/README.md': 'pt/index.md' },
  cleanUrls: true,
  // Each page would load those that it links to, and count against the limit of its reader's address.
  router: { prefetchLinks: false },
  // Its page would write a style element while the scheme changes.
  appearance: { disableTransition: false },
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['link', { rel: 'stylesheet', href: `/docs/${codeStyles}` }],
  ],
  markdown: { codeTransformers: [codeColours], config: readAsPages, anchor: { slugify: slugOf } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: { _splitIntoSections: sectionsOf, searchOptions: asking },
        locales: { pt: { translations: portuguese.search } },
      },
    },
    // Each language begins at its start page: most guides are in English alone.
    i18nRouting: false,
    outline: [2, 3],
    externalLinkIcon: true,
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: sideBar(), nav: [reference] } },
    pt: { label: 'Português', lang: 'pt-PT', themeConfig: portuguese.theme },
  },
  transformPageData(page: { relativePath: string; frontmatter: Record<string, unknown> }) {
    if (/^(pt\/)?index\.md$/.test(page.relativePath)) page.frontmatter.pageClass = 'start'
  },
  // Vue writes some style attributes for browsers without scripts; the policy allows none, and none is missed.
  transformHtml: (html: string) => html.replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1'),
  buildEnd: ({ outDir }: { outDir: string }) => writeFile(join(outDir, codeStyles), codeColours.getCSS()),
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 2_000 } },
}
