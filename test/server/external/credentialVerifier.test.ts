import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import {
  type CredentialHolder,
  createCredentialHolder,
  type HolderKind,
} from '../../harness/peers/createCredentialHolder.ts'
import { makeCertificate } from '../../harness/peers/makeCertificate.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { hasher, makeSdJwt } from './makeSdJwt.ts'
import { AUDIENCE, NONCE, NOW, openCredentialVerifier, SECONDS, STATEMENT } from './openCredentialVerifier.ts'

const MUTATED = scaleCaseCount(10_000)
const KINDS: HolderKind[] = ['Ed25519', 'P-256', 'secp256k1']

describe('createCredentialVerifier', () => {
  const { root, documents, offer, outcome, close } = openCredentialVerifier()
  let presentSdJwt: () => Promise<string>

  after(close)

  describe('a DID', () => {
    for (const kind of KINDS) {
      it(`is accepted with a proof by its ${kind} key`, async () => {
        const { did, token } = createCredentialHolder(kind)
        const verified = await offer('did', did, token(STATEMENT))
        expect(verified).to.deep.nested.include({ ok: true, 'credential.subject': did })
      })
    }

    it('is refused without a proof, with one by another key, and with one for another purpose', async () => {
      const [ada, eve] = [createCredentialHolder(), createCredentialHolder()]
      for (const proof of [
        undefined,
        '',
        eve.token(STATEMENT),
        ada.token({ ...STATEMENT, aud: AUDIENCE.replace('SVC-1', 'SVC-2') }),
        ada.token({ ...STATEMENT, aud: [AUDIENCE] }),
        ada.token({ ...STATEMENT, nonce: 'another' }),
        ada.token({ ...STATEMENT, iat: SECONDS - 601 }),
        ada.token({ ...STATEMENT, iat: undefined }),
        ada.token({ ...STATEMENT, exp: SECONDS - 1 }),
        ada.token(STATEMENT, { alg: 'none' }),
        `${ada.token(STATEMENT).split('.').slice(0, 2).join('.')}.`,
        // The public key used as the secret of an HMAC.
        ada.token(STATEMENT, { alg: 'HS256' }),
      ]) {
        expect(await outcome('did', ada.did, proof), String(proof)).to.equal('bad_proof')
      }
    })

    it('of the method web is proven by an authentication key of its document', async () => {
      const [own, issuing] = [createCredentialHolder('P-256'), createCredentialHolder()]
      const did = 'did:web:shop.io:agents:7'
      documents.set('https://shop.io/agents/7/did.json', {
        id: did,
        verificationMethod: [
          { id: `${did}#jwk`, type: 'JsonWebKey', controller: did, publicKeyJwk: own.jwk },
          { id: '#issue', type: 'Multikey', controller: did, publicKeyMultibase: issuing.multikey },
        ],
        authentication: ['#jwk'],
        assertionMethod: [`${did}#issue`],
      })
      expect(await outcome('did', did, own.token(STATEMENT))).to.equal('ok')
      expect(await outcome('did', did, own.token(STATEMENT, { kid: `${did}#jwk` }))).to.equal('ok')
      expect(await outcome('did', did, own.token(STATEMENT, { kid: `${did}#issue` }))).to.equal('bad_proof')
      expect(await outcome('did', did, issuing.token(STATEMENT))).to.equal('bad_proof')
    })

    it('of the method web is refused if its document is missing, belongs to another DID, or names its key', async () => {
      const { token, jwk } = createCredentialHolder()
      const foreign = { id: 'did:web:other.io#k', type: 'JsonWebKey', publicKeyJwk: jwk }
      documents.set('https://other.io/.well-known/did.json', { id: 'did:web:shop.io', authentication: [] })
      documents.set('https://third.io/.well-known/did.json', {
        id: 'did:web:third.io',
        authentication: [foreign],
      })
      documents.set('https://odd.io/.well-known/did.json', { authentication: 7 })
      for (const [did, code] of [
        ['did:web:nowhere.io', 'unresolvable'],
        ['did:web:other.io', 'unresolvable'],
        ['did:web:odd.io', 'unresolvable'],
        ['did:web:third.io', 'bad_proof'],
      ] as const) {
        expect(await outcome('did', did, token(STATEMENT)), did).to.equal(code)
      }
    })

    it('of Ethereum is proven by a signature of its address', async () => {
      const [ada, eve] = [
        privateKeyToAccount(generatePrivateKey()),
        privateKeyToAccount(generatePrivateKey()),
      ]
      const message = `SVC-CREDENTIAL-V1\n${AUDIENCE}\n${NONCE}`
      const did = `did:ethr:${ada.address}`
      expect(await outcome('did', did, await ada.signMessage({ message }))).to.equal('ok')
      expect(await outcome('did', did, await eve.signMessage({ message }))).to.equal('bad_proof')
      expect(await outcome('did', did, await ada.signMessage({ message: `${message}x` }))).to.equal(
        'bad_proof',
      )
      expect(await outcome('did', did, createCredentialHolder('secp256k1').token(STATEMENT))).to.equal(
        'bad_proof',
      )
    })

    it('is refused in forms that cannot be resolved', async () => {
      const { token } = createCredentialHolder()
      for (const did of ['did:ion:abc', 'agent', `did:key:z${'6Mk'.repeat(15)}`]) {
        expect(await outcome('did', did, token(STATEMENT)), did).to.be.oneOf(['malformed', 'unsupported'])
      }
    })
  })

  describe('a verifiable credential', () => {
    const issuer = createCredentialHolder('P-256')
    const ada = createCredentialHolder()
    const claims = (more: object = {}) => ({
      iss: issuer.did,
      sub: ada.did,
      nbf: SECONDS - 60,
      exp: SECONDS + 3600,
      vc: { type: ['VerifiableCredential'], credentialSubject: { id: ada.did } },
      ...more,
    })

    it('is accepted if issuer and subject have signed', async () => {
      const verified = await offer('vc', issuer.token(claims()), ada.token(STATEMENT))
      if (!verified.ok) throw new Error(verified.field.code)
      expect(verified.credential).to.deep.include({
        subject: ada.did,
        issuer: issuer.did,
        validFrom: NOW - 60_000,
        expiresAt: NOW + 3_600_000,
      })
    })

    it('is accepted in the form of data model 2.0', async () => {
      const value = issuer.token(
        {
          issuer: { id: issuer.did },
          type: ['VerifiableCredential', 'AgentCredential'],
          credentialSubject: { id: ada.did },
          validFrom: '2026-01-01T00:00:00Z',
          validUntil: '2027-01-01T00:00:00Z',
        },
        { typ: 'vc+jwt' },
      )
      expect(await outcome('vc', value, ada.token(STATEMENT))).to.equal('ok')
    })

    for (const [name, more, code] of [
      ['that has expired', { exp: SECONDS }, 'expired'],
      [
        'whose date has passed',
        { vc: { ...claims().vc, expirationDate: '2026-01-01T00:00:00Z' } },
        'expired',
      ],
      ['that is not valid yet', { nbf: SECONDS + 61 }, 'not_yet_valid'],
      ['with an invalid time', { exp: 'tomorrow' }, 'malformed'],
      ['without a type', { vc: { credentialSubject: { id: ada.did } } }, 'malformed'],
      ['with two issuers', { vc: { ...claims().vc, issuer: ada.did } }, 'malformed'],
      ['with two subjects', { sub: issuer.did }, 'malformed'],
      ['whose subject is not a DID', { sub: 'ada', vc: { type: 'VerifiableCredential' } }, 'not_bound'],
      ['without a subject', { sub: undefined, vc: { type: 'VerifiableCredential' } }, 'not_bound'],
      ['from an issuer without keys', { iss: `did:ethr:0x${'1'.repeat(40)}` }, 'unsupported'],
      ['from an issuer that is not a DID', { iss: 'https://issuer.io' }, 'unsupported'],
      ['in the name of another issuer', { iss: createCredentialHolder().did }, 'bad_signature'],
    ] as [string, object, string][]) {
      it(`${name} is refused`, async () =>
        expect(await outcome('vc', issuer.token(claims(more)), ada.token(STATEMENT))).to.equal(code))
    }

    it('is refused to anyone but its subject', async () => {
      expect(await outcome('vc', issuer.token(claims()), issuer.token(STATEMENT))).to.equal('bad_proof')
      expect(await outcome('vc', issuer.token(claims()))).to.equal('bad_proof')
    })

    it('is the same credential however often its issuer signs it', async () => {
      const claimKeys = await Promise.all(
        [1, 2].map(async () => {
          const verified = await offer('vc', issuer.token(claims()), ada.token(STATEMENT))
          return verified.ok ? verified.credential.claimKey : null
        }),
      )
      expect(claimKeys[0]).to.be.a('string').and.equal(claimKeys[1])
    })
  })

  describe('an SD-JWT', () => {
    const issuer = createCredentialHolder()
    const ada = createCredentialHolder('P-256')
    const instance = (typ?: string, signer?: CredentialHolder, holder?: CredentialHolder) =>
      makeSdJwt({ issuer, ada, ...(typ && { typ }), ...(signer && { signer }), ...(holder && { holder }) })

    presentSdJwt = () => instance().present()

    it('is accepted with a key-binding JWT over the disclosures', async () => {
      const verified = await offer('sd_jwt', await instance().present())
      expect(verified).to.deep.nested.include({ ok: true, 'credential.issuer': issuer.did })
    })

    it('is refused without key binding, by another’s key, and for another agent or challenge', async () => {
      for (const value of [
        await instance().issue(),
        (await instance().issue()).split('~')[0] ?? '',
        await instance(undefined, issuer, createCredentialHolder('P-256')).present(),
        await instance().present({ ...STATEMENT, aud: 'https://registry.io' }),
        await instance().present({ ...STATEMENT, nonce: 'another' }),
      ]) {
        expect(await outcome('sd_jwt', value), value.slice(-40)).to.equal('bad_proof')
      }
    })

    it('is refused with the key binding of another presentation', async () => {
      const value = await instance().present()
      const [token = '', , binding = ''] = value.split('~')
      expect(await outcome('sd_jwt', `${token}~${binding}`)).to.equal('bad_proof')
    })

    it('is refused before its disclosures expand exponentially', async () => {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const twice = (digest: string) => [{ '...': digest }, { '...': digest }]
      const disclosures: string[] = []
      let inner: unknown = 0
      for (let nth = 0; nth < 18; nth += 1) {
        const disclosure = part(['s', inner])
        disclosures.unshift(disclosure)
        inner = twice(hasher(disclosure).toString('base64url'))
      }
      const token = await instance().present(STATEMENT, { items: inner })
      const [issued, binding] = [token.split('~')[0], token.split('~').at(-1)]
      expect(await outcome('sd_jwt', [issued, ...disclosures, binding].join('~'))).to.equal('malformed')
    })

    it('is refused if expired, untyped, signed by another, or bound to no key', async () => {
      expect(await outcome('sd_jwt', await instance().present(STATEMENT, { exp: SECONDS }))).to.equal(
        'expired',
      )
      expect(await outcome('sd_jwt', await instance('JWT').present())).to.equal('malformed')
      expect(await outcome('sd_jwt', await instance(undefined, createCredentialHolder()).present())).to.equal(
        'bad_signature',
      )
      const unbound = await instance().present(STATEMENT, { cnf: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } })
      expect(await outcome('sd_jwt', unbound)).to.equal('not_bound')
    })
  })

  it(`accepts none of ${MUTATED} credentials and proofs with one changed character`, async () => {
    const [issuer, ada] = [createCredentialHolder(), createCredentialHolder('P-256')]
    const claims = { iss: issuer.did, sub: ada.did, vc: { type: 'VerifiableCredential' } }
    const leaf = makeCertificate({ name: 'leaf', keys: ada, issuer: root })
    const samples = [
      { type: 'did', value: ada.did, proof: ada.token(STATEMENT) },
      { type: 'vc', value: issuer.token(claims), proof: ada.token(STATEMENT) },
      { type: 'x509', value: leaf.der.toString('base64'), proof: ada.token(STATEMENT) },
      { type: 'sd_jwt', value: await presentSdJwt(), proof: '' },
    ] as const
    for (const { type, value, proof } of samples) expect(await outcome(type, value, proof)).to.equal('ok')
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~:'
    for (let round = 0; round < MUTATED; round += 1) {
      const sample = samples[round % samples.length] ?? samples[0]
      const field = sample.proof === '' || round % 3 === 0 ? 'value' : 'proof'
      const text = sample[field]
      const [place = 0, choice = 0] = [randomBytes(4).readUInt32BE() % text.length, randomBytes(1)[0]]
      const other = characters.charAt(choice % characters.length)
      if (text.charAt(place) === other) continue
      const mutated = { ...sample, [field]: text.slice(0, place) + other + text.slice(place + 1) }
      const found = await outcome(mutated.type, mutated.value, mutated.proof)
      expect(found, JSON.stringify(mutated)).not.to.equal('ok')
    }
    reportFaultFigure(
      `${MUTATED} third-party credentials and proofs, one character of each changed: 0 accepted`,
    )
  })
})
