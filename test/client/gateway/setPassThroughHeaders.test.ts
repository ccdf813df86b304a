import type { GatewayOutcome } from '@svc/client'
import { setPassThroughHeaders } from '@svc/client/gateway/setPassThroughHeaders.ts'
import { expect } from 'chai'

const FORGED = { 'x-svc-access-level': 'internal', 'x-svc-recommendation': 'grant', accept: '*/*' }
const OUTCOME: GatewayOutcome = {
  passes: true,
  verified: { verified: false, accessLevel: 'none', recommendation: undefined },
  headers: {},
}

describe('setPassThroughHeaders', () => {
  for (const [what, create] of [
    ['an object', () => ({ ...FORGED })],
    ['a Headers', () => new Headers(FORGED)],
  ] as const) {
    const entriesOf = (headers: object) => {
      return headers instanceof Headers ? Object.fromEntries(headers) : headers
    }

    it(`removes the caller’s own from ${what}`, () => {
      const headers = create()
      setPassThroughHeaders(headers, {}, OUTCOME)
      expect(entriesOf(headers)).to.deep.equal({ accept: '*/*' })
    })

    it(`sets those of the decision in ${what}, without one that has no value`, () => {
      const headers = create()
      setPassThroughHeaders(headers, { setPassThroughHeader: true }, OUTCOME)
      expect(entriesOf(headers)).to.deep.equal({ accept: '*/*', 'x-svc-access-level': 'none' })
    })
  }
})
