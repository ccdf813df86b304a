import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateNonce, type SignatureParams, signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { importProofKeys } from '../../../../server/external/proofs/importProofKeys.ts'
import { RFC_KEYS } from '../httpSignatures/rfcKeys.ts'
import { NOW, openProofs, SVC_ID, SVCE_ID, URL_OF_ORDER } from './openProofs.ts'

type Vector = {
  name: string
  method: string
  targetUri: string
  fields: Record<string, string>
  input: string
  signature: string
}

const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/standards/httpSignatures.json'), 'utf8'),
) as Vector[]
/** The requests that the authors of Web Bot Auth sign in their draft and in their library’s tests. */
const VECTORS = PUBLISHED.filter(
  ({ input }) => input.includes('tag="web-bot-auth"') && input.includes('alg="ed25519"'),
)

describe('signatures that other software makes', () => {
  let proofs: Awaited<ReturnType<typeof openProofs>>
  before(async () => {
    proofs = await openProofs()
  })

  const check = (callerMetadata: object, more?: Parameters<typeof proofs.check>[1]) =>
    proofs.check({ callerMetadata }, more)

  describe('the library web-bot-auth', () => {
    const BOUND = ['@method', '@authority', '@path', '@query', 'x-svc-id']

    /** Signs a request with a key of the agent, and returns what the counterparty reports about it. */
    async function signed({ url = URL_OF_ORDER, components = BOUND, ...more }: Partial<Signing> = {}) {
      const signer = await signerFromJWK(proofs.ed25519.privateJwk)
      const message = { method: 'GET', url, headers: { 'x-svc-id': SVC_ID } }
      const headers = await signatureHeaders(message, signer, {
        ...{ created: new Date(NOW), expires: new Date(NOW + 300_000), nonce: generateNonce() },
        ...{ components: components as SignatureParams['components'], ...more },
      })
      const { Signature: signature, 'Signature-Input': signatureInput } = headers
      return { signature, signatureInput, method: 'GET', targetUri: url, 'x-svc-id': SVC_ID }
    }
    type Signing = { url: string; components: string[]; expires: Date }

    it('proves a request, by the parts of its target or by the whole', async () => {
      for (const components of [BOUND, ['@method', '@target-uri', 'x-svc-id']]) {
        const { grade, kid } = await check(await signed({ components }))
        expect([grade, kid], components.join()).to.deep.equal(['signature', proofs.ed25519.kid])
      }
    })

    for (const [what, altered, fault] of [
      ['another method', { method: 'POST' }, 'forged'],
      ['another path', { targetUri: 'https://shop.example/orders/8?lang=de' }, 'forged'],
      ['another query', { targetUri: 'https://shop.example/orders/7?lang=en' }, 'forged'],
      ['another host', { targetUri: 'https://evil.example/orders/7?lang=de' }, 'other_audience'],
      ['another agent', { 'x-svc-id': 'SVC-0000000000000000000000' }, 'other_agent'],
    ] as const) {
      it(`proves nothing for ${what}`, async () => {
        expect((await check({ ...(await signed()), ...altered })).fault).to.equal(fault)
      })
    }

    it('proves nothing with what it covers by default, which is not bound to the request', async () => {
      expect((await check(await signed({ components: ['@authority'] }))).fault).to.equal('not_covered')
    })

    it('proves nothing for longer than five minutes', async () => {
      const long = await signed({ expires: new Date(NOW + 301_000) })
      expect((await check(long)).fault).to.equal('long_lived')
    })
  })

  it('of RFC 9421’s own examples are not looked at, whose purpose is none of an agent', async () => {
    const examples = PUBLISHED.filter(({ name }) => name.startsWith('RFC 9421'))
    expect(examples).to.have.length.above(10)
    for (const { name, method, targetUri, input, signature } of examples) {
      const { grade, fault } = await check({ signature, signatureInput: input, method, targetUri })
      expect([grade, fault], name).to.deep.equal(['none', null])
    }
  })

  for (const { name, method, targetUri, fields, input, signature } of VECTORS) {
    it(`${name}: is no proof of an agent, whose identifier and request it does not cover`, async () => {
      const jwk = RFC_KEYS['test-key-ed25519']
      const [kid = ''] = /(?<=keyid=")[^"]+/.exec(input) ?? []
      const keys = await importProofKeys([{ kid, jwk, revokedAt: null }])
      const reported = { signature, signatureInput: input, method, targetUri }
      const { host } = new URL(targetUri)
      const { grade, fault } = await check(
        { ...reported, signatureAgent: fields['signature-agent'] },
        {
          as: { ...proofs.agent, keys },
          audience: { svceId: SVCE_ID, authorities: [host] },
          now: 1_735_689_600_000,
        },
      )
      expect([grade, fault]).to.deep.equal(['none', 'long_lived'])
    })
  }
})
