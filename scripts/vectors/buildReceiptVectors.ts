import { RECEIPT_TYPE, type ReceiptClaims } from '@svc/core/receipt/receipt.ts'
import { createReceiptSigner } from '../../server/external/keys/receiptSigner.ts'
import { AGENT, CREATED, ENDPOINT, ed25519Key } from './vectorValues.ts'

const ISSUER = 'https://registry.example'
const THUMBPRINT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'

const CLAIMS = {
  ...{ iss: ISSUER, sub: AGENT, aud: ENDPOINT, jti: '0198c2e4-7b1d-7c3a-9f52-1e6d8a4b7c90' },
  ...{ recommendation: 'grant', accessLevel: 'standard', purpose: 'shopping:buy', action: 'buy' },
  ...{ resource: '/orders/1', value: 20, currency: 'EUR', identityProof: 'signature' },
  ...{ sessionId: '6f0c2b9e-4d81-4a37-b5f2-8e1d7c3a9064', iat: CREATED, exp: CREATED + 3_600 },
  cnf: { jkt: THUMBPRINT },
  status: { status_list: { idx: 12_345, uri: `${ISSUER}/.well-known/status/0` } },
} as const satisfies ReceiptClaims

/** Options of a check that differ from those of the file. */
type Check = { audience?: string; agentId?: string; keyThumbprint?: string; accept?: string[]; now?: number }

/**
 * Builds receipts that a verifier accepts, or refuses for the given reason, without status lists.
 *
 * `now` is in Unix seconds. Source: docs/receipts.md.
 */
export function buildReceiptVectors(): object {
  const signer = createReceiptSigner(ed25519Key(0x44))
  const other = createReceiptSigner(ed25519Key(0x55))
  const issue = (claims: object = {}, type = RECEIPT_TYPE) => signer.sign(type, { ...CLAIMS, ...claims })
  const good = issue()
  const [header = '', payload = '', signature = ''] = good.split('.')
  const forge = (fields: object, claims: object = CLAIMS) =>
    `${encode({ alg: 'EdDSA', kid: signer.publicKey.kid, typ: RECEIPT_TYPE, ...fields })}.${encode(claims)}.${signature}`
  const cases: [name: string, receipt: string, reason: string | null, check?: Check][] = [
    ['a grant', good, null],
    ['the expected agent and key', good, null, { agentId: AGENT, keyThumbprint: THUMBPRINT }],
    ['clocks that differ by 30 seconds', good, null, { now: CREATED - 30 }],
    ['a denial that is accepted', issue({ recommendation: 'deny' }), null, { accept: ['grant', 'deny'] }],
    ['without optional claims', issue(withoutOptional()), null],
    ['another issuer', issue({ iss: 'https://other.example' }), 'other_issuer'],
    ['another endpoint', good, 'other_audience', { audience: ENDPOINT.replace('8E', '8F') }],
    ['another agent', good, 'other_agent', { agentId: AGENT.replace('8E', '8F') }],
    ['another key of the agent', good, 'other_key', { keyThumbprint: 'x'.repeat(43) }],
    ['issued in the future', good, 'not_yet_valid', { now: CREATED - 31 }],
    ['expired', good, 'expired', { now: CREATED + 3_630 }],
    ['a denial', issue({ recommendation: 'deny' }), 'not_granted'],
    ['a step-up', issue({ recommendation: 'step_up_required' }), 'not_granted'],
    ['another kind of token', issue({}, 'JWT'), 'wrong_type'],
    ['signed by another key', other.sign(RECEIPT_TYPE, CLAIMS), 'unknown_key'],
    ['without the id of a key', forge({ kid: undefined }), 'unknown_key'],
    ['changed claims', forge({}, { ...CLAIMS, value: 200 }), 'signature_mismatch'],
    ['a cut signature', good.slice(0, -6), 'signature_mismatch'],
    ['another algorithm', forge({ alg: 'ES256' }), 'wrong_algorithm'],
    ['no algorithm', forge({ alg: 'none' }), 'malformed'],
    ['a symmetric algorithm', forge({ alg: 'HS256' }), 'malformed'],
    ['a critical extension', forge({ crit: ['exp'] }), 'malformed'],
    ['an unencoded payload', forge({ b64: false }), 'malformed'],
    ['a level that does not exist', issue({ accessLevel: 'root' }), 'malformed'],
    ['a claim of another type', issue({ value: '20' }), 'malformed'],
    ['a required claim missing', issue({ identityProof: undefined }), 'malformed'],
    ['padding', `${header}.${payload}=.${signature}`, 'malformed'],
    ['two parts', `${header}.${payload}`, 'malformed'],
    ['nothing', '', 'malformed'],
  ]
  return {
    ...{ issuer: ISSUER, audience: ENDPOINT, now: CREATED + 60, keys: [signer.publicKey] },
    cases: cases.map(([name, receipt, reason, check]) => ({
      ...{ name, receipt, ...(check === undefined ? {} : { check }), reason },
    })),
  }
}

function withoutOptional(): object {
  const names = ['purpose', 'action', 'resource', 'value', 'currency', 'sessionId', 'cnf', 'status']
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
