import { escapeControlCharacters } from '@svc/core/escapeControlCharacters.ts'
import type { ReactNode } from 'react'

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A text that somebody else wrote, with the signs that turn the direction of writing shown by their numbers.
 *
 * What follows such a sign is read backwards, our own words among it, so that a person would approve something else than is
 * written. Letters that are written from right to left need none of them. Source: Unicode UAX #9 §2; UTR #36 §2.8.
 */
export function visibleText(text: string): string {
  return escapeControlCharacters(text, DIRECTIONS)
}

/** The same for what may be more than a text, which has to see to its own. */
export function visibleNode(node: ReactNode): ReactNode {
  return typeof node === 'string' ? visibleText(node) : node
}
