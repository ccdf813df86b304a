import type { TextSection } from './textSections.ts'

/** A part of a document that a search has found; the higher its score, the better it fits. */
export type RankedSection = TextSection & { score: number }

/** How soon a word that is repeated tells no more. Source: Okapi BM25, k1. */
const SATURATION = 1.2
/** What a word in a heading counts, beside one in the text. */
const HEADING_WEIGHT = 4
const WORD = /[\p{L}\p{N}_]+/gu

/**
 * Finds the parts of documents that words are about, the best first: rare words count more, and those of a heading most.
 *
 * A word also finds the longer ones that begin with it. Words that stand nowhere are passed over.
 */
export function rankSections(
  sections: readonly TextSection[],
  query: string,
  limit: number,
): RankedSection[] {
  const wanted = [...new Set(wordsOf(query))]
  const texts = sections.map(({ headings, text }) => ({
    heading: wordsOf(headings.join(' ')),
    body: wordsOf(text),
  }))
  const scores = sections.map(() => 0)
  for (const word of wanted) {
    const found = texts.map(({ heading, body }) => HEADING_WEIGHT * count(heading, word) + count(body, word))
    const holders = found.filter((times) => times > 0).length
    const rarity = Math.log(1 + sections.length / (1 + holders))
    for (const [at, times] of found.entries()) {
      scores[at] = (scores[at] ?? 0) + (rarity * times) / (times + SATURATION)
    }
  }
  return sections
    .map((section, at) => ({ ...section, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

function count(words: readonly string[], wanted: string): number {
  return words.filter((word) => word === wanted || (wanted.length >= 4 && word.startsWith(wanted))).length
}
