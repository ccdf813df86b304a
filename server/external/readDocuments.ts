import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitSections, type TextSection } from '@svc/core/search/splitSections.ts'

/** Reads the documents that ship with the service, by section; without the files there are none. */
export async function readDocuments(root: string): Promise<TextSection[]> {
  const below = await readdir(join(root, 'docs'), { recursive: true }).catch(() => [])
  const pages = ['README.md', ...below.map((name) => `docs/${name.replaceAll('\\', '/')}`).sort()]
  const sections = await Promise.all(
    pages
      .filter((page) => page.endsWith('.md'))
      .map(async (page) => splitSections(page, await readFile(join(root, page), 'utf8').catch(() => ''))),
  )
  return sections.flat()
}
