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

/** The members of a card that A2A defines, without `signatures`. Source: A2A 1.0 §4.4.1. */
export function pickA2aMembers(card: Block): Block {
  return Object.fromEntries(
    A2A_MEMBERS.filter((member) => card[member] !== undefined).map((member) => [member, card[member]]),
  )
}
