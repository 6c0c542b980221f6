// The documentation site: docs/*.md → pages under /docs. `tools/build-docs.ts` builds it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { readAsPages } from './markdown.ts'
import { notPages, reference, sideBar, sourceFolder } from './navigation.ts'
import { portuguese } from './portuguese.ts'
import { asking, sectionsOf } from './search.ts'
import { slugOf } from './slug.ts'

/** Colours of code as classes, because the pages' policy forbids style attributes. */
const codeColours = transformerStyleToClass({ classPrefix: 'code-' })
/** A fixed name, because pages link to the file before it is written. */
const codeStyles = 'code.css'

/** Settings of VitePress. Its types would declare browser globals for all of our code, so they are not imported. */
export const site = {
  title: 'Comporta',
  lang: 'en',
  base: '/docs/',
  srcDir: sourceFolder,
  srcExclude: notPages,
  rewrites: { 'README.md': 'index.md', 'pt/README.md': 'pt/index.md' },
  cleanUrls: true,
  // Prefetching would count against the request limit of the reader's address.
  router: { prefetchLinks: false },
  // Disabling the transition needs a style element, which the policy forbids.
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
    // A change of language leads to its start page, because most guides are in English only.
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
  // Vue writes some style attributes, which the policy forbids and the pages do not need.
  transformHtml: (html: string) => html.replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1'),
  buildEnd: ({ outDir }: { outDir: string }) => writeFile(join(outDir, codeStyles), codeColours.getCSS()),
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 2_000 } },
}
