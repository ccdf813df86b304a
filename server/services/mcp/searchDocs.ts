import type { SectionIndex } from './indexSections.ts'

export type SearchDocsDeps = {
  /** The index of the documents that ship with the service. */
  index(): Promise<SectionIndex>
}

export type SearchDocsInput = { query: string; limit: number }

export type FoundDocument = { page: string; title: string; text: string }

/** Longest text shown of a section, in characters; only a section with one very long line exceeds it. */
const TEXT_MAX = 2_000

/** Finds the sections of the service's documents that match a query, best first. */
export async function searchDocs(
  { index }: SearchDocsDeps,
  { query, limit }: SearchDocsInput,
): Promise<FoundDocument[]> {
  return (await index())(query, limit).map(({ page, headings, text }) => ({
    page,
    title: headings.join(' › '),
    text: text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()} …` : text,
  }))
}
