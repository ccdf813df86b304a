import { parseWith } from '@svc/core/fieldErrors.ts'
import { agentKeySchema } from '@svc/core/signing/agentKeySchema.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../builders/createAgentKey.ts'

const ed25519 = createAgentKey('Ed25519').jwk
const p256 = createAgentKey('P-256').jwk

function firstErrorOf(input: unknown) {
  const parsed = parseWith(agentKeySchema, input)
  return parsed.ok ? null : parsed.errors[0]
}

describe('agentKeySchema', () => {
  it('reads the members that define a key, and ignores others', () => {
    for (const key of [ed25519, p256]) {
      const sent = { ...key, kid: 'mine', use: 'sig', key_ops: ['verify'], exp: 1, 'x-y': {} }
      expect(parseWith(agentKeySchema, sent)).to.deep.equal({ ok: true, value: key })
    }
  })

  it('accepts the names of its algorithm', () => {
    for (const alg of ['EdDSA', 'Ed25519', 'ed25519'])
      expect(firstErrorOf({ ...ed25519, alg })).to.equal(null)
    for (const alg of ['ES256', 'ecdsa-p256-sha256']) expect(firstErrorOf({ ...p256, alg })).to.equal(null)
  })

  for (const crv of ['Ed25519', 'P-256'] as const) {
    it(`rejects a private key of ${crv}, and says to send only the public one`, () => {
      expect(firstErrorOf(createAgentKey(crv).privateJwk)).to.deep.equal({
        pointer: '/d',
        code: 'private_key',
        message: 'send only the public key',
      })
    })
  }

  for (const [what, key, pointer, code] of [
    ['no object', 'key', '', 'invalid_type'],
    ['an RSA key', { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, '/kty', 'invalid_union'],
    ['a shared secret', { kty: 'oct', k: 'AQAB' }, '/kty', 'invalid_union'],
    ['another curve', { ...p256, crv: 'P-384' }, '/crv', 'invalid_value'],
    ['a key-agreement curve', { ...ed25519, crv: 'X25519' }, '/crv', 'invalid_value'],
    ['a missing coordinate', { ...p256, y: undefined }, '/y', 'required'],
    ['a coordinate that is too short', { ...ed25519, x: ed25519.x.slice(1) }, '/x', 'invalid_format'],
    ['padding', { ...ed25519, x: `${ed25519.x}=` }, '/x', 'invalid_format'],
    // The last character has two bits that are not used.
    ['another spelling of the same bytes', { ...ed25519, x: `${'A'.repeat(42)}B` }, '/x', 'invalid_format'],
    ['a point that is not on the curve', { ...p256, y: p256.x }, '', 'invalid_point'],
    ['a point of small order', { ...ed25519, x: 'A'.repeat(43) }, '', 'invalid_point'],
    ['a key for encryption', { ...p256, use: 'enc' }, '/use', 'invalid_value'],
    ['a key for another algorithm', { ...p256, alg: 'ES384' }, '/alg', 'invalid_value'],
    ['a key that only signs', { ...p256, key_ops: ['sign'] }, '/key_ops', 'custom'],
    [
      'a key whose private half is printed in RFC 8037',
      { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
      '',
      'published_key',
    ],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(firstErrorOf(key)).to.include({ pointer, code })
    })
  }
})
