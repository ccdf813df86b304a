import { checkBody } from '@svc/client/gateway/checkBody.ts'
import { findSessionTokens } from '@svc/client/gateway/findSessionTokens.ts'
import { readRequest } from '@svc/client/gateway/readRequest.ts'
import type { RequestFacts } from '@svc/client/gateway/requestFacts.ts'
import { verificationFieldsOf } from '@svc/client/gateway/verificationFieldsOf.ts'
import { computeContentDigest } from '@svc/client/http/sha256.ts'
import { AGENT } from './vectorValues.ts'

const BODY = '{"item":"tea","total":19.9}'
const OTHER = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
const SD_JWT = 'eyJhIjoxfQ.eyJiIjoyfQ.c2ln~ZGlzY2xvc3VyZQ~'

type Facts = Omit<RequestFacts, 'headers'> & { headers?: Record<string, string> }

/**
 * Builds the facts of requests, and what a gateway hands over to the service for each or with which status it refuses it.
 *
 * Source: Spec: Agent-side request headers; RFC 9530 §2.
 */
export async function buildGatewayVectors(): Promise<object> {
  const digest = await computeContentDigest(BODY)
  const cases: Record<string, Facts> = { ...plainRequests(), ...provenRequests(digest) }
  return { cases: await Promise.all(Object.entries(cases).map(([name, facts]) => describe(name, facts))) }
}

async function describe(name: string, facts: Facts): Promise<object> {
  const request = readRequest(facts)
  const checked = await checkBody(request)
  if (checked.refusal)
    return { name, facts, refusal: { status: checked.refusal.status, body: checked.refusal.body } }
  const fields = verificationFieldsOf(request, checked.contentDigest)
  return { name, facts, fields, sessionTokens: findSessionTokens(request) }
}

function plainRequests(): Record<string, Facts> {
  const identity = { 'x-svc-id': AGENT, 'x-svc-purpose': 'shopping:buy', 'x-svc-scope': 'DE' }
  const request = { method: 'GET', target: '/orders?x=1', headers: {} }
  const withHeaders = (headers: Record<string, string>): Facts => ({ ...request, headers })
  const withTarget = (target: string): Facts => ({ ...request, target })
  return {
    'an anonymous caller': { ...request, sourceIp: '192.0.2.1' },
    'an agent that presents everything': withHeaders({
      ...{ ...identity, 'x-svc-duration': '600', 'x-svc-attempt-id': 'b7b7c1de-0000-4000-8000-000000000000' },
      ...{ 'x-svc-agent-card': 'https://agent.example/card', 'x-svc-token': 'token', 'user-agent': 'x/1' },
      ...{
        host: 'shop.example',
        referer: 'https://a.example',
        'x-forwarded-for': '192.0.2.2',
        'x-svc-verify': 'no',
      },
    }),
    'a duration that is no number of seconds': withHeaders({ ...identity, 'x-svc-duration': '060' }),
    'an agent token in Authorization': withHeaders({ ...identity, authorization: 'agenttoken  abc.def' }),
    'another scheme in Authorization': withHeaders({ ...identity, authorization: 'Bearer abc.def' }),
    'empty headers': withHeaders({ 'x-svc-id': '', 'x-svc-purpose': '' }),
    'a payment of x402': withHeaders({ ...identity, 'x-payment': 'e30=' }),
    'payments of two versions of x402': withHeaders({ 'x-payment': 'b2xk', 'payment-signature': 'bmV3' }),
    'a payment in a signed request': withHeaders({
      ...{ ...identity, 'payment-signature': 'bmV3', signature: 'sig1=:AA==:' },
      'signature-input': 'sig1=("@method");created=1',
    }),
    'metadata before headers': {
      ...{ ...request, headers: { 'x-svc-id': 'SVC-other', 'x-svc-scope': 'FR' } },
      metadata: { 'X-Svc-Id': AGENT, 'X-Svc-Duration': 60, 'X-Svc-Purpose': ['shopping:browse', 'x'] },
    },
    'facts of the application': {
      ...{ ...request, headers: identity },
      fields: { transactionValue: 20, currency: 'EUR', callerMetadata: { userAgent: 'app' } },
    },
    'a resource of the application': {
      ...request,
      fields: { resource: '/order/7', purpose: 'shopping:return' },
    },
    'an absolute target': withTarget('http://shop.example/a/../b?x#y'),
    'an absolute target without a path': withTarget('https://shop.example'),
    'an absolute target that parsers disagree about': withTarget('http:///a/b'),
    'a target with a backslash': withTarget('http://shop.example\\a/b'),
    'a target without a slash': withTarget('orders'),
    'a target with white space and a fragment': withTarget(' /orders#x?y '),
    'a target of another scheme': withTarget('urn:x:y'),
    'an empty target': withTarget(''),
    'tokens of other sessions': {
      ...{
        method: 'GET',
        target: '/checkout_sessions/cs_1/complete',
        metadata: { 'X-Chain': [SD_JWT, SD_JWT] },
      },
      headers: {
        ...{
          authorization: `Bearer ${SD_JWT}`,
          'stripe-signature': 't=1,v1=ab',
          'webhook-signature': 'v1,ab',
        },
        ...{ 'x-checkout-session-id': 'cs_2', 'x-svc-signature': 'v1=ab' },
      },
    },
  }
}

