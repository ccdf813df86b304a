import { expect } from 'chai'
import { createKeyRing, type PrivateJwk } from '../../../../server/external/keys/keyRing.ts'
import { verifyAgentToken } from '../../../../server/external/proofs/verifyAgentToken.ts'
import { createAgentTokens } from '../../../../server/external/tokens/agentTokens.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { AUDIENCE, NOW, SVC_ID, SVCE_ID } from './openProofs.ts'

const LATE = NOW + 900_000
const [ACCOUNT, WALLET] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const

describe('verifyAgentToken', () => {
  const names: [string] = [SVC_ID]
  const accounts = { accounts: [], obtainers: [WALLET, ACCOUNT], hasForeignAccounts: false }
  const agent = { svcId: SVC_ID, names, keys: [], ...accounts }
  const jkt = createAgentKey().kid
  let agentTokens: Awaited<ReturnType<typeof createAgentTokens>>

  before(async () => {
    const { privateJwk } = createAgentKey('P-256')
    const keys = createKeyRing(privateJwk as PrivateJwk)
    agentTokens = await createAgentTokens({
      keys,
      issuer: 'https://svc.example',
      audience: 'https://svc.example',
    })
  })

  const sign = (claims: { audience?: string; jkt?: string; svcId?: string; obtainer?: string }) =>
    agentTokens.sign({ svcId: SVC_ID, tokenId: 'a', ...claims }, NOW)
  const verify = (token: string, { signers = [] as string[], now = NOW } = {}) =>
    verifyAgentToken({ agentTokens }, { agent, audience: AUDIENCE, token, signers, now })

  it('accepts a token for this endpoint, by identifier or origin, any number of times', async () => {
    for (const audience of [SVCE_ID, 'https://shop.example']) {
      const token = await sign({ audience })
      for (const _ of [1, 2]) {
        expect(await verify(token)).to.include({ found: 'valid', kid: null, use: null, hasExpired: false })
      }
    }
  })

  it('accepts a token that is bound to a key only beside a signature by that key', async () => {
    const token = await sign({ audience: SVCE_ID, jkt })
    expect(await verify(token, { signers: [jkt] })).to.include({ found: 'valid', kid: jkt })
    expect(await verify(token)).to.deep.equal({ found: 'wrong', fault: 'other_holder' })
    expect(await verify(token, { signers: ['another'] })).to.deep.equal({
      found: 'wrong',
      fault: 'other_holder',
    })
  })

  it('accepts a token only while the account that obtained it signs for the agent, and tells nobody which', async () => {
    const ofAccount = () => sign({ audience: SVCE_ID, obtainer: ACCOUNT })
    const [token, other] = [await ofAccount(), await sign({ audience: SVCE_ID, obtainer: '0xcc' })]
    expect(await verify(token)).to.include({ found: 'valid', obtainer: ACCOUNT })
    expect(await verify(other)).to.deep.equal({ found: 'wrong', fault: 'account_revoked' })
    const claimsOf = (jws: string) => Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
    expect(claimsOf(token)).to.not.include(ACCOUNT.slice(2))
    const tagOf = (jws: string) => JSON.parse(claimsOf(jws)).obtained_by
    const later = await agentTokens.sign({ svcId: SVC_ID, tokenId: 'b', obtainer: ACCOUNT }, NOW)
    expect(tagOf(later)).to.not.equal(tagOf(token))
  })

  it('refuses a token of another agent, for another endpoint or for none, and no token, also when it has expired', async () => {
    for (const at of [{ now: NOW }, { now: LATE }]) {
      const others = await sign({ audience: SVCE_ID, svcId: 'SVC-0000000000000000000000' })
      expect(await verify(others, at)).to.deep.equal({ found: 'wrong', fault: 'other_agent' })
      for (const token of [await sign({ audience: 'https://other.example' }), await sign({})]) {
        expect(await verify(token, at)).to.deep.equal({ found: 'wrong', fault: 'other_audience' })
      }
      for (const token of ['garbage', `${await sign({ audience: SVCE_ID })}A`]) {
        expect(await verify(token, at)).to.deep.equal({ found: 'wrong', fault: 'malformed' })
      }
    }
  })

  it('names a token and its time, and says of an expired one that holds otherwise only that it has', async () => {
    const token = await sign({ audience: SVCE_ID })
    const named = { tokenId: 'a', expiresAt: NOW + 900_000 }
    expect(await verify(token, { now: LATE - 1_000 })).to.deep.include({ token: named, hasExpired: false })
    expect(await verify(token, { now: LATE })).to.deep.include({ token: named, hasExpired: true })
    const wrong = { found: 'wrong', fault: 'account_revoked' }
    expect(await verify(await sign({ audience: SVCE_ID, obtainer: '0xcc' }), { now: LATE })).to.deep.equal(
      wrong,
    )
  })
})
