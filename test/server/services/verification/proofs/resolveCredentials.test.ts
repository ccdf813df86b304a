import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { expect } from 'chai'
import type { VerifiableAgent } from '../../../../../server/services/verification/parties/verifiableAgent.ts'
import {
  moveForeignName,
  resolveCredentials,
} from '../../../../../server/services/verification/proofs/resolveCredentials.ts'

const REGISTRY = 'eip155:8453:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'
const [FIRST, SECOND, ADOPTED] = [`${REGISTRY}/1`, `${REGISTRY}/2`, `${REGISTRY}/3`]

describe('resolveCredentials', () => {
  let visits: number[]
  beforeEach(() => {
    visits = []
  })
  const resolve = (tokens: string[], fields: object = {}) => {
    const credentials = tokens.map((value) => ({ type: 'erc8004', value }))
    const known = deriveCredentialLookupKey('erc8004', ADOPTED)
    const deps = {
      agentByCredential: (key: string) =>
        key === known ? { agentId: 'SVC-3', validFrom: null, expiresAt: null } : null,
      foreign: {
        visit: async ({ agentId }: { agentId: number }) => {
          visits.push(agentId)
          return { svcId: `SVC-${agentId}` } as VerifiableAgent
        },
        confirm: async () => null,
      },
    }
    const request = moveForeignName({ ...fields, credentials } as VerificationRequest)
    return resolveCredentials(deps, { request, now: 0, waitForHost: (work) => work() })
  }

  it('finds the agent of a token, which may also stand in place of the identifier', async () => {
    const moved = await resolve([FIRST], { agentId: FIRST.replace('0x8004a', '0x8004A') })
    expect([moved.isUnknown, moved.request.agentId, visits]).to.deep.equal([false, 'SVC-1', [1]])
    const adopted = await resolve([ADOPTED])
    expect([adopted.isUnknown, adopted.request.agentId, visits]).to.deep.equal([false, 'SVC-3', [1]])
  })

  it('visits one token a request, and none once the credentials contradict each other', async () => {
    expect((await resolve([FIRST, SECOND])).isUnknown).to.equal(true)
    expect(visits).to.deep.equal([1])
    const contradictory = await resolve([ADOPTED, SECOND], { agentId: 'SVC-9' })
    expect([contradictory.isUnknown, visits]).to.deep.equal([true, [1]])
    expect(contradictory.request.credentials?.map(({ value }) => value.slice(0, 7))).to.deep.equal([
      'sha256:',
      'sha256:',
    ])
  })
})
