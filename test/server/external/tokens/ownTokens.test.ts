import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { createKeyRing } from '../../../../server/external/keys/keyRing.ts'
import type { SigningKey } from '../../../../server/external/keys/readSigningKey.ts'
import { createAccessTokens } from '../../../../server/external/tokens/accessTokens.ts'
import { createAgentTokens } from '../../../../server/external/tokens/agentTokens.ts'
import { createElevationTokens } from '../../../../server/external/tokens/elevationTokens.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NOW = Date.UTC(2026, 2, 2)
const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as SigningKey
const newKeys = () => createKeyRing(newKey())
const options = { keys: newKeys(), issuer: 'https://svc.test', audience: 'https://svc.test' }
const [userId, sessionId, tokenId] = ['user', 'session', '0d5f0a1e-2c59-4a39-9d6c-1f7f7f2a9f10']
const elevation = { userId, sessionId, passkeyId: 'passkey', tokenId }
const access = { userId, sessionId, tokenId, amr: ['pwd'], authenticatedAt: NOW }

type Signed = { token: string; verify(token: string, now: number): Promise<unknown>; lifetimeSeconds: number }

const KINDS: [string, (given: typeof options) => Promise<Signed>, object][] = [
  [
    'an access token',
    async (given) => {
      const tokens = await createAccessTokens(given)
      return { ...tokens, token: await tokens.sign(access, NOW) }
    },
    access,
  ],
  [
    'an elevation token',
    async (given) => {
      const tokens = await createElevationTokens(given)
      return { ...tokens, token: await tokens.sign(elevation, NOW) }
    },
    elevation,
  ],
  [
    'an agent’s token',
    async (given) => {
      const tokens = await createAgentTokens(given)
      return { ...tokens, token: await tokens.sign({ svcId: 'SVC-a', tokenId }, NOW) }
    },
    { svcId: 'SVC-a', tokenId },
  ],
]

for (const [name, sign, claims] of KINDS) {
  describe(name, () => {
    it('returns the signed claims until it expires; then an access token says so', async () => {
      const { token, verify, lifetimeSeconds } = await sign(options)
      const end = NOW + lifetimeSeconds * 1000
      expect(await verify(token, end - 1000)).to.deep.equal(claims)
      expect(await verify(token, end)).to.equal(claims === access ? 'expired' : null)
    })

    it('is refused with any changed character and in any other encoding', async () => {
      const { token, verify } = await sign(options)
      const changed = Array.from(token, (character, at) => {
        const other = BASE64URL[BASE64URL.indexOf(character) ^ 1] ?? '-'
        return token.slice(0, at) + other + token.slice(at + 1)
      })
      const spelled = [`${token}=`, `${token}==`, ` ${token}`, `${token}.`, token.replace('.', '=.')]
      for (const altered of [...changed, ...spelled]) {
        expect(await verify(altered, NOW), altered).to.equal(null)
      }
      reportFaultFigure(`${name}, each of its ${changed.length} characters changed: 0 accepted`)
    })

    it('is refused from another key, issuer or audience', async () => {
      const { verify } = await sign(options)
      for (const other of [
        { ...options, keys: newKeys() },
        { ...options, issuer: 'https://other.test' },
        { ...options, audience: 'https://other.test' },
      ]) {
        const { token } = await sign(other)
        expect(await verify(token, NOW)).to.equal(null)
      }
    })

    it('is not accepted as another kind', async () => {
      const { token } = await sign(options)
      for (const [other, signOther] of KINDS) {
        if (other === name) continue
        const { verify } = await signOther(options)
        expect(await verify(token, NOW), other).to.equal(null)
      }
    })
  })
}
