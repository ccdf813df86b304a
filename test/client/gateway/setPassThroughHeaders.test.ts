import type { GatewayOutcome } from '@svc/client'
import { gatewayRefusal } from '@svc/client/gateway/gatewayRefusal.ts'
import { setPassThroughHeaders } from '@svc/client/gateway/setPassThroughHeaders.ts'
import { expect } from 'chai'
import { GRANT } from './openFakeService.ts'

const FORGED = {
  ...{ 'x-svc-access-level': 'internal', 'x-svc-recommendation': 'grant', 'x-svc-identity-proof': 'token' },
  'x-svc-receipt': 'a.b.c',
  accept: '*/*',
}
const OUTCOME: GatewayOutcome = {
  passes: true,
  verified: { verified: false, accessLevel: 'none', recommendation: undefined },
  headers: {},
}
/** A signed request of a registered agent, which was granted. */
const PROVEN: GatewayOutcome = {
  ...OUTCOME,
  verified: {
    ...{ verified: true, accessLevel: 'full', recommendation: 'grant', identityProof: 'signature' },
    ...{
      agent: undefined,
      advisory: undefined,
      pdlss: undefined,
      tokenGuidance: undefined,
      sessionTokens: [],
    },
    isReused: false,
    verification: { ...GRANT, receipt: 'header.claims.signature' },
  },
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

    it(`sets every one of them in ${what} for a request that proves its agent`, () => {
      const headers = create()
      setPassThroughHeaders(headers, { setPassThroughHeader: true }, PROVEN)
      expect(entriesOf(headers)).to.deep.equal({
        ...{ accept: '*/*', 'x-svc-access-level': 'full', 'x-svc-recommendation': 'grant' },
        ...{ 'x-svc-identity-proof': 'signature', 'x-svc-receipt': 'header.claims.signature' },
      })
    })

    it(`leaves none of them in ${what} for a request that is refused`, () => {
      const headers = create()
      const refusal = gatewayRefusal.digestMismatch()
      setPassThroughHeaders(headers, { setPassThroughHeader: true }, { passes: false, refusal })
      expect(entriesOf(headers)).to.deep.equal({ accept: '*/*' })
    })
  }

  it('removes every spelling that an application takes for the same name', () => {
    const forged = { x_svc_identity_proof: 'token', 'X-Svc_Access-Level': 'full', X_Svc_Id: 'SVC-2' }
    const headers = { ...forged, 'x-svc-id': 'SVC-1' }
    setPassThroughHeaders(headers, {}, OUTCOME)
    expect(headers).to.deep.equal({ 'x-svc-id': 'SVC-1' })
  })

  it('removes them from the headers as Node received them, too', () => {
    const rawHeaders = [
      ...[
        'X-Svc-Access-Level',
        'full',
        'Accept',
        '*/*',
        'X-SVC-IDENTITY-PROOF',
        'token',
        'x-svc-id',
        'SVC-1',
      ],
      ...['X_Svc_Recommendation', 'grant'],
    ]
    setPassThroughHeaders({}, {}, OUTCOME, rawHeaders)
    expect(rawHeaders).to.deep.equal(['Accept', '*/*', 'x-svc-id', 'SVC-1'])
  })
})
