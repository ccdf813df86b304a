import { accountSigner, importAgentKey, signHttpRequest } from '@svc/client'
import { expect } from 'chai'
import { privateKeyToAccount } from 'viem/accounts'
import {
  INTENT_VECTORS,
  REQUEST_VECTORS,
  type RequestVector,
  readIntentVector,
  readRequestVector,
} from '../../builders/proofVectors.ts'
import { readSignedRequest } from '../../harness/peers/readSignedRequest.ts'

const signerOf = ({ key, ethereum }: RequestVector) =>
  ethereum === undefined
    ? importAgentKey({ ...key })
    : accountSigner(privateKeyToAccount(ethereum.privateKey), { chainId: ethereum.chainId })

describe('the published examples of proofs', () => {
  for (const name of REQUEST_VECTORS) {
    it(`${name} is what the client sends, apart from the nonce`, async () => {
      const vector = readRequestVector(name)
      const { headers, ...request } = vector.request
      const { 'content-digest': digest, 'x-svc-id': agentId = '', ...sent } = headers
      const { parameters } = readSignedRequest({
        ...request,
        headers: { ...headers, signature: vector.signature, 'signature-input': vector.signatureInput },
      })
      const signatureAgent = sent['signature-agent']?.slice('svc="'.length, -1)
      delete sent['signature-agent']
      const signed = await signHttpRequest(
        await signerOf(vector),
        { ...request, headers: sent },
        {
          ...{ agentId, now: () => Number(parameters.created) * 1000, signatureAgent },
          tag: parameters.tag as 'web-bot-auth',
        },
      )
      const withNonce = signed['signature-input']?.replace(/nonce="[^"]*"/, `nonce="${parameters.nonce}"`)
      expect(withNonce).to.equal(vector.signatureInput)
      expect([signed['content-digest'], signed['x-svc-id']]).to.deep.equal([digest, agentId])
      expect(signed['signature-agent']).to.equal(headers['signature-agent'])
    })

    it(`${name} is signed with the key that it shows`, async () => {
      const vector = readRequestVector(name)
      const signature = Buffer.from(await (await signerOf(vector)).sign(vector.signatureBase))
      const isDeterministic = vector.key?.crv !== 'P-256'
      if (isDeterministic) expect(`svc=:${signature.toString('base64')}:`).to.equal(vector.signature)
      expect(
        vector.key === undefined || vector.signatureInput.includes(`keyid="${vector.key.kid}"`),
      ).to.equal(true)
    })
  }

  for (const name of INTENT_VECTORS) {
    it(`${name} names the thumbprint of its key`, async () => {
      const { key, header } = readIntentVector(name)
      expect((await importAgentKey({ ...key })).keyid).to.equal(key.kid)
      expect(header.kid).to.equal(key.kid)
    })
  }
})
