import { accountSigner, createKeyProof, exportPublicKey, generateAgentKey } from '@svc/client'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { verifyKeyProof } from '../../../server/external/proofs/verifyKeyProof.ts'

const AGENT = `SVC-${'A'.repeat(22)}`
const SERVICE = 'https://registry.example'
const NOW = 1_800_000_000_000

describe('createKeyProof', () => {
  for (const algorithm of ['ed25519', 'ecdsa-p256-sha256'] as const) {
    it(`proves to the service that the caller holds a key (${algorithm}), for five minutes`, async () => {
      const signer = await generateAgentKey({ algorithm })
      const proof = await createKeyProof(signer, { agentId: AGENT, service: `${SERVICE}/`, now: () => NOW })
      const presented = { key: await exportPublicKey(signer), proof, agentId: AGENT, audience: SERVICE }
      expect(await verifyKeyProof({ ...presented, now: NOW + 299_999 })).to.equal(true)
      expect(await verifyKeyProof({ ...presented, now: NOW + 300_000 })).to.equal(false)
    })
  }

  it('is not possible with an Ethereum account', async () => {
    const account = accountSigner(privateKeyToAccount(generatePrivateKey()), { chainId: 1 })
    const failure = await createKeyProof(account, { agentId: AGENT, service: SERVICE }).catch(String)
    expect(failure).to.include('needs an Ed25519 or P-256 key')
  })
})
