import { expect } from 'chai'
import { ApiError } from '../../../server/errors.ts'
import { actsForOf } from '../../../server/services/actsForOf.ts'
import { mayWriteFor } from '../../../server/services/mayWriteFor.ts'
import type { Principal } from '../../../server/services/principal.ts'
import { requireElevation } from '../../../server/services/requireElevation.ts'

const [OWN, READ] = ['SVCD-0000000000000000000001', 'SVCO-0000000000000000000001']
const ACCOUNT = {
  userId: 'user',
  developerId: OWN,
  actsFor: new Set([OWN, READ]),
  writesFor: new Set([OWN]),
  suspendedOrganizations: new Set<string>(),
}
const SESSION = { kind: 'session', sessionId: 's', role: 'user', amr: ['pwd'], authenticatedAt: 0 } as const
const KEY: Principal = { kind: 'apiKey', keyId: 'key', personId: 'user', organizationId: null, ...ACCOUNT }
const USER: Principal = { ...SESSION, ...ACCOUNT, isElevated: false }
const RAISED: Principal = { ...SESSION, ...ACCOUNT, isElevated: true }
const WITHOUT_ACCOUNT: readonly Principal[] = [
  { kind: 'nobody' },
  { kind: 'signature', address: '0x1111111111111111111111111111111111111111', nonce: 'n' },
  { kind: 'agent', svcId: 'SVC-0000000000000000000001' },
]

describe('callers that act for an owner', () => {
  it('are its account, by key and by session, with write access unless it only reads', () => {
    for (const principal of [KEY, USER, RAISED]) {
      expect([...actsForOf(principal)]).to.deep.equal([OWN, READ])
      expect(mayWriteFor(principal, OWN)).to.equal(true)
      expect(mayWriteFor(principal, READ)).to.equal(false)
      expect(mayWriteFor(principal, 'SVCO-0000000000000000000002')).to.equal(false)
    }
  })

  it('are never without an account: no signature, no agent', () => {
    for (const principal of WITHOUT_ACCOUNT) {
      expect([...actsForOf(principal)]).to.deep.equal([])
      expect(mayWriteFor(principal, OWN)).to.equal(false)
    }
  })
})

describe('a fresh passkey', () => {
  const codeFor = (principal: Principal) => {
    try {
      requireElevation(principal)
      return null
    } catch (error) {
      return error instanceof ApiError ? error.code : error
    }
  }

  it('exists in an elevated session only', () => {
    expect(codeFor(RAISED)).to.equal(null)
    expect(codeFor(USER)).to.equal('ELEVATION_REQUIRED')
    expect(codeFor(KEY)).to.equal('SESSION_REQUIRED')
    for (const principal of WITHOUT_ACCOUNT) expect(codeFor(principal)).to.equal('UNAUTHENTICATED')
  })
})
