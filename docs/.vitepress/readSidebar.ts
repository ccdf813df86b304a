import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { sitePath } from './sitePath.ts'

/** Folders whose own index is long and is shown folded, with the title of the group. */
const FOLDED = [
  ['docs/client-reference/README.md', 'Client library, by module'],
  ['docs/decisions/README.md', 'Design decisions'],
] as const

/**
 * Reads the navigation from the indexes of the documentation, so that a page is listed in one place.
 *
 * Each heading of `docs/README.md` is a group, and each first link of a list item an entry.
 *
 * @param root of the repository.
 */
export function readSidebar(root: string): DefaultTheme.SidebarItem[] {
  const index = readFileSync(posix.join(root, 'docs/README.md'), 'utf8')
  const groups = index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text = '', href = '']) => ({
        text,
        ...addressOf('docs', href),
      })),
    }))
  return [...groups, ...FOLDED.map(([file, text]) => readFolder(root, file, text))]
}

function readFolder(root: string, file: string, text: string): DefaultTheme.SidebarItem {
  const folder = posix.dirname(file)
  const links = readFileSync(posix.join(root, file), 'utf8').matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)
  const items = Array.from(links, ([, name = '', href = '']) => ({
    text: titleOf(root, posix.join(folder, href), name),
    ...addressOf(folder, href),
  }))
  return { text, collapsed: true, items }
}

/** The title of a page without the number of a decision. */
function titleOf(root: string, file: string, fallback: string): string {
  const title = /^# (?:\d{4} )?(.+)$/m.exec(readFileSync(posix.join(root, file), 'utf8'))?.[1]
  return title ?? fallback
}

function addressOf(folder: string, href: string): { link: string; target?: string } {
  // A page that is not written in Markdown has to be loaded by the browser.
  if (href.startsWith('/')) return { link: href.replace('/docs', ''), target: '_self' }
  const page = sitePath(posix.join(folder, href))
  if (page === null) throw new Error(`docs/README.md lists ${href}, which is not part of the site`)
  return { link: `/${page}` }
}
