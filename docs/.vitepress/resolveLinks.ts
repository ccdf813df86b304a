import { posix, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { sitePath } from './sitePath.ts'

/** What of markdown-it this plug-in uses. */
type Token = {
  type: string
  hidden: boolean
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/**
 * Makes links between files of the repository work on the site, so that the same Markdown reads well on both.
 *
 * A link to a file that is no page becomes plain text, because the site has only the pages. Whether the file exists is a
 * test's concern: an image is built without most of them.
 *
 * @param root of the repository.
 */
export function resolveLinks(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.push('resolve-links', ({ tokens, env }) => {
    const file = relative(root, env.realPath ?? env.path)
    for (const { children } of tokens as Token[]) resolveAll(children ?? [], file)
  })
}

function resolveAll(tokens: Token[], file: string): void {
  let isPlain = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const written = token.attrGet('href') ?? ''
      // Served beside the site's own pages, so the browser has to load it.
      if (written.startsWith('/')) token.attrSet('target', '_self')
      const href = resolve(written.replace(/^\/docs\//, '/'), file)
      isPlain = href === null
      if (href !== null) token.attrSet('href', href)
    }
    // The renderer of links ignores `hidden`.
    if (isPlain && /^link_(open|close)$/.test(token.type)) token.type = 'text'
  }
}

/** The address of a link on the site, or null if its target is no page. */
function resolve(href: string, file: string): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return href
  const [path = '', hash] = href.split('#')
  const target = posix.join(posix.dirname(file), decodeURI(path))
  const page = sitePath(target)
  if (page === null) return null
  return `/${page}${hash === undefined ? '' : `#${hash}`}`
}
