/** Members of an event without names, amounts or addresses, which the feed counts and shows without the payload. */
export const COUNTED_MEMBERS: readonly string[] = [
  'recommendation',
  'accessLevel',
  'countsAgainstAgent',
  'identityProof',
  'behaviourSource',
  'svceId',
  'endpointTier',
]
