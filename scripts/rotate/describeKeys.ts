import type { KeyRing } from '../../server/external/keys/keyRing.ts'

/** Lists the keys whose signatures are accepted, oldest first, each with what it is for now. */
export function describeKeys(
  ring: Pick<KeyRing, 'published' | 'signing' | 'acceptedUntil'>,
  now: number,
): string {
  const current = ring.signing(now).kid
  return ring
    .published(now)
    .map(({ kid, signsFrom }) => {
      if (signsFrom > now) return `${kid}  signs from ${isoOf(signsFrom)}`
      const end = ring.acceptedUntil(kid)
      const until = Number.isFinite(end) ? `accepted until ${isoOf(end)}` : null
      if (kid === current) return [`${kid}  signs`, until].filter(Boolean).join(', ')
      return `${kid}  is a former one, ${until}`
    })
    .join('\n')
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}
