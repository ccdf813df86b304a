import type { TextSection } from './textSections.ts'

/** A part of a document, and what each of its words counts in a search. */
export type IndexedSection = { section: TextSection; weights: ReadonlyMap<string, number> }

/** What a word in a heading counts, beside one in the text. */
const HEADING_WEIGHT = 4

/** Counts the words of documents once, for all searches in them. */
export function indexSections(sections: readonly TextSection[]): IndexedSection[] {
  return sections.map((section) => {
    const weights = new Map<string, number>()
    const add = (text: string, weight: number) => {
      for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weight)
    }
    add(section.headings.join(' '), HEADING_WEIGHT)
    add(section.text, 1)
    return { section, weights }
  })
}

/** A part of a document that a search has found; the higher its score, the better it fits. */
export type RankedSection = TextSection & { score: number }

/** How soon a word that is repeated tells no more. Source: Okapi BM25, k1. */
const SATURATION = 1.2
/** Words of a question that are looked for; a question of more is searched by its longest, which tell most. */
const WORDS_MAX = 10
/** Letters from which on a word also finds the longer ones that begin with it. */
const PREFIX_LETTERS = 4

/**
 * Finds the parts of documents that words are about, the best first: rare words count more, and those of a heading most.
 *
 * A word also finds the longer ones that begin with it. Words that stand nowhere are passed over. Anybody may ask, so
 * that what a question costs has a bound.
 */
export function rankSections(
  sections: readonly IndexedSection[],
  query: string,
  limit: number,
): RankedSection[] {
  const scores = sections.map(() => 0)
  for (const word of wantedOf(query)) {
    const found = sections.map(({ weights }) => weightOf(weights, word))
    const holders = found.filter((times) => times > 0).length
    const rarity = Math.log(1 + sections.length / (1 + holders))
    for (const [at, times] of found.entries()) {
      scores[at] = (scores[at] ?? 0) + (rarity * times) / (times + SATURATION)
    }
  }
  return sections
    .map(({ section }, at) => ({ ...section, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

function wantedOf(query: string): string[] {
  const words = [...new Set(wordsOf(query))]
  return words.length <= WORDS_MAX ? words : words.sort((a, b) => b.length - a.length).slice(0, WORDS_MAX)
}

function weightOf(weights: ReadonlyMap<string, number>, wanted: string): number {
  if (wanted.length < PREFIX_LETTERS) return weights.get(wanted) ?? 0
  let sum = 0
  for (const [word, weight] of weights) {
    if (word.startsWith(wanted)) sum += weight
  }
  return sum
}

const WORD = /[\p{L}\p{N}_]+/gu

/** The words of a text in small letters, as a search compares them. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}
