import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { signRequest } from '@svc/client'
import { expect } from 'chai'
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(generatePrivateKey())

describe('signRequest', () => {
  it('signs method, path, time, nonce and the hash of the body', async () => {
    const body = '{"name":"a"}'
    const headers = await signRequest(account, {
      method: 'post',
      path: '/api/agents/register',
      body,
      nonce: 'n'.repeat(16),
      timestamp: 1_767_225_600,
    })
    const hash = createHash('sha256').update(body).digest('hex')
    const message = `SVC-SIGNED-REQUEST-V1\nPOST\n/api/agents/register\n1767225600\nnnnnnnnnnnnnnnnn\n${hash}`
    const signature = headers['X-Svc-Signature'] as `0x${string}`
    expect(await recoverMessageAddress({ message, signature })).to.equal(account.address)
    expect(headers['X-Svc-Timestamp']).to.equal('1767225600')
    expect(headers['X-Svc-Nonce']).to.equal('nnnnnnnnnnnnnnnn')
    expect(headers['X-Svc-Address']).to.equal(account.address)
  })

  it('names the service in what it signs, in the forms of the vectors', async () => {
    const { ownerKey, cases } = JSON.parse(readFileSync('test/vectors/signed-requests.json', 'utf8'))
    for (const { service, headers, message, ...request } of cases) {
      const signed = await signRequest(privateKeyToAccount(ownerKey), {
        ...request,
        service: service ?? undefined,
      })
      expect(signed).to.deep.equal(headers)
      const address = await recoverMessageAddress({ message, signature: headers['X-Svc-Signature'] })
      expect(address).to.equal(headers['X-Svc-Address'])
    }
  })

  it('generates a new nonce each time, long enough to derive an identifier from', async () => {
    const request = { method: 'POST', path: '/', body: '' }
    const nonces = [await signRequest(account, request), await signRequest(account, request)].map(
      (headers) => headers['X-Svc-Nonce'] ?? '',
    )
    expect(new Set(nonces)).to.have.lengthOf(2)
    for (const nonce of nonces) expect(nonce.length).to.be.at.least(16)
  })

  it('names the wallet on whose behalf it signs', async () => {
    const walletAddress = '0x00000000000000000000000000000000000000aa'
    const headers = await signRequest(account, { method: 'POST', path: '/', body: '', walletAddress })
    expect(headers['X-Svc-Address']).to.equal(walletAddress)
  })
})
