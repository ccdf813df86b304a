import { canonicaliseJson } from '../canonicaliseJson.ts'

type Block = Readonly<Record<string, unknown>>

/** Members of an A2A 1.0 card that this registry writes; a plain A2A verifier drops all others. */
const A2A_MEMBERS = [
  'name',
  'description',
  'version',
  'iconUrl',
  'supportedInterfaces',
  'provider',
  'capabilities',
  'securitySchemes',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
]

/**
 * Writes the text that an A2A signature covers: the non-empty A2A members of a card, as canonical JSON.
 *
 * Protocol Buffers do not distinguish an empty text, list or object from a missing one, so A2A signs neither.
 *
 * Source: A2A 1.0 §8.4.1; RFC 8785.
 */
export function writeA2aSigningText(card: Block): string {
  const members = A2A_MEMBERS.map((member) => [member, card[member]] as const)
  return canonicaliseJson(omitEmpty(Object.fromEntries(members)) ?? {})
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
