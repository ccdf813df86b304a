import { createRouteGates } from './createRouteGates.ts'
import { type GatewayRefusal, gatewayRefusal } from './gatewayRefusal.ts'
import { readPresentedIdentity } from './presentedIdentity.ts'
import type { VerificationAnswer } from './verificationAnswer.ts'
import type { VerificationFields } from './verificationFields.ts'
import { createVerifyClient, type EndpointRoute, type VerifyClientConfig } from './verifyClient.ts'

/** What the request carries after verification. Source: Spec: Client library contract. */
export type Verified = {
  /** The caller is a registered agent and was let in as one. */
  verified: boolean
  /** As the service answered it. */
  accessLevel: string
  agent: VerificationAnswer['agent']
  advisory: VerificationAnswer['advisory']
  /** The boundary that applied, when the counterparty is the agent's owner. */
  pdlss: Record<string, unknown> | undefined
  tokenGuidance: VerificationAnswer['tokenGuidance']
  recommendation: VerificationAnswer['recommendation']
  /** The whole answer, with `sessionId` or `correlationId` and `auditRecordId`. */
  verification: VerificationAnswer
}

/** What the gateway needs of a request: Node's, and so Express's, Connect's and their kin. */
export type GatewayRequest = {
  method?: string
  url?: string
  /** Express: the path before a router took its part. */
  originalUrl?: string
  /** Express: honours its `trust proxy`. */
  ip?: string
  /** Express: `https` behind a proxy it trusts. */
  protocol?: string
  headers: Record<string, string | string[] | undefined>
  socket?: { remoteAddress?: string; encrypted?: boolean }
} & Partial<Verified>

/** What the gateway needs of a response: Node's. */
export type GatewayResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** How the gateway is set up. Source: Spec: Client library contract. */
export type GatewayConfig<Request extends GatewayRequest> = VerifyClientConfig & {
  /** Gates; left out, those that the service holds for `counterpartyId` apply. */
  routes?: readonly EndpointRoute[]
  /** Tells what is behind the gateway, in `X-Svc-Access-Level` and `X-Svc-Recommendation`, what was decided. */
  setPassThroughHeader?: boolean
  /** What only the application knows of a request: `transactionValue`, `currency`, `action`, a better `resource` … */
  describeRequest?(req: Request): VerificationFields | Promise<VerificationFields>
}

const PASS_THROUGH_HEADERS = ['x-svc-access-level', 'x-svc-recommendation'] as const

/**
 * A gateway in front of a counterparty's handlers: every request is verified, and passes only if it may.
 *
 * Express-compatible middleware without a dependency on Express. `grant` and `audit` pass, when the route's level is
 * reached; everything else, a recommendation nobody knows among it, and every failure to get a decision, is refused
 * (`gatewayRefusal.ts`). The resource is the request's path unless `describeRequest` names a better one.
 *
 * @throws Error at once for a bad address or a route that cannot be understood.
 *
 * Source: Spec: Client library contract; Spec: Agent-side request headers.
 */
export function createGateway<Request extends GatewayRequest = GatewayRequest>(
  config: GatewayConfig<Request>,
) {
  const client = createVerifyClient(config)
  const { counterpartyId, routes, warn = console.warn } = config
  const currentGate = createRouteGates({ client, counterpartyId, routes, warn })

  const decide = async (req: Request): Promise<VerificationAnswer | GatewayRefusal> => {
    try {
      const described = await config.describeRequest?.(req)
      const gate = await currentGate()
      const answer = await client.verifyAccess({ ...fieldsOf(req), ...described })
      if (answer.recommendation === 'step_up_required') return gatewayRefusal.held(answer)
      if (!mayPass(answer)) return gatewayRefusal.denied(answer)
      const isHighEnough = gate(req.method ?? 'GET', pathOf(req), answer.access.accessLevel)
      return isHighEnough ? answer : gatewayRefusal.levelTooLow(answer)
    } catch (error) {
      warn(`a request could not be verified: ${error}`)
      return gatewayRefusal.failed(error)
    }
  }

  return async (req: Request, res: GatewayResponse, next: () => unknown): Promise<void> => {
    for (const name of PASS_THROUGH_HEADERS) delete req.headers[name]
    const outcome = await decide(req)
    if ('body' in outcome) return refuse(res, outcome)
    Object.assign(req, verifiedOf(outcome))
    const { warningHeader, access, recommendation } = outcome
    if (warningHeader) res.setHeader(warningHeader.name, warningHeader.value)
    if (config.setPassThroughHeader) {
      req.headers['x-svc-access-level'] = access.accessLevel
      req.headers['x-svc-recommendation'] = recommendation
    }
    next()
  }
}

function mayPass({ access, recommendation }: VerificationAnswer): boolean {
  return access.allowed && (recommendation === 'grant' || recommendation === 'audit')
}

function fieldsOf(req: GatewayRequest): VerificationFields {
  return {
    ...readPresentedIdentity(req.headers),
    resource: pathOf(req),
    callerMetadata: {
      sourceIp: req.ip ?? req.socket?.remoteAddress,
      userAgent: headerOf(req, 'user-agent'),
      referer: headerOf(req, 'referer'),
      host: headerOf(req, 'host'),
      forwardedFor: headerOf(req, 'x-forwarded-for'),
      ...signedPartsOf(req),
    },
  }
}

/**
 * What a signature over the request may cover, when there is one: the service verifies it (Web Bot Auth).
 *
 * Behind a proxy that ends TLS the scheme is right only if the framework trusts the proxy.
 */
function signedPartsOf(req: GatewayRequest): VerificationFields['callerMetadata'] {
  const signature = headerOf(req, 'signature')
  if (signature === undefined) return {}
  const scheme = req.protocol ?? (req.socket?.encrypted ? 'https' : 'http')
  const target = req.originalUrl ?? req.url ?? '/'
  return {
    signature,
    signatureInput: headerOf(req, 'signature-input'),
    signatureAgent: headerOf(req, 'signature-agent'),
    method: req.method,
    targetUri: target.startsWith('/') ? `${scheme}://${headerOf(req, 'host') ?? ''}${target}` : target,
  }
}

function headerOf(req: GatewayRequest, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** As routers see it: a target may also be a whole URL (RFC 9112 §3.2.2) or hold a fragment. */
function pathOf(req: GatewayRequest): string {
  const target = req.originalUrl ?? req.url ?? '/'
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '/')
  return path.split(/[?#]/)[0] || '/'
}

function verifiedOf(answer: VerificationAnswer): Verified {
  const { access, agent, advisory, tokenGuidance, recommendation } = answer
  return {
    verified: agent !== undefined && answer.correlationId === undefined,
    accessLevel: access.accessLevel,
    ...{ agent, advisory, pdlss: access.appliedPolicy, tokenGuidance, recommendation, verification: answer },
  }
}

function refuse(res: GatewayResponse, { status, headers, body }: GatewayRefusal): void {
  res.statusCode = status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.end(JSON.stringify(body))
}
