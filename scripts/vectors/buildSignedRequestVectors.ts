import { signRequest } from '@svc/client'
import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { privateKeyToAccount } from 'viem/accounts'

const OWNER_KEY = `0x${'11'.repeat(32)}` as const
const REQUEST = {
  ...{ method: 'POST', path: '/api/agents/register' },
  ...{ timestamp: 1_767_225_600, nonce: '0123456789abcdef' },
}
const CASES = [
  { name: 'names the service', service: 'https://registry.example', body: '{"name":"Plain agent"}' },
  { name: 'names a service on this machine', service: 'http://localhost:3000', body: '' },
  { name: 'names no service', service: null, body: '{"name":"Plain agent"}' },
]

/** What an owner signs in each form, the text and the headers. `service` is null where the first form is signed. */
export async function buildSignedRequestVectors() {
  const account = privateKeyToAccount(OWNER_KEY)
  const cases = CASES.map(async ({ name, service, body }) => {
    const stated = { ...REQUEST, service: service ?? undefined }
    const message = buildSignedRequestMessage({ ...stated, bodySha256Hex: sha256Hex(body) })
    const headers = await signRequest(account, { ...stated, body })
    return { name, ...REQUEST, service, body, message, headers }
  })
  return { ownerKey: OWNER_KEY, cases: await Promise.all(cases) }
}
