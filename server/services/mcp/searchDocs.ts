import { type IndexedSection, rankSections } from '@svc/core/search/rankSections.ts'

export type SearchDocsDeps = {
  /** The documents that come with the service. */
  sections(): Promise<readonly IndexedSection[]>
}

export type SearchDocsInput = { query: string; limit: number }

export type FoundDocument = { page: string; title: string; text: string }

/** Characters of a part that are shown: all of it, but for a line that is longer. */
const TEXT_MAX = 2_000

/** The parts of the service's documents that a question is about, the best first. */
export async function searchDocs(
  { sections }: SearchDocsDeps,
  { query, limit }: SearchDocsInput,
): Promise<FoundDocument[]> {
  return rankSections(await sections(), query, limit).map(({ page, headings, text }) => ({
    page,
    title: headings.join(' › '),
    text: text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()} …` : text,
  }))
}
