import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { compressFiles } from '../../scripts/compressFiles.ts'
import { createPageIndex } from './createPageIndex.ts'
import { moveScripts } from './moveScripts.ts'
import { readSidebar } from './readSidebar.ts'
import { writeReference } from './reference/writeReference.ts'
import { resolveLinks } from './resolveLinks.ts'
import { sitePath } from './sitePath.ts'
import { slugifyHeading } from './slugifyHeading.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Markdown that the site does not show. Links and the search index would otherwise include it. */
const NOT_SHOWN = globSync('**/*.md', {
  cwd: ROOT,
  exclude: (name) => /(^|\/)(node_modules|dist|cache|data|\.[\w-]+)$/.test(name),
}).filter((file) => sitePath(file) === null)

const BASE = '/docs/'

const pageIndex = createPageIndex(BASE)

/**
 * Builds the documentation into `docs/.vitepress/dist`, which the service serves under `/docs`: `npm run build:docs`.
 *
 * Pages are those of the repository, unchanged; the site adds the navigation, the search and the API reference. Nothing is
 * loaded from elsewhere, and no page has an inline script, which the service's Content-Security-Policy forbids.
 */
export default defineConfig({
  base: BASE,
  lang: 'en',
  title: 'Agent registry',
  description: 'Agent verification and endpoint registry: may this agent do this here, now?',
  srcDir: '..',
  srcExclude: NOT_SHOWN,
  rewrites: (file) => sitePath(file) ?? file,
  // Every folder of the repository with a `config.ts` would count as configuration of its pages.
  additionalConfig: {},
  // The address of a service that the reader starts, and the page that is added after the others.
  ignoreDeadLinks: [/^http:\/\/localhost:/, /^\/reference$/],
  cleanUrls: true,
  // The dashboard's, from outside the site.
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  // What the reader's system prefers, until the reader chooses.
  appearance: true,
  // The index of the search is one chunk, which is loaded with the first search.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugifyHeading },
    config: (markdown) => resolveLinks(markdown, ROOT),
    headers: { level: [2, 3] },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/protect-an-api' },
      { text: 'Concepts', link: '/concepts/boundaries' },
      { text: 'API reference', link: '/reference', target: '_self' },
      { text: 'Dashboard', link: '/../', target: '_self' },
    ],
    sidebar: readSidebar(ROOT),
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
  transformPageData(page) {
    pageIndex.add(page)
    // The browser reads them from the page that it shows.
    return { headers: [] }
  },
  transformHtml: (html, _file, { siteConfig }) => moveScripts(html, siteConfig.outDir, siteConfig.site.base),
  buildEnd: async ({ outDir }) => {
    writeReference(outDir)
    pageIndex.write(outDir)
    await compressFiles(
      globSync('**/*.{html,js,json,css,svg}', { cwd: outDir }).map((file) => join(outDir, file)),
    )
  },
})