function provenRequests(digest: string): Record<string, Facts> {
  const covered =
    '("@authority" "@method" "content-digest" "x-svc-id" "authorization" "x-note");nonce="(\\"x-no\\""'
  const headers = {
    ...{
      host: 'shop.example',
      'x-svc-id': AGENT,
      signature: 'svc=:AAAA:',
      'signature-input': `svc=${covered}`,
    },
    ...{ 'content-digest': digest, 'x-note': 'a', 'x-no': 'b', authorization: 'Bearer x' },
  }
  const request = { method: 'POST', target: '/orders?x=1', scheme: 'https', headers, body: BODY }
  const open = { ...headers, 'signature-input': 'svc=("@authority");created=1' }
  const two = { ...headers, 'signature-input': `svc=${covered}, other=("@authority");created=1` }
  const proofOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
  const { signature: _, 'signature-input': __, ...unsigned } = headers
  const withProof = (claims: object): Facts['headers'] => ({ ...unsigned, 'x-svc-proof': proofOf(claims) })
  return {
    'a signed request': request,
    'a signed request whose target is absolute': { ...request, target: 'https://shop.example/orders' },
    'a signed request on a transport without a body': { ...request, body: undefined },
    'a signed request without a body': { ...request, headers: open, body: '' },
    'another body than the signed one': { ...request, body: `${BODY} ` },
    'a digest of an unknown algorithm': {
      ...request,
      headers: { ...headers, 'content-digest': 'md5=:AAAA:' },
    },
    'a digest with a parameter': {
      ...request,
      headers: { ...headers, 'content-digest': `${digest};x="a, b";y` },
    },
    'a digest that is stated twice': {
      ...request,
      headers: { ...headers, 'content-digest': `${digest}, ${digest}` },
    },
    'one of two digests wrong': {
      ...{ ...request, headers: { ...headers, 'content-digest': `${digest}, sha-512=:AAAA:` } },
    },
    'a signature that leaves the body open': { ...request, headers: open },
    'two signatures, one of which leaves the body open': { ...request, headers: two },
    'a body that is too long': { ...request, body: { unread: 'too_long' } },
    'a body that is too long for a signature that leaves it open': {
      ...request,
      headers: open,
      body: { unread: 'too_long' },
    },
    'a body that was consumed': { ...request, body: { unread: 'consumed' } },
    'a body that was consumed, and two signatures': {
      ...request,
      headers: two,
      body: { unread: 'consumed' },
    },
    'an intent proof that states the body': { ...request, headers: withProof({ bodyHash: digest }) },
    'an intent proof that states another body': { ...request, headers: withProof({ bodyHash: OTHER }) },
    'an intent proof that states no body': { ...request, headers: withProof({ purpose: 'x' }) },
    'an intent proof, and a body that was consumed': {
      ...request,
      headers: withProof({}),
      body: { unread: 'consumed' },
    },
    'an intent proof in metadata': {
      ...request,
      headers: unsigned,
      metadata: { 'X-Svc-Proof': proofOf({ bodyHash: OTHER }) },
    },
    'something else in place of an intent proof': {
      ...request,
      headers: { ...unsigned, 'x-svc-proof': 'abc' },
    },
  }
}
