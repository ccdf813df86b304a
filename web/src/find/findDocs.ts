import type { Finding } from './describeFinding.ts'

/** A page of the documentation with its headings, each as its text and its anchor; the site's build lists them. */
export type DocsPage = { title: string; path: string; headings: readonly (readonly [string, string])[] }

const SHOWN_MAX = 6

/**
 * Finds pages and headings of the documentation that have every word of the search: pages whose title begins with it first,
 * then those that have the words in their title, then headings.
 */
export function findDocs(pages: readonly DocsPage[], search: string): Finding[] {
  const text = search.trim().toLowerCase()
  const words = text.split(/\s+/)
  const fits = (title: string) => words.every((word) => title.toLowerCase().includes(word))
  const titled = pages.filter(({ title }) => fits(title))
  const isFirst = ({ title }: DocsPage) => title.toLowerCase().startsWith(text)
  const found = [
    ...titled.filter(isFirst).map(describePage),
    ...titled.filter((page) => !isFirst(page)).map(describePage),
    ...pages.flatMap(({ title, path, headings }) =>
      headings
        .filter(([heading]) => fits(heading) && heading !== title)
        .map(([heading, anchor]) => describe(`${path}#${anchor}`, heading, title)),
    ),
  ]
  return text === '' ? [] : found.slice(0, SHOWN_MAX)
}

function describePage({ path, title }: DocsPage): Finding {
  return describe(path, title, 'Page of the docs')
}

function describe(to: string, name: string, about: string): Finding {
  return { to, name, about, icon: 'docs' }
}
