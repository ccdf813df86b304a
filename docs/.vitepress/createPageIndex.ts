import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageData } from 'vitepress'

/** Pages whose headings are the same on each of them, so that only their titles find them. */
const ONLY_TITLES = /^(changelog|client-reference\/)/

/** A page with its headings, each as its text and its anchor. */
type IndexedPage = {
  title: string
  path: string
  headings: readonly (readonly [text: string, anchor: string])[]
}

/** Collects the pages of the site with their headings, for searches from outside such as that of the dashboard. */
export function createPageIndex(base: string) {
  // A page is added once for the browser and once for the server.
  const pages = new Map<string, IndexedPage>()
  return {
    add({ relativePath, title, headers = [] }: Pick<PageData, 'relativePath' | 'title' | 'headers'>): void {
      if (title === '') return
      const path = base + relativePath.replace(/(^|\/)index\.md$|\.md$/, '$1')
      const headings = ONLY_TITLES.test(relativePath) ? [] : listHeadings(headers)
      pages.set(path, { title, path, headings })
    },

    /** Writes `pages.json`, in the order of the addresses. */
    write(folder: string): void {
      const reference = { title: 'API reference', path: `${base}reference`, headings: [] }
      const listed = [...pages.values(), reference].sort((one, other) => (one.path < other.path ? -1 : 1))
      writeFileSync(join(folder, 'pages.json'), JSON.stringify(listed))
    },
  }
}

type Header = NonNullable<PageData['headers']>[number]

function listHeadings(headers: readonly Header[]): [string, string][] {
  return headers.flatMap(({ title, slug, children = [] }) => [[title, slug], ...listHeadings(children)])
}
