import { canonicaliseJson } from '../canonicaliseJson.ts'
import { pickA2aMembers } from './pickA2aMembers.ts'

/**
 * Writes the text that an A2A signature covers by the letter of A2A: its members of a card, as canonical JSON.
 *
 * Required members are included even if they are empty, and others only if they are not. `buildAgentCard` writes cards in
 * exactly this form, so nothing has to be removed.
 *
 * Source: A2A 1.0 §8.4.1; RFC 8785.
 */
export function writeA2aSpecText(card: Readonly<Record<string, unknown>>): string {
  return canonicaliseJson(pickA2aMembers(card))
}
