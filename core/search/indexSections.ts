import type { TextSection } from './textSections.ts'
import { wordsOf } from './wordsOf.ts'

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
