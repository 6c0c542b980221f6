// The documentation site: docs/*.md → pages under /docs. `tools/build-docs.ts` builds it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { readAsPages } from './markdown.ts'
import { notPages, reference, sideBar, sourceFolder } from './navigation.ts'
import { portuguese } from './portuguese.ts'
import { asking, sectionsOf } from './search.ts'
import { slugOf } from './slug.ts'

/** Colours of code are classes, because the policy of the pages forbids style attributes. */
const codeColours = transformerStyleToClass({ classPrefix: 'code-' })
/** The name is fixed, because pages link to the file before it is written. */
const codeStyles = 'code.css'

/** Settings of VitePress. We do not import its types, because they would declare browser globals for all our code. */
export const site = {
  title: 'Comporta',
  lang: 'en',
  base: '/docs/',
  srcDir: sourceFolder,
  srcExclude: notPages,
  rewrites: { 'README.md': 'index.md', 'pt/README.md': 'pt/index.md' },
  cleanUrls: true,
  // Pages that VitePress loads in advance would count for the request limit of the reader's address.
  router: { prefetchLinks: false },
  // To disable the transition, VitePress needs a style element, which the policy forbids.
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
    // Most guides are in English only, so a change of language leads to the start page of the language.
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
  transformHead: ({ pageData }: { pageData: { relativePath: string } }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `/docs/${pageData.relativePath}` }],
  ],
  // Vue writes some style attributes, which the policy forbids. The pages do not need them.
  transformHtml: (html: string) => html.replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1'),
  buildEnd: ({ outDir }: { outDir: string }) => writeFile(join(outDir, codeStyles), codeColours.getCSS()),
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 2_000 } },
}
