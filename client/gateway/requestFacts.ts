import { parseUrl } from '@svc/core/url/url.ts'
import { readPresentedIdentity } from '../agent/readPresentedIdentity.ts'
import type { VerificationFields } from './verificationFields.ts'

/** What a gateway is told of a request, whatever brought it. */
export type RequestFacts = {
  method?: string
  /** Path with query, or a whole URL. */
  target?: string
  /** Names in lower case. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The `metadata` of an A2A message or the `_meta` of an MCP request; its names win over those of headers. */
  metadata?: Readonly<Record<string, unknown>>
  sourceIp?: string | undefined
  /** `https` where the request came by TLS, also behind a proxy that is trusted. */
  scheme?: string
  /** What only the application knows: `transactionValue`, `currency`, `action`, a better `resource` … */
  fields?: VerificationFields | undefined
  /** Says that the caller has gone: a request that is held for its owner is then held no longer. */
  signal?: AbortSignal | undefined
}

/**
 * The fields of verify-access for a request. Source: Spec: Agent-side request headers.
 *
 * What the application knows wins, where it knows anything: a better resource that the caller left out would otherwise take
 * the path with it, and nothing would be judged as the resource.
 */
export function fieldsOf(facts: RequestFacts): VerificationFields {
  const { headers = {}, metadata } = facts
  const presented = { ...readPresentedIdentity(headers), ...definedOf(readPresentedIdentity(metadata ?? {})) }
  return {
    ...presented,
    resource: pathOf(facts),
    callerMetadata: {
      sourceIp: facts.sourceIp,
      userAgent: headerOf(headers, 'user-agent'),
      referer: headerOf(headers, 'referer'),
      host: headerOf(headers, 'host'),
      forwardedFor: headerOf(headers, 'x-forwarded-for'),
      ...signedPartsOf(facts),
    },
    ...definedOf(facts.fields ?? {}),
  }
}

/** As routers see it: a target may also be a whole URL (RFC 9112 §3.2.2) or hold a fragment. */
export function pathOf({ target = '/' }: RequestFacts): string {
  const path = target.startsWith('/') ? target : (parseUrl(target)?.pathname ?? '/')
  return path.split(/[?#]/)[0] || '/'
}

/**
 * What a signature over the request may cover, when there is one: the service verifies it (Web Bot Auth).
 *
 * Behind a proxy that ends TLS the scheme is right only if the framework trusts the proxy.
 */
function signedPartsOf({
  headers = {},
  method,
  scheme,
  target = '/',
}: RequestFacts): VerificationFields['callerMetadata'] {
  const signature = headerOf(headers, 'signature')
  if (signature === undefined) return {}
  const origin = `${scheme ?? 'http'}://${headerOf(headers, 'host') ?? ''}`
  return {
    signature,
    signatureInput: headerOf(headers, 'signature-input'),
    signatureAgent: headerOf(headers, 'signature-agent'),
    method,
    targetUri: target.startsWith('/') ? origin + target : target,
  }
}

function headerOf(headers: NonNullable<RequestFacts['headers']>, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

function definedOf<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>
}
