import { accountSigner, createIntentProof, exportPublicKey, generateAgentKey, type Intent } from '@svc/client'
import { expect } from 'chai'
import { importJWK, jwtVerify } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const AGENT = `SVC-${'A'.repeat(22)}`
const SHOP = `SVCE-${'B'.repeat(22)}`
const NOW = 1_800_000_000_000
const INTENT: Intent = { agentId: AGENT, audience: SHOP, now: () => NOW }

describe('createIntentProof', () => {
  const failureOf = async (intent: object) => {
    const key = await generateAgentKey()
    return createIntentProof(key, { ...INTENT, ...intent }).then(
      () => 'created',
      (error: Error) => error.message,
    )
  }

  for (const [algorithm, alg] of [
    ['ed25519', 'EdDSA'],
    ['ecdsa-p256-sha256', 'ES256'],
  ] as const) {
    it(`creates a JWS with ${alg}, which another library verifies`, async () => {
      const key = await generateAgentKey({ algorithm })
      const facts = { purpose: 'shopping:buy', amount: '19.90', currency: 'EUR', sessionDuration: 60 }
      const proof = await createIntentProof(key, { ...INTENT, ...facts, action: undefined })
      const verifier = await importJWK({ ...(await exportPublicKey(key)) }, alg)
      const { payload, protectedHeader } = await jwtVerify(proof, verifier, { currentDate: new Date(NOW) })
      expect(protectedHeader).to.deep.equal({ typ: 'svc-intent+jwt', alg, kid: key.keyid })
      const { jti, ...rest } = payload
      expect(rest).to.deep.equal({ iss: AGENT, aud: SHOP, iat: NOW / 1000, exp: NOW / 1000 + 60, ...facts })
      expect(jti).to.match(/^[\w-]{22}$/)
    })
  }

  it('is good once, and for a minute or less', async () => {
    const key = await generateAgentKey()
    const proofs = await Promise.all(
      [10.5, 60].map((lifetimeSeconds) => createIntentProof(key, { ...INTENT, lifetimeSeconds })),
    )
    const payloads = proofs.map((proof) =>
      JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString()),
    )
    expect(payloads.map(({ exp, iat }) => exp - iat)).to.deep.equal([10, 60])
    expect(payloads[0].jti).not.to.equal(payloads[1].jti)
    for (const lifetimeSeconds of [0, 61, -1, Number.NaN]) {
      expect(await failureOf({ lifetimeSeconds })).to.equal('the intent is invalid: lifetimeSeconds')
    }
  })

  it('states the hash of a body', async () => {
    const key = await generateAgentKey()
    for (const body of ['{"hello": "world"}\n', new TextEncoder().encode('{"hello": "world"}\n')]) {
      const [, payload = ''] = (await createIntentProof(key, { ...INTENT, body })).split('.')
      // RFC 9530 appendix B.1.
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).bodyHash).to.equal(
        'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
      )
    }
  })

  it('refuses facts that are invalid or have another name', async () => {
    for (const [intent, named] of [
      [{ amount: '1,5' }, 'amount'],
      [{ transactionValue: 5 }, 'transactionValue'],
      [{ agentId: 'SVC-1', audience: 'shop.example', currency: '€' }, 'agentId, audience, currency'],
      [{ iss: 'SVC-other' }, 'iss'],
    ] as const) {
      expect(await failureOf(intent)).to.equal(`the intent is invalid: ${named}`)
    }
  })

  it('is not signed with an Ethereum account', async () => {
    const signer = accountSigner(privateKeyToAccount(generatePrivateKey()), { chainId: 1 })
    const failure = await createIntentProof(signer, INTENT).catch((error: Error) => error.message)
    expect(failure).to.equal('an intent proof needs an Ed25519 or P-256 key')
  })
})
