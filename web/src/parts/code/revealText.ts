import { escapeControlCharacters } from '@svc/core/escapeControlCharacters.ts'
import type { ReactNode } from 'react'

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g
/** What `isolate` makes. */
const ISOLATED = /\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069/g
/** Letters of the scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Replaces bidirectional control characters in foreign text by their code points, and isolates text of right-to-left
 * scripts.
 *
 * Such a character reverses everything after it, including our own words, so that a person could approve something other
 * than what is written; and two names of a right-to-left script beside each other would change places. Text that has been
 * revealed already stays as it is. Source: Unicode UAX #9 §2, §2.7; UTR #36 §2.8.
 */
export function revealText(text: string): string {
  const isolated = text.match(ISOLATED) ?? []
  return text
    .split(ISOLATED)
    .map((part, at) => isolate(escapeControlCharacters(part, DIRECTIONS)) + (isolated[at] ?? ''))
    .join('')
}

/** Puts text of a right-to-left script between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

/** Applies `revealText` to a plain string; any other node must do so itself. */
export function revealNode(node: ReactNode): ReactNode {
  return typeof node === 'string' ? revealText(node) : node
}
