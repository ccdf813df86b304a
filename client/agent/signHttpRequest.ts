import {
  buildSignatureBase,
  buildSignatureParams,
  type SignatureComponent,
} from '@svc/core/signing/signatureBase.ts'
import {
  listRequiredComponents,
  SIGNATURE_SECONDS_MAX,
  type SignatureTag,
  STATED_HEADERS,
} from '@svc/core/signing/signatureProfile.ts'
import { writeBytes, writeMember, writeString } from '@svc/core/signing/structuredField.ts'
import { parseUrl } from '@svc/core/url/url.ts'
import { type HeadersToRead, readHeaders } from '../http/readHeaders.ts'
import { computeContentDigest } from '../http/sha256.ts'
import type { AgentSigner } from './agentSigner.ts'
import { createNonce } from './createNonce.ts'

/** Whose requests are signed, and how. */
export type SignatureOptions = {
  /** `SVC-…`: the signature says that this agent sends the request. */
  agentId: string
  /** `web-bot-auth` by default; Visa's Trusted Agent Protocol has `agent-browser-auth` and `agent-payer-auth`. */
  tag?: SignatureTag | undefined
  /** Origin with the directory of the agent's keys, sent as `Signature-Agent` for verifiers that do not know the agent. */
  signatureAgent?: string | undefined
  /** Names of further headers to cover; each must be there. */
  covers?: readonly string[] | undefined
  /** How long the signature is good, in seconds; default and maximum 300. */
  lifetimeSeconds?: number | undefined
  /** Names the signature among others of the request; default `svc`. */
  label?: string | undefined
  /** Epoch milliseconds; default the clock. */
  now?: (() => number) | undefined
}

/** A request to sign, exactly as it will be sent. */
export type HttpRequestToSign = {
  /** Signed in upper case, in which HTTP clients send it. */
  method: string
  /** Absolute. */
  url: string | URL
  headers?: HeadersToRead | undefined
  /** The bytes of the body; a text is sent in UTF-8. */
  body?: string | Uint8Array | undefined
}

/**
 * Signs a request for any HTTP client and returns the headers to set, which replace headers of the same names.
 *
 * Covered are the authority, the method, the path and the query, the agent's identifier and what it states (`X-Svc-Purpose`
 * …), and the digest of the body. Each signature has a nonce and is good for one request: sign again before sending again.
 *
 * @throws Error without an agent, for a URL that cannot be sent, a header that is to be covered and missing, a signature of
 *   the same label, or the `X-Svc-Id` of another agent; TypeError for a body that is neither text nor bytes.
 *
 * Source: RFC 9421; RFC 9530; docs/agents.md.
 */
export async function signHttpRequest(
  signer: AgentSigner,
  request: HttpRequestToSign,
  options: SignatureOptions,
): Promise<Record<string, string>> {
  const { agentId, label = 'svc', signatureAgent } = options
  // JavaScript callers pass an environment variable that is not set.
  if (!agentId) throw new Error('agentId is missing: pass the identifier of the agent, SVC-…')
  const url = parseTarget(request.url)
  const given = readHeaders(request.headers ?? {})
  if ((given['x-svc-id'] ?? agentId) !== agentId) {
    throw new Error(`X-Svc-Id is ${given['x-svc-id']}, but ${agentId} signs the request`)
  }
  const own: Record<string, string> = { 'x-svc-id': agentId }
  const { body } = request
  // The digest of anything else would be left out, and the body with it.
  if (body !== undefined && typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('body must be the text or the bytes that are sent')
  }
  if (body !== undefined && body.length > 0) own['content-digest'] = await computeContentDigest(body)
  const member = signatureAgent === undefined ? undefined : { key: label, value: writeOrigin(signatureAgent) }
  if (member) own['signature-agent'] = joinMember(given['signature-agent'], label, member.value)

  const headers = { ...given, ...own }
  const components = listComponents(headers, url, options).map((component) =>
    component.name === 'signature-agent' ? { ...component, member } : component,
  )
  const params = buildSignatureParams(components, parametersOf(signer, options))
  const target = {
    method: request.method.toUpperCase(),
    authority: url.host,
    targetUri: url.origin + url.pathname + url.search,
  }
  const base = buildSignatureBase(components, params, { ...target, headers })
  return {
    ...own,
    'signature-input': joinMember(given['signature-input'], label, params),
    signature: joinMember(given.signature, label, writeBytes(await signer.sign(base))),
  }
}

function parseTarget(target: string | URL): URL {
  const url = parseUrl(String(target))
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new Error('url must be an absolute http(s) URL without user name and password')
  }
  return url
}

function writeOrigin(signatureAgent: string): string {
  if (parseUrl(signatureAgent)?.origin !== signatureAgent) {
    throw new Error(`signatureAgent must be an origin, got ${signatureAgent}`)
  }
  return writeString(signatureAgent)
}

/** Adds a member to a header that is a dictionary, beside those of other signers. */
function joinMember(header: string | undefined, label: string, value: string): string {
  const member = writeMember(label, value)
  if (header === undefined) return member
  if (new RegExp(`(?:^|,)\\s*${label.replace(/[.*]/g, '\\$&')}=`).test(header)) {
    throw new Error(`the request already has a signature ${label}`)
  }
  return `${header}, ${member}`
}

function listComponents(
  headers: Readonly<Record<string, string | undefined>>,
  { search }: URL,
  { covers = [] }: SignatureOptions,
): SignatureComponent[] {
  const required = listRequiredComponents({
    hasQuery: search !== '',
    hasBody: headers['content-digest'] !== undefined,
    hasSignatureAgent: headers['signature-agent'] !== undefined,
  })
  const stated = STATED_HEADERS.filter((name) => headers[name] !== undefined)
  const further = covers.map((name) => name.toLowerCase())
  return [...new Set([...required, ...stated, ...further])].map((name) => ({ name }))
}

function parametersOf(signer: AgentSigner, options: SignatureOptions) {
  const { lifetimeSeconds = SIGNATURE_SECONDS_MAX, tag = 'web-bot-auth', now = Date.now } = options
  if (!(lifetimeSeconds >= 1 && lifetimeSeconds <= SIGNATURE_SECONDS_MAX)) {
    throw new Error(`lifetimeSeconds must be from 1 to ${SIGNATURE_SECONDS_MAX}, got ${lifetimeSeconds}`)
  }
  const created = Math.floor(now() / 1000)
  const { keyid, algorithm: alg } = signer
  return { created, expires: created + Math.floor(lifetimeSeconds), nonce: createNonce(), keyid, alg, tag }
}
