import { canonicaliseJson } from '../canonicaliseJson.ts'
import { pickA2aMembers } from './pickA2aMembers.ts'

type Block = Readonly<Record<string, unknown>>

/**
 * Writes the text that A2A libraries sign and verify: the non-empty A2A members of a card, as canonical JSON.
 *
 * They drop every empty text, list and object, although A2A keeps those of required members (`writeA2aSpecText`).
 *
 * Source: `canonicalizeAgentCard` of the A2A SDKs; RFC 8785.
 */
export function writeA2aLibraryText(card: Block): string {
  return canonicaliseJson(omitEmpty(pickA2aMembers(card)) ?? {})
}

/** Removes empty members at any depth; undefined when nothing remains. */
function omitEmpty(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const items = value.map(omitEmpty).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]) => [name, omitEmpty(member)] as const)
  const kept = members.filter(([, member]) => member !== undefined)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
