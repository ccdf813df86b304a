import { createHash } from 'node:crypto'
import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { readSha256Digest } from '@svc/core/signing/contentDigest.ts'
import { findContradictedFacts } from '@svc/core/signing/findContradictedFacts.ts'
import { INTENT_SECONDS_MAX, INTENT_TYPE, parseIntentClaims } from '@svc/core/signing/intentClaims.ts'
import {
  findUncoveredComponents,
  isNonce,
  SIGNATURE_SECONDS_MAX,
} from '@svc/core/signing/signatureProfile.ts'
import { expect } from 'chai'
import { importJWK, jwtVerify } from 'jose'
import { recoverMessageAddress } from 'viem'
import {
  INTENT_VECTORS,
  REQUEST_VECTORS,
  readIntentVector,
  readRequestVector,
} from '../../builders/proofVectors.ts'
import { readSignedRequest } from '../../harness/peers/readSignedRequest.ts'

describe('the published examples of proofs', () => {
  for (const name of REQUEST_VECTORS) {
    const { key, ethereum, request, ...vector } = readRequestVector(name)
    const { signature, signatureInput, signatureBase } = vector
    const headers = { ...request.headers, signature, 'signature-input': signatureInput }
    const read = readSignedRequest({ ...request, headers })

    it(`${name}: another parser finds the same signed text, which the key has signed`, async () => {
      expect(read.base).to.equal(signatureBase)
      if (key) expect(await read.isSignedBy(key)).to.equal(true)
      const signed = { message: signatureBase, signature: `0x${read.signature.toString('hex')}` as const }
      if (ethereum) expect(await recoverMessageAddress(signed)).to.equal(ethereum.address)
      expect([key, ethereum].filter(Boolean)).to.have.lengthOf(1)
    })

    it(`${name}: the signature binds the whole request, within the bounds of the profile`, () => {
      const parts = {
        hasQuery: request.url.includes('?'),
        hasBody: request.body !== undefined,
        hasSignatureAgent: request.headers['signature-agent'] !== undefined,
      }
      expect(findUncoveredComponents(read.components, parts)).to.deep.equal([])
      const { created, expires, nonce } = read.parameters
      expect(Number(expires) - Number(created)).to.be.within(1, SIGNATURE_SECONDS_MAX)
      expect(isNonce(String(nonce))).to.equal(true)
      if (request.body === undefined) return
      const digest = createHash('sha256').update(request.body).digest('base64')
      expect(readSha256Digest(request.headers['content-digest'] ?? '')).to.equal(digest)
    })
  }

  for (const name of INTENT_VECTORS) {
    const { key, header, payload, body, proof } = readIntentVector(name)

    it(`${name}: another library verifies the proof`, async () => {
      const { d: _, ...publicKey } = key
      const currentDate = new Date(payload.iat * 1000)
      const verified = await jwtVerify(proof, await importJWK(publicKey, header.alg), { currentDate })
      expect(verified.payload).to.deep.equal(payload)
      expect(verified.protectedHeader).to.deep.equal({ ...header, typ: INTENT_TYPE, kid: key.kid })
    })

    it(`${name}: the claims are valid and match the facts of the request`, () => {
      const parsed = parseIntentClaims(parseCompactJws(proof)?.payload)
      if (!parsed.ok) throw new Error(parsed.invalid.join())
      expect(parsed.claims.exp - parsed.claims.iat).to.equal(INTENT_SECONDS_MAX)
      const stated = parseRequestFields({
        ...{ purpose: 'Shopping.Buy', resource: '/orders', transactionValue: 19.9, currency: 'eur' },
      })
      if (!stated.ok) throw new Error('invalid facts')
      const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
      expect(findContradictedFacts(parsed.claims, stated.request, digest)).to.deep.equal([])
      expect(findContradictedFacts(parsed.claims, stated.request, 'unknown')).to.deep.equal(['bodyHash'])
    })
  }
})
