import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const INLINE_SCRIPT = /<script( id="[\w-]+")?>([\s\S]*?)<\/script>/g

/**
 * Moves the inline scripts of a built page into files, because the service's pages may not contain any.
 *
 * The browser still runs them before it paints: one of them chooses between light and dark.
 */
export function moveScripts(html: string, folder: string, base: string): string {
  return html.replace(INLINE_SCRIPT, (_match, id = '', code: string) => {
    const name = `assets/inline.${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`
    writeFileSync(join(folder, name), code)
    return `<script${id} src="${base}${name}"></script>`
  })
}
