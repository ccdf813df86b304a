import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A fenced block of code of a page. */
type Block = { language: string; text: string }

/** Reads the fenced blocks of a page, whose path is relative to the project, in order. */
export function readBlocks(page: string): Block[] {
  const written = readFileSync(join(ROOT, page), 'utf8')
  return Array.from(written.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm), ([, language = '', text = '']) => ({
    language,
    text,
  }))
}
