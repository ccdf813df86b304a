import type { TextSection } from '@svc/core/search/splitSections.ts'
import MiniSearch from 'minisearch'

/** Finds the sections that best match a query, best first. */
export type SectionIndex = (query: string, limit: number) => (TextSection & { score: number })[]

/** On top of the ranking's own preference for short fields. */
const HEADING_BOOST = 1.5
/** Anyone may search, so the cost of a query is bounded: of a longer one only the longest words count. */
const WORDS_MAX = 10
/** A word of at least this length also matches longer words that begin with it. */
const PREFIX_LETTERS = 4

/**
 * Builds the full-text index of the sections, a few at a time; matches of rare words and in headings rank higher.
 *
 * Source: Okapi BM25.
 */
export async function indexSections(sections: readonly TextSection[]): Promise<SectionIndex> {
  const index = new MiniSearch({
    fields: ['headings', 'text'],
    storeFields: ['section'],
    // An underscore is part of a word, so that error codes and settings are found whole.
    tokenize: wordsOf,
    searchOptions: {
      boost: { headings: HEADING_BOOST },
      prefix: (word) => word.length >= PREFIX_LETTERS,
    },
  })
  await index.addAllAsync(
    sections.map((section, id) => ({ ...section, id, section, headings: section.headings.join(' ') })),
  )
  return (query, limit) => {
    const found = index.search(pickLongestWords(query)).slice(0, limit)
    return found.map(({ section, score }) => ({ ...section, score }))
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? []
}

function pickLongestWords(query: string): string {
  const words = [...new Set(wordsOf(query.toLowerCase()))]
  return words
    .sort((a, b) => b.length - a.length)
    .slice(0, WORDS_MAX)
    .join(' ')
}
