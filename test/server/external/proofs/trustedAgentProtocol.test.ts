import { expect } from 'chai'
import { parseSpacedSignature } from '../../../../server/external/httpSignatures/parseSpacedSignature.ts'
import { signAsTapSample } from '../../../builders/signAsTapSample.ts'
import { openProofs, SECONDS, SVC_ID, URL_OF_ORDER } from './openProofs.ts'

/** What binds a signature to the agent and to one request, as a proof has to. */
const BOUND = {
  ...{ '@authority': 'shop.example', '@path': '/orders/7', '@query': '?lang=de' },
  ...{ '@method': 'GET', 'x-svc-id': SVC_ID },
}
const PLAIN_URL = 'https://shop.example/orders/7'

describe('a signature of the Trusted Agent Protocol', () => {
  let proofs: Awaited<ReturnType<typeof openProofs>>
  before(async () => {
    proofs = await openProofs()
  })

  type Varied = Partial<Parameters<typeof signAsTapSample>[1]>
  /** Signs as the sample agent does, but for what is given, and checks what the counterparty reports. */
  const check = (varied: Varied = {}, changes: object = {}) => {
    const { url = URL_OF_ORDER } = varied
    const signed = signAsTapSample(proofs.ed25519, { url, created: SECONDS, ...varied })
    const reported = { method: 'GET', targetUri: url, 'x-svc-id': SVC_ID }
    return proofs.check({ callerMetadata: { ...signed, ...reported, ...changes } })
  }
  const bound = { covered: BOUND, expires: SECONDS + 300 }
  const spellings: readonly [name: string, respell: (params: string) => string][] = [
    ['of the specification', (params) => params.replace('keyId', 'keyid').replaceAll('; ', ';')],
    ['of the sample', (params) => params],
    ['of the sample, without spaces', (params) => params.replaceAll('; ', ';')],
    ['of the sample, with the parameter of RFC 9421', (params) => params.replace('keyId', 'keyid')],
  ]

  for (const [name, respell] of spellings) {
    it(`proves a request in the spelling ${name}, if it covers what binds it`, async () => {
      for (const tag of ['agent-browser-auth', 'agent-payer-auth']) {
        const { grade, fault, kid } = await check({ ...bound, respell, tag })
        expect([grade, fault, kid], tag).to.deep.equal(['signature', null, proofs.ed25519.kid])
      }
      const { signature, signatureInput } = signAsTapSample(proofs.ed25519, {
        ...{ url: URL_OF_ORDER, created: SECONDS, ...bound, respell },
      })
      for (const changes of [
        { method: 'POST' },
        { targetUri: 'https://shop.example/orders/8?lang=de' },
        { targetUri: 'https://shop.example/orders/7?lang=en' },
        { signature, signatureInput: signatureInput.replace(/expires=\d+/, `expires=${SECONDS + 299}`) },
        { signature, signatureInput: signatureInput.replace(/nonce="[^"]*"/, `nonce="${'x'.repeat(16)}"`) },
      ]) {
        expect((await check({ ...bound, respell }, changes)).fault, JSON.stringify(changes)).to.equal(
          'forged',
        )
      }
    })
  }

  it('proves a request over the text that RFC 9421 demands, whatever spaces the header has', async () => {
    const respell = spellings[0]?.[1]
    const signed = signAsTapSample(proofs.ed25519, {
      ...{ url: URL_OF_ORDER, created: SECONDS, ...bound, respell },
    })
    const signatureInput = signed.signatureInput.replaceAll(';', '; ')
    expect((await check(bound, { ...signed, signatureInput })).grade).to.equal('signature')
  })

  it('names its algorithm in any case, and no other than that of the key', async () => {
    expect((await check({ ...bound, alg: 'Ed25519' })).grade).to.equal('signature')
    for (const alg of ['rsa-pss-sha256', 'PS256', 'ecdsa-p256-sha256']) {
      expect((await check({ ...bound, alg })).fault, alg).to.equal('other_algorithm')
    }
  })

  it('proves nothing as the sample makes it, which lasts too long and leaves method and agent open', async () => {
    expect((await check({ url: PLAIN_URL })).fault).to.equal('long_lived')
    expect((await check({ url: PLAIN_URL, expires: SECONDS + 300 })).fault).to.equal('not_covered')
  })

  it('is not looked at if it names no key of the agent and does not cover its identifier', async () => {
    const { grade, fault } = await check({ keyId: 'primary-ed25519' })
    expect([grade, fault]).to.deep.equal(['none', null])
    expect((await check({ ...bound, keyId: 'primary-ed25519' })).fault).to.equal('key_unknown')
  })

  it('is malformed if its key could be read in two ways, or its header in none', async () => {
    for (const respell of [
      (params: string) => `${params}; keyid="other"`,
      (params: string) => `${params}; keyId="other"`,
      (params: string) => `${params}; Tag="other"`,
      (params: string) => `${params}; `,
      (params: string) => `${params}, sig1=("@path"); keyId="other"`,
      (params: string) => params.replace('tag="', 'tag="\\"'),
      (params: string) => params.replace('alg="ed25519"', 'alg=ed25519'),
    ]) {
      expect((await check({ ...bound, respell })).fault, respell('')).to.equal('malformed')
    }
  })

  it('to pay that is no structured field is malformed if it names a key of the agent, otherwise ignored', async () => {
    for (const [keyId, expected] of [
      [proofs.ed25519.kid, 'malformed'],
      ['primary-ed25519', null],
    ] as const) {
      const signed = signAsTapSample(proofs.ed25519, {
        ...{ url: PLAIN_URL, created: SECONDS, keyId, tag: 'agent-payer-auth' },
      })
      const changes = {
        signature: signed.signature.replace('sig2', 'Sig2'),
        signatureInput: signed.signatureInput.replace('sig2', 'Sig2'),
      }
      expect((await check({ url: PLAIN_URL }, changes)).fault, keyId).to.equal(expected)
    }
  })

  it('is read with the text of its header, and with nothing of a text among its parameters', () => {
    const params = '("@path"); created=1;  expires=2; keyId="k"; nonce="; keyId=1; tag="; tag="a (b); keyId"'
    const read = parseSpacedSignature('sig2=:AQID:', `sig2=${params}`)
    expect(read).to.deep.include({ components: ['@path'], params, created: 1, expires: 2, keyid: 'k' })
    expect(read).to.deep.include({ nonce: '; keyId=1; tag=', tag: 'a (b); keyId', alg: undefined })
    expect(parseSpacedSignature('sig1=:AQID:', `sig2=${params}`)).to.equal(undefined)
  })
})
