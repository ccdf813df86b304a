import { escapeControlCharacters } from '@svc/core/escapeControlCharacters.ts'
import type { ReactNode } from 'react'

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Replaces bidirectional control characters in foreign text by their code points.
 *
 * Such a character reverses everything after it, including our own words, so that a person could approve something other
 * than what is written. Right-to-left scripts do not need them. Source: Unicode UAX #9 §2; UTR #36 §2.8.
 */
export function revealText(text: string): string {
  return escapeControlCharacters(text, DIRECTIONS)
}

/** Applies `revealText` to a plain string; any other node must do so itself. */
export function revealNode(node: ReactNode): ReactNode {
  return typeof node === 'string' ? revealText(node) : node
}
